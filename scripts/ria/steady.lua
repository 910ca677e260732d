--- Steady flows with exact solutions, along a channel: flows of ria.exact.
--
--   local steady = require "ria.steady"
--   local r = require("ria.exact").run(steady.friction "transcritical", 400)
--
-- They begin as they are to stay, and `time` is long enough for a scheme to find its own steady
-- flow. `q` is the discharge [m^2/s], `jump` where a hydraulic jump stands [m], `part` how long
-- the part is that counts [m], where it is not all.
--
-- Source: O. Delestre et al., SWASHES: a compilation of shallow water analytic solutions for
-- hydraulic and environmental studies, Int. J. Numer. Meth. Fluids 72 (2013); after I. MacDonald
-- et al., J. Hydraul. Eng. 123 (1997), and N. Goutal and F. Maurel (1997).

local exact = require "ria.exact"

local steady = {}

local g = 9.81
local exp, sqrt = math.exp, math.sqrt

local function tanh(x)
  local e = exp(-2 * math.abs(x))
  return (x < 0 and -1 or 1) * (1 - e) / (1 + e)
end

-- The depth behind a jump from h, for a discharge whose critical depth is 1.
local function conjugate(h) return 0.5 * h * (sqrt(1 + 8 / h ^ 3) - 1) end

-- q in the west; in the east the level of a flow that leaves slower than waves.
local function ends(f, h)
  local subcritical = h > (f.q * f.q / g) ^ (1 / 3)
  f.boundary = {
    west = { kind = "discharge", q = f.q * exact.width },
    east = subcritical and { kind = "level", level = h + f.bed(f.x0 + f.lx) } or "open",
  }
  return f
end

-- --- with friction -------------------------------------------------------------------------------

local critical = (4 / g) ^ (1 / 3) -- depth of 2 m^2/s

-- From 0 to 1 about s = 0.
local function step(s) return 0.5 * (1 + tanh(s / 0.06)) end

-- Depths in units of `critical`, x in km from the middle of the kilometre that counts. Before and
-- behind it lie reaches (`before`, `behind` in m), where the flow becomes well subcritical if it is
-- given by a level there, and before one that comes in supercritical: a discharge alone is given at
-- the boundary. `river` has none, so that it shows what the boundaries do.
local kinds = {
  subcritical = {
    q = 2, manning = 0.033, before = 500, behind = 500,
    depth = function(s)
      return 1 + 0.5 * exp(-16 * s * s) + 0.6 * (step(-s - 0.65) + step(s - 0.65))
    end,
  },
  supercritical = {
    q = 2.5, manning = 0.04, before = 500, behind = 500,
    depth = function(s) return 1 - 0.2 * exp(-36 * s * s) + step(-s - 0.8) end,
  },
  transcritical = {
    q = 2, manning = 0.0218, before = 500, behind = 500,
    depth = function(s) return s <= 0 and 1 - tanh(3 * s) / 3 or 1 - tanh(6 * s) / 6 end,
  },
  jump = {
    q = 2, manning = 0.0218, before = 500, behind = 500, jump = 500,
    depth = function(s)
      local extra = s + 0.5 < 0 and 40 * (s + 0.5) ^ 4 or 0
      return 0.9 - exp(-4 * (s + 0.5)) / 6 + extra
    end,
    past_jump = function(s)
      local a, b, c, d = -0.348427, 0.552264, -0.55558, 0.8 * exp(-0.5)
      local level = conjugate(0.9 - exp(-2) / 6) - a - b - c - d
      return level + a * exp(-20 * s) + b * exp(-40 * s) + c * exp(-60 * s) + d * exp(s)
    end,
  },
  river = {
    q = 2, manning = 0.033, before = 0, behind = 0,
    depth = function(s) return 1.8 + 0.2 * math.sin(5 * s) end,
  },
}

-- The depth and its slope on the side of the jump where x is.
local function depth_of(k)
  local function depth(x, side)
    local f = k.past_jump and (side or x) > k.jump and k.past_jump or k.depth
    return critical * f(x / 1000 - 0.5)
  end
  local function slope(x)
    local d = 1e-3
    return (8 * (depth(x + d, x) - depth(x - d, x)) - depth(x + 2 * d, x) + depth(x - 2 * d, x)) /
      (12 * d)
  end
  return depth, slope
end

