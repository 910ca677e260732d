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
