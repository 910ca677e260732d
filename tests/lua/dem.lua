-- ria.dem: boxes, several rasters, units, what is told of it, and what is refused.
local ria = require "ria"

local function near(a, b, eps) assert(math.abs(a - b) <= (eps or 1e-9), a .. " is not " .. b) end

local function says(f, text)
  local ok, message = pcall(f)
  assert(not ok and message:find(text, 1, true), message)
end

local function plane(x, y) return 1 + 0.02 * x - 0.01 * y end
ria.field({nx = 40, ny = 30, dx = 10, value = plane}):write "wide.asc"
local fine = ria.field {nx = 30, ny = 20, dx = 5, x0 = 100, y0 = 100, value = plane}
fine:map(function(z) return -z / 0.3048 end):write "feet.asc"

-- one file, as before and cut out
assert(ria.dem("wide.asc").about:find("wide.asc: 40 x 30 cells of 10 m\nlowest -1.8", 1, true))
local cut = ria.dem {"wide.asc", box = {100, 50, 200, 150}}
assert(cut.nx == 10 and cut.ny == 10 and cut.x0 == 100 and cut.y0 == 50)
near(cut:get(3, 4), plane(135, 95))
near(ria.dem {path = "wide.asc", dx = 20, resample = "bilinear"}:get(2, 2), plane(50, 50))

-- feet downward over metres upward, blended: a plane all the same
local both = ria.dem {{"feet.asc", unit = "ft", down = true}, "wide.asc", dx = 5,
  box = {"0.1 km", 60, 300, 240}, blend = "20 m"}
assert(both.nx == 40 and both.ny == 36)
for j = 0, 35 do
  for i = 0, 39 do near(both:get(i, j), plane(102.5 + 5 * i, 62.5 + 5 * j), 1e-6) end
end
assert(both.about:find("^feet.asc: 30 x 20 cells of 5 m, depths, times 0.3048, cut out; 41.7 %% of"
  .. " the cells, %d+ of them blended\nwide.asc: 40 x 30 cells of 10 m, to 5 m bilinear; 58.3 %% of"
  .. " the cells\nlowest"), both.about)

-- what is said around the list holds for all that do not say it themselves; fields are rasters too
local shifted = ria.dem {fine, {path = "wide.asc", offset = 1}, offset = 0.5, dx = 10}
near(shifted:get(15, 15), plane(155, 155) + 0.5)
near(shifted:get(0, 0), plane(5, 5) + 1)
near(ria.dem {"wide.asc", unit = "us-ft"}:get(0, 0), plane(5, 5) * 1200 / 3937)

