-- submerged_island.lua - the vortex street behind a submerged island, against velocities of the laboratory.
--
-- The first of NTHMP's benchmark problems for currents (P. M. Lloyd and P. K. Stansby, J. Hydraul. Eng. 123, 1997,
-- part II, case SB4_02): a steady stream, 54 mm deep and 0.115 m/s fast, over a cone of 8 degrees that ends 5 mm
-- below the surface. Behind it vortices part from either side, one pair in 9.9 s. Of the channel, where the flow is
-- uniform, 3 m before the island and 1.75 m at its end are left out.
--
-- Depth-averaged equations have no vertical eddies, which mix the laboratory's wake. `eddy` stands for them: about
-- shear velocity times depth, 3.4e-4 m^2/s; the authors' own depth-averaged model took a tenth of it and found
-- little change up to ten times that, with a frequency 18 % too high and a wake too slow on its axis. Less eddy
-- viscosity: vortices too strong, and more of them. With order=1 the wake hardly sways.
--
--   ria run scenarios/submerged_island.lua data=DIR
--   ria run scenarios/submerged_island.lua data=DIR order=1
--
-- DIR holds SL_S1_U.DAT, SL_S1_V.DAT, SL_S2_U.DAT and SL_S2_V.DAT. They are not ria's to ship: the problem's page is
-- coastal.usc.edu/currents_workshop/problems/prob1.html, and the repository edanya/nthmp15 has them in BM01.
-- Prints mean and standard deviation of both velocities at both points, over as long as was measured, and the
-- street's period, and draws the velocities (submerged_island.png). Minutes on two cores.

local ria = require "ria"

local p = ria.params {
  data = { "", help = "directory of the measured data (see the head of this file)" },
  dx = { 0.01, unit = "m", help = "width of the cells", min = 0.0025, max = 0.05 },
  manning = { 0.01, help = "roughness of the painted plywood: the laboratory's value", min = 0, max = 0.05 },
  eddy = { 4e-4, help = "eddy viscosity, m^2/s", min = 0, max = 0.01 },
  smagorinsky = { 0, help = "Smagorinsky's coefficient", min = 0, max = 2 },
  before = { 2, unit = "m", help = "channel before the island's middle; the laboratory's: 5", min = 0.5, max = 100 },
  behind = { 3, unit = "m", help = "channel behind it; the laboratory's: 4.75", min = 1.5, max = 100 },
  time = { 145, unit = "s", help = "simulated time; the last 80 s are looked at", min = 81, max = 10000 },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
  precision = { "single", choices = { "single", "double" }, help = "of the numbers" },
}
if p.data == "" then
  error("submerged_island.lua needs data=DIR, the directory with SL_S1_U.DAT; its head says where to get it", 0)
end

local width, deep, speed = 1.52, 0.054, 0.115
local friction = p.manning ^ 2 * speed ^ 2 / deep ^ (4 / 3) -- slope of the level, so that the island has this depth

local sim = ria.sim {
  title = "Submerged island",
  precision = p.precision,
  grid = {
    nx = math.floor((p.before + p.behind) / p.dx + 0.5), ny = math.floor(width / p.dx + 0.5), dx = p.dx, dy = p.dx,
    x0 = -p.before, y0 = -width / 2,
  },
  bed = function(x, y) -- 0.75 m wide at its foot, 0.05 m at its flat top
    return math.max(0, math.min(0.049, 0.049 * (0.375 - math.sqrt(x * x + y * y)) / 0.35))
  end,
  params = { manning = p.manning, eddy = p.eddy, smagorinsky = p.smagorinsky, order = p.order },
  init = { level = deep, u = speed },
  boundary = {
    west = { kind = "discharge", q = speed * deep * width },
    east = { kind = "level", level = deep - friction * p.behind },
  },
}

local stations = { { name = "S1", y = 0.001 }, { name = "S2", y = 0.27 } } -- the first just off the axis
for _, s in ipairs(stations) do
  sim:gauge { name = s.name, x = 1.02, y = s.y, every = 0.1, fields = { "u", "v" } }
end

