-- Wrong boundaries, inflows and layers along the sides, and the exact message for each.
local messages = require "shared.messages"
local basin = messages.basin

local rows = {
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

  -- entries without a name, of another type, of no kind
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
  {[[local p = { { at = 0.2, value = 1 }, { at = 0.8, value = 2 } }
ria.sim { solver = "sediment", grid = { nx = 10, ny = 10, dx = 1 }, out = false,
boundary = { west = { kind = "flux", sand = p, mud = p } } }]],
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
}

messages.check(rows)