-- The bed that makes a depth steady under Manning's friction, 0 at x1: by Simpson's rule between
-- points, a cubic there. No point may miss the jump.
local function bed_of(k, depth, slope, x0, x1)
  local n, z = 12000, {}
  local dx = (x1 - x0) / n
  local function fall(x)
    local h = depth(x)
    return (k.q ^ 2 / (g * h ^ 3) - 1) * slope(x) - k.manning ^ 2 * k.q ^ 2 / h ^ (10 / 3)
  end
  z[n] = 0.0
  for i = n - 1, 0, -1 do
    local a, b = x0 + (i + 1e-9) * dx, x0 + (i + 1 - 1e-9) * dx
    z[i] = z[i + 1] - dx / 6 * (fall(a) + 4 * fall(0.5 * (a + b)) + fall(b))
  end
  return function(x)
    local s = (x - x0) / dx
    local i = math.max(0, math.min(n - 1, math.floor(s)))
    local r, rise = s - i, z[i + 1] - z[i]
    local a, b = fall(x0 + (i + 1e-9) * dx) * dx, fall(x0 + (i + 1 - 1e-9) * dx) * dx
    return z[i] + r * (a + r * (3 * rise - 2 * a - b + r * (a + b - 2 * rise)))
  end
end

--- MacDonald's flows in a channel of 1 km: "subcritical", "supercritical", "transcritical", "jump",
-- and a "river" of one's own. Only that kilometre counts, from x = 0.
function steady.friction(kind)
  local k = kinds[kind] or error("steady.friction: unknown kind '" .. tostring(kind) .. "'", 2)
  local x0, x1 = -k.before, 1000 + k.behind
  local depth, slope = depth_of(k)
  return ends({
    title = "MacDonald, " .. kind, lx = x1 - x0, x0 = x0, part = 1000, time = 3000, smooth = true,
    q = k.q, jump = k.jump, params = { manning = k.manning },
    bed = bed_of(k, depth, slope, x0, x1), around = function(x) return x > 0 and x < 1000 end,
    state = function(x) return depth(x), k.q / depth(x), 0, 1.0 end,
  }, depth(x1))
end

-- --- without friction ----------------------------------------------------------------------------

local bumps = {
  subcritical = { q = 4.42, level = 2.0 },
  transcritical = { q = 1.53 },
  jump = { q = 0.18, level = 0.33 },
}

local function bump(x) return x > 8 and x < 12 and 0.2 - 0.05 * (x - 10) ^ 2 or 0.0 end

-- The depth of q with head e over a bed z, on the branch asked for.
local function depth_with_head(q, e, z, subcritical)
  local lo, hi = 1e-3, (q * q / g) ^ (1 / 3)
  if subcritical then lo, hi = hi, 10 end
  for _ = 1, 80 do
    local h = 0.5 * (lo + hi)
    if (h + z + q * q / (2 * g * h * h) > e) == subcritical then hi = h else lo = h end
  end
  return 0.5 * (lo + hi)
end

--- Flow over a bump: "subcritical", "transcritical", "jump". The bump is a parabola with kinks at
-- its feet.
function steady.bump(kind)
  local k = bumps[kind] or error("steady.bump: unknown kind '" .. tostring(kind) .. "'", 2)
  local q, at = k.q, nil
  local behind = k.level and k.level + q * q / (2 * g * k.level ^ 2)
  local head = kind == "subcritical" and behind or 0.2 + 1.5 * (q * q / g) ^ (1 / 3)
  local function force(h) return q * q / h + 0.5 * g * h * h end
  if kind == "jump" then -- where the thrust on both sides is the same
    local lo, hi = 10, 12
    for _ = 1, 60 do
      at = 0.5 * (lo + hi)
      local before = force(depth_with_head(q, head, bump(at), false))
      if before > force(depth_with_head(q, behind, bump(at), true)) then lo = at else hi = at end
    end
  end
  local function depth(x)
    if at and x > at then return depth_with_head(q, behind, bump(x), true) end
    return depth_with_head(q, head, bump(x), kind == "subcritical" or x < 10)
  end
  return ends({
    title = "Bump, " .. kind, lx = 25, x0 = 0, time = 300, smooth = true, q = q, jump = at,
    bed = bump, state = function(x) return depth(x), q / depth(x), 0, 1.0 end,
  }, depth(25))
end

return steady
