-- Wrong tables of ria.sim and ria.params, and the exact message for each.
local messages = require "shared.messages"
local basin = messages.basin

local rows = {
  -- tables that come from variables
  {[[local grid = { nx = 10, ny = 10, dx = 1 }
local setup = {
  grid = grid, bed = -1, out = false,
  params = dem and {} or { cfl = 0.9, maning = 1 },
}
ria.sim(setup)]], "bay.lua:5: ria.sim: unknown parameter 'maning': did you mean 'manning'?"},
  {[[local grid = { nx = 10,
  nyy = 10, dx = 1 }
ria.sim { grid = grid }]], "bay.lua:3: ria.sim: unknown key 'grid.nyy': did you mean 'ny'?"},
  {[[local boundary = { south = "open" }
boundary.nort = "open"
ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = boundary }]],
    "bay.lua:3: ria.sim: unknown side 'nort': did you mean 'north'?"},
  {[[local function grid() return { nx = 10, nyy = 10, dx = 1 } end
ria.sim { bed = -1,
  grid = grid() }]], "bay.lua:4: ria.sim: unknown key 'grid.nyy': did you mean 'ny'?"},

  -- ria.sim: keys, types, ranges
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  tracer = {},
}]], "bay.lua:4: ria.sim: unknown key 'tracer': did you mean 'tracers'?"},
  {[[ria.sim { bed = -1 }]],
    "bay.lua:2: ria.sim: missing key 'grid': the cells, or a raster whose cells they are"},
  {[[ria.sim "bay.asc"]], "bay.lua:2: ria.sim: expected a table { key = value }, not 'bay.asc'"},
  {[[ria.sim {
  grid = {
    nx = 10, ny = 10,
    dxx = 1 },
}]], "bay.lua:5: ria.sim: unknown key 'grid.dxx': did you mean 'dx'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 2.5, dx = 1 },
}]], "bay.lua:3: ria.sim: grid.ny = 2.5: expected a whole number"},
  {[[ria.sim {
  grid = { nx = 0, ny = 10, dx = 1 },
}]], "bay.lua:3: ria.sim: grid.nx = 0 is out of range: 1 .. 1e+06"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = "50 kg" },
}]], "bay.lua:3: ria.sim: grid.dx: 'kg' in '50 kg' is a unit of mass: expected a length" ..
    " (mm, cm, m, km, ft, nmi, mi)"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  solver = "shalow_water",
}]], "bay.lua:4: ria.sim: unknown solver 'shalow_water': did you mean 'shallow_water'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  precision = "singel",
}]], "bay.lua:4: ria.sim: unknown precision 'singel': did you mean 'single'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  bed = function(x, y) -- commas and braces, { , } "params", in here do not mislead
    local a, b = x, { params = y }
    return -1
  end,
  params = {
    cfl = 0.9,
    manning = 3,
  },
}]], "bay.lua:10: ria.sim: params.manning = 3 is out of range: 0 .. 0.5 s/m^(1/3)"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  params = { maning = 0.03 },
}]], "bay.lua:4: ria.sim: unknown parameter 'maning': did you mean 'manning'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  params = { manning = function() return 0.03 end },
}]], "bay.lua:4: ria.sim: params.manning is one number: a map goes into init"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  params = { wind_speed = function(t) return t end },
}]], "bay.lua:3: ria.sim: params.wind_speed is not a function: make it a series with series.sample of" ..
    ' require "ria.series"'},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  params = { wind_speed = { { 0, 5 }, { 60, -5 } } },
}]], "bay.lua:3: ria.sim: row 2 of a series: parameter 'wind_speed' of shallow_water is -5 m/s:" ..
    " it must be between 0 and 100 m/s"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  params = { wind_speed = "200 kn" },
}]], "bay.lua:3: ria.sim: params.wind_speed = 102.889 is out of range: 0 .. 100 m/s"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  params = { cfl = { { 0, 0.5 } } },
}]], "bay.lua:3: ria.sim: params.cfl = a table: expected a number"},
  {[[ria.sim { grid = { nx = 100, ny = 100, dx = 100 }, out = false, solver = "adi",
  params = { dt = 60, eddy = 50 },
}]], "bay.lua:2: ria.sim: parameter 'eddy' of adi is 50 m^2/s: with steps of 60 s and cells of" ..
    " 100 m it must be at most dx^2 / (4 dt) = 41.6667 m^2/s"},
  {basin .. 'sim:vary("cfl", 0.5)', "bay.lua:3: sim:vary: parameter 'cfl' of shallow_water cannot" ..
    " change in time: those that can are wind_speed, wind_from"},
  {basin .. 'sim:vary("wind_sped", 5)',
    "bay.lua:3: sim:vary: unknown parameter 'wind_sped': did you mean 'wind_speed'?"},
  {basin .. 'sim:vary("wind_speed", 500)',
    "bay.lua:3: sim:vary: wind_speed = 500 is out of range: 0 .. 100 m/s"},
  {basin .. 'sim:vary("wind_from", { { 0, 90 }, { 1, 180 } }) sim:run(2)', "bay.lua:3: sim:run:" ..
    " parameter 'wind_from': its series has values from 0 s to 1 s, and the run needs them from" ..
    " 0 s to 2 s: extend it, or let it hold its end values"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  tracers = {
    oil = { decay = "1 /d", difusion = 1 },
  },
}]], "bay.lua:5: ria.sim: unknown key 'tracers.oil.difusion': did you mean 'diffusion'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 },
  tracers = { { name = "dye" }, { decay = -1, name = "oil" } },
}]], "bay.lua:4: ria.sim: tracers[2].decay = -1 is out of range: >= 0 1/s"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  init = {
    levl = 0,
  },
}]], "bay.lua:5: ria.sim: unknown field 'levl': did you mean 'level'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  bed = function(x, y) return nil end,
}]], "bay.lua:4: ria.sim: bed(0.5, 0.5) gave nil: a number is needed"},
  -- numbers that are none, from a function: for every field, by name of the cell
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  init = { level = function(x, y) return x == 3.5 and y == 2.5 and 0 / 0 or 0 end } }]],
    "bay.lua:3: ria.sim: init.level(3.5, 2.5) gave nan in cell (3, 2): a finite number is needed"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = { "oil" },
  init = { oil = function() return math.huge end } }]],
    "bay.lua:3: ria.sim: init.oil(0.5, 0.5) gave inf in cell (0, 0): a finite number is needed"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false,
  bed = function() return -math.huge end }]],
    "bay.lua:3: ria.sim: bed(0.5, 0.5) gave -inf in cell (0, 0): a finite number is needed"},
  {basin .. 'sim:set("u", function() return 0 / 0 end)',
    "bay.lua:3: sim:set: u(0.5, 0.5) gave nan in cell (0, 0): a finite number is needed"},
  {basin .. 'sim:set("depth", function(x) return x > 9 and 1 / 0 or 1 end)',
    "bay.lua:3: sim:set: depth(9.5, 0.5) gave inf in cell (9, 0): a finite number is needed"},
  {basin .. 'sim:set("qx", 0 / 0)', "bay.lua:3: sim:set: qx = nan is not a finite number"},
  {basin .. [[local f = sim:field "bed"
f:set(4, 5, 1 / 0)
sim:set("level", f)]],
    "bay.lua:5: sim:set: 'level' has no finite value in cell (4, 5) at (4.5, 5.5)"},
  {basin .. [[local f = sim:field "bed"
f:set(4, 5, 0 / 0)
sim:set("qx", f)]], "bay.lua:5: sim:set: 'qx' has no finite value in cell (4, 5) at (4.5, 5.5)"},
  {[[ria.field { nx = 3, ny = 3, dx = 1, value = function() return 0 / 0 end }]],
    "bay.lua:2: ria.field: value(0.5, 0.5) gave nan in cell (0, 0): a finite number is needed"},
  {[[ria.field { nx = 3, ny = 3, dx = 1, value = 1 }:map(function() return 1 / 0 end)]],
    "bay.lua:2: field:map: map(0.5, 0.5) gave inf in cell (0, 0): a finite number is needed"},
  {[[ria.field { nx = 3, ny = 3, dx = 1, value = 1 }:map(function() return "deep" end)]],
    "bay.lua:2: field:map: map(0.5, 0.5) gave string: a number is needed"},
  {[[ria.field3 { nx = 2, ny = 2, nz = 2, dx = 1, init = function(x) return x > 1 and 0 / 0 or 1 end }]],
    "bay.lua:2: ria.field3: init gave nan at point (1, 0, 0): a finite number is needed"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, out = false, bed = -1,
  maxima = { "level", "sped" },
}]], "bay.lua:4: ria.sim: unknown field for maxima 'sped': did you mean 'speed'?"},

  -- what to do about it
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1,
  manning = 0.03 }]],
    "bay.lua:3: ria.sim: unknown key 'manning': it goes into params: params = { manning = ... }"},
  {[[ria.sim { grid = { nx = 10, ny = 10 },
  dx = 1 }]], "bay.lua:3: ria.sim: unknown key 'dx': it goes into grid: grid = { dx = ... }"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1,
  level = 0 }]], "bay.lua:3: ria.sim: unknown key 'level': it goes into init: init = { level = ... }"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 },
  params = { wind_speed = 10, wind_from = "SW" } }]],
    "bay.lua:3: ria.sim: params.wind_from: 'SW' is a point of the compass: write 225, in degrees" ..
    " clockwise from north"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 },
  params = { manning = 30 } }]],
    "bay.lua:3: ria.sim: params.manning = 30 is out of range: 0 .. 0.5 s/m^(1/3); if 30 m^(1/3)/s is" ..
    " Strickler's coefficient, write 1/30"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  init = { manning = function(x) return x > 5 and 30 or 0.03 end } }]],
    "bay.lua:3: ria.sim: 'manning' is 30 in cell (5, 0), out of range: 0 .. 0.5 s/m^(1/3)"},
  {[[local bed = ria.field { nx = 3, ny = 2, dx = 10, value = -1 }
bed:set(1, 0, 0 / 0)
ria.sim { grid = bed, out = false }]],
    "bay.lua:4: ria.sim: 'bed' has no data in 1 of 6 cells, the first (1, 0) at (15, 5): leave them out" ..
    " of the domain (outside = \"wall\"), or give them a height (ria.dem: gap = 20 closes holes up to 20" ..
    " cells across, fill = 10 puts 10 m into the rest)"},
  {basin .. [[sim:at("2026-07-14 06:30", print)]],
    "bay.lua:3: sim:at: '2026-07-14 06:30' is a date, and this run has none: give it a start, the date" ..
    " of t = 0 (start = \"2026-07-14 00:00\"), or write the time since t = 0, as in '1 d 6 h'"},

  -- entries without a name, of another type, of no kind
  {"ria.sim { grid = 5 }", 'bay.lua:2: ria.sim: grid = 5: expected { nx =, ny =, dx = } or a ria.dem "file.asc"'},
  {"ria.sim { 5, grid = { nx = 10, ny = 10, dx = 1 } }",
    "bay.lua:2: ria.sim: item [1] has no name: write key = value"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, [true] = 1 }",
    "bay.lua:2: ria.sim: a key of type boolean: keys are names"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = 5 }",
    "bay.lua:2: ria.sim: out = 5: expected a directory, or false for no results"},
  {[[ria.sim { solver = "diffusion", grid = { nx = 10, ny = 10, dx = 1 }, out = false, bed = 1 }]],
    "bay.lua:2: ria.sim: the solver 'diffusion' has no bed"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, init = { 5 } }",
    "bay.lua:2: ria.sim: init: an entry without a name: write field = value"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, params = { 5 } }",
    "bay.lua:2: ria.sim: params: an entry without a name: write name = value"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 100 }, out = false, solver = "adi", params = { upwind = "no", dt = 5 } }]],
    "bay.lua:2: ria.sim: unknown upwind 'no': one of froude, off"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 100 }, out = false, solver = "adi", params = { upwind = 5, dt = 5 } }]],
    "bay.lua:2: ria.sim: params.upwind = 5: expected text"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, maxima = { 5 } }",
    "bay.lua:2: ria.sim: maxima[1] = 5: expected a name"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, start = 5 }",
    "bay.lua:2: ria.sim: start = 5: expected text (date of t = 0: \"2026-07-14 00:00\"; times may " ..
      "then be dates, and files carry them)"},
  {[[ria.tide "bay.bca"]], "bay.lua:2: ria.tide: tide = 'bay.bca': expected a table such as { M2 = " ..
    "{1.12, 78} }, or { path = \"bay.bca\" }"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, from = { "x", at = true } }]],
    'bay.lua:2: ria.sim: from.at = true: expected a date, "2026-07-14 06:00", or a time, "6 h"'},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = { oil = { name = "dye" } } }]],
    "bay.lua:2: ria.sim: tracers.oil has its name already: leave `name` out"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = { {} } }",
    "bay.lua:2: ria.sim: tracers[1] needs a name"},
  {[[local t = {}
for k = 1, 99 do t[k] = "t" .. k end
ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = t }]],
    "bay.lua:4: ria.sim: too many tracers: 'shallow_water' takes at most 8"},

  -- lines that are found between comments, long texts and keys in brackets
  {[==[--[[ , { maning = 1 ] ]=] " ]]
--[=[ ]] } ]=]
ria.sim { title = [[ params = { ]], ["grid"] = { nx = 10, ny = 10, dx = 1 }, out = false, -- , params = {
  ["params"] = { cfl = 0.9, -- '
    ['maning'] = 'a "\' {' },
}]==], "bay.lua:6: ria.sim: unknown parameter 'maning': did you mean 'manning'?"},

  -- parameters
  {"ria.params(5)", "bay.lua:2: ria.params: params = 5: expected a table { name = default }"},
  {"ria.params { 5 }", "bay.lua:2: ria.params: a parameter needs a name: write name = default"},
  {[[ria.params { n = { 3, unit = "frobs" } }]], "bay.lua:2: ria.params: n: unit 'frobs' is not known"},
  {"ria.params { n = { print } }",
    "bay.lua:2: ria.params: n = a function: expected a default: a number, text, true or false"},
  {[[ria.params { n = { "c", choices = { "calm", "storm" } } }]],
    "bay.lua:2: ria.params: the default of n = 'c' is not allowed: it is calm | storm"},
  {[[ria.params { n = { 3, min = 5 } }]],
    "bay.lua:2: ria.params: the default of n = 3 is out of range: >= 5"},
  {[[ria.params { n = { 3, mni = 5 } }]],
    "bay.lua:2: ria.params: unknown key 'n.mni': did you mean 'min'?"},
  {[[local p = ria.params { days = 1, tide = { m2 = 1 } }
print(p.dayss)]], "bay.lua:3: params: there is no params.dayss: did you mean params.days?"},
  {[[ria.params { b = 1 }]], -- the row above has called it
    "bay.lua:2: ria.params: called twice: declare all parameters in one table"},
}

messages.check(rows)
