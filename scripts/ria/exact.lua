--- Flows with exact solutions, and how far a run is from them.
--
--   local exact = require "ria.exact"
--   local r = exact.run(exact.vortex {}, 128, { params = { cfl = 0.5 } })
--   print(r.h, r.q, r.dye, r.sim:summary().wall)
--
-- A flow is a table: `lx`, `ly` [m] with the corner `x0`, `y0` (0). With one of the two alone it
-- is a channel, one cell wide (`exact.width`, so wide that the step is that of one dimension).
-- `time` [s] is when it is looked at. `state(x, y, t)` gives depth [m], u, v [m/s] and the
-- concentration of a dye; `bed(x, y)` [m]. `smooth` says that cells hold means over themselves
-- (else the value of their centre). `params`, `boundary` and `tracers` are those of ria.sim.
-- `around(x, y)`, where there is one, says which cells count.

local exact = {}

local g = 9.81
local exp, sqrt, pi = math.exp, math.sqrt, math.pi

local open = { west = "open", east = "open", south = "open", north = "open" }

-- --- runs ----------------------------------------------------------------------------------------

exact.width = 1000 -- m

local near = 0.5 / sqrt(3) -- Gauss's two points of a cell, in cells from its middle
local both, middle = { -near, near }, { 0 }

-- The points of a cell, in cells from its middle, that give its means: along x, along y.
local function points(f)
  if not f.smooth then return middle, middle end
  return f.lx and both or middle, f.ly and both or middle
end

--- Means of a flow over a cell of what is conserved: h, hu, hv, hC.
function exact.means(f, x, y, t, dx, dy)
  local sh, sx, sy, sc, n = 0, 0, 0, 0, 0
  local along_x, along_y = points(f)
  for _, a in ipairs(along_x) do
    for _, b in ipairs(along_y) do
      local h, u, v, c = f.state(x + a * dx, y + b * dy, t)
      sh, sx, sy, sc, n = sh + h, sx + h * u, sy + h * v, sc + h * (c or 0), n + 1
    end
  end
  return sh / n, sx / n, sy / n, sc / n
end

local function mean_bed(f, x, y, dx, dy)
  if not f.bed then return 0 end
  local sum, n = 0, 0
  local along_x, along_y = points(f)
  for _, a in ipairs(along_x) do
    for _, b in ipairs(along_y) do
      sum, n = sum + f.bed(x + a * dx, y + b * dy), n + 1
    end
  end
  return sum / n
end

-- What a quantity of the state is in the cell of a point; values of a cell are worked out once.
local function cells(f, dx, dy)
  local known = {}
  return function(which)
    return function(x, y)
      local row = known[y] or {}
      known[y] = row
      local cell = row[x]
      if not cell then
        local h, qx, qy, hc = exact.means(f, x, y, 0, dx, dy)
        cell = h > 0 and { h, qx / h, qy / h, hc / h } or { 0, 0, 0, 0 }
        row[x] = cell
      end
      return cell[which]
    end
  end
end

local function copy(t, more)
  local out = {}
  for k, v in pairs(t or {}) do out[k] = v end
  for k, v in pairs(more or {}) do out[k] = v end
  return out
end

