-- Wrong calls of fields, systems of coordinates and shapes, and the exact message for each.
local messages = require "shared.messages"

local rows = {
  -- fields and shapes
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
}

messages.check(rows)
