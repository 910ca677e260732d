-- delta.lua - a river builds a delta into a basin, for 100 000 years.
--
-- A coastal plain in the west falls off to a shelf and a basin in the east. A river brings sand and mud
-- to the shore and now and then finds another of its three mouths, so that lobe comes to lie beside lobe;
-- the sea rises and falls. Sediment runs down the slope, on land much more readily than under the waves,
-- and mud farther than sand (the model of Rivenaes; engine/solvers/sediment/README.md): the plain and the
-- front of the delta are sandy, what reaches the basin is mud.
--
--   ria run scenarios/delta.lua                 half a minute or less on two cores
--   ria run scenarios/delta.lua cells=240       finer, sixteen times as long
--
-- frames/height and frames/sand are pictures from above, section.png is a cut along the middle with its
-- layers coloured by sand, shaped by the sea that came and went.

local ria = require "ria"
local synth = require "ria.synth"
local strata = require "ria.strata"

local p = ria.params {
  cells = { 120, help = "cells from west to east", min = 40, max = 4000 },
  time = { 100000, unit = "yr", help = "simulated time", min = 10 },
  river = { 2.5e5, unit = "m^3/yr", help = "volume of sediment that the river brings", min = 0 },
  sandy = { 0.4, help = "part of it that is sand", min = 0, max = 1 },
  tide = { 4, unit = "m", help = "how far the sea rises and falls, in cycles of 40 000 years", min = 0 },
  moves = { 4000, unit = "yr", help = "time between two moves of the river", min = 1 },
}

local km, YEAR = 1000, 365.25 * 86400
local width, depth = 60 * km, 60 * km -- of the domain
local dx = width / p.cells

-- The floor before: a plain at 3 m, a shelf, a slope, a basin; uneven by a few metres.
local uneven = synth.fbm { scale = 9 * km, octaves = 4, seed = 7 }
local function floor(x, y)
  local shore = x - 8 * km - 2 * km * math.sin(y / (8 * km))
  local z = 2 - 40 * synth.smoothstep(-2 * km, 9 * km, shore) - 20 * synth.smoothstep(6 * km, 46 * km, shore)
  return z + 2 * uneven(x, y) * synth.smoothstep(-2 * km, 9 * km, shore)
end

-- Sediment moves more readily along old valleys than across the ground between them.
local ground = synth.fbm { scale = 5 * km, octaves = 3, seed = 21 }
local function ease(of) return function(x, y) return of * math.exp(0.9 * ground(x, y)) / YEAR end end

local function sea_level(t) return p.tide * math.sin(2 * math.pi * t / (40000 * YEAR)) end

local mouths = { 0.5, 0.4, 0.6 } -- of the side, from the south
local boundary = { east = { kind = "open" } }
for k, at in ipairs(mouths) do
  local y = at * depth
  boundary["mouth" .. k] = { kind = "flux", from = { 0, y - km }, to = { 0, y + km }, sand = 0, mud = 0 }
end

local sim = ria.sim {
  solver = "sediment",
  title = "A delta",
  grid = { nx = p.cells, ny = math.floor(p.cells * depth / width + 0.5), dx = dx },
  params = { layer = 2, marine_alpha = 0.006, marine_beta = 0.03, wave_base = "5 m" },
  init = { height = floor, sand = 0.15, alpha = ease(15000), beta = ease(20000) },
  boundary = boundary,
}

-- The river leaves its mouth for another one, in an order that only looks like chance.
local at = 0
sim:every(p.moves, function(s, info)
  local to = 1 + (info.k * 7 + info.k // 3) % #mouths
  if at > 0 then s:boundary("mouth" .. at, { sand = 0, mud = 0 }) end
  at = to
  s:boundary("mouth" .. at, { sand = p.river * p.sandy, mud = p.river * (1 - p.sandy) })
end)

sim:every("500 yr", function(s, info) s:set("sea_level", sea_level(info.t)) end)

local line = strata.section { from = { 0, 0.5 * depth }, to = { width, 0.5 * depth }, points = p.cells }
sim:every(p.time / 50, function(s) line:record(s) end)

sim:every(p.time / 20, ria.frame { field = "height", range = { -60, 60 } })
sim:every(p.time / 20, ria.frame { field = "sand", range = { 0, 1 } })
sim:at(p.time, ria.frame { field = "thickness" })
sim:run(p.time)

line:plot { path = sim:out() .. "/section.png", title = "From the river to the basin" }
