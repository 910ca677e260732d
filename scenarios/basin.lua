-- basin.lua - a hump of water in a closed basin (Aackermann and Pedersen 2012, section 6.7).
--
-- Cells of 10 m, steps of 2 s, as in the thesis. The hump falls, a ring runs out, the walls throw it back, and
-- what comes together in the middle rises again. The picture stays its own mirror image; the account of
-- water closes. Both solvers are of second order in space and time; order=1 of the explicit one flattens the ring.
--
--   ria run scenarios/basin.lua                        the implicit solver, as the thesis has it
--   ria run scenarios/basin.lua dt=10                  steps five times as long
--   ria run scenarios/basin.lua solver=shallow_water   the explicit one, which finds its own steps; also order=1

local ria = require "ria"

local p = ria.params {
  grid = { 128, help = "cells along a side, of 10 m", min = 10, max = 20000 },
  time = { 140, unit = "s", help = "simulated time", min = 1 },
  dt = { 2, unit = "s", help = "time step of solver=adi", min = 0.01 },
  depth = { 10, unit = "m", help = "still water", min = 1 },
  solver = { "adi", choices = { "adi", "shallow_water" }, help = "of the flow" },
  order = { 2, help = "order in space and time of solver=shallow_water", min = 1, max = 2 },
  precision = { "double", choices = { "single", "double" }, help = "of the numbers" },
}

local size = p.grid * 10
local params = { manning = 1 / 32 }
if p.solver == "adi" then params.dt = p.dt else params.order = p.order end

local sim = ria.sim {
  title = "A hump in a closed basin",
  solver = p.solver,
  precision = p.precision,
  grid = { nx = p.grid, ny = p.grid, dx = 10 },
  bed = -p.depth,
  params = params,
  init = {
    level = function(x, y)
      return math.exp(-((x - size / 2) ^ 2 + (y - size / 2) ^ 2) / (2 * (size / 12) ^ 2))
    end,
  },
}

sim:every(p.time / 7, ria.frame { field = "level", range = { -0.4, 0.4 }, width = 800 })
sim:gauge { name = "middle", x = size / 2, y = size / 2, every = p.time / 70 }
sim:run(p.time)
