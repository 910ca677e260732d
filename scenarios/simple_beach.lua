-- simple_beach.lua - a solitary wave on a plane beach of 1:19.85, against the exact solution and the laboratory.
--
-- The first and the fourth of NTHMP's benchmark problems (C. E. Synolakis, J. Fluid Mech. 185, 1987). The wave is
-- `height` of the depth high; above 0.045 it breaks on this beach. The shallow-water equations have no
-- dispersion: a wave of 0.3 breaks on its way to the beach, earlier than in the tank.
--
--   ria run scenarios/simple_beach.lua data=DIR                           beside profiles of the laboratory
--   ria run scenarios/simple_beach.lua data=DIR height=0.3 depth=0.15     the same with a wave that breaks
--   ria run scenarios/simple_beach.lua data=DIR height=0.019 manning=0    beside the exact solution
--
-- DIR holds canonical_profiles.txt and canonical_ts.txt (exact, for 0.019), Lab_runup.txt and the files in profs.tgz
-- (measured; profiles for 0.0185 and 0.3). They are not ria's to ship: the repository
-- rjleveque/nthmp-benchmark-problems has them in BP01 and BP04. Without `data` the run-up alone is told.
-- Prints the run-up and RMS differences, and draws profiles (simple_beach.png) and, beside the exact solution, levels
-- at two points (simple_beach_gauges.png).

local ria = require "ria"
local wave = require "ria.wave"

local p = ria.params {
  data = { "", help = "directory of the measured data (see the head of this file)" },
  height = { 0.0185, help = "height of the wave, in depths", min = 0.001, max = 0.7 },
  depth = { 0.3, unit = "m", help = "still water before the beach; the tank's: 0.06 to 0.38", min = 0.01 },
  cells = { 20, help = "cells a depth", min = 2, max = 200 },
  manning = { 0.01, help = "roughness of the painted steel; 0 beside the exact solution", min = 0, max = 0.05 },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
  precision = { "double", choices = { "double", "single" }, help = "of the numbers" },
}

-- Lengths below are in depths and times in tau, as the data are; x rises towards the land, the shore at rest is 0.
local slope, d, tau = 19.85, p.depth, math.sqrt(p.depth / 9.81)
local k = math.sqrt(0.75 * p.height)
local crest = -slope - math.log(math.sqrt(20) + math.sqrt(19)) / k
local west, east = math.floor(crest) - 33, math.ceil(slope * math.min(1.2, 0.1 + 4 * p.height))
local function is(height) return math.abs(p.height - height) < 1e-6 end
local exact = is(0.019) and p.data ~= ""
local last = exact and 110 or math.ceil(75 - 100 * math.min(0.3, p.height))

local solitary = wave.solitary { height = p.height * d, depth = d }
local level = solitary:surface { x = crest * d }
local function bed(x) return math.max(-d, x / slope) end

local sim = ria.sim {
  title = "Solitary wave on a plane beach",
  precision = p.precision,
  grid = {
    nx = math.floor((east - west) * p.cells + 0.5), ny = 1, dx = d / p.cells,
    dy = 1000 * d, -- so wide that it does not count in the time step
    x0 = west * d,
  },
  bed = bed,
  params = { manning = p.manning, order = p.order, dry_depth = 1e-6 * d },
  init = {
    depth = function(x) return math.max(0, level(x) - bed(x)) end,
    u = function(x) return bed(x) < 0 and level(x) * math.sqrt(9.81 / d) or 0 end, -- as the problem has it
  },
  boundary = { west = { kind = "open", slope = 0 } },
  maxima = { "level", "depth" },
}

-- --- comparisons ---------------------------------------------------------------------------------

local function value_at(x, y, at)
  local lo, hi = 1, #x
  if at < x[1] or at > x[hi] then return 0 / 0 end
  while hi - lo > 1 do
    local mid = (lo + hi) // 2
    if x[mid] > at then hi = mid else lo = mid end
  end
  return y[lo] + (y[hi] - y[lo]) * (at - x[lo]) / (x[hi] - x[lo])
end

-- Adds the squares of the differences of two lines; nan where either has no water.
local function compare(sum, x, y, mx, my)
  for i = 1, #mx do
    local e = value_at(x, y, mx[i]) - my[i]
    if e == e then sum.squares, sum.n = sum.squares + e * e, sum.n + 1 end
  end
end

local function tell(text, sum)
  print(("%s: RMS %.2f %% of the wave's height"):format(text, 100 * math.sqrt(sum.squares / sum.n) / p.height))
end

local thin = 1e-3 -- of the depth: less water is dry

