-- shelf.lua - a tsunami of small amplitude runs up a shelf: a scenario for a solver of your own.
--
--   LUA_CPATH="build/?.so" ria run shelf.lua
local ria = require "ria"
require "waves" -- registers the solver

local sim = ria.sim {
  title = "A long wave over a shelf",
  solver = "waves",
  grid = { nx = 200, ny = 60, dx = 500 },
  bed = function(x) return x < 60e3 and -1000 or -1000 + (x - 60e3) * 0.024 end,
  maxima = { "level" },
  init = { level = function(x) return math.exp(-((x - 30e3) / 6e3) ^ 2) end },
}
sim:gauge { name = "shelf", x = 90e3, y = 15e3, every = 10 }

sim:every(200, ria.frame { field = "level", range = { -1, 1 }, width = 700 })
sim:run(1200)
