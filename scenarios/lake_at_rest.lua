-- lake_at_rest.lua - a lake with islands stays at rest.
--
-- Nothing should happen, for any bed: the test of a well-balanced scheme. Prints the largest departure of
-- the level and the largest speed after a day; both are round-off, at either order of the scheme. Try
-- precision=single and order=1.

local ria = require "ria"
local synth = require "ria.synth"

local p = ria.params {
  grid = { 100, help = "cells along a side", min = 10 },
  time = { 24, unit = "h", help = "simulated time", min = 0.1 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
}

local level, size = 0.37, 5e3
local ground = synth.fbm { scale = 900, octaves = 5, seed = 3 }
local sim = ria.sim {
  title = "Lake at rest",
  precision = p.precision,
  grid = { nx = p.grid, ny = p.grid, dx = size / p.grid },
  bed = function(x, y)
    local r = math.sqrt((x / size - 0.5) ^ 2 + (y / size - 0.5) ^ 2)
    return -6 + 40 * synth.smoothstep(0.3, 0.5, r) + 20 * ground(x, y)
  end,
  params = { order = p.order },
  init = { level = level },
}

sim:every(p.time / 4, ria.frame { field = "level", range = { level - 1e-3, level + 1e-3 } })
sim:run(p.time)

local eta, speed = sim:stats "level", sim:stats "speed"
print(string.format("level off by at most %.3g m, speed at most %.3g m/s",
  math.max(eta.max - level, level - eta.min), speed.max))