-- The profile of now: x towards the sea as the data have it, and levels; nan on dry ground.
local function profile()
  local now, deep, grid = sim:field "level", sim:field "depth", sim:grid()
  local x, y = {}, {}
  for i = grid.nx - 1, 0, -1 do
    x[#x + 1] = -(grid.x0 + (i + 0.5) * grid.dx) / d
    y[#y + 1] = deep:get(i, 0) > thin * d and now:get(i, 0) / d or 0 / 0
  end
  return x, y
end

-- --- the data ------------------------------------------------------------------------------------

local profiles, truth = {}, exact and "exact" or "measured" -- profiles: { t =, x =, y = }
if exact then
  local t = ria.csv(p.data .. "/canonical_profiles.txt", { skip = 5, header = false })
  for c = 1, 8 do -- every other column is empty
    profiles[c] = { t = 30 + 5 * c, x = t[1], y = t[1 + 2 * c] }
  end
elseif p.data ~= "" and (is(0.0185) or is(0.3)) then
  local name, first, step, n = "Case0_0185", 30, 10, 5
  if is(0.3) then name, first, step, n = "Case0_3", 15, 5, 4 end
  for c = 1, n do
    local t = first + step * (c - 1)
    local m = ria.csv(("%s/%s.t=%d"):format(p.data, name, t), { header = false })
    profiles[c] = { t = t, x = m[1], y = m[2] }
  end
end

-- --- the run -------------------------------------------------------------------------------------

local panels = {}
local sum = { squares = 0, n = 0 }
for _, m in ipairs(profiles) do
  sim:at(m.t * tau, function()
    local x, y = profile()
    compare(sum, x, y, m.x, m.y)
    panels[#panels + 1] = {
      title = ("t = %d sqrt(d/g)"):format(m.t), ylabel = "level / d", xlabel = "x / d", xrange = { -3, 22 },
      { label = truth, x = m.x, y = m.y, points = true }, { label = "ria", x = x, y = y },
    }
  end)
end
local points = { { name = "near", x = 0.25, column = 1 }, { name = "far", x = 9.95, column = 3 } }
for _, g in ipairs(points) do
  sim:gauge { name = g.name, x = -g.x * d, y = 1, every = 0.1 * tau, fields = { "level", "depth" } }
end
sim:run(last * tau)

if sum.n > 0 then tell(truth .. " profiles", sum) end

-- Run-up: the highest level in cells that were wet.
local highest, deepest, runup = sim:maximum "level", sim:maximum "depth", 0
for i = 0, sim:grid().nx - 1 do
  if deepest:get(i, 0) > thin * d then runup = math.max(runup, highest:get(i, 0) / d) end
end
local text = ""
if p.data ~= "" then -- of the tank's waves the nearest five: a line through them
  local m, near = ria.csv(p.data .. "/Lab_runup.txt", { skip = 3, header = false }), {}
  for i = 1, #m[1] do near[i] = { math.abs(m[1][i] / p.height - 1), m[1][i], m[2][i] } end
  table.sort(near, function(a, b) return a[1] < b[1] end)
  local sx, sy, sxx, sxy = 0, 0, 0, 0
  for i = 1, 5 do
    local x, y = math.log(near[i][2] / p.height), math.log(near[i][3])
    sx, sy, sxx, sxy = sx + x, sy + y, sxx + x * x, sxy + x * y
  end
  local across = 5 * sxx - sx * sx
  local at = across > 0 and (sxx * sy - sx * sxy) / across or sy / 5
  text = (" (measured %.3f)"):format(math.exp(at))
end
print(("run-up: %.4f of the depth%s"):format(runup, text))

-- --- pictures ------------------------------------------------------------------------------------

if #panels == 0 then return end
panels.path = sim:out() .. "/simple_beach.png"
panels.title = ("Solitary wave of %g depths"):format(p.height)
panels.height = 230 * #panels
ria.plot(panels)
if not exact then return end

local series = ria.csv(p.data .. "/canonical_ts.txt", { skip = 5, header = false })
local gauges = { path = sim:out() .. "/simple_beach_gauges.png", title = "Levels at two points" }
for _, g in ipairs(points) do
  local t, now = sim:history(g.name, "level")
  local _, deep = sim:history(g.name, "depth")
  local x, y, mx, my = {}, {}, {}, {}
  for i = 1, #t do x[i], y[i] = t[i] / tau, deep[i] > thin * d and now[i] / d or 0 / 0 end
  for i, at in ipairs(series[g.column]) do
    if at <= last then mx[#mx + 1], my[#my + 1] = at, series[g.column + 1][i] end
  end
  local of = { squares = 0, n = 0 }
  compare(of, x, y, mx, my)
  tell(("level at x/d = %g"):format(g.x), of)
  gauges[#gauges + 1] = {
    title = ("x/d = %g"):format(g.x), xlabel = "t sqrt(g/d)", ylabel = "level / d",
    { label = "exact", x = mx, y = my }, { label = "ria", x = x, y = y },
  }
end
ria.plot(gauges)
