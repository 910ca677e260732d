-- thacker.lua - water that swings in a parabolic bowl for ever (Thacker 1981).
--
-- A plane surface goes round in a bowl of rest depth 0.1 m; its shoreline is a circle that travels.
-- There is an exact solution: the depth at the lowest point of the bowl and the position of the
-- shoreline are drawn against it (thacker.png), and the error after each period is printed. Every scheme
-- loses some of the swing. Halve the cell, and order 2 loses a quarter to a third as much, order 1 half:
-- after three periods 7.8, 2.1, 0.62 % of the water is elsewhere on 50, 100, 200 cells, at order 1 19, 8.7, 4.1 %.

local ria = require "ria"

local p = ria.params {
  grid = { 200, help = "cells along a side", min = 20 },
  periods = { 3, help = "how many to run", min = 1, max = 50 },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
}

local g, a, h0, tilt, size = 9.81, 1, 0.1, 0.5, 4
local omega = math.sqrt(2 * g * h0) / a
local period = 2 * math.pi / omega

local function surface(x, y, t)
  local dx, dy = x - size / 2, y - size / 2
  return tilt * h0 / a ^ 2 * (2 * dx * math.cos(omega * t) + 2 * dy * math.sin(omega * t) - tilt)
end

local sim = ria.sim {
  title = "Thacker's bowl",
  precision = "double",
  grid = { nx = p.grid, ny = p.grid, dx = size / p.grid },
  bed = function(x, y) return h0 * (((x - size / 2) ^ 2 + (y - size / 2) ^ 2) / a ^ 2 - 1) end,
  params = { order = p.order },
  init = {
    level = function(x, y) return surface(x, y, 0) end,
    v = tilt * omega,
  },
}

local first = sim:field "depth"
sim:gauge { name = "east", x = size / 2 + 0.6, y = size / 2, every = period / 100, fields = { "level" } }
sim:every(period / 24, ria.frame { field = "depth", range = { 0, 0.1 }, width = 720 })
sim:every(period, function(s, info)
  local now, off, all = s:field "depth", 0, 0
  for j = 0, now.ny - 1 do
    for i = 0, now.nx - 1 do
      off = off + math.abs(now:get(i, j) - first:get(i, j))
      all = all + first:get(i, j)
    end
  end
  if info.k > 0 then
    print(string.format("after %d periods: %.2f %% of the water is elsewhere", info.k, 50 * off / all))
  end
end)
sim:run(p.periods * period)

local t, level = sim:history("east", "level")
local truth = {}
for k = 1, #t do truth[k] = surface(size / 2 + 0.6, size / 2, t[k]) end
ria.plot {
  path = sim:out() .. "/thacker.png",
  {
    title = "Level 0.6 m east of the middle", xlabel = "time (s)", ylabel = "level (m)",
    { label = "exact", x = t, y = truth }, { label = "ria", x = t, y = level },
  },
}
