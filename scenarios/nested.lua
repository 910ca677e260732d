-- nested.lua - a bay within the run of ria_spill.lua, on a grid three times finer.
--
-- The narrows of the ria, 6 km square, are stepped with what the larger run saved along their sides: level,
-- velocities, oil and effluent are drawn to it in a layer (sim:relax) and held on the side itself, so tide and
-- plume come in and waves go out. The ship lies outside: its oil arrives with the flood. At the end the gauge
-- in the narrows is compared with the larger run's. With how=sides the level and the current of the larger run
-- stand on the sides alone, which let waves out: no cell is drawn to anything, but no oil comes in.
--
--   ria run scenarios/ria_spill.lua save=10         the larger run, with saves every ten minutes: out/ria_spill
--   ria run scenarios/nested.lua                    the bay in it
--   ria run scenarios/nested.lua coarse=DIR finer=5 hours=6
--
-- Saves every hour do too, but between them the level is a straight line: with tides of 1.5 m it is off by
-- 5 cm, with ten minutes by 1 mm.

local ria = require "ria"
local estuary = require "ria.estuary"

local p = ria.params {
  coarse = { "out/ria_spill", help = "results of ria_spill.lua" },
  finer = { 3, help = "cells of this run along one of 131.25 m", min = 1, max = 50 },
  hours = { 36, unit = "h", help = "simulated time; no more than the larger run's", min = 0.1 },
  how = { "layer", choices = { "layer", "sides" }, help = "a layer along the sides, or level and current on them" },
  width = { 600, unit = "m", help = "of the layer along the sides", min = 50 },
  time = { 60, unit = "s", help = "in which a difference fades towards the side", min = 0.1 },
  every = { 60, unit = "min", help = "time between frames", min = 1 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
}

-- The larger run, checked at this line. Its own bed is coarser: the layer is drawn to its level, not its depth.
local nest = ria.nest(p.coarse)
local cell, n = estuary.size / 160, 46 -- the bay begins at (9450, 4987.5) and has 46 x 46 of those cells
local sea = { kind = "open", slope = 0 } -- behind the layer: lets through what the layer holds
if p.how == "sides" then sea = { kind = "radiate", level = nest, u = nest, v = nest } end

local sim = ria.sim {
  title = "Narrows of the ria, nested",
  precision = p.precision,
  grid = { nx = n * p.finer, ny = n * p.finer, dx = cell / p.finer, x0 = 72 * cell, y0 = 38 * cell },
  bed = estuary.bed(),
  params = { manning = 0.025 },
  tracers = { oil = { unit = "kg/m^3" }, effluent = { decay = "0.5 1/d" } },
  init = { level = 0 },
  boundary = { west = sea, east = sea, south = sea, north = sea },
  maxima = { "level", "oil" },
}
if p.how == "layer" then
  sim:relax { "west", "east", "south", "north", name = "ria", width = p.width, time = p.time, nest = nest }
end

sim:every(p.every, ria.frame { field = "oil", scale = "log", range = { 1e-5, 1e-1 }, arrows = true })
sim:every(p.every, ria.frame { field = "level", range = { -2, 2 } })
sim:every("1 h", ria.save { "level", "u", "v", "oil", precision = 1e-6 })
sim:gauge { name = "narrows", x = 0.57 * estuary.size, y = 0.38 * estuary.size, every = "5 min" }

sim:run(p.hours)

-- The larger run's gauge, row by row: both have one every five minutes.
local gauges = ria.csv(p.coarse .. "/gauges.csv")
local function compare(field)
  local t, here = sim:history("narrows", field)
  local there, sum, most = gauges["narrows." .. field], 0, 0
  local count = math.min(#t, #there)
  for k = 1, count do
    local off = here[k] - there[k]
    if off == off then sum, most = sum + off * off, math.max(most, math.abs(there[k])) end
  end
  return math.sqrt(sum / count), most
end
local level, tide = compare "level"
print(("narrows: level %.3f m RMS from the larger run's, of %.2f m"):format(level, tide))
if p.how == "layer" then -- sides bring no oil
  print(("narrows: oil %.2g kg/m^3 RMS from the larger run's, of %.2g"):format(compare "oil"))
end
