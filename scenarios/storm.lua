-- storm.lua - a storm over a shallow lake: set-up, and the seiche that it leaves.
--
-- A lake 60 km long, 25 km wide and 3 to 6 m deep at 53 degrees north. In half a day the wind rises from a
-- breeze to a storm, turns from the southwest over west to the north, and falls. The water stands up against
-- the lee shore, sways back when the wind drops, and the earth's rotation drives it round the basin. Both solvers
-- are of second order in space and time; here order=1 of the explicit one says nearly the same.
--
--   ria run scenarios/storm.lua                        implicit, steps of two minutes
--   ria run scenarios/storm.lua solver=shallow_water   explicit, steps of some 20 s
--   ria run scenarios/storm.lua peak=30 latitude=0     a hurricane on an earth that does not turn

local ria = require "ria"

local p = ria.params {
  cells = { 120, help = "cells along the lake", min = 20, max = 20000 },
  hours = { 30, unit = "h", help = "simulated time", min = 1 },
  peak = { 22, unit = "m/s", help = "greatest speed of the wind, 10 m above the water", min = 0, max = 60 },
  latitude = { 53, help = "degrees north; 0 = no Coriolis force", min = -90, max = 90 },
  solver = { "adi", choices = { "adi", "shallow_water" }, help = "of the flow" },
  order = { 2, help = "order in space and time of solver=shallow_water", min = 1, max = 2 },
  dt = { 120, unit = "s", help = "time step of solver=adi", min = 1 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
}

local length, width, hour = 60e3, 25e3, 3600
local dx = length / p.cells

-- An oval basin with a bank in its west and a shore that rises to 3 m.
local function bed(x, y)
  local a, b = (x - length / 2) / (0.46 * length), (y - width / 2) / (0.44 * width)
  local shore = math.sqrt(a * a + b * b)
  local floor = -5 + 1.5 * math.exp(-((x - 0.3 * length) ^ 2 + (y - 0.6 * width) ^ 2) / 2 / 4e3 ^ 2)
  return math.min(3, floor + 6 * math.max(0, shore - 0.85) / 0.15)
end

local quiet = 0.15 * p.peak
local params = {
  manning = 0.022,
  latitude = p.latitude,
  wind_speed = ria.series {
    { 0, quiet }, { 6 * hour, 0.8 * p.peak }, { 9 * hour, p.peak }, { 12 * hour, quiet }, hold = true,
  },
  wind_from = ria.series { { 0, 225 }, { 6 * hour, 250 }, { 9 * hour, 290 }, { 12 * hour, 0 }, hold = true },
}
if p.solver == "adi" then
  params.dt, params.smagorinsky = p.dt, 0.5
else
  params.order = p.order
end

local sim = ria.sim {
  title = "A storm over a lake",
  solver = p.solver,
  precision = p.precision,
  grid = { nx = p.cells, ny = math.floor(width / dx + 0.5), dx = dx },
  bed = bed,
  params = params,
  init = { level = 0 },
  maxima = { "level", "speed" },
}

sim:every("1 h", ria.frame { field = "level", range = { -1, 1 }, arrows = true, width = 1200 })
for _, g in ipairs { { "west", 0.07 }, { "middle", 0.5 }, { "east", 0.93 } } do
  sim:gauge { name = g[1], x = g[2] * length, y = width / 2, every = "10 min" }
end
sim:run(p.hours)
