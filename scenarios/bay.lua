-- bay.lua - a small bay: a tide from the sea, a river at its head, a spill after six hours.
--
-- A scenario to begin from, which runs in seconds: change one thing after another and look again.
--
--   ria check scenarios/bay.lua                  what is wrong, before any step
--   ria run scenarios/bay.lua                    results in out/bay: frames, fields, gauges, budget
--   ria run scenarios/bay.lua river=80 days=2    with other parameters; `ria params` lists them
--
-- `ria help` has all words, `ria help ria.frame` the keys of one, `ria help units` the units that text may carry.

local ria = require "ria"

-- What `ria run bay.lua NAME=VALUE` may change. The script gets numbers in SI: p.days is 86400.
local p = ria.params {
  days = { 1, unit = "d", help = "simulated time", min = 0.01 },
  cells = { 80, help = "cells along the bay", min = 20, max = 5000 },
  river = { 30, unit = "m^3/s", help = "discharge of the river", min = 0 },
  mass = { 2, unit = "t", help = "mass spilled", min = 0.001 },
}

-- The ground, z up, in metres: a valley 10 km long that narrows from the sea in the west to the river in the east,
-- with an island. Of a real bay: local ground = ria.dem "bay.tif", then grid = ground, bed = ground.
local length, width = 10e3, 6e3
local dx = length / p.cells
local function ground(x, y)
  local half = 2600 - 1900 * x / length -- half the width of the water
  local across = (y - width / 2 - 400 * math.sin(x / 1500)) / half
  local depth = 12 - 10 * x / length -- in the middle
  local valley = math.min(depth * (across ^ 2 - 1), 15)
  local island = 14 * math.exp(-((x - 4200) ^ 2 + (y - 3800) ^ 2) / 450 ^ 2)
  return valley + island
end

local sim = ria.sim {
  title = "A bay",
  grid = { nx = p.cells, ny = math.ceil(width / dx), dx = dx },
  bed = ground,
  params = { manning = 0.025 }, -- roughness; `ria help shallow_water` has all parameters
  tracers = { -- what the water carries, each in a unit of its own
    oil = { unit = "mg/l" },
    sewage = { unit = "mg/l", decay = "0.5 1/d" },
  },
  init = { level = 0 }, -- the sea stands at 0 where the ground is lower
  boundary = { -- sides that are not named are closed
    west = ria.tide { M2 = { 1.2, 0 }, S2 = { 0.4, 30 }, ramp = "1 h" }, -- amplitude in m, phase in degrees
    river = ria.inflow { from = { length, 3000 }, to = { length, 3600 }, q = p.river },
  },
  maxima = { "level", "oil" }, -- kept at every step, written at the end
}

-- What happens when. Any time may be a number in s or text, or a date if ria.sim has a `start`.
sim:at("6 h", ria.spill { name = "ship", tracer = "oil", x = 2500, y = 2600, radius = 200, mass = p.mass })
sim:spill { name = "outfall", tracer = "sewage", x = 7000, y = 2800, radius = 100, rate = "20 g/s" }

-- What the run leaves behind: pictures, fields for Python and GDAL, tables.
sim:every("30 min", ria.frame { field = "oil", scale = "log", arrows = true })
sim:every("30 min", ria.frame { field = "level", range = { -1.6, 1.6 } })
sim:every("1 h", ria.save { "level", "u", "v", "oil", "sewage", "bed", precision = 1e-4 })
sim:gauge { name = "harbour", x = 6000, y = 2700, every = "5 min" }

-- A condition is looked at every ten minutes, the function is called once.
sim:when(function(s) return s:probe(6000, 2700, "oil") > 0.1 end,
  function(_, event) print(("oil in the harbour after %.1f h"):format(event.t / 3600)) end,
  { every = "10 min" })

sim:run(p.days)
