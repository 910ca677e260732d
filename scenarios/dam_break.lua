-- dam_break.lua - dam breaks with exact solutions: Stoker onto water, Ritter onto a dry bed.
--
-- Left of the middle the water is 2 m deep, right of it `downstream` (0 = dry). After `time` the
-- computed depth is drawn over the exact one (dam_break.png) and the mean error is printed. Order 2 is of second
-- order where the flow is smooth and of first at the shock and the front; its error is a quarter of order 1's.

local ria = require "ria"

local p = ria.params {
  n = { 400, help = "cells along the channel", min = 20 },
  downstream = { 0.5, unit = "m", help = "depth below the dam", min = 0, max = 1.99 },
  time = { 2, unit = "s", help = "time after the break", min = 0.1, max = 4 },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
}

local g, deep, length = 9.81, 2, 50
local dx = length / p.n

local sim = ria.sim {
  title = "Dam break",
  grid = { nx = p.n, ny = 8, dx = dx },
  bed = 0,
  params = { order = p.order },
  init = { depth = function(x) return x < length / 2 and deep or p.downstream end },
  maxima = { "speed" },
}

-- The exact depth at s = (x - dam) / t.
local function middle_depth()
  local lo, hi = p.downstream, deep
  for _ = 1, 100 do
    local h = (lo + hi) / 2
    local fan = 2 * (math.sqrt(g * deep) - math.sqrt(g * h))
    local shock = (h - p.downstream) * math.sqrt(g / 2 * (h + p.downstream) / (h * p.downstream))
    if fan > shock then lo = h else hi = h end
  end
  return (lo + hi) / 2
end

local c0 = math.sqrt(g * deep)
local hm = p.downstream > 0 and middle_depth()
local function exact(s)
  if s < -c0 then return deep end
  local fan = ((2 * c0 - s) / 3) ^ 2 / g
  if not hm then return s < 2 * c0 and fan or 0 end
  local um = 2 * (c0 - math.sqrt(g * hm))
  if s < um - math.sqrt(g * hm) then return fan end
  return s < hm * um / (hm - p.downstream) and hm or p.downstream
end

sim:every(p.time / 10, ria.frame { field = "depth", range = { 0, deep }, width = 960 })
sim:run(p.time)

local depth = sim:field "depth"
local x, computed, truth, sum = {}, {}, {}, 0
for i = 1, p.n do
  x[i] = (i - 0.5) * dx
  computed[i] = depth:at(x[i], 4 * dx)
  truth[i] = exact((x[i] - length / 2) / p.time)
  sum = sum + math.abs(computed[i] - truth[i])
end
print(string.format("mean error of the depth: %.4g m over %d cells", sum / p.n, p.n))

ria.plot {
  path = sim:out() .. "/dam_break.png",
  {
    title = string.format("%s dam break after %g s", hm and "Stoker" or "Ritter", p.time),
    xlabel = "x (m)", ylabel = "depth (m)",
    { label = "exact", x = x, y = truth },
    { label = string.format("ria, %d cells", p.n), x = x, y = computed },
  },
}
