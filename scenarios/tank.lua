-- tank.lua - a water column falls in a tank (Vinas et al. 2012, section 6.4).
--
-- A column 1 m higher than the water around it and 0.1 m in radius collapses in the middle of a tank 1 m
-- square; rings run out, meet the walls and cross. With precision=single and double the fields after
-- 1 s differ by some 1e-7 at order=1, as in the paper's Table V (tests/solver/shallow_water/precision.c), and
-- by up to four times as much at second order in space and time, which keeps the rings and their crossings.

local ria = require "ria"

local p = ria.params {
  grid = { 200, help = "cells along a side", min = 10, max = 20000 },
  time = { 1, unit = "s", help = "simulated time", min = 0.01 },
  precision = { "single", choices = { "single", "double" }, help = "of the numbers" },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
}

local sim = ria.sim {
  title = "Falling water column",
  precision = p.precision,
  grid = { nx = p.grid, ny = p.grid, dx = 1 / p.grid },
  bed = -1,
  params = { order = p.order },
  init = {
    level = function(x, y) return (x - 0.5) ^ 2 + (y - 0.5) ^ 2 < 0.1 ^ 2 and 1 or 0 end,
  },
}

sim:every(p.time / 40, ria.frame { field = "level", range = { -0.2, 0.2 }, width = 800 })
sim:run(p.time)
