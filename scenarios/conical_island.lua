-- conical_island.lua - a solitary wave around a conical island, against the laboratory's gauges and run-up.
--
-- The sixth of NTHMP's benchmark problems (M. J. Briggs et al., Pure Appl. Geophys. 144, 1995): a paddle 27.4 m long
-- sends a wave of 0.045 (case=A), 0.096 (B) or 0.181 (C) of the depth, 32 cm, to an island 7.2 m wide at its foot. Two
-- waves run around it and meet behind it. The paddle's measured movement drives the model, nothing is fitted. West is
-- the paddle; the material that absorbed waves at the other walls is open to them here.
--
-- The shallow-water equations have no dispersion: where the laboratory's wave keeps its shape, theirs steepens, and
-- the run-up of A and B is higher than in the benchmark's table. The run-up that Liu et al. (J. Fluid Mech. 302, 1995)
-- give for the same waves differs from that table by as much: A, B and C are within 8, 10 and 11 % of theirs.
-- Manning's 0.015 is that of concrete finished with a float. order=1 damps the wave: 23, 23 and 19 %.
--
--   ria run scenarios/conical_island.lua data=DIR case=C
--   ria run scenarios/conical_island.lua data=DIR case=C order=1
--
-- DIR holds fdbk2abc.txt, ts2a.txt, ts2b.txt, ts2cnew1.txt, run2a.txt, run2b.txt and run2c.txt. They are not ria's
-- to ship: the repository rjleveque/nthmp-benchmark-problems has them in BP06. If they lie beside them,
-- caseA.csv, caseB.csv and caseC.csv of GeoscienceAustralia/ptha (propagation/SWALS/examples/nthmp/BP06/
-- alternate_runup_data), the run-up of Liu et al., are looked at, too.
-- Prints the RMS and crest error at each gauge and the mean error of the run-up, and draws both (conical_island.png).

local ria = require "ria"

local p = ria.params {
  data = { "", help = "directory of the measured data (see the head of this file)" },
  case = { "C", choices = { "A", "B", "C" }, help = "which wave: of 0.045, 0.096 or 0.181 of the depth" },
  dx = { 0.05, unit = "m", help = "width of the cells", min = 0.01, max = 0.4 },
  manning = { 0.015, help = "roughness of the concrete", min = 0, max = 0.05 },
  time = { 16, unit = "s", help = "simulated time", min = 1, max = 58 },
  order = { 2, help = "order in space and time", min = 1, max = 2 },
  precision = { "single", choices = { "single", "double" }, help = "of the numbers" },
}
if p.data == "" then
  error("conical_island.lua needs data=DIR, the directory with fdbk2abc.txt; its head says where to get it", 0)
end

local deep, begin = 0.32, 22 -- m, and the first time of the paddle's record, s
local island = { x = 12.96, y = 13.80 }
local case = ({
  A = { paddle = 2, levels = "ts2a.txt", runup = "run2a.txt", skip = 8 },
  B = { paddle = 3, levels = "ts2b.txt", runup = "run2b.txt", skip = 8 },
  C = { paddle = 4, levels = "ts2cnew1.txt", runup = "run2c.txt", skip = 7 },
})[p.case]

