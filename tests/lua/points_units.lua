-- Points of a CSV file: units in brackets behind names, or in a row of units, are converted.
local ria = require "ria"

local function put(text)
  local file = assert(io.open("points_units.csv", "w"))
  file:write(text)
  file:close()
  return "points_units.csv"
end

local function fails(message, text, keys)
  keys = keys or {}
  keys[1] = put(text)
  local ok, said = pcall(ria.shapes, keys)
  said = tostring(said):gsub("^[^:]+:%d+: ", "")
  assert(not ok and said == message, ("expected %s\nsaid     %s"):format(message, said))
end

-- The first point of a table, and its attributes.
local function first(text, keys)
  keys = keys or {}
  keys[1] = put(text)
  local feature = ria.shapes(keys):each()()
  return feature, feature.attributes
end

local function is(a, b)
  assert(math.abs(a - b) < 1e-9 * math.abs(b), ("%.17g, not %.17g"):format(a, b))
end

local p, of = first("name,x [km],Y (ft),height [cm],dye [mg/l],no (local),day\n"
  .. "quay,0.5,1000,250,20,5,3\n")
is(p.x, 500)
is(p.y, 304.8)
is(of.height, 2.5)
assert(of.dye == "20 mg/l" and of["no (local)"] == 5 and of.day == 3 and of.name == "quay")
p = first "lon [deg],lat (degrees),z [cm]\n3.5,52,150\n"
assert(p.x == 3.5 and p.y == 52)

-- A row of units is one where x and y have units there, beside names of places too; else it is
-- asked for.
p, of = first "name,x,y,height\n,km,m,cm\nquay,0.5,35,250\npier,1,36,100\n"
is(p.x, 500)
assert(p.y == 35 and of.height == 2.5)
p = first "x;y\nm;m\n3;4\n"
assert(p.x == 3 and p.y == 4)
p, of = first("x,y,name\nm,m,\n3,4,quay\n", { units = true })
assert(p.x == 3 and p.y == 4 and of.name == "quay")

-- They count where the shapes are laid: a bed raised by 2.5 m, a tracer in its own unit.
local bed = ria.field { nx = 2, ny = 1, dx = 10, value = 0 }
bed:raise(ria.shapes(put "x [m],y [m],height [cm]\n5,5,250\n"),
  { by = "height", cells = "touched" })
assert(bed:get(0, 0) == 2.5 and bed:get(1, 0) == 0)

fails("ria.shapes: points_units.csv:2: 'meters' in column 'x': not a number; if this line holds "
  .. "the units of the columns, write units = true", "x,y\nmeters,m\n3,4\n")
fails("ria.shapes: points_units.csv: column 'x' is in 'meters': expected m, or another length",
  "x,y\nmeters,m\n3,4\n", { units = true })
fails("ria.shapes: points_units.csv: column 'lon [m]' is in 'm': expected degrees",
  "lon [m],lat\n3,4\n")
fails("ria.shapes: points_units.csv: column 'h [floors]' is in 'floors', an unknown unit: "
  .. "take it out of the header", "x,y,h [floors]\n3,4,5\n")
fails("ria.shapes: points_units.csv: columns 'h [m]' and 'h' are both 'h'",
  "x,y,h [m],h\n3,4,5,6\n")
fails("ria.shapes: points_units.csv: columns 'x [ft]' and 'y [ft]' name a unit, and crs = "
  .. "\"EPSG:32631\" has its own: take the unit out of the header if that is it",
  "x [ft],y [ft]\n3,4\n",
  { crs = "EPSG:32631" })
local file = assert(io.open("points_units.geojson", "w"))
file:write '{ "type": "Point", "coordinates": [1, 2] }'
file:close()
local ok, said = pcall(ria.shapes, { "points_units.geojson", units = true })
said = tostring(said)
assert(not ok and said:find("a file of this kind has no row of units", 1, true), said)
