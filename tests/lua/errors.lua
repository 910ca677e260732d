-- Wrong scenarios and the exact message for each. Messages are part of the language: they name the
-- user's line, what is wrong, and the nearest right name, the unit or the range.
--
-- Each row is a script, without its first line (local ria = require "ria"), and what it must say.
-- Line 2 is therefore the first line of the text.

local prelude = 'local ria = require "ria"\n'
local basin = 'local sim = ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, bed = -1,' ..
  ' tracers = { "oil" }, out = false }\n' -- line 2

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

  -- boundaries
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  boundary = { suoth = "open" },
}]], "bay.lua:4: ria.sim: unknown side 'suoth': did you mean 'south'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  boundary = {
    south = "opn",
  },
}]], "bay.lua:5: ria.sim: unknown kind of boundary 'opn': did you mean 'open'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  boundary = { south = "level" },
}]], "bay.lua:4: ria.sim: 'level' needs values: { kind = \"level\", level = ... }"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false, tracers = { "oil" },
  boundary = {
    south = { kind = "level", level = 0,
              tracers = { oli = 1 } },
  },
}]], "bay.lua:6: ria.sim: unknown tracer 'oli': did you mean 'oil'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  boundary = {
    river = ria.inflow {
      from = { 0, 0 }, to = { 4, 0 },
      qq = 12,
    },
  },
}]], "bay.lua:7: ria.inflow: unknown key 'qq': did you mean 'q'?"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = 1 }, bed = -1, out = false,
  boundary = { river = ria.inflow { from = { 0, 0 }, q = 12 } },
}]], "bay.lua:4: ria.inflow: from and to go together: one end is missing"},

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

  -- times: text has its unit; nothing is scheduled before the present
  {basin .. [[sim:run "3"]],
    "bay.lua:3: sim:run: t: '3' has no unit: write '3 h', or the number 3, which is in s"},
  {basin .. [[sim:every("30", print)]],
    "bay.lua:3: sim:every: period: '30' has no unit: write '30 h', or the number 30, which is in s"},
  {[[ria.sim {
  grid = { nx = 10, ny = 10, dx = "50" },
}]], "bay.lua:3: ria.sim: grid.dx: '50' has no unit: write '50 m', or the number 50, which is in m"},
  {basin .. [[sim:at("-1 h", ria.spill { tracer = "oil", x = 1, y = 1, mass = 1 })]],
    "bay.lua:3: sim:at: an event at -3600 s: it must be at or after the present, 0 s"},
  {basin .. [[sim:at("-1 h", print)]],
    "bay.lua:3: sim:at: an event at -3600 s: it must be at or after the present, 0 s"},
  {basin .. [[sim:run(5)
sim:at(0, ria.spill { tracer = "oil", x = 1, y = 1, mass = 1 })]],
    "bay.lua:4: sim:at: an event at 0 s: it must be at or after the present, 5 s"},
  {basin .. [[sim:run(5)
sim:spill { tracer = "oil", x = 1, y = 1, mass = 1, start = 0 }]],
    "bay.lua:4: sim:spill: the spill starts at 0 s: it must be at or after the present, 5 s"},
  {basin .. [[sim:set("level", 0)
sim:at(1, { ria.spill { tracer = "oil", x = 1, y = 1, mass = 1 }, function() error "scheduled" end,
  ria.spill { tracer = "oyl", x = 1, y = 1, mass = 1 } })]],
    "bay.lua:5: ria.spill: unknown tracer 'oyl': did you mean 'oil'?"},

  -- outputs
  {basin .. [[sim:every("30 min", ria.frame {
  field = "level",
  mapp = "balance" })]], "bay.lua:5: ria.frame: unknown key 'mapp': did you mean 'map'?"},
  {basin .. [[ria.frame { field = "level", map = "viridus" }]],
    "bay.lua:3: ria.frame: unknown colour map 'viridus': did you mean 'viridis'?"},
  {basin .. [[sim:every(60,
  ria.frame {
    field = "levl",
  })]], "bay.lua:5: ria.frame: unknown field 'levl': did you mean 'level'?"},
  {basin .. [[ria.frame { field = "level", width = 7 }]],
    "bay.lua:3: ria.frame: width = 7 is out of range: 64 .. 16384"},
  {basin .. [[ria.frame { field = "level", scale = "logarithmic" }]],
    "bay.lua:3: ria.frame: unknown scale 'logarithmic': one of linear, log"},
  {basin .. [[sim:every("1 h", ria.save { "level", "qxx" })]],
    "bay.lua:3: ria.save: unknown field 'qxx': did you mean 'qx'?"},
  {basin .. [[sim:gauge { name = "harbour", x = 5, y = 5, evry = 60 }]],
    "bay.lua:3: sim:gauge: unknown key 'evry': did you mean 'every'?"},

  -- methods
  {basin .. [[sim:evry(60, print)]], "bay.lua:3: sim: there is no sim:evry: did you mean sim:every?"},
  {basin .. [[sim:every("30 mins", print)]],
    "bay.lua:3: sim:every: period: unknown unit 'mins' in '30 mins', did you mean 'min'?" ..
    " Expected a time (ms, s, min, h, d, week, yr)"},
  {basin .. [[sim:at(60, print, { start = 1 })]],
    "bay.lua:3: sim:at: argument 3 is too many (a table): it takes (t, action)"},
  {basin .. [[sim:at(60, 5)]],
    "bay.lua:3: sim:at: action = 5: expected a function, ria.frame, ria.save, ria.spill or a list" ..
    " of these"},
  {basin .. [[sim:when(function() return true end, print, {
  evry = 60 })]], "bay.lua:4: sim:when: unknown key 'evry': did you mean 'every'?"},
  {basin .. [[sim:field "levl"]], "bay.lua:3: sim:field: unknown field 'levl': did you mean 'level'?"},
  {basin .. [[sim.run("1 h")]],
    "bay.lua:3: sim:run: called without a simulation: write sim:name(...), with a colon"},
  {basin .. [[sim:field("bed"):get(10, 0)]],
    "bay.lua:3: field:get: i = 10 is out of range: 0 .. 9 (cells count from 0)"},
  {basin .. [[sim:field("bed"):at(1, 1, { interpolat = true })]],
    "bay.lua:3: field:at: unknown key 'interpolat': did you mean 'interpolate'?"},
  {basin .. [[ria.smi {}]], "bay.lua:3: ria: there is no ria.smi: did you mean ria.sim?"},
  {basin .. [[sim:at(60, function(s)
  local level = s:stats("level")
  return level.mean + nothing.here
end)
sim:run(120)]], "bay.lua:5: attempt to index a nil value (global 'nothing')"},
  {basin .. [[sim:at(60, function(s) s:run(100) end)
sim:run(120)]], "bay.lua:3: sim:run: a simulation cannot be run from inside an event"},

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

  -- boundaries: the same
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = "open" }]],
    "bay.lua:2: ria.sim: boundary = 'open': expected a table { south = ..., north = ... }"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { "open" } }]],
    "bay.lua:2: ria.sim: boundary: an entry without a name: write south = ... or river = ..."},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = true } }",
    "bay.lua:2: ria.sim: boundary.west = true: expected the name of a kind, a table { kind = ... }, a " ..
      "ria.tide, a ria.series, a ria.nest or a ria.inflow"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = ria.frame "level" } }]],
    "bay.lua:2: ria.sim: boundary.west = a ria.description: expected a boundary"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { 1, kind = "open" } } }]],
    "bay.lua:2: ria.sim: boundary.west: an entry without a name: write key = value"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { kind = "open", zzqq = 1 } } }]],
    "bay.lua:2: ria.sim: unknown key 'boundary.west.zzqq': a 'open' boundary has no such value"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { kind = 5 } } }",
    "bay.lua:2: ria.sim: boundary.west.kind = 5: expected the name of a kind"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { tracers = {} } } }",
    "bay.lua:2: ria.sim: boundary.west needs a kind, or the values of one: see `ria help shallow_water`"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { kind = "discharge" } } }]],
    "bay.lua:2: ria.sim: missing key 'boundary.west.q': a 'discharge' boundary needs it (m^3/s)"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { fundy = "open" } }]],
    "bay.lua:2: ria.sim: boundary 'fundy' is not a side: name one of west, east, south, north, or give " ..
      "from and to, or a line"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { kind = "level", level = {} } } }]],
    "bay.lua:2: ria.sim: boundary.west.level holds no list: expected a number, text with a unit, or a list of " ..
      "{t, value} of a series, or { at = {x, y}, value = ... } along the boundary"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { kind = "level", level = true } } }]],
    "bay.lua:2: ria.sim: boundary.west.level = true: expected a number, text with a unit, a " ..
      "ria.series, a ria.tide or a table of {t, value}"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = { "oil" },
  boundary = { west = { kind = "level", level = 0, tracers = 3 } } }]],
    "bay.lua:3: ria.sim: boundary.west.tracers = 3: expected a table { tracer = concentration }"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, tracers = { "oil" },
  boundary = { west = { kind = "level", level = 0, tracers = { 3 } } } }]],
    "bay.lua:3: ria.sim: boundary.west.tracers: an entry without a name: write tracer = concentration"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { { at = 0, value = 1 }, 5 } } }",
    "bay.lua:2: ria.sim: boundary.west[2] = 5: expected a point { at = {x, y}, value = ... }"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = { 10, 20 } } } }",
    "bay.lua:2: ria.sim: boundary.west.q[1] = 10: expected {t, value} of a " ..
      "series, or { at = {x, y}, value = ... } along the boundary"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = { { x = 0, y = 9, value = 1 } } } } }",
    "bay.lua:2: ria.sim: boundary.west.q[1] = a table: expected {t, value} of a " ..
      "series, or { at = {x, y}, value = ... } along the boundary"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = { { at = 0, value = 1 }, { 0, 3 } } } } }",
    "bay.lua:2: ria.sim: boundary.west.q[2] has no `at`: each of a list of " ..
      "points along a boundary is { at = {x, y}, value = ... }"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = 5, level = 2 } } }",
    "bay.lua:2: ria.sim: unknown key 'boundary.west.q': a 'level' boundary has " ..
      "no such value (a 'discharge' one has)"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { discharge = 5 } } }",
    "bay.lua:2: ria.sim: unknown key 'boundary.west.discharge': 'discharge' is a " ..
      "kind, and its value is `q` [m^3/s]: write q = ..."},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { flow = 5 } } }",
    "bay.lua:2: ria.sim: unknown key 'boundary.west.flow': one of kind, from, " ..
      "to, side, line, reach, tracers, slope, level, q, u, v, curve"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = 'river.csv' } } }",
    "bay.lua:2: ria.sim: boundary.west.q = 'river.csv' names a file: read it by " ..
      "ria.series \"river.csv\""},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = { { at = 0, value = 'tide.bca' } } } } }",
    "bay.lua:2: ria.sim: boundary.west.q[1].value = 'tide.bca' names a file: " ..
      "read it by ria.tide \"tide.bca\""},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { q = { { '2026-07-14', 3 }, { '2026-07-15', 4 } } } } }",
    "bay.lua:2: ria.sim: boundary 'west': q: the times of a series are dates, " ..
      "and the run has no start: give it the date of t = 0 (start = \"2026-07-14 " ..
      "00:00\")"},
  {"ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { { at = 1.5, value = 1 } } } }",
    "bay.lua:2: ria.sim: boundary.west[1].at = 1.5 is out of range: 0 .. 1, the share of the " ..
      "boundary's length"},
  {[[ria.sim { grid = { nx = 10, ny = 10, dx = 1 }, out = false, boundary = { west = { { at = "x", value = 1 } } } }]],
    "bay.lua:2: ria.sim: boundary.west[1].at = 'x': expected a point {x, y}, or a share of the " ..
      "boundary from 0 to 1"},
  {basin .. [[sim:boundary("west", { zzqzqz = 5 })]],
    "bay.lua:3: sim:boundary: unknown key 'zzqzqz': one of kind, from, to, side, line, reach, tracers, " ..
      "slope, level, q, u, v, curve"},
  {basin .. [[sim:boundary("west", { u = 5 })]],
    "bay.lua:3: sim:boundary: boundary 'west' is of the kind 'wall', which takes no 'u': say " ..
      "kind = \"radiate\" too"},
  {basin .. [[sim:boundary("west", { q = { { at = 0, value = 5 }, { at = 1, value = 7 } } })]],
    "bay.lua:3: sim:boundary: boundary 'west': 'q' at points divides a boundary into pieces, and that " ..
      "is done only where it is added: give the points in ria.sim, then change its pieces, " ..
      "'west.1', 'west.2' ..., one by one"},
  {"local p = { { at = 0.2, value = 1 }, { at = 0.8, value = 2 } }\n" ..
    "ria.sim { solver = 'sediment', grid = { nx = 10, ny = 10, dx = 1 }, out = false,\n" ..
    "boundary = { west = { kind = 'flux', sand = p, mud = p } } }",
    "bay.lua:4: ria.sim: boundary 'west': 'sand' at points divides a boundary into pieces, and " ..
      "'mud' is given at points, too: give each piece of the side a boundary of its own, with " ..
      "`from` and `to`"},
  {basin .. [[sim:boundary { west = { q = 5 } }]],
    "bay.lua:3: sim:boundary: the name comes first: sim:boundary(\"west\", { ... })"},
  {basin .. "sim:relax { time = 60, level = 0 }",
    'bay.lua:3: sim:relax: name the sides: sim:relax { "west", width = ..., time = ... }, or shapes ' ..
      "(at), or a map"},
  {basin .. [[sim:relax { "west", time = 60, level = 0 }]],
    "bay.lua:3: sim:relax: missing key 'width': of the layer, from the side inwards"},
  {basin .. [[sim:relax { "west", width = 3, time = 60, nest = 5 }]],
    'bay.lua:3: sim:relax: nest = 5: expected a larger run: ria.nest "out/coarse"'},
  {"ria.inflow(5)", "bay.lua:2: ria.inflow: inflow = 5: expected a table { from = {x, y}, to = {x, y}, q = ... }"},

  -- forcing: the same
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

  -- releases, events and outputs: the same
  {basin .. "sim:spill(5)", "bay.lua:3: sim:spill: spill = 5: expected a table or a ria.spill"},
  {basin .. [[sim:spill(ria.frame "level")]],
    "bay.lua:3: sim:spill: spill = a ria.description: expected a table or a ria.spill"},
  {basin .. [[sim:spill { tracer = "oil", x = 1, y = 1, mass = 1, density = 900 }]],
    "bay.lua:3: sim:spill: density goes with volume"},
  {basin .. [[sim:spill { tracer = "oil", x = 1, y = 1, mass = 1, conc = 900 }]],
    "bay.lua:3: sim:spill: conc goes with flow"},
  {basin .. [[sim:at(5, ria.spill { tracer = "oil", x = 1, y = 1, mass = 1, start = 2 })]],
    "bay.lua:3: ria.spill: start is set by the event that releases it"},
  {basin .. "sim:when(5, print)",
    "bay.lua:3: sim:when: condition = 5: expected a function (sim) that answers yes or no"},
  {basin .. "sim:when(print, print)", "bay.lua:3: sim:when: missing { every = ... }: how often to look"},
  {basin .. "sim:every(5, {})",
    "bay.lua:3: sim:every: action = a table: expected a function, a description or a list of these"},
  {basin .. "sim:every(5, print, { start = 1, from = 2 })",
    "bay.lua:3: sim:every: from and to are other names of start and stop: write one of each"},
  {basin .. "sim:probe(1)", "bay.lua:3: sim:probe: y = nil: expected a number (m) or text with a unit"},
  {basin .. "sim:run(0 / 0)", "bay.lua:3: sim:run: t = nan is not a finite number"},
  {[[ria.frame { field = "level", width = true }]], "bay.lua:2: ria.frame: width = true: expected a whole number"},
  {[[ria.frame { field = "level", scale = 5 }]], "bay.lua:2: ria.frame: scale = 5: expected text"},
  {[[ria.frame { field = "level", plain = "yes" }]], "bay.lua:2: ria.frame: plain = 'yes': expected true or false"},
  {[[ria.frame { field = "level", range = 5 }]], "bay.lua:2: ria.frame: range = 5: expected a pair such as {1, 2}"},
  {[[ria.frame { field = "level", range = { 2, 1 } }]],
    "bay.lua:2: ria.frame: range = {2, 1}: the first must be below the second"},
  {[[ria.frame { field = "level", graticule = "x" }]],
    [[bay.lua:2: ria.frame: graticule = 'x': expected true, or degrees: 0.5, "2°", "10'", "30\""]]},
  {[[ria.frame { field = "level", graticule = "95 deg" }]],
    "bay.lua:2: ria.frame: graticule = 95 degrees is out of range: above 0, to 90"},
  {"ria.save {}", 'bay.lua:2: ria.save: name the fields: ria.save { "level", "depth" }'},
  {[[ria.save { "level", nil, "u" }]], "bay.lua:2: ria.save: [2] = nil: expected a name"},
  {[[ria.save { [3] = "level" }]], "bay.lua:2: ria.save: item [3] lies beyond a gap in the list"},
  {basin .. [[sim:film { "level", size = true }]],
    "bay.lua:3: sim:film: size = true: expected a height, or a pair {width, height}"},
  {basin .. [[sim:gauge { name = "a", x = 1, y = 1, every = 5, fields = true }]],
    "bay.lua:3: sim:gauge: fields = true: expected a list of names"},
  {basin .. [[sim:gauge { name = "a", x = 1, y = 1, every = 5, fields = "levl" }]],
    "bay.lua:3: sim:gauge: unknown field 'levl': did you mean 'level'?"},
  {basin .. [[sim:gauge { name = "a", x = 1, every = 5, at = ria.shapes { { point = { 1, 1 }, name = "a" } } }]],
    "bay.lua:3: sim:gauge: at goes without x and y, lon and lat"},
  {basin .. [[sim:gauge { name = "label", every = 5,
  at = ria.shapes { { point = { 1, 1 }, label = "a" }, { point = { 1, 1 }, other = 5 } } }]],
    "bay.lua:3: sim:gauge: shape 2: a point without label"},
  {basin .. [[sim:section { name = "label", every = 5,
  line = ria.shapes { { line = { { 1, 1 }, { 5, 5 } }, label = "a" }, { line = { { 1, 1 }, { 5, 6 } }, b = 5 } } }]],
    "bay.lua:3: sim:section: shape 2: a line without label"},
  {[[ria.plot { path = "x.png" }]], "bay.lua:2: ria.plot: nothing to draw: give panels, each a list of lines"},
  {[[ria.plot { path = "x.png", { { x = { 0, "a" }, y = { 0, 1 } } } }]],
    "bay.lua:2: ria.plot: [1][1].x[2] = 'a': expected a number"},
  {[[ria.plot { path = "x.png", { { x = { 0, 1 }, y = { 0 } } } }]],
    "bay.lua:2: ria.plot: x has 2 numbers and y has 1"},
  {[[ria.plot { path = "x.png", { { x = { 0, 1 }, y = { 0, 1 }, color = "red" } } }]],
    [[bay.lua:2: ria.plot: color = 'red': expected "#rrggbb"]]},
  {[[ria.plot { path = "x.png", { { x = { 0, 1 }, y = { 0, 1 }, color = "#12345g" } } }]],
    [[bay.lua:2: ria.plot: color = '#12345g': expected "#rrggbb"]]},
  {"ria.xyzzy()", "bay.lua:2: ria: there is no ria.xyzzy: see `ria help`"},

  -- fields and shapes: the same
  {[[local f = ria.field { nx = 3, ny = 3, dx = 1, value = 1 }
f.map({}, print)]],
    "bay.lua:3: field:map: called without a field: write f:name(...), with a colon"},
  {"ria.field { nx = 3, ny = 3, dx = 1, value = 1 }:map(5)",
    "bay.lua:2: field:map: map = 5: expected a function (value, x, y)"},
  {[[ria.field { nx = 3, ny = 3, dx = 1, value = 1 }:set(1, 1, "a")]],
    "bay.lua:2: field:set: value = 'a': expected a number"},
  {"ria.field { nx = 3, ny = 3, dx = 1, value = true }",
    "bay.lua:2: ria.field: value = true: expected a number, text with a unit, a function (x, y), or a " ..
      'field such as ria.dem "..."'},
  {[[ria.field { nx = 3, ny = 3, dx = 1, value = 1 }:write { "a.asc", "b.asc" }]],
    'bay.lua:2: field:write: name one file: f:write "x.tif"'},
  {[[local f = ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 }
f.map({}, print)]],
    "bay.lua:3: field3:map: called without a field: write f:name(...), with a colon"},
  {"ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 }:map(5)",
    "bay.lua:2: field3:map: map = 5: expected a function (value, x, y, z)"},
  {"ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = true }",
    "bay.lua:2: ria.field3: init = true: expected a number, a function (x, y, z) or a field of three " ..
      "dimensions"},
  {"ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1, periodic = 5 }",
    "bay.lua:2: ria.field3: periodic = 5: expected true, false or a table such as { x = true }"},
  {[[ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 }:derivative("x", { order = 3 })]],
    "bay.lua:2: field3:derivative: order = 3: it may be 2, 4, 6 or 8"},
  {"print(ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 } + {})",
    "bay.lua:2: f + g: expected a field of three dimensions on either side, not a table"},
  {"print({} * ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 })",
    "bay.lua:2: f * g: expected a number or a field of three dimensions, not a table"},
  {[[local f = ria.field3 { nx = 4, ny = 4, nz = 4, dx = 1, init = 1 }
f:free()
f:get(1, 1, 1)]],
    "bay.lua:4: field3:get: the field was freed"},
  {[[ria.crs("EPSG:32629").forward({}, 1, 2)]],
    "bay.lua:2: crs:forward: called without a crs: write c:name(...), with a colon"},
  {[[ria.crs("EPSG:32629"):forward(1)]],
    "bay.lua:2: crs:forward: lat = nil: expected a number (deg) or text with a unit"},
  {"ria.shapes {}", "bay.lua:2: ria.shapes: name a file, or write shapes: { { polygon = {...} }, ... }"},
  {"ria.shapes { 5 }",
    "bay.lua:2: ria.shapes: [1] = 5: expected { polygon = {...}, ... }, { line = ... } or { point = ... }"},
  {"ria.shapes { {} }", "bay.lua:2: ria.shapes: [1]: a shape is a polygon, a line or a point"},
  {"ria.shapes { { polygn = {} } }", "bay.lua:2: ria.shapes: [1]: unknown key 'polygn': did you mean 'polygon'?"},
  {"ria.shapes { { point = { 1, 1 }, line = { { 0, 0 }, { 1, 1 } } } }",
    "bay.lua:2: ria.shapes: [1]: point and line: a shape is one of them"},
  {"ria.shapes { { point = 5 } }", "bay.lua:2: ria.shapes: [1].point = 5: expected a position { x, y }"},
  {"ria.shapes { { point = { 1, 1 }, [5] = 1 } }", "bay.lua:2: ria.shapes: [1]: an attribute without a name"},
  {"ria.shapes { { point = { 1, 1 }, a = {} } }",
    "bay.lua:2: ria.shapes: [1].a = a table: expected a number, text, true or false"},
  {[[ria.shapes { { point = { 1, 1 }, a = "x" } }:where { 5 }]],
    "bay.lua:2: shapes:where: a condition without a name: write { attribute = value }"},
  {[[ria.shapes { { point = { 1, 1 }, a = "harbour" } }:where { a = "qqqqqqqqqqq" }]],
    "bay.lua:2: shapes:where: no shape has a = 'qqqqqqqqqqq'"},
  {[[ria.shapes { { point = { 1, 1 }, a = 5 } }:where { a = "q" }]],
    "bay.lua:2: shapes:where: no shape has a = 'q': it is no text"},
  {[[local f = ria.field { nx = 3, ny = 3, dx = 1, value = 1 }
f.paint({}, ria.shapes { { point = { 1, 1 } } })]],
    "bay.lua:3: field:paint: called without a field: write f:name(...), with a colon"},
  {[[local f = ria.field { nx = 3, ny = 3, dx = 1, value = 1 }
ria.shapes { { point = { 1, 1 } } }.share({}, f)]],
    "bay.lua:3: shapes:share: called without shapes: write land:name(...), with a colon"},
  {"ria.shapes { { point = { 1, 1 } } }:share({})",
    "bay.lua:2: shapes:share: expected a field, on whose grid the shares are wanted, not a table"},
  {[[local f = ria.field { nx = 3, ny = 3, dx = 1, value = 1 }
f:paint(ria.shapes { { polygon = { { 0, 0 }, { 2, 0 }, { 2, 2 } }, a = "deep" } }, { value = "a" })]],
    "bay.lua:3: field:paint: shape 1: a = 'deep' is not a number"},

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

-- what the rows read
local degrees = assert(io.open("degrees.asc", "w"))
degrees:write "ncols 2\nnrows 2\nxllcorner -8.8\nyllcorner 42.2\ncellsize 0.01\n1 2\n3 40\n"
degrees:close()

local function run(text)
  local file = assert(io.open("bay.lua", "w"))
  file:write(prelude, text)
  file:close()
  local chunk = assert(loadfile "bay.lua")
  local ok, message = pcall(chunk)
  return ok and "no error" or message
end

local failed = 0
for k, row in ipairs(rows) do
  local said = run(row[1])
  if said ~= row[2] then
    failed = failed + 1
    io.stderr:write(("row %d\n  expected %s\n  said     %s\n"):format(k, row[2], tostring(said)))
  end
end
os.remove "bay.lua"
os.remove "degrees.asc"
assert(failed == 0, failed .. " of " .. #rows .. " messages are not as expected")
