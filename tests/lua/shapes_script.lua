-- Shapes written in a script: holes, places by longitude and latitude, slips; what goes with them.
local ria = require "ria"
local check = require "shared.check"
local fails = check.fails

local function square(a, b) return { { a, a }, { b, a }, { b, b }, { a, b } } end
local function ground(crs) return ria.field { nx = 10, ny = 10, dx = 10, value = 0, crs = crs } end
local function feature(s) return s:each()() end

-- Holes: either way round, several; what is no list is an attribute.
local yard = ria.shapes { { polygon = square(0, 100), name = "yard", flags = 18,
  holes = { square(20, 40), { { 60, 60 }, { 60, 80 }, { 80, 80 }, { 80, 60 } } } } }
assert(feature(yard).area == 1e4 - 2 * 400 and not feature(yard).attributes.holes)
local bed = ground()
bed:raise(yard, { crest = 3 })
assert(bed:get(0, 0) == 3 and bed:get(2, 2) == 0 and bed:get(5, 5) == 3 and bed:get(7, 7) == 0)
assert(feature(ria.shapes { { polygon = square(0, 9), holes = 18 } }).attributes.holes == 18)
fails("ria.shapes: [1].holes[1]: the hole does not lie in the polygon", ria.shapes,
  { { polygon = square(0, 10), holes = { square(5, 15) } } })
fails("ria.shapes: [1].holes: only a polygon has holes", ria.shapes,
  { { line = square(0, 10), holes = { square(2, 3) } } })
fails("ria.shapes: [1].holes[2] = 7: expected a list of positions { {x, y}, ... }", ria.shapes,
  { { polygon = square(0, 10), holes = { square(2, 3), 7 } } })

-- Positions by longitude and latitude.
local quay = ria.shapes { { point = { lon = "8°45'W", lat = 42.25, z = 2 }, name = "quay" } }
local sim = ria.sim { grid = { nx = 4, ny = 4, dx = 100, x0 = 520400, y0 = 4677400 }, bed = -1,
  crs = "EPSG:25829", init = { level = 0 }, tracers = { dye = { unit = "mg/l" } } }
local x, y = sim:xy(-8.75, 42.25)
assert(x > 520400 and x < 520800 and y > 4677400 and y < 4677800)
sim:set("dye", quay, { value = 5, cells = "touched" })
assert(sim:probe(x, y, "dye") == 5)
fails("ria.shapes: [2].point: some positions are by lon and lat, and others by x and y", ria.shapes,
  { { point = { lon = 1, lat = 2 } }, { point = { 3, 4 } } })
fails("ria.shapes: missing key '[1].point.lat': latitude, instead of y", ria.shapes,
  { { point = { lon = 1 } } })
fails("ria.shapes: positions by lon and lat are in degrees (WGS 84): leave crs = "
  .. "\"EPSG:25829\" out", ria.shapes, { { point = { lon = 1, lat = 2 } }, crs = "EPSG:25829" })

-- Text of attributes and defaults are in the unit of what they are laid on.
local x0, y0 = 520400, 4677400
local function patch(k, dose)
  return { polygon = { { x0 + k, y0 }, { x0 + k + 100, y0 }, { x0 + k + 100, y0 + 100 },
    { x0 + k, y0 + 100 } }, dose = dose }
end
local patches = ria.shapes { patch(0, "20 ug/l"), patch(100) }
sim:set("dye", patches, { value = "dose", default = "3 g/m3" })
assert(math.abs(sim:probe(x0 + 50, y0 + 50, "dye") - 0.02) < 1e-15)
assert(math.abs(sim:probe(x0 + 150, y0 + 50, "dye") - 3) < 1e-12)
bed = ground()
bed:raise(ria.shapes { { polygon = square(0, 20), h = "50 cm" }, { polygon = square(50, 70) } },
  { by = "h", default = "2 ft" })
assert(bed:get(0, 0) == 0.5 and math.abs(bed:get(5, 5) - 0.6096) < 1e-15)
fails("field:paint: shape 1: dose: 'ug/l' in '20 ug/l' is a unit of concentration: expected a "
  .. "plain number or %", ground "EPSG:25829".paint,
  ria.field { nx = 4, ny = 4, dx = 100, x0 = x0, y0 = y0, value = 0 }, patches,
  { value = "dose", default = 1 })

-- Nothing is passed over.
local one = ria.shapes { { polygon = square(0, 20), h = 1 } }
fails("field:raise: default is for shapes without the attribute, and by is none", bed.raise, bed,
  one, { by = 1, default = 2 })
fails("field:raise: width is that of lines, and no shape is one", bed.raise, bed, one,
  { by = 1, width = 5 })
fails("shapes:share: width is that of lines, and no shape is one", one.share, one, bed,
  { width = 5 })
fails("ria.shapes: layer and units are of a file, and there is none", ria.shapes,
  { { point = { 1, 2 } }, layer = "posts" })

-- Slips.
fails("ria.shapes: [1]: unknown key 'poligon': did you mean 'polygon'?", ria.shapes,
  { { poligon = square(0, 1) } })
fails("ria.shapes: [1]: a shape is a polygon, a line or a point", ria.shapes, { { name = "a" } })
for _, read in ipairs { ria.shapes, ria.field, ria.sim } do
  local ok, said = pcall(read, { { point = { 1, 2 } }, nx = 2, ny = 2, dx = 1, crs = "EPSG:bad",
    value = 0, grid = { nx = 2, ny = 2, dx = 1 }, bed = 0 })
  assert(not ok and said)
end
fails("ria.shapes: crs 'EPSG:bad': a number was expected behind EPSG:, as in \"EPSG:25829\"",
  ria.shapes, { { point = { 1, 2 } }, crs = "EPSG:bad" })
fails("ria.field: crs 'EPSG:': a number was expected behind EPSG:, as in \"EPSG:25829\"", ground,
  "EPSG:")
fails("ria.sim: crs 'epsg:3 2': a number was expected behind EPSG:, as in \"EPSG:25829\"", ria.sim,
  { grid = { nx = 2, ny = 2, dx = 1 }, bed = 0, crs = "epsg:3 2" })
assert(ground "EPSG:25832+5783")

-- The area of a polygon with many corners is summed up when it is asked for.
local corners, n = {}, 1000
for k = 1, n do
  local a = 2 * math.pi * k / n
  corners[k] = { 100 * math.cos(a), 100 * math.sin(a) }
end
local disc = feature(ria.shapes { { polygon = corners } })
assert(rawget(disc, "area") == nil and disc.colour == nil)
local names = {}
for name in pairs(disc) do names[#names + 1] = name end
table.sort(names)
assert(table.concat(names, " ") == "area attributes kind x y", table.concat(names, " "))
assert(math.abs(disc.area - 0.5 * n * 1e4 * math.sin(2 * math.pi / n)) < 1e-8)
