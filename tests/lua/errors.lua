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

  -- parameters
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
