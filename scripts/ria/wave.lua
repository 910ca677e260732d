--- Waves whose shape is known, for the boundary or the start of a run, and the hyperbolic functions
-- that Lua's math lacks.
--
--   local wave = require "ria.wave"
--   local w = wave.solitary { height = 0.3, depth = 2 }
--   boundary = { west = { kind = "level", level = ria.series(w:series()) } }  -- comes in
--   init = { level = w:surface { x = 120 }, u = w:velocity { x = 120 } }      -- or is there
--
-- A wave has `height` and `depth` of still water [m], `speed` [m/s], `length` [m] and `lead` [s]:
-- the time between 1/1000 of the height and the crest. Levels are about the still water's, `level`
-- (0).
--
-- Sources: J. Boussinesq (1872) for the solitary wave; S. Tadepalli and C. E. Synolakis, The run-up
-- of N-waves on sloping beaches, Proc. R. Soc. Lond. A 445 (1994), for the N-waves.

local wave = {}

function wave.cosh(x) return 0.5 * (math.exp(x) + math.exp(-x)) end

--- exp(x) - exp(-x) loses its digits near 0: there the series.
function wave.sinh(x)
  if math.abs(x) < 1e-2 then
    local y = x * x
    return x * (1 + y / 6 * (1 + y / 20 * (1 + y / 42)))
  end
  return 0.5 * (math.exp(x) - math.exp(-x))
end

function wave.tanh(x)
  if math.abs(x) > 20 then return x > 0 and 1.0 or -1.0 end
  return wave.sinh(x) / wave.cosh(x)
end

local function sech2(x)
  if math.abs(x) > 350 then return 0.0 end
  local c = wave.cosh(x)
  return 1 / (c * c)
end

-- keys: false for a number, a number for one above it, true for what the caller checks itself.
local function read(o, name, keys)
  if type(o) ~= "table" then
    error(("wave.%s: expected a table such as { height = 0.3, depth = 2 }"):format(name), 3)
  end
  for key in pairs(o) do
    if keys[key] == nil then
      error(("wave.%s: unknown key '%s'"):format(name, tostring(key)), 3)
    end
  end
  for key, least in pairs(keys) do
    local value = o[key]
    if value == nil and (key == "height" or key == "depth") then
      error(("wave.%s: %s is missing"):format(name, key), 3)
    end
    if value ~= nil and least ~= true and type(value) ~= "number" then
      error(("wave.%s: %s = %s: expected a number in SI"):format(name, key, tostring(value)), 3)
    end
    if type(value) == "number" and type(least) == "number" and value <= least then
      error(("wave.%s: %s = %g: it must be more than %g"):format(name, key, value, least), 3)
    end
  end
end

local methods = {}
methods.__index = methods

--- Elevation above the still water level at a distance x from the crest, m; positive x is ahead.
function methods.elevation(self, x) return self.height * self.shape(self.k * x) end

--- The level at a boundary in time, as points {t, level} for ria.series: the crest arrives at `at`
-- (lead: the wave begins at t = 0), a point every `dt` (length / speed / 100) until `stop` (at + 3
-- lead). From then on the level stays: give ria.series `hold = true` for longer runs.
function methods.series(self, o)
  o = o or {}
  read(o, "series", {at = false, dt = 0, stop = 0})
  local at, dt = o.at or self.lead, o.dt or self.length / self.speed / 100
  local stop, points = o.stop or at + 3 * self.lead, {}
  local n = math.ceil(stop / dt - 1e-9)
  for k = 0, n do
    local t = k < n and k * dt or stop
    points[k + 1] = {t, self.level + self:elevation(self.speed * (at - t))}
  end
  return points
end

--- A function (x, y) for `init`: the level with the crest at `x`, running towards positive x, or
-- towards negative x with towards = -1.
function methods.surface(self, o)
  read(o, "surface", {x = false, towards = false})
  local x0, towards = o.x or 0, o.towards or 1
  return function(x) return self.level + self:elevation(towards * (x - x0)) end
end

--- The depth-averaged velocity that belongs to it, u = c eta / (depth + eta).
function methods.velocity(self, o)
  read(o, "velocity", {x = false, towards = false})
  local x0, towards = o.x or 0, o.towards or 1
  return function(x)
    local eta = self:elevation(towards * (x - x0))
    return towards * self.speed * eta / (self.depth + eta)
  end
end

local function new(o, shape, k, speed, edge)
  return setmetatable({
    height = o.height, depth = o.depth, level = o.level or 0, shape = shape, k = k,
    speed = speed, length = 2 * math.pi / k, lead = edge / (k * speed),
  }, methods)
end

local common = {height = 0, depth = 0, level = false, gravity = 0}

local function with(more)
  local keys = {}
  for key, value in pairs(common) do keys[key] = value end
  for key, value in pairs(more) do keys[key] = value end
  return keys
end

--- A solitary wave: eta = H sech^2(k x), k = sqrt(3 H / (4 d^3)), speed sqrt(g (d + H)). Height H
-- and depth d [m], level of the still water (0), gravity (9.81).
-- The shallow-water equations have no dispersion: a run steepens the wave over some d / H depths.
-- Laboratories and tsunami benchmarks begin with it all the same.
function wave.solitary(o)
  read(o, "solitary", common)
  local k = math.sqrt(0.75 * o.height / o.depth ^ 3)
  return new(o, sech2, k, math.sqrt((o.gravity or 9.81) * (o.depth + o.height)), 4.15)
end

--- An isosceles N-wave: a crest and a trough of the same height H,
-- eta = 3 sqrt(3) / 2 H sech^2(k x) tanh(k x), k = 3/2 sqrt(H / d^3 sqrt(3/4)). leading = "trough"
-- (the sea draws back first) or "crest". Its speed is that of long waves, sqrt(g d).
function wave.n_wave(o)
  read(o, "n_wave", with {leading = true})
  local leading = o.leading or "trough"
  if leading ~= "trough" and leading ~= "crest" then
    local given = tostring(leading)
    error(('wave.n_wave: leading = %s: expected "trough" or "crest"'):format(given), 2)
  end
  local k = 1.5 * math.sqrt(o.height / o.depth ^ 3 * math.sqrt(0.75))
  local sign = leading == "trough" and -1 or 1
  local function shape(s) return sign * 1.5 * math.sqrt(3) * sech2(s) * wave.tanh(s) end
  return new(o, shape, k, math.sqrt((o.gravity or 9.81) * o.depth), 4.65)
end

return require "ria.strict" ("wave", wave)