-- The paddle's velocity u, over 0.16 s, is the water's beside it; its depth is that of a wave that runs
-- eastwards, (sqrt(g d) + u / 2)^2 / g.
local function discharge(length)
  local record, q = ria.csv(p.data .. "/fdbk2abc.txt", { skip = 1, header = false }), { hold = true }
  local t, at = record[1], record[case.paddle]
  for i = 3, #t - 2 do
    local u = (at[i + 2] - at[i - 2]) / 100 / (t[i + 2] - t[i - 2])
    q[#q + 1] = { t[i] - begin, length * u * (math.sqrt(9.81 * deep) + u / 2) ^ 2 / 9.81 }
  end
  table.insert(q, 1, { 0, 0 })
  q[#q + 1] = { q[#q][1] + 0.04, 0 }
  return ria.series(q)
end

-- The island is a cone of 1:4 with its top, 2.2 m wide, cut off.
local function bed(x, y)
  local r = math.sqrt((x - island.x) ^ 2 + (y - island.y) ^ 2)
  return math.max(0, math.min(0.625, (3.6 - r) / 4)) - deep
end

local open = { kind = "open", slope = 0 }
local sim = ria.sim {
  title = "Conical island, case " .. p.case,
  precision = p.precision,
  grid = {
    nx = math.floor(23 / p.dx + 0.5), ny = math.floor(28.2 / p.dx + 0.5), dx = p.dx, dy = p.dx, x0 = 0, y0 = -0.4,
  },
  bed = bed,
  params = { manning = p.manning, order = p.order, dry_depth = 1e-6 },
  init = { level = 0 },
  boundary = {
    paddle = ria.inflow { from = { 0, 0 }, to = { 0, 27.4 }, q = discharge(27.4) },
    east = open, south = open, north = open,
  },
  maxima = { "level", "depth" },
}

local gauges = {
  { name = "g6", x = 9.36, y = 13.80, column = 6 }, { name = "g9", x = 10.36, y = 13.80, column = 7 },
  { name = "g16", x = 12.96, y = 11.22, column = 8 }, { name = "g22", x = 15.56, y = 13.80, column = 9 },
}
for _, g in ipairs(gauges) do sim:gauge { name = g.name, x = g.x, y = g.y, every = 0.04, fields = { "level" } } end
sim:every(0.25, ria.frame { field = "level", range = { -0.05, 0.05 } })
sim:run(p.time)

-- --- gauges --------------------------------------------------------------------------------------

local measured = ria.csv(p.data .. "/" .. case.levels, { skip = case.skip, header = false })

-- A gauge's levels from the start of the run, about their mean of the two seconds before.
local function record(column)
  local rest, n, t, v = 0, 0, {}, {}
  for i, at in ipairs(measured[1]) do
    if at < begin then rest, n = rest + measured[column][i], n + 1 end
  end
  for i, at in ipairs(measured[1]) do
    if at >= begin - 1e-6 and at <= begin + p.time + 1e-6 then
      t[#t + 1], v[#v + 1] = at - begin, measured[column][i] - rest / n
    end
  end
  return t, v
end

local panels = {}
for _, g in ipairs(gauges) do
  local t, level = sim:history(g.name, "level")
  local mt, mv = record(g.column)
  local sum, n, crest, measured_crest = 0, 0, -math.huge, -math.huge
  for i = 1, math.min(#t, #mt) do -- both have a row every 0.04 s
    if level[i] == level[i] then
      sum, n, crest = sum + (level[i] - mv[i]) ^ 2, n + 1, math.max(crest, level[i])
    end
    measured_crest = math.max(measured_crest, mv[i])
  end
  print(string.format("%s: RMS error %.2f mm, crest %.1f mm (measured %.1f)", g.name, 1000 * math.sqrt(sum / n),
    1000 * crest, 1000 * measured_crest))
  for i = 1, #t do level[i] = 100 * level[i] end
  for i = 1, #mv do mv[i] = 100 * mv[i] end
  panels[#panels + 1] = {
    title = ("%s at (%.2f, %.2f)"):format(g.name, g.x, g.y), ylabel = "level (cm)", xlabel = "time (s)",
    { label = "measured", x = mt, y = mv, points = true }, { label = "ria", x = t, y = level },
  }
end

-- --- run-up --------------------------------------------------------------------------------------

-- Run-up towards an angle (0 north, 90 east, the lee): the highest level in cells on the ray that were dry at first.
local level, depth, grid = sim:maximum "level", sim:maximum "depth", sim:grid()
local shore = 3.6 - 4 * deep -- radius of the shore at rest
local function run_up(angle)
  local ex, ey, highest = math.sin(math.rad(angle)), math.cos(math.rad(angle)), 0
  local wide = 0.501 * grid.dx * (math.abs(ex) + math.abs(ey)) -- also those that it only touches
  for j = 0, grid.ny - 1 do
    local y = grid.y0 + (j + 0.5) * grid.dy - island.y
    for i = 0, math.abs(y) < shore and grid.nx - 1 or -1 do
      local x = grid.x0 + (i + 0.5) * grid.dx - island.x
      local on_ray = x * ex + y * ey > 0 and math.abs(x * ey - y * ex) <= wide
      if on_ray and x * x + y * y < shore * shore and depth:get(i, j) > 5e-4 then
        highest = math.max(highest, level:get(i, j))
      end
    end
  end
  return highest
end

-- Angles and measured run-up (m): the mean error in percent.
local function mean_error(text, angles, heights)
  local sum = 0
  for i, angle in ipairs(angles) do sum = sum + math.abs(run_up(angle) / heights[i] - 1) end
  print(string.format("run-up, %s: mean error %.1f %% over %d directions", text, 100 * sum / #angles, #angles))
end

local table_of = ria.csv(p.data .. "/" .. case.runup, { skip = 10, header = false })
local angles, heights = table_of[2], {}
for i, v in ipairs(table_of[3]) do heights[i] = v / 100 end
mean_error("the benchmark's", angles, heights)

local x, y = {}, {}
for angle = 0, 360, 2 do x[#x + 1], y[#y + 1] = angle, 100 * run_up(angle) end
local around = {
  title = "run-up around the island (0 north, 90 lee, 270 towards the paddle)", ylabel = "run-up (cm)",
  xlabel = "angle (degrees)", { label = "measured", x = angles, y = table_of[3], points = true },
  { label = "ria", x = x, y = y },
}

local there, t = pcall(ria.csv, ("%s/case%s.csv"):format(p.data, p.case), { skip = 2 })
if there then
  local at, cm = {}, {}
  for i, angle in ipairs(t[1]) do at[i], cm[i] = 270 - angle, 100 * t[4][i] end -- theirs counts from the front
  mean_error("Liu et al.", at, t[4])
  table.insert(around, 2, { label = "Liu et al. 1995", x = at, y = cm, points = true })
end

table.insert(panels, 1, around)
panels.path, panels.height = sim:out() .. "/conical_island.png", 230 * #panels
panels.title = ("Conical island, case %s: measured and computed"):format(p.case)
ria.plot(panels)
