-- Series and tides, and the pure-Lua modules that build them.
local ria = require "ria"
local series = require "ria.series"
local tides = require "ria.tides"
local units = require "ria.units"
local synth = require "ria.synth"

local function near(a, b, tolerance)
  assert(math.abs(a - b) <= (tolerance or 1e-9), ("%.17g is not %.17g"):format(a, b))
end

-- ria.series: points, options, files
do
  local s = ria.series {{0, 1}, {"1 min", 3}, {120, 3}}
  near(s:at(30), 2)
  near(s:at "90 s", 3)
  local t0, t1 = s:span()
  assert(t0 == 0 and t1 == 120)
  near(ria.series({{0, 1}, {10, 3}, interp = "step"}):at(9), 1)
  near(ria.series({{0, 1}, {10, 3}, scale = 2, offset = 5}):at(5), 9)
  near(ria.series({{0, 1}, {10, 3}, hold = true}):at(50), 3)
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write("time,flow,level\n0,10,1\n60,20,2\n120,30,3\n")
  file:close()
  near(ria.series(path):at(90), 25)
  near(ria.series({path = path, column = "level"}):at(90), 2.5)
  os.remove(path)
end

-- ria.columns: a series of each column, from a file that is read once
do
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write("date,Minho,Lima,gauge,,Coura\n2026-07-14 00:00,10,1,upper,5,3\n"
    .. "2026-07-15 00:00,20,2,lower,6,\n2026-07-16 00:00,30,3,lower,7,5\n")
  file:close()
  local flow = ria.columns { path = path, scale = 2, fill_gaps = true }
  near(flow.Minho:at "2026-07-14 12:00", 30)
  near(flow.Lima:at "2026-07-16", 6)
  near(flow.Coura:at "2026-07-15", 8)
  local names = {}
  for name in pairs(flow) do names[#names + 1] = name end
  table.sort(names)
  assert(table.concat(names, " ") == "#5 Coura Lima Minho", table.concat(names, " "))
  local function fails(message, ...)
    local ok, said = pcall(...)
    assert(not ok and tostring(said):find(message, 1, true), said)
  end
  fails("ria.columns: " .. path .. ": there is no column 'Mino' of values; did you mean 'Minho'?",
    function() return flow.Mino end)
  fails("there is no column 'gauge' of values", function() return flow.gauge end)
  fails(path .. ":3: gap in column 'Coura' (fill_gaps = true bridges gaps from the values around "
    .. "them)", ria.columns, path)
  fails("ria.columns: unknown key 'column': one of path, epoch", ria.columns,
    { path = path, column = "Lima" })
  fails("ria.columns: missing key 'path': the CSV file whose columns are series", ria.columns, {})
  os.remove(path)
end

-- a rating: rows {discharge, level}, with units, or of a file
do
  local function pond(curve)
    return ria.sim { solver = "shallow_water", grid = { nx = 8, ny = 3, dx = 10 },
      init = { bed = -2, level = 0 }, out = false,
      boundary = { east = { kind = "rating", curve = curve } } }
  end
  local path = os.tmpname()
  local file = assert(io.open(path, "w"))
  file:write("flow,stage\n0,-1.5\n2,-1\n10,-0.5\n")
  file:close()
  local out = {}
  local rows = { { 0, -1.5 }, { "2 m3/s", "-1 m" }, { 10, -0.5 } }
  for k, curve in ipairs { rows, ria.series(path) } do
    local sim = pond(curve)
    sim:run(3600)
    out[k] = select(2, sim:flux "east")
    near(sim:probe(5, 5, "level"), -1.5, 0.05)
    sim:close()
  end
  assert(out[1] == out[2] and out[1] > 300)
  os.remove(path)
  local function fails(message, ...)
    local ok, said = pcall(...)
    assert(not ok and tostring(said):find(message, 1, true), said)
  end
  fails("boundary.east.curve[2]: the first number of each point must grow: 0 is not above 0", pond,
    { { 0, -1.5 }, { 0, -1 } })
  fails("boundary 'east': curve begins at 1 m^3/s: its first row is that of 0 m^3/s, the level at "
    .. "which nothing leaves", pond, { { 1, -1.5 }, { 2, -1 } })
  fails("boundary 'east': curve is a curve: its first column is a discharge, and here it holds "
    .. "dates", pond, ria.series { { "2026-07-14", 0 }, { "2026-07-15", 1 } })
end

-- ria.tide: the sum of its constituents
do
  local set = {M2 = {1.12, 78}, S2 = {0.39, 107}}
  local tide = ria.tide {
    M2 = {1.12, 78}, S2 = {"39 cm", 107}, {speed = 14.5, amp = 0.1, phase = 10}, z0 = 0.2,
  }
  for t = 0, 86400, 3600 do
    local raw = 0.1 * math.cos((14.5 * t / 3600 - 10) * math.pi / 180)
    near(tide:at(t), 0.2 + raw + tides.level(set, t), 1e-6)
  end
  local ramped = ria.tide {M2 = {1, 0}, ramp = "2 h"}
  near(ramped:at(0), 0)
  near(ramped:at(3600), 0.5 * ria.tide({M2 = {1, 0}}):at(3600))
end

-- tides: scaling, delay, interpolation in the complex plane
do
  local set = {M2 = {1, 350}, z0 = 0.5}
  near(tides.scale(set, 2).M2[1], 2)
  assert(tides.scale(set, 2).z0 == 0.5)
  near(tides.level(tides.delay(set, 1000), 5000), tides.level(set, 4000))
  local middle = tides.between({M2 = {1, 350}}, {M2 = {1, 10}}, 0.5)
  near(math.cos(middle.M2[2] * math.pi / 180), 1, 1e-9) -- through 0, not through 180
  near(middle.M2[1], math.cos(10 * math.pi / 180))
  local spring, neap = tides.spring_neap {M2 = {1.1, 0}, S2 = {0.4, 0}}
  near(spring, 1.5)
  near(neap, 0.7)
end

-- outlets: a slope may be left out, and may be 0 where a sea lies beyond
do
  local function bay(east)
    return ria.sim {
      grid = {nx = 8, ny = 2, dx = 10}, bed = -2, init = {level = 0}, out = false,
      boundary = {east = east, west = {kind = "open", slope = 0}, south = "free"},
    }
  end
  bay({kind = "normal", slope = 0.01}):run(1)
  bay({kind = "normal", slope = "0.01"}):run(1)
  bay("open"):run(1)
  local sim = bay "normal"
  local ok, message = pcall(sim.run, sim, 1)
  assert(not ok and message:find("a 'normal' outlet on the east side: the bed does not fall "
    .. "towards it, so there is no normal depth; give the slope, as in "
    .. "{ kind = \"normal\", slope = 0.001 }", 1, true), message)
end

-- builders of series
do
  local flood = series.hydrograph {base = 10, peak = 100, start = 3600, rise = 7200}
  near(series.at(flood, 0), 10)
  near(series.at(flood, 3600 + 7200), 100, 1e-9)
  assert(ria.series(flood):at(3600 + 7200) == 100)
  local pulse = series.pulse {value = 5, start = 100, stop = 200}
  near(series.at(pulse, 150), 5)
  near(series.at(pulse, 50), 0)
  near(series.at(pulse, 250), 0)
  local cycle = series.cycle({{0, 1}, {60, 2}}, 120, 3)
  assert(#cycle == 6 and cycle[6][1] == 300)
  near(series.at(series.map(pulse, {scale = 2, offset = 1, delay = 10}), 160), 11)
  local ok, message = pcall(series.pulse, {value = 5, start = 100, stop = 200, edg = 3})
  assert(not ok and message:find("unknown key 'edg'", 1, true))
end

-- units
assert(units.duration(90061) == "1 d 1 h 1 min 1 s" and units.duration(0) == "0 s")
near(math.exp(-units.half_life(100) * 100), 0.5)
near(math.exp(-units.t90(100) * 100), 0.1)
near(2 * units.kn, 2 * 1852 / 3600)

-- terrain: the same every time, smooth, and shaped as asked
do
  near(synth.noise(3.25, 7.5, 1), synth.noise(3.25, 7.5, 1), 0)
  assert(synth.noise(3.25, 7.5, 1) ~= synth.noise(3.25, 7.5, 2))
  local ground = synth.fbm {scale = 100}
  for k = 0, 200 do
    local z = ground(k * 13.7, k * 7.1)
    assert(z >= -1 and z <= 1)
    assert(math.abs(ground(k * 13.7 + 0.01, k * 7.1) - z) < 0.01)
  end
  assert(synth.smoothstep(0, 1, -1) == 0 and synth.smoothstep(0, 1, 2) == 1)
  near(synth.smooth_max(3, 1, 0.5), 3)
  local bed, valley = synth.valley {}
  local x, y = valley.axis(0.5)
  assert(bed(x, y) < -5, bed(x, y))
  assert(bed(0, 30e3) > 1 and bed(30e3, 0) > 1)
  assert(valley.half_width(0) > valley.half_width(0.5))
  local hill = synth.hill {x = 10, y = 10, height = 7, radius = 5}
  near(hill(10, 10), 7)
  local island = synth.islands(bed, {{x, y, radius = 300, top = 12}})
  assert(island(x, y) > 5 and island(x + 3000, y + 3000) == bed(x + 3000, y + 3000))
end

-- parameters that follow a series, from the beginning and from an event on
for _, solver in ipairs { "shallow_water", "adi" } do
  local gust = series.sample(function(t) return 10 * math.sin(math.pi * t / 7200) end, 0, 7200, 60)
  local sim = ria.sim {
    solver = solver, out = false, bed = -2, init = { level = 0 },
    grid = { nx = 20, ny = 4, dx = 200 },
    params = { manning = 0.03, wind_speed = gust, wind_from = "270 deg", latitude = 53 },
  }
  near(sim:param "wind_from", 270)
  near(sim:param "wind_speed", 0)
  local veer = ria.series {{0, 350}, {1800, 350}, {3600, 10}, hold = true}
  sim:at(1800, function(s) s:vary("wind_from", veer) end)
  sim:run(1700)
  near(sim:param "wind_speed", 10 * math.sin(math.pi * 1700 / 7200), 1e-2)
  local to_east = sim:probe(2100, 400, "u")
  assert(to_east > 1e-3, "a west wind blows eastward")
  sim:run(2700)
  near(sim:param "wind_from", 360)
  sim:at(2800, function(s) s:vary("wind_speed", 0) end)
  sim:run(7200)
  near(sim:param "wind_speed", 0)
  assert(sim:summary().warning == nil)
end
