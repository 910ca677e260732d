-- Shapes in scripts: read, chosen, laid onto the bed and fields; dikes hold water; messages.

local ria = require "ria"
local check = require "shared.check"
local put, fails = check.put, check.fails_ending

local function near(a, b, tolerance)
  assert(math.abs(a - b) <= (tolerance or 1e-12), string.format("%.17g is not %.17g", a, b))
end

local land = ria.shapes { crs = "model", path = put("land.geojson", [=[
{"type": "FeatureCollection", "features": [
 {"type": "Feature", "id": "a", "properties": {"class": "forest", "height": 7, "code": 3},
  "geometry": {"type": "Polygon", "coordinates": [[[0,0],[35,0],[35,40],[0,40],[0,0]]]}},
 {"type": "Feature", "properties": {"class": "meadow", "height": 1.5, "code": 4, "wet": true},
  "geometry": {"type": "Polygon", "coordinates": [[[35,0],[80,0],[80,40],[35,40],[35,0]]]}},
 {"type": "Feature", "properties": {"class": "road", "code": 5},
  "geometry": {"type": "LineString", "coordinates": [[0,20],[80,20]]}},
 {"type": "Feature", "properties": null, "geometry": {"type": "Point", "coordinates": [5, 6]}}
]}]=]) }
local function grid(value) return ria.field { nx = 8, ny = 4, dx = 10, value = value or 0 } end

