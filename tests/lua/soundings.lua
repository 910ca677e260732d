-- Scattered points from files to a field, and on to a simulation.
local ria = require "ria"
local base = os.tmpname()
os.remove(base)

local function write(name, text)
  local file = assert(io.open(name, "w"))
  file:write(text)
  file:close()
end

-- a survey along lines, its depths downwards; a plane comes out as a plane
local lines = {"easting northing depth"}
for j = 0, 10 do
  for i = 0, 40 do
    local x, y = i * 5, j * 20
    lines[#lines + 1] = ("%.2f %.2f %.4f"):format(x, y, 3 + x / 100 + y / 50)
  end
end
write(base .. ".xyz", table.concat(lines, "\n"))
local bed = ria.soundings {base .. ".xyz", dx = "10 m", down = true, offset = -1,
  gridding = "triangles"}
assert(bed.nx == 20 and bed.ny == 20 and bed.x0 == 0 and bed:count() == 400)
for j = 0, 19 do
  for i = 0, 19 do
    assert(math.abs(bed:get(i, j) + 4 + (10 * i + 5) / 100 + (10 * j + 5) / 50) < 1e-4)
  end
end
local sim = ria.sim {grid = bed, init = {level = 0}, out = false}
assert(sim:stats("bed").n == 400)

-- several files; a box; means; how far triangles reach
write(base .. "2.xyz", "1000,5,9\n1001,5,11\n")
local both = ria.soundings {base .. ".xyz", base .. "2.xyz", dx = 10, gridding = "means",
  box = {900, 0, 1100, 10}}
assert(both.nx == 20 and both.ny == 1 and both:count() == 1 and both:get(10, 0) == 10)
local far = ria.soundings {base .. ".xyz", base .. "2.xyz", dx = 10}
local near = ria.soundings {base .. ".xyz", base .. "2.xyz", dx = 10, reach = 30}
assert(far:at(600, 5) == far:at(600, 5) and near:at(600, 5) ~= near:at(600, 5))

-- a raster that was written as points is one for ria.dem too
write(base .. "3.xyz", "5 5 1\n15 5 2\n5 15 3\n15 15 4\n")
local cells = ria.dem(base .. "3.xyz")
assert(cells.nx == 2 and cells.dx == 10 and cells.x0 == 0 and cells:get(1, 1) == 4)

local function says(args, text)
  local ok, message = pcall(ria.soundings, args)
  assert(not ok and message:find(text, 1, true), message)
end
says({dx = 10}, 'ria.soundings: name the files: ria.soundings { "survey.xyz", dx = 10 }')
says({base .. ".xyz", dy = 10}, "ria.soundings: dy needs dx beside it")
says({base .. ".xyz", dx = 10, box = {0, 0, 1}}, "box needs four numbers: { x0, y0, x1, y1 }")
says({base .. ".xyz", dx = 10, box = {0, 0, 10, 10, angle = 30}},
  "box needs four numbers: { x0, y0, x1, y1 }")
says({base .. ".xyz", dx = 10, box = {0, 0, 0, 1}},
  "box = { x0, y0, x1, y1 } needs x0 < x1 and y0 < y1")
says({base .. ".xyz", box = {0, 0, 9, 9}}, "ria.soundings: box needs dx beside it")
says({base .. ".xyz", dx = 10, griding = "means"},
  "unknown key 'griding': did you mean 'gridding'?")
says({base .. ".xyz", dx = 10, box = {9000, 0, 9100, 10}}, ".xyz: no point lies in the box")
for _, tail in ipairs {"", "2", "3"} do assert(os.remove(base .. tail .. ".xyz")) end
