-- Wrong tides, series, rasters and spills, and the exact message for each.
local messages = require "shared.messages"
local basin = messages.basin

local rows = {
  -- forcing
  {[[ria.tide { M2 = { 1, 2 }, M22 = { 3, 4 } }]],
    "bay.lua:2: ria.tide: unknown constituent 'M22': did you mean 'M2'?"},
  {[[ria.tide {}]], "bay.lua:2: ria.tide: a tide without constituents: write ria.tide" ..
    " { M2 = { amplitude in m, phase in deg } }, or a number for a level that does not change"},
  {[[ria.tide { ramp = "2 h" }]], "bay.lua:2: ria.tide: a tide without constituents: write" ..
    " ria.tide { M2 = { amplitude in m, phase in deg } }, or a number for a level that does not change"},
  {[[ria.tide {
  M2 = { 1 },
}]], "bay.lua:3: ria.tide: M2 = a table: expected {amplitude in m, phase in deg}"},
  {[[ria.series {
  { 0, 1 },
  { 5, 2 },
  { 3, 2 },
}]], "bay.lua:5: ria.series: the times must grow: point 3 is at t = 3 s, the one before at 5 s"},
  {[[ria.series "no.csv"]], "bay.lua:2: ria.series: cannot open no.csv: No such file or directory"},
  {[[ria.dem { "no.asc", fil = 3 }]], "bay.lua:2: ria.dem: unknown key 'fil': did you mean 'fill'?"},
  {[[ria.dem "degrees.asc"]], "bay.lua:2: ria.dem: degrees.asc is in degrees (cells of 0.01 x 0.01," ..
    " by its extent and heights), and ria computes in metres: name the model's system, crs = " ..
    "\"EPSG:32629\" (of ria.dem), or project it: gdalwarp -s_srs EPSG:4326 -t_srs" ..
    " EPSG:32629 -tr 1100 1100 -r bilinear -dstnodata -9999 degrees.asc utm.tif"},
  {[[ria.dem { "degrees.asc", crs = "EPSG:4326" }]], "bay.lua:2: ria.dem: WGS 84 is in" ..
    " degrees, and ria computes in metres: take a system in metres, such as that of a UTM zone"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, crs = "EPSG:4326" }]],
    "bay.lua:2: ria.sim: crs 'EPSG:4326' is in degrees, and ria computes in metres: name a system" ..
    " in metres, such as the UTM zone of the place, \"EPSG:32629\""},
  {[[ria.dem "no.asc"]], "bay.lua:2: ria.dem: cannot open no.asc: No such file or directory"},

  -- spills
  {basin .. [[sim:at("1 h", ria.spill { tracer = "oil", x = 1, y = 1,
  mas = "2 t" })]], "bay.lua:4: ria.spill: unknown key 'mas': did you mean 'mass'?"},
  {basin .. [[sim:at("1 h", ria.spill {
  tracer = "oil", x = 1, y = 1, mass = "2 m" })]],
    "bay.lua:4: ria.spill: mass: 'm' in '2 m' is a unit of length: expected a mass" ..
    " (ug, mg, g, kg, t)"},
  {basin .. [[sim:spill { tracer = "oil", x = 1, y = 1, mass = 1, rate = 2 }]],
    "bay.lua:3: sim:spill: only one of mass, amount, rate, volume (with density) and flow (with conc)" ..
    " is needed"},
  {basin .. [[local spill = ria.spill {
  tracer = "oyl",
  x = 1, y = 1, mass = 1 }
sim:at("1 h", spill)]], "bay.lua:4: ria.spill: unknown tracer 'oyl': did you mean 'oil'?"},

  {basin .. [[sim:spill { x = 1, y = 1, mass = 2 }]],
    "bay.lua:3: sim:spill: missing key 'tracer': name the tracer that is released"},
  {basin .. [[sim:spill { x = 1, y = 1, volume = 2, density = 900 }]],
    "bay.lua:3: sim:spill: missing key 'tracer': name the tracer that is released"},
  {basin .. [[sim:spill { tracer = "water", x = 1, y = 1, mass = 2 }]],
    "bay.lua:3: sim:spill: spill 'water': of 'water' a volume or a flow is released, one of the two," ..
    " and no density or conc"},
  {basin .. [[sim:set("level", -2)
sim:spill { tracer = "oil", x = 1, y = 1, mass = 2 }]],
    "bay.lua:4: sim:spill: spill 'oil': no water at (1, 1) at 0 s, nor in any cell of the domain"},

  -- forcing: entries without a name, of another type, of no kind
  {"ria.tide { M2 = 5 }", "bay.lua:2: ria.tide: M2 = 5: expected {amplitude in m, phase in deg}"},
  {"ria.tide { M2 = { -1, 0 } }", "bay.lua:2: ria.tide: M2: amplitude = -1 is out of range: >= 0 m"},
  {"ria.tide { M2 = { speed = 30, amp = 1, phase = 0 } }", "bay.lua:2: ria.tide: M2 has its own speed"},
  {"ria.tide { { amp = 1, phase = 0 } }",
    "bay.lua:2: ria.tide: constituent 1 needs a speed in deg/h: {speed =, amp =, phase =}"},
  {"ria.tide { { at = 0, M2 = { 1, 2 } }, 5 }",
    "bay.lua:2: ria.tide: [2] = 5: expected a point { at = {x, y}, M2 = {amplitude, phase}, ... }"},
  {"ria.tide { { at = 0, M2 = { 1, 2 } }, { at = 1, S2 = { 1, 2 } } }",
    "bay.lua:2: ria.tide: point 2 has no M2, which point 1 has: give it there too, with the amplitude " ..
      "0 if it has none"},
  {"ria.tide { { at = 0, { speed = 30, amp = 1, phase = 0 } }, { at = 1, { speed = 28, amp = 1, phase = 0 } } }",
    "bay.lua:2: ria.tide: point 2 has no constituent of 30 deg/h, which point 1 has: give it there " ..
      "too, with the amplitude 0 if it has none"},
  {[[ria.tide { path = "x.csv", at = 5 }]], "bay.lua:2: ria.tide: at = 5: expected a table { name = {x, y}, ... }"},
  {"ria.tide { model = 5 }",
    'bay.lua:2: ria.tide: model = 5: expected a table { M2 = { "amplitude.tif", "phase.tif" }, ... }, ' ..
      "or a file of OTIS"},
  {[[ria.tide { model = {}, unit = "m" }]],
    'bay.lua:2: ria.tide: model names no constituent: { M2 = { "amplitude.tif", "phase.tif" } }'},
  {[[ria.tide { model = { { "a.tif", "b.tif" } }, unit = "m" }]],
    "bay.lua:2: ria.tide: model: an entry without a name: write M2 = { ... }"},
  {[[ria.tide { model = { M2 = { "a.tif", "b.tif" } } }]],
    [[bay.lua:2: ria.tide: missing key 'unit': of the amplitudes in the maps, "m" or "cm" (FES)]]},
  {[[ria.tide { model = { M2 = { "a.tif", 5 } }, unit = "m" }]],
    'bay.lua:2: ria.tide: model.M2 = a table: expected { "amplitude.tif", "phase.tif" }, or the name ' ..
      "of a netCDF file with amplitude and phase"},
  {[[ria.tide { model = { M2 = { "a.tif", "b.tif" }, m2 = { "a.tif", "b.tif" } }, unit = "m" }]],
    "bay.lua:2: ria.tide: M2 and m2 are one constituent"},
  {[[ria.tide_fit { dates = { 1, 2, 3 }, values = { 1, 2, "x" } }]],
    "bay.lua:2: ria.tide_fit: values[3] = 'x': expected a number"},
  {"ria.tide_fit { dates = { 1, 2, 0 / 0 }, values = { 1, 2, 3 } }",
    "bay.lua:2: ria.tide_fit: dates[3] = nan: expected a finite number"},
  {"ria.sun(true, 0, 0)", "bay.lua:2: ria.sun: date = true: expected a date, or seconds since 1970"},
  {[[ria.sun("yesterday", 0, 0)]],
    "bay.lua:2: ria.sun: date 'yesterday': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it"},
  {"ria.series { 5 }", "bay.lua:2: ria.series: [1] = 5: expected a point {t, value}"},
  {"ria.series {}", "bay.lua:2: ria.series: needs either a path or points {t, value}"},
}

-- what the rows read
local degrees = assert(io.open("degrees.asc", "w"))
degrees:write "ncols 2\nnrows 2\nxllcorner -8.8\nyllcorner 42.2\ncellsize 0.01\n1 2\n3 40\n"
degrees:close()

messages.check(rows)
os.remove "degrees.asc"