-- The flow is symmetric, and stays so for long: a push to the side while the wake grows sets the street off.
sim:at(20, function(s)
  local v = s:field "v"
  s:set("v", v:map(function(value, x, y)
    return value + 0.05 * math.exp(-((x - 0.6) ^ 2 + y * y) / 0.04)
  end))
end)
sim:every(5, ria.frame { field = "speed", range = { 0, 0.25 } })
sim:run(p.time)

-- --- comparison ----------------------------------------------------------------------------------

local from = p.time - 80

-- Rows of equal distance in time between the first and the last.
local function evenly(t, v)
  local out, i = { t = {}, v = {} }, 1
  for k = 0, math.floor((t[#t] - t[1]) / 0.1) do
    local at = t[1] + 0.1 * k
    while i < #t - 1 and t[i + 1] < at do i = i + 1 end
    local gap = t[i + 1] - t[i]
    local r = gap > 0 and math.max(0, math.min(1, (at - t[i]) / gap)) or 0
    out.t[k + 1], out.v[k + 1] = at, v[i] + r * (v[i + 1] - v[i])
  end
  return out
end

-- Points read off a figure: now and then one is a little earlier than the one before.
local function measured(name)
  local columns = ria.csv(("%s/SL_%s.DAT"):format(p.data, name), { header = false })
  local rows, t, v = {}, {}, {}
  for i = 1, #columns[1] do rows[i] = { columns[1][i], columns[2][i], i } end
  table.sort(rows, function(a, b) return a[1] < b[1] or a[1] == b[1] and a[3] < b[3] end)
  for i, row in ipairs(rows) do t[i], v[i] = row[1], row[2] end
  return evenly(t, v)
end

local function computed(station, field)
  local t, v = sim:history(station, field)
  local now = { t = {}, v = {} }
  for i = 1, #t do
    if t[i] >= from - 1e-9 then now.t[#now.t + 1], now.v[#now.v + 1] = t[i] - from, v[i] end
  end
  return now
end

local function mean_and_deviation(v)
  local sum, squares = 0, 0
  for _, value in ipairs(v) do sum, squares = sum + value, squares + value * value end
  local mean = sum / #v
  return mean, math.sqrt(math.max(0, squares / #v - mean * mean))
end

-- The period with the greatest amplitude, of a record that a cosine's bell fades in and out.
local function period(v)
  local n, mean = #v, mean_and_deviation(v)
  local best, found = -1, 0
  for T = 4, 20, 0.05 do
    local c, s = 0, 0
    for i = 1, n do
      local bell, phase = 0.5 - 0.5 * math.cos(2 * math.pi * i / n), 2 * math.pi * 0.1 * i / T
      c, s = c + bell * (v[i] - mean) * math.cos(phase), s + bell * (v[i] - mean) * math.sin(phase)
    end
    if c * c + s * s > best then best, found = c * c + s * s, T end
  end
  return found
end

local panels = {}
for _, station in ipairs(stations) do
  for _, field in ipairs { "u", "v" } do
    local name = ("%s_%s"):format(station.name, field:upper())
    local lab, now = measured(name), computed(station.name, field)
    local m, d = mean_and_deviation(now.v)
    local lm, ld = mean_and_deviation(lab.v)
    print(("%s: mean %.1f mm/s (measured %.1f), deviation %.1f mm/s (measured %.1f)"):format(name, 1000 * m,
      1000 * lm, 1000 * d, 1000 * ld))
    if name == "S1_V" then
      if d > 0.005 then
        print(("period %.2f s (measured %.2f)"):format(period(now.v), period(lab.v)))
      else
        print "no vortex street"
      end
    end
    panels[#panels + 1] = {
      title = ("%s at %s"):format(field, station.name), ylabel = field .. " (m/s)", xlabel = "time (s)",
      { label = "measured", x = lab.t, y = lab.v }, { label = "ria", x = now.t, y = now.v },
    }
  end
end
panels.path, panels.height = sim:out() .. "/submerged_island.png", 230 * #panels
panels.title = "Submerged island: velocities 1.02 m behind its middle"
ria.plot(panels)
