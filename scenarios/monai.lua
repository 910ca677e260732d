-- monai.lua - the Monai Valley laboratory tsunami, against its measured gauges.
--
-- The 1:400 model of the 1993 Okushiri tsunami (Matsuyama and Tanaka, CRIEPI; benchmark problem 2 of the Third
-- International Workshop on Long-Wave Runup Models, 2004). A wave enters from the west, draws down, runs up
-- a narrow gully: 0.1 m in the model, 30 m in nature.
--
-- The flow is of second order in space and time but at fronts and beside dry land, where slopes are given up.
-- At order=1 the run-up in the gully is 68 mm in place of 78 (measured 80 to 100); the gauges are as good.
--
--   ria run scenarios/monai.lua data=DIR
--   ria run scenarios/monai.lua data=DIR order=1
--   ria run scenarios/monai.lua data=DIR solver=adi
--
-- DIR holds bathymetry.asc, input_wave.txt and gauges_ch5_ch7_ch9_cm.txt. They are not ria's to ship: the
-- workshop's data are public, for example in the repositories anuga-community/anuga_core
-- (validation_tests/experimental_data/okushiri) and rjleveque/nthmp-benchmark-problems (BP07).
-- Prints the RMS and crest error at each gauge and the run-up, and draws measured against computed
-- (monai.png).

local ria = require "ria"

local p = ria.params {
  data = { "", help = "directory of the measured data (see the head of this file)" },
  manning = { 0.01, help = "roughness of the plywood and plaster", min = 0, max = 0.05 },
  time = { 22.5, unit = "s", help = "simulated time", min = 1, max = 22.5 },
  precision = { "single", choices = { "single", "double" }, help = "of the numbers" },
  solver = { "shallow_water", choices = { "shallow_water", "adi" }, help = "of the flow" },
  order = { 2, help = "order in space and time of solver=shallow_water", min = 1, max = 2 },
  dt = { 0.02, unit = "s", help = "time step of solver=adi", min = 1e-3 },
  eddy = { 5e-4, help = "eddy viscosity with solver=adi, m^2/s", min = 0 },
}
if p.data == "" then
  error("monai.lua needs data=DIR, the directory with bathymetry.asc; the head of the script says where to get it", 0)
end

local bathymetry = ria.dem(p.data .. "/bathymetry.asc")
local params = { manning = p.manning }
if p.solver == "adi" then
  params.dt, params.eddy = p.dt, p.eddy
  params.drying_depth, params.flooding_depth = 2e-4, 4e-4
else
  params.dry_depth, params.order = 1e-6, p.order
end

local sim = ria.sim {
  title = "Monai Valley run-up",
  solver = p.solver,
  precision = p.precision,
  grid = bathymetry,
  params = params,
  init = { level = 0 },
  boundary = { west = ria.series { path = p.data .. "/input_wave.txt", column = "#2" } },
  maxima = { "level", "depth" },
}

local gauges = {
  { name = "ch5", x = 4.521, y = 1.196 }, { name = "ch7", x = 4.521, y = 1.696 },
  { name = "ch9", x = 4.521, y = 2.196 },
}
for _, g in ipairs(gauges) do
  sim:gauge { name = g.name, x = g.x, y = g.y, every = 0.05, fields = { "level" } }
end
sim:every(0.25, ria.frame { field = "level", range = { -0.05, 0.05 } })
sim:run(p.time)

local measured = ria.csv(p.data .. "/gauges_ch5_ch7_ch9_cm.txt")
local panels = {}
for k, g in ipairs(gauges) do
  local t, level = sim:history(g.name, "level")
  local mt, mv, ct, cv = {}, {}, {}, {}
  local sum, n, crest, measured_crest = 0, 0, -math.huge, -math.huge
  for i, time in ipairs(measured[1]) do
    if time > p.time + 1e-9 then break end
    mt[i], mv[i] = time, measured[k + 1][i] / 100
    local j = math.floor(time / 0.05 + 0.5) + 1
    if level[j] == level[j] then
      sum, n = sum + (level[j] - mv[i]) ^ 2, n + 1
      crest = math.max(crest, level[j])
    end
    measured_crest = math.max(measured_crest, mv[i])
  end
  for j = 1, #t do ct[j], cv[j] = t[j], level[j] * 100 end
  for i = 1, #mv do mv[i] = mv[i] * 100 end
  print(string.format("%s: RMS error %.2f mm, crest %.1f mm (measured %.1f)", g.name,
    1000 * math.sqrt(sum / n), 1000 * crest, 1000 * measured_crest))
  panels[k] = {
    title = g.name, ylabel = "level (cm)", xlabel = k == 3 and "time (s)" or "",
    { label = "measured", x = mt, y = mv, points = true }, { label = "ria", x = ct, y = cv },
  }
end

-- Run-up: the highest level in cells that were wetted within 8 cm of where it was measured. Levels between cell
-- centres would leave out the cells at the water's edge, which have dry neighbours.
local level, depth, grid = sim:maximum "level", sim:maximum "depth", sim:grid()
local function run_up(x, y)
  local highest = -math.huge
  for i = 0, grid.nx - 1 do
    for j = 0, grid.ny - 1 do
      local dx, dy = grid.x0 + (i + 0.5) * grid.dx - x, grid.y0 + (j + 0.5) * grid.dy - y
      if dx * dx + dy * dy < 0.08 ^ 2 and depth:get(i, j) > 5e-4 then
        highest = math.max(highest, level:get(i, j))
      end
    end
  end
  return highest
end
for _, r in ipairs {
  { 5.1575, 1.88, "80 to 100" }, { 5.03, 2.2062, "52.5 to 67.5" }, { 4.9975, 2.32, "52.5 to 57.5" },
} do
  print(string.format("run-up at (%.2f, %.2f): %.1f mm (measured %s)", r[1], r[2], 1000 * run_up(r[1], r[2]), r[3]))
end

panels.path = sim:out() .. "/monai.png"
panels.title = "Monai Valley: measured and computed"
ria.plot(panels)
