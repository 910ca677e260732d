-- Everything that a run writes, small: frames, two stores, two tables of gauges, maxima, an output
-- that is asked for in mid-run.
local ria = require "ria"
local p = ria.params {
  n = { 12, help = "cells along a side" },
  T = { 60, help = "duration in s" },
  more = { false, help = "more outputs, so that old results hold what new ones do not" },
}
local sim = ria.sim {
  grid = { nx = p.n, ny = p.n, dx = 10 },
  bed = function(x) return -3 + 4 * math.sin(x / 40) end,
  params = { manning = 0.025 },
  tracers = { oil = {} },
  init = { level = 0 },
  boundary = { west = ria.tide { M2 = { 1.2, 0 } }, north = "open" },
  maxima = p.more and { "level", "oil", "speed" } or { "level" },
}
sim:at(10, ria.spill { tracer = "oil", x = 100, y = 60, radius = 25, mass = 5 })
sim:every(20, ria.frame { field = "oil", scale = "log" })
sim:every(20, ria.save { "level", "oil", precision = 1e-6 })
sim:gauge { name = "jetty", x = 100, y = 60, every = 10 }
if p.more then
  sim:every(10, ria.frame { field = "level", plain = true })
  sim:every(30, ria.save { "level", name = "coarse" })
  sim:gauge { name = "slow", x = 100, y = 60, every = 20 }
end
sim:at(30, function(s) s:at(40, ria.frame { field = "level", name = "late" }) end)
sim:run(p.T)