-- looking at them
assert(#land == 4 and tostring(land) == "ria.shapes land.geojson, 4")
local seen = {}
for f in land:each() do seen[#seen + 1] = f end
assert(#seen == 4 and seen[1].id == "a" and seen[1].kind == "polygons" and seen[3].kind == "lines")
assert(seen[1].area == 1400 and seen[3].length == 80 and seen[4].count == 1)
assert(seen[1].x == 17.5 and seen[1].y == 20 and seen[4].x == 5)
assert(seen[1].attributes.class == "forest" and seen[2].attributes.wet == true)
assert(math.type(seen[1].attributes.height) == "integer" and seen[2].attributes.height == 1.5)
assert(table.concat(land:values "class", " ") == "forest meadow road")

-- choosing
assert(#land:where { class = "forest" } == 1 and #land:where { code = { 3, 4.0 } } == 2)
assert(#land:where { class = { "forest", "road" }, code = 5 } == 1)
assert(#land:where(function(f) return f.kind == "points" end) == 1)
fails("unknown attribute 'clas': did you mean 'class'?", land.where, land, { clas = "forest" })
fails("no shape has class = 'forrest': did you mean 'forest'?", land.where, land,
  { class = { "road", "forrest" } })
fails("expected { attribute = value, ... } or a function (feature), not nil", land.where, land)
fails("no shape has code = 6", land.where, land, { code = 6 })
fails("no shape has code = '3': it is no text", land.where, land, { code = "3" })
fails("no shape has class = 3: it is text, such as 'forest'", land.where, land, { class = 3 })
fails("no shape has wet = false", land.where, land, { wet = { true, false } })
fails("code: an empty list of values", land.where, land, { code = {} })
fails("code = a function: expected a number, text, true or false, or a list of them", land.where,
  land, { code = print })
do -- more attributes than are suggested
  local many = { point = { 1, 1 } }
  for k = 1, 250 do many["a" .. k] = k end
  local s = ria.shapes { many }
  for k = 1, 250 do assert(#s:where { ["a" .. k] = k } == 1 and s:values("a" .. k)[1] == k) end
end
fails("there is no shapes:were: did you mean shapes:where?", function() return land.were end)

-- shares, and a class a shape
local fields = land:where(function(f) return f.kind == "polygons" end)
local share = fields:where { class = "forest" }:share(grid())
assert(share:get(2, 0) == 1 and share:get(3, 0) == 0.5 and share:get(4, 0) == 0)
near(share:integral(), 1400)
local rough = grid(0.05)
rough:paint(fields, { by = "class", table = { forest = 0.12, meadow = 0.03 } })
assert(rough:get(0, 0) == 0.12 and rough:get(7, 3) == 0.03)
near(rough:get(3, 1), 0.075, 1e-16)
rough:paint(land:where { class = "road" }, { value = 0.02, width = 5 })
near(rough:get(7, 1), 0.03 * 0.75 + 0.02 * 0.25, 1e-16)
fails("land.geojson:4: class 'meadow' is not in the table: did you mean 'meadows'?",
  rough.paint, rough, fields, { by = "class", table = { forest = 1, meadows = 2 } })
fails("land.geojson:4: class 'meadow' is not in the table: add it, or give a default",
  rough.paint, rough, fields, { by = "class", table = { forest = 1 } })
rough:paint(fields, { by = "class", table = { forest = 1 }, default = 9 })
assert(rough:get(7, 3) == 9)
rough:paint(fields, { by = "code", table = { [3] = 5, [4] = "6" } })
assert(rough:get(0, 3) == 5 and rough:get(7, 3) == 6)
fails("unknown attribute 'klass': did you mean 'class'?", rough.paint, rough, fields,
  { by = "klass", table = {} })
fails("one of value, and by with a table, is needed", rough.paint, rough, fields, {})
fails("by needs a table beside it", rough.paint, rough, fields, { by = "class" })
fails("unknown key 'widht': did you mean 'width'?", rough.paint, rough, fields,
  { value = 1, widht = 2 })
fails("expected shapes, such as ria.shapes \"land.geojson\", not 3", rough.paint, rough, 3, {})

-- the ground
local bed = grid(1)
assert(bed:raise(fields, { by = "height" }) == 32)
near(bed:get(0, 0), 8, 0)
near(bed:integral() - 3200, 1400 * 7 + 1800 * 1.5, 1e-9)
assert(bed:raise(fields:where { class = "meadow" }, { crest = "4 m" }) == 16)
near(bed:get(4, 0), 4, 0)
near(bed:get(3, 0), 1 + 0.5 * 7 + 0.5 * 1.5) -- its centre is not in the meadow: at the border
assert(bed:dig(land:where { class = "road" }, { bed = -2 }) == 8)
assert(bed:get(0, 2) == -2 and bed:get(0, 1) == 8)
bed:dig(fields:where { class = "forest" }, { by = function(f) return f.area / 1400 end })
assert(bed:get(0, 3) == 7)
fails("land.geojson:6: no height there: give a default, or choose shapes that have it",
  bed.raise, bed, land, { by = "height" })
fails("one of crest and by is needed", bed.raise, bed, fields, { width = 3 })
fails("unknown attribute 'heigth': did you mean 'height'?", bed.raise, bed, fields,
  { crest = "heigth" })
fails("land.geojson:6: a position without a z", bed.raise, bed, land:where { class = "road" },
  { crest = "z" })

-- written in the script; a crest along a line; what is masked
local drawn = ria.shapes {
  { line = { { 0, 5, 10 }, { 80, 5, 18 } }, name = "dike" },
  { polygon = { { 0, 0 }, { 40, 0 }, { 40, 40 }, { 0, 40 } }, name = "west" },
  { point = { "0.05 km", 35 }, name = "post" },
}
local dam = grid()
dam:raise(drawn:where { name = "dike" }, { crest = "z" })
near(dam:get(0, 0), 10.5)
near(dam:get(7, 0), 17.5)
assert(dam:get(0, 1) == 0)
dam:mask(drawn:where { name = "west" })
assert(dam:count() == 16 and dam:get(4, 0) ~= dam:get(4, 0))
local post = grid()
post:mask(drawn:where { name = "post" }, { keep = "outside" })
assert(post:count() == 31 and post:get(5, 3) ~= post:get(5, 3))
fails("[1]: unknown key 'poligon': did you mean 'polygon'?", ria.shapes, { { poligon = {} } })
fails("[1].line[2][2] = nil: expected a number (m) or text with a unit", ria.shapes,
  { { line = { { 0, 0 }, { 1 } } } })
fails("shape 1: a ring needs at least 4 positions, the last of them the first again", ria.shapes,
  { { polygon = { { 0, 0 }, { 1, 1 } } } })
fails("cannot open none.geojson: No such file or directory", ria.shapes, "none.geojson")
fails("a file or a list of shapes, not both", ria.shapes, { path = "a", { point = { 1, 2 } } })

-- degrees go to the model's map: at the central meridian of UTM 31 on the equator 0.001 degrees are
-- 111.27 m by 110.53 m (111.3195 and 110.5743 by the scale of 0.9996)
local degrees = ria.shapes { crs = "EPSG:4326",
  { polygon = { { 2.999, 0 }, { 3, 0 }, { 3, 0.001 }, { 2.999, 0.001 } } } }
fails("shapes is in EPSG:4326, and the model has no coordinate system: give it one (crs = "
  .. "\"EPSG:n\"), or read the file with crs = \"model\" if its numbers are the model's own",
  degrees.share, degrees, grid())
local utm = ria.sim { grid = { nx = 8, ny = 4, dx = 50, x0 = 499800 }, crs = "EPSG:32631", bed = -2,
  init = { manning = 0 }, out = false }
utm:set("manning", degrees, { value = 0.1 })
near(utm:field("manning"):integral() / 0.1, 111.3195 * 110.5743 * 0.9996 ^ 2, 0.5)
assert(utm:field("manning"):get(3, 1) == 0.1 and utm:field("manning"):get(4, 0) == 0)
utm:close()

-- what lies beside the grid is an error, and so is a choice of nothing
do
  local far = ria.shapes { { polygon = { { 1000, 0 }, { 1020, 0 }, { 1020, 20 } } } }
  local beside = ": shapes: no shape meets the grid: they lie in x 1000 .. 1020, y 0 .. 20, " ..
    "the grid in x 0 .. 80, y 0 .. 40"
  local ground = grid()
  fails("field:raise" .. beside, ground.raise, ground, far, { crest = 1 })
  fails("field:dig" .. beside, ground.dig, ground, far, { by = 1 })
  fails("field:paint" .. beside, ground.paint, ground, far, { value = 1 })
  fails("field:mask" .. beside, ground.mask, ground, far)
  assert(ground:count() == 32)
  local wide = ria.shapes { { line = { { 85, 0 }, { 85, 40 } } } }
  fails("y 0 .. 40", ground.raise, ground, wide, { crest = 1 })
  assert(ground:raise(wide, { crest = 1, width = 25 }) == 4) -- from beside the grid into it
  local none = land:where(function() return false end)
  fails("field:raise: land.geojson: none of its shapes are chosen", ground.raise, ground, none,
    { by = 1 })
  local far_off = ria.field { nx = 8, ny = 4, dx = 10, x0 = 500000, y0 = 5900000, value = 0 }
  fails("they look like degrees: say so with crs = \"EPSG:4326\"", far_off.raise,
    far_off, ria.shapes { { line = { { 6, 53 }, { 6.1, 53 } } } }, { crest = 1 })
  local model = ria.sim { grid = ground, init = { level = 1 }, out = false }
  fails("sim:set" .. beside, model.set, model, "manning", far, { value = 0.1 })
  model:close()
end

-- a line along the frame of the grid is on it, on each side
do
  local round = ria.shapes { { line = { { 0, 0 }, { 80, 0 }, { 80, 40 }, { 0, 40 }, { 0, 0 } } } }
  local wall = grid()
  assert(wall:raise(round, { crest = 1 }) == 20 and wall:get(7, 3) == 1 and wall:get(1, 1) == 0)
end

-- fields of a simulation: roughness by class, a tracer in a polygon, a raster of classes
local sim = ria.sim { grid = { nx = 8, ny = 4, dx = 10 }, bed = -2, out = false,
  init = { level = 0, manning = 0.05 }, tracers = { dye = { unit = "mg/l" } } }
sim:set("manning", fields, { by = "class", table = { forest = 0.12, meadow = 0.03 } })
near(sim:field("manning"):get(3, 1), 0.075, 1e-16)
sim:set("dye", drawn:where { name = "west" }, { value = "2 g/l" })
near(sim:field("dye"):get(0, 0), 2000, 1e-9)
near(sim:totals().dye.stored, 2 * 40 * 40 * 2, 1e-9)
local classes = grid(function(x) return x < 30 and 3 or 4 end)
sim:set("manning", classes, { table = { [3] = 0.1, [4] = 0.02 } })
assert(sim:field("manning"):get(2, 0) == 0.1 and sim:field("manning"):get(3, 0) == 0.02)
fails("class 4 of cell (3, 0) is not in the table: add it, or give a default", sim.set, sim,
  "manning", classes, { table = { [3] = 0.1 } })
fails("a table of keys goes with shapes, or with a raster of classes", sim.set, sim, "manning",
  0.03, { value = 3 })
fails("'manning' is 7 in cell (0, 0), out of range: 0 .. 0.5 s/m^(1/3)", sim.set, sim, "manning",
  fields, { value = 7 })
sim:close()

-- spills over polygons, along lines and at points; gauges at points
local pond = ria.sim { grid = { nx = 8, ny = 4, dx = 10 }, tracers = { dye = { unit = "mg/l" } },
  bed = function(x) return x < 40 and -2 or x < 60 and -4 or 1 end, out = false,
  init = { level = 0 } }
local function dye(i, j) -- kg
  local value = pond:field("dye"):get(i, j)
  return value == value and value * 100 * (i < 4 and 2 or 4) / 1e3 or 0
end
local strip = ria.shapes { { polygon = { { 25, 0 }, { 75, 0 }, { 75, 10 }, { 25, 10 } } } }
local spilt = pond:spill { tracer = "dye", at = strip, mass = 110 }
pond:start() -- by water: 100, 200, 400 and 400 m3
near(dye(2, 0), 10)
near(dye(3, 0), 20)
near(dye(5, 0), 40)
assert(dye(1, 0) == 0 and dye(6, 0) == 0 and dye(2, 1) == 0 and pond:released(spilt) == 110)
local pipe = ria.shapes { { line = { { 5, 25 }, { 20, 25 } } } } -- 5 m in the first cell
pond:at(1, ria.spill { tracer = "dye", at = pipe, mass = 30 })
local posts = ria.shapes(put("posts.csv", "name,x,y,no\nquay,5,35,7\npier,45,35,8\n"))
pond:at(2, ria.spill { tracer = "dye", at = posts, amount = "3 kg" })
local handles = pond:gauge { at = posts, name = "name", every = 1 }
pond:gauge { at = posts, name = "no", every = 1, fields = { "level" } }
pond:gauge { at = ria.shapes { { point = { 5, 35 } } }, name = "alone", every = 1 }
fails("unknown attribute 'nmae': did you mean 'name'?", pond.gauge, pond,
  { at = posts:where { name = "quay" }, name = "nmae", every = 1 })
fails("posts.csv: none of its shapes are chosen", pond.gauge, pond,
  { at = posts:where(function() return false end), name = "name", every = 1 })
assert(#handles == 2)
pond:run(3)
near(dye(0, 2), 10)
near(dye(1, 2), 20)
near(dye(0, 3), 1)
near(dye(4, 3), 2)
assert(#pond:history("pier", "level") == 4 and #pond:history("7", "level") == 4)
assert(#pond:history("alone", "level") == 4)
pond:cancel(handles)
near(pond:totals().dye.sources, 143)
local land_only = ria.shapes { { polygon = { { 65, 0 }, { 75, 0 }, { 75, 10 } } } }
fails("spill 'dye': no water in shapes at 3 s; the nearest wet cell is 17.5 m away at (55, 5)",
  pond.spill, pond, { tracer = "dye", at = land_only, mass = 1 })
local function refused(message, list)
  fails(message, pond.spill, pond, { tracer = "dye", at = ria.shapes(list), mass = 1 })
end
refused("spill 'dye': shape 2: (-1, 5) lies outside the domain, x 0 to 80, y 0 to 40",
  { { point = { 1, 5 } }, { point = { -1, 5 } } })
refused("shapes: no shape meets the grid: they lie in x -9 .. -1, y 5 .. 5, the grid in " ..
  "x 0 .. 80, y 0 .. 40", { { line = { { -9, 5 }, { -1, 5 } } } })
refused("spill 'dye': shapes has no length", { { line = { { 5, 5 }, { 5, 5 } } } })
refused("spill 'dye': shapes has no area",
  { { polygon = { { 5, 5 }, { 7, 7 }, { 5, 5 }, { 7, 7 } } } })
refused("spill 'dye': no cell has a share of shapes", -- it lies around the corner
  { { line = { { -2, 1 }, { 1, -2 } } } })
fails("sim:spill: posts.csv: none of its shapes are chosen", pond.spill, pond,
  { tracer = "dye", at = posts:where(function() end), mass = 1 })
fails("sim:spill: shapes: points and polygons together: choose one kind", pond.spill, pond,
  { tracer = "dye", mass = 1,
    at = ria.shapes { { point = { 1, 5 } }, { polygon = { { 0, 0 }, { 9, 0 }, { 0, 9 } } } } })
fails("at goes without x and y, lon and lat, and radius", pond.spill, pond,
  { tracer = "dye", at = strip, x = 3, y = 4, mass = 1 })
fails("at = 3: expected shapes, such as ria.shapes \"basin.geojson\"", ria.spill,
  { tracer = "dye", at = 3, mass = 1 })
fails("missing key 'x': its centre", ria.spill, { tracer = "dye", mass = 1 })
fails("unknown attribute 'nam': did you mean 'name'?", pond.gauge, pond,
  { at = posts, name = "nam", every = 1 })
fails("shape 1: a gauge stands at one point", pond.gauge, pond,
  { at = strip, name = "a", every = 1 })
pond:close()

-- A dike across the basin, in a bend and at a slant, keeps the west's water in the west, at both
-- orders, explicit and implicit. Without its last leg it does not.
local function water_in_the_east(solver, order, legs)
  local function slope(_, y) return -1 + y / 600 end
  local ground = ria.field { nx = 40, ny = 30, dx = 10, value = slope }
  ground:raise(ria.shapes { { line = legs, crest = 2 } }, { crest = "crest" })
  local run = ria.sim { grid = ground, solver = solver, params = { order = order }, out = false,
    init = { level = function(x) return x < 150 and 1 or -5 end } }
  run:run(900)
  local depth, east = run:field "depth", 0
  depth:map(function(d, x)
    if x > 320 then east = east + d end
    return d
  end)
  run:close()
  return east
end
local dike = { { 150, -20 }, { 220, 95 }, { 180, 140 }, { 300, 220 }, { 240, 320 } }
for _, solver in ipairs { "shallow_water", "adi" } do
  for order = 1, 2 do
    assert(water_in_the_east(solver, order, dike) == 0, solver .. " leaks at order " .. order)
  end
end
local open = { table.unpack(dike, 1, 4) }
assert(water_in_the_east("shallow_water", 2, open) > 1, "the gap lets none through")
