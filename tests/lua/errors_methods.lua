-- Wrong calls of methods, times, events and outputs, and the exact message for each.
local messages = require "shared.messages"
local basin = messages.basin

local rows = {
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

  -- releases, events and outputs: entries without a name, of another type, of no kind
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
}

messages.check(rows)