-- where the corners of four tiles meet in a cell each has a quarter of it, and none the half that a
-- value takes: together they have all of it; along axes, turned, and on another map
local function quarters(keys, x0, y0, crs)
  local tiles = keys
  for k = 0, 3 do
    tiles[k + 1] = ria.field {nx = 25, ny = 25, dx = 10, x0 = x0 + (k % 2) * 250,
      y0 = y0 + (k // 2) * 250, crs = crs, value = function(x, y)
        return 1 + 0.01 * (x - x0) + 0.02 * (y - y0)
      end}
  end
  return ria.dem(tiles)
end
for _, dx in ipairs {20, 30, 70, 100} do
  local joined = quarters({dx = dx, box = {0, 0, 490, 490}, resample = "mean"}, 0, 0)
  assert(joined:count() == joined.nx * joined.ny)
  local i = 250 // dx
  near(joined:get(i, i), 1 + 0.03 * (i + 0.5) * dx, 1e-9)
end
local tilted = quarters({dx = 20, box = {200, 100, 440, 320}, angle = 30}, 0, 0)
assert(tilted:count() == tilted.nx * tilted.ny)
local zone = quarters({dx = 30, crs = "EPSG:32630", box = {720240, 5540220, 720640, 5540620},
  resample = "mean"}, 290000, 5539740, "EPSG:32631")
assert(zone:count() == zone.nx * zone.ny, zone:count())

-- from one vertical datum to another by a raster: on the same map, finer cells between centres
local function geoid(x, y) return 40 + 0.001 * x - 0.002 * y end
ria.field({nx = 10, ny = 8, dx = 50, x0 = -40, y0 = -40, value = geoid}):write "geoid.tif"
local up = ria.dem {"wide.asc", shift = "geoid.tif", gap = 1}
near(up:get(3, 4), plane(35, 45) + geoid(35, 45), 1e-5)
near(up:get(39, 29), plane(395, 295) + geoid(395, 295), 1e-5)
assert(up.about:find("^wide.asc: 40 x 30 cells of 10 m, shifted by geoid.tif %(39.4[%d.]* to "
  .. "40.3[%d.]* m%)\nlowest 3"), up.about)
local drop = ria.dem {{"wide.asc", shift = {ria.field {nx = 10, ny = 8, dx = 50, x0 = -40, y0 = -40,
  value = function(x, y) return 100 * geoid(x, y) end}, unit = "cm", down = true}}, fine, dx = 10}
near(drop:get(30, 8), plane(305, 85) - geoid(305, 85), 1e-9)
near(drop:get(15, 15), plane(155, 155) - geoid(155, 155), 1e-9)
-- what is said around the list holds for those that say nothing; a raster may lack cells
local half = ria.dem {"wide.asc", shift = ria.field {nx = 4, ny = 8, dx = 50, value = 2}}
near(half:get(19, 3), plane(195, 35) + 2)
assert(half:get(20, 3) ~= half:get(20, 3))
assert(half.about:find("shifted by a field (2 to 2 m), which lacks values for 600 cells\n"
  .. "600 cells without data", 1, true), half.about)
-- degrees, of a map round the earth from 0 to 360: a projected raster at the meridian of Greenwich
local function globe(lon, lat) return lon > 180 and globe(lon - 360, lat) or 3 * lon + lat end
ria.field({nx = 360, ny = 40, dx = 1, x0 = 0, y0 = 20, crs = "EPSG:4326", value = globe})
  :map(function(v, lon) return (lon < 10 or lon > 350) and v or 0 end):write "egm.tif"
local turned = ria.dem {ria.field {nx = 30, ny = 5, dx = 5000, x0 = 215000, y0 = 5600000,
  crs = "EPSG:32631", value = 1}, shift = {"egm.tif", down = true}}
local map = ria.crs "EPSG:32631"
for i = 0, 29 do
  local lon, lat = map:inverse(215000 + 5000 * (i + 0.5), 5602500)
  near(turned:get(i, 0), 1 - (3 * lon + lat), 1e-4)
  assert(i > 0 or lon < -0.6)
  assert(i < 29 or lon > 0.6)
end
says(function() ria.dem {"wide.asc", shift = "egm.tif"} end, "egm.tif is in degrees, and wide.asc "
  .. "has no coordinate system: name the model's, crs = \"EPSG:...\" (of ria.dem)")
says(function()
  ria.dem {"wide.asc", shift = ria.field {nx = 2, ny = 2, dx = 1, x0 = 9e3, value = 1}}
end, "a field has no value where wide.asc has any: do they lie on the same coast?")
says(function() ria.dem {"wide.asc", shift = 3} end,
  "shift = 3: expected the path of a raster, a field, or { path, down = true }")
says(function() ria.dem {"wide.asc", shift = {"geoid.tif", dwn = true}} end,
  "unknown key 'shift.dwn': did you mean 'down'?")
says(function() ria.dem {"wide.asc", shift = "nowhere.tif"} end, "cannot open nowhere.tif")

-- smoothing, least depth
near(ria.dem {"wide.asc", smooth = "30 m"}:get(0, 7), plane(5, 75))
local deep = ria.dem {"wide.asc", least_depth = "40 cm", sea_level = 3}
for j = 0, 29 do
  for i = 0, 39 do
    local z = plane(10 * i + 5, 10 * j + 5)
    near(deep:get(i, j), z < 3 and math.min(z, 2.6) or z)
  end
end

says(function() ria.dem {"wide.asc", box = {0, 0, 500, 100}} end, "ria.dem: the raster does not"
  .. " cover the box: 100 of 500 cells lie beyond, in x 400 .. 500, y 0 .. 100 m; it reaches over"
  .. " x 0 .. 400, y 0 .. 300 m: choose a smaller box, add a raster that reaches further, or fill ="
  .. " a height")
says(function() ria.dem {"wide.asc", blend = 20} end, 'ria.dem: blend fades a raster into those'
  .. ' below it, and there is one alone: name two or more, { "harbour.tif", "coast.tif", blend ='
  .. ' "200 m" }, or leave it out')
says(function() ria.dem {path = "wide.asc", blend = 20} end, "ria.dem: blend fades a raster into")
says(function() ria.dem {{"wide.asc", blend = 20}} end, "ria.dem: blend fades a raster into")
says(function() ria.dem {"wide.asc", sea_level = 1} end, "ria.dem: sea_level is what least_depth"
  .. " counts from, and there is none: give least_depth too, or leave it out")
says(function() ria.dem {"wide.asc", box = {0, 0, 500}} end,
  "ria.dem: box needs four numbers: { x0, y0, x1, y1 }")
says(function() ria.dem {"wide.asc", box = {0, 0, 500, 100, 4}} end,
  "ria.dem: box needs four numbers: { x0, y0, x1, y1 }")
says(function() ria.dem {"wide.asc", box = {0, 0, 500, "4 s"}} end,
  "ria.dem: box[4]: 's' in '4 s' is a unit of time: expected a length")
says(function() ria.dem {"wide.asc", box = {10, 0, 5, 4}} end,
  "ria.dem: box = { x0, y0, x1, y1 } needs x0 < x1 and y0 < y1")
says(function() ria.dem {"wide.asc", unit = "foot"} end, "ria.dem: unknown unit 'foot' in"
  .. " '1 foot': expected a length (mm, cm, m, km, ft, nmi, mi)")
says(function() ria.dem {{"wide.asc", ofset = 1}} end,
  "ria.dem: unknown key '[1].ofset': did you mean 'offset'?")
says(function() ria.dem {{}, "wide.asc"} end,
  "ria.dem: [1]: name one raster in each entry of the list")
says(function() ria.dem {{"wide.asc", path = "feet.asc"}} end,
  "ria.dem: [1]: name one raster in each entry of the list")
says(function() ria.dem {path = "wide.asc", "feet.asc"} end,
  "ria.dem: path stands beside a list of rasters: put it there")
says(function() ria.dem {7} end,
  "ria.dem: [1] = 7: expected the path of a file, a field, or a table { path, ... }")
says(function() ria.dem {dx = 7} end, 'ria.dem: name a file: ria.dem "bay.asc"')
says(function() ria.dem {"wide.asc", resample = "nearest"} end, "'nearest'")