--- The simulation of a flow on n cells along x, or along y in a channel along y. how: `params`
-- (beside the flow's), `solver`, `precision` ("double").
function exact.start(f, n, how)
  local ria = require "ria"
  how = how or {}
  local nx, ny = f.lx and n or 1, f.ly and n or 1
  if f.lx and f.ly then ny = math.floor(n * f.ly / f.lx + 0.5) end
  local dx, dy = f.lx and f.lx / nx or exact.width, f.ly and f.ly / ny or exact.width
  local of = cells(f, dx, dy)
  return ria.sim {
    title = f.title, out = false, solver = how.solver, precision = how.precision or "double",
    grid = { nx = nx, ny = ny, dx = dx, dy = dy, x0 = f.x0 or 0, y0 = f.y0 or 0 },
    bed = function(x, y) return mean_bed(f, x, y, dx, dy) end,
    params = copy(f.params, how.params),
    boundary = f.boundary,
    tracers = f.tracers or { dye = {} },
    init = { depth = of(1), u = of(2), v = of(3), dye = of(4) },
  }
end

--- Mean errors of a simulation at its time t: of the depth `h`, the discharge `q` along x (or along
-- the channel) and the dye's load `dye`; `n` cells count.
function exact.errors(f, sim, t)
  local grid = sim:grid()
  local depth, load = sim:field "depth", sim:field "dye_load"
  local discharge = sim:field(f.lx and "qx" or "qy")
  local r = { h = 0, q = 0, dye = 0, n = 0 }
  for j = 0, grid.ny - 1 do
    local y = grid.y0 + (j + 0.5) * grid.dy
    for i = 0, grid.nx - 1 do
      local x = grid.x0 + (i + 0.5) * grid.dx
      if not f.around or f.around(x, y) then
        local h, qx, qy, hc = exact.means(f, x, y, t, grid.dx, grid.dy)
        r.h = r.h + math.abs(depth:get(i, j) - h)
        r.q = r.q + math.abs(discharge:get(i, j) - (f.lx and qx or qy))
        r.dye = r.dye + math.abs(load:get(i, j) - hc)
        r.n = r.n + 1
      end
    end
  end
  r.h, r.q, r.dye = r.h / r.n, r.q / r.n, r.dye / r.n
  return r
end

--- Start, run to the flow's time, compare: the errors, and the simulation as `sim`.
function exact.run(f, n, how)
  local sim = exact.start(f, n, how)
  sim:run(f.time)
  local r = exact.errors(f, sim, f.time)
  r.sim = sim
  return r
end

--- Positions, a field and the exact depth along the middle row, for a chart.
function exact.profile(f, sim, field, t)
  local grid, of = sim:grid(), sim:field(field)
  local j = grid.ny // 2
  local x, now, truth = {}, {}, {}
  for i = 0, grid.nx - 1 do
    x[i + 1] = grid.x0 + (i + 0.5) * grid.dx
    now[i + 1] = of:get(i, j)
    truth[i + 1] = exact.means(f, x[i + 1], grid.y0 + (j + 0.5) * grid.dy, t, grid.dx, grid.dy)
  end
  return x, now, truth
end

--- The same flow with x and y changed over: a channel runs along y then.
function exact.turned(f)
  local side = { west = "south", south = "west", east = "north", north = "east" }
  local boundary = {}
  for k, kind in pairs(f.boundary or {}) do boundary[side[k]] = kind end
  local out = copy(f, {
    boundary = boundary,
    bed = f.bed and function(x, y) return f.bed(y, x) end,
    state = function(x, y, t)
      local h, u, v, c = f.state(y, x, t)
      return h, v, u, c
    end,
  })
  out.lx, out.ly, out.x0, out.y0 = f.ly, f.lx, f.y0, f.x0
  return out
end

-- --- smooth flows --------------------------------------------------------------------------------

--- A vortex that a current carries along, and dye in it: v = G r exp((1 - r^2) / 2), the level in
-- balance. `u`, `v` (1, 0.6): the current [m/s].
function exact.vortex(o)
  local U, V, G, h0, size, time = o.u or 1.0, o.v or 0.6, 1.5, 1.0, 12, 2.0
  return {
    title = "Travelling vortex", lx = size, ly = size, time = time, smooth = true, boundary = open,
    state = function(x, y, t)
      local dx, dy = x - size / 2 - U * (t - time / 2), y - size / 2 - V * (t - time / 2)
      local r2 = dx * dx + dy * dy
      local e = exp(0.5 * (1 - r2))
      return h0 - G * G / (2 * g) * e * e, U - G * dy * e, V + G * dx * e, exp(-r2)
    end,
  }
end

--- A cloud of dye that diffuses while a uniform current carries it: a Gaussian. `diffusion` (0.5
-- m^2/s); `eddy` (0): how much of it is that of eddies.
function exact.cloud(o)
  local eddy, schmidt = o.eddy or 0, 0.7
  local U, V, D, wide, size, time = 1.0, 0.6, o.diffusion or 0.5, 6.0, 120, 20.0
  return {
    title = "Cloud of dye", lx = size, ly = size, time = time, smooth = true, boundary = open,
    tracers = { dye = { diffusion = D - eddy } },
    params = { eddy = eddy * schmidt, schmidt = schmidt },
    state = function(x, y, t)
      local dx, dy = x - size / 2 - U * (t - time / 2), y - size / 2 - V * (t - time / 2)
      local w2 = wide * wide + 4 * D * t
      return 1.0, U, V, wide * wide / w2 * exp(-(dx * dx + dy * dy) / w2)
    end,
  }
end

--- A jet along y of a Gaussian's shape, which a current carries along x and eddies spread: `eddy`
-- (0.5 m^2/s).
function exact.jet(o)
  local U, E, wide, size, time = 1.0, o.eddy or 0.5, 6.0, 120, 20.0
  return {
    title = "Jet with eddies", lx = size, time = time, smooth = true, boundary = open,
    params = { eddy = E },
    state = function(x, _, t)
      local dx, w2 = x - size / 2 - U * (t - time / 2), wide * wide + 4 * E * t
      return 1.0, U, 0.5 * wide / sqrt(w2) * exp(-dx * dx / w2), 0
    end,
  }
end

--- A square of dye, 40 of 100 parts wide, that a uniform current carries along the diagonal over
-- all 100 parts; the cells are as if the 100 parts were `n`.
function exact.square()
  local size, time = 180, 100
  return {
    title = "Square of dye", lx = size, ly = size, time = time, boundary = open,
    state = function(x, y, t)
      local dx, dy = x - t, y - t
      return 1.0, 1.0, 1.0, dx > 20 and dx < 60 and dy > 20 and dy < 60 and 1.0 or 0.0
    end,
  }
end

-- --- with a shore --------------------------------------------------------------------------------

local bowl, rest_depth = 4, 0.1
local function bowl_bed(x, y)
  return rest_depth * ((x - bowl / 2) ^ 2 + (y - bowl / 2) ^ 2 - 1)
end

--- Thacker's plane surface that goes round in a parabolic bowl; `time`: one turn.
function exact.thacker_plane()
  local tilt, omega = 0.5, sqrt(2 * g * rest_depth)
  return {
    title = "Thacker's plane", lx = bowl, ly = bowl, time = 2 * pi / omega, bed = bowl_bed,
    state = function(x, y, t)
      local c, s = math.cos(omega * t), math.sin(omega * t)
      local level = tilt * rest_depth * (2 * (x - bowl / 2) * c + 2 * (y - bowl / 2) * s - tilt)
      local h = math.max(level - bowl_bed(x, y), 0)
      return h, h > 0 and -tilt * omega * s or 0, h > 0 and tilt * omega * c or 0, 1.0
    end,
  }
end

--- Thacker's paraboloid that swings up and down in the bowl; `time`: one swing.
function exact.thacker_paraboloid()
  local omega, first = sqrt(8 * g * rest_depth), 0.6
  local a = (1 - first ^ 2) / (1 + first ^ 2)
  return {
    title = "Thacker's paraboloid", lx = bowl, ly = bowl, time = 2 * pi / omega, bed = bowl_bed,
    state = function(x, y, t)
      local dx, dy = x - bowl / 2, y - bowl / 2
      local b = 1 - a * math.cos(omega * t)
      local level = rest_depth * (sqrt(1 - a * a) / b - 1 -
        (dx * dx + dy * dy) * ((1 - a * a) / (b * b) - 1))
      local h = math.max(level - bowl_bed(x, y), 0)
      local out = h > 0 and 0.5 * omega * a * math.sin(omega * t) / b or 0
      return h, out * dx, out * dy, 1.0
    end,
  }
end

--- A dam of `deep` (5 m) that breaks onto `shallow` (1 m: Stoker; 0: Ritter), dye behind it.
function exact.dam_break(o)
  local deep, shallow, length, time = o.deep or 5, o.shallow or 1, o.length or 1000, o.time or 25
  local c0, hm = sqrt(g * deep), 0
  if shallow > 0 then -- where rarefaction and shock agree on the velocity
    local lo, hi = shallow, deep
    for _ = 1, 100 do
      hm = 0.5 * (lo + hi)
      local fan = 2 * (c0 - sqrt(g * hm))
      local shock = (hm - shallow) * sqrt(0.5 * g * (hm + shallow) / (hm * shallow))
      if fan > shock then lo = hm else hi = hm end
    end
  end
  local um = 2 * (c0 - sqrt(g * hm))
  local shock = shallow > 0 and hm * um / (hm - shallow) or um
  return {
    title = shallow > 0 and "Stoker's dam break" or "Ritter's dam break", lx = length, time = time,
    state = function(x, _, t)
      local s = t > 0 and (x - length / 2) / t or (x < length / 2 and -math.huge or math.huge)
      local dye = s < um and 1.0 or 0.0
      if s < -c0 then return deep, 0, 0, 1.0 end
      if s < um - sqrt(g * hm) then
        return ((2 * c0 - s) / 3) ^ 2 / g, 2 / 3 * (c0 + s), 0, dye
      end
      if s < shock then return hm, um, 0, dye end
      return shallow, 0, 0, 0.0
    end,
  }
end

--- Water drawn down at a plane beach and let go, after Carrier and Greenspan (1958), the moving
-- shoreline included. In units in which slope, gravity and the drawdown's length are 1 the level
-- begins at e (1 - 5/2 (1 + s^2)^(-3/2) + 3/2 (1 + s^2)^(-5/2)); here e = 0.1, the length is 10 m,
-- the slope 1/10. Land lies in the east, the shore at rest at x = 0.
function exact.beach()
  local e, slope, length, nodes, furthest = 0.1, 0.1, 10.0, 8000, 11.0
  local a, fast = 1.5 * sqrt(1 + 0.9 * e), sqrt(g * slope * length)
  local span = length / fast -- s in the unit of time
  -- Level, velocity and x at (sigma, lambda): D = (1 - i lambda)^2 + sigma^2
  local function transform(s, l)
    local re, im = 1 - l * l + s * s, -2 * l
    local size, angle = re * re + im * im, math.atan(im, re)
    local m3, m5 = size ^ -0.75, size ^ -1.25
    local re3, im3 = m3 * math.cos(-1.5 * angle), m3 * math.sin(-1.5 * angle)
    local re5, im5 = m5 * math.cos(-2.5 * angle), m5 * math.sin(-2.5 * angle)
    local u = 8 * e / a * (im3 - 0.75 * (im5 - l * re5))
    local level = e * (1 - 2 * (1.25 * re3 + l * im3) + 1.5 * ((1 - l * l) * re5 + 2 * l * im5)) -
      0.5 * u * u
    return level, u, level - a * a * s * s / 16
  end
  local table_at, xs, us, levels
  local function tabulate(t)
    table_at, xs, us, levels = t, {}, {}, {}
    local l = 2 * t / a
    for k = 0, nodes do
      local s = furthest * k / nodes
      for _ = 1, 50 do -- t = a lambda / 2 - u
        local _, u = transform(s, l)
        local off = 2 * (t + u) / a - l
        l = l + off
        if math.abs(off) < 1e-13 then break end
      end
      levels[k], us[k], xs[k] = transform(s, l)
    end
  end
  return {
    title = "Drawdown at a beach", lx = 110, x0 = -100, time = 1.0 * span, smooth = true,
    boundary = { west = { kind = "open", slope = 0 } },
    bed = function(x) return slope * x end, around = function(x) return x > -30 end,
    state = function(x, _, t)
      if t / span ~= table_at then tabulate(t / span) end
      x = x / length
      if x >= xs[0] then return 0, 0, 0, 0 end
      local lo, hi = 0, nodes
      while hi - lo > 1 do
        local mid = (lo + hi) // 2
        if xs[mid] > x then lo = mid else hi = mid end
      end
      local r = (xs[lo] - x) / (xs[lo] - xs[hi])
      local level = levels[lo] + r * (levels[hi] - levels[lo])
      return slope * length * (level - x), fast * (us[lo] + r * (us[hi] - us[lo])), 0, 1.0
    end,
  }
end

return exact
