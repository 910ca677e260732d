-- A grid turned along a coast: whatever is given on the map lands where it belongs, and a problem
-- that is turned with its grid runs as it does unturned.
local ria = require "ria"

local function near(a, b, eps, what)
  if a ~= a and b ~= b then return end
  assert(math.abs(a - b) <= (eps or 1e-9), (what or "") .. " " .. a .. " is not " .. b)
end

local function says(f, text)
  local ok, message = pcall(f)
  assert(not ok and tostring(message):find(text, 1, true), message)
end

-- From a grid's own coordinates, counted from its corner, to the map.
local function turn(x0, y0, angle)
  local c, s = math.cos(math.rad(angle)), math.sin(math.rad(angle))
  return function(u, v) return x0 + c * u - s * v, y0 + s * u + c * v end
end

-- --- places -------------------------------------------------------------------------------------

local X0, Y0 = 512000, 4680000
local to_map = turn(X0, Y0, 30)
local function plane(x, y) return 3 + 0.002 * (x - X0) - 0.001 * (y - Y0) end
local args = {nx = 31, ny = 17, dx = 20, dy = 10, x0 = X0, y0 = Y0, angle = "30 deg"}
local function grid_of(more)
  local g = {}
  for k, v in pairs(args) do g[k] = v end
  for k, v in pairs(more) do g[k] = v end
  return g
end

local f = ria.field(grid_of {value = plane, crs = "EPSG:25829"})
assert(f.angle == 30 and tostring(f):find("turned by 30", 1, true))
for j = 0, 16 do
  for i = 0, 30 do
    local x, y = to_map(20 * i + 10, 10 * j + 5)
    near(f:get(i, j), plane(x, y))
    assert(f:at(x, y) == f:get(i, j))
  end
end
local halves = f:map(function(v, x, y) return v - plane(x, y) end)
near(halves:max(), 0)
near(halves:min(), 0)
local middle = {to_map(0.5 * 31 * 20, 0.5 * 17 * 10)}
local centred = ria.field {nx = 31, ny = 17, dx = 20, dy = 10, centre = middle, angle = 30,
  value = 0}
near(centred.x0, X0, 1e-8)
near(centred.y0, Y0, 1e-8)

-- Of a raster along the map: a plane stays one, interpolated; a mean keeps what there is.
local wide = ria.field {nx = 120, ny = 120, dx = 10, x0 = X0 - 300, y0 = Y0 - 200,
  value = plane}
local cut = ria.dem {wide, dx = 20, dy = 10, box = {X0, Y0, X0 + 620, Y0 + 170}, angle = 30,
  resample = "bilinear"}
assert(cut.nx == 31 and cut.ny == 17 and cut.angle == 30)
assert(cut.about:find("turned by 30 deg", 1, true), cut.about)
for j = 0, 16 do
  for i = 0, 30 do near(cut:get(i, j), f:get(i, j)) end
end
local means = ria.field(grid_of {value = wide})
near(means:mean(), f:mean(), 0.02)

-- Of a raster in degrees, which is projected onto turned cells.
local crs = ria.crs "EPSG:25829"
local lon, lat = crs:inverse(X0 - 100, Y0 - 50)
local degrees = ria.field {nx = 120, ny = 120, dx = 1e-4, x0 = lon, y0 = lat, crs = "EPSG:4326",
  value = function(p, q) return plane(crs:forward(p, q)) end}
local taken = ria.dem {degrees, crs = "EPSG:25829", dx = 20, dy = 10, angle = 30,
  box = {X0 + 200, Y0 + 100, X0 + 600, Y0 + 200}}
local from_there = turn(X0 + 200, Y0 + 100, 30)
assert(taken.angle == 30 and taken.nx == 20 and taken.ny == 10 and taken.x0 == X0 + 200)
for i = 0, 19 do near(taken:get(i, 4), plane(from_there(20 * i + 10, 45)), 1e-5) end

-- The exact share of cells: a rectangle along the grid from middle to middle of cells, a triangle.
local function corners(list)
  local ring = {}
  for _, p in ipairs(list) do ring[#ring + 1] = {to_map(p[1], p[2])} end
  return ring
end
local box = ria.shapes {{polygon = corners {{30, 25}, {90, 25}, {90, 65}, {30, 65}}}}
local share = box:share(f)
near(share:get(1, 3), 0.5, 1e-7)
near(share:get(2, 3), 1, 1e-7)
near(share:get(1, 2), 0.25, 1e-7)
near(share:get(5, 3), 0)
near(share:integral(), 60 * 40, 1e-6)
local triangle = ria.shapes {{polygon = {{X0 + 40, Y0 + 60}, {X0 + 210, Y0 + 130},
  {X0 + 90, Y0 + 230}}}}
near(triangle:share(f):integral(), 12700, 1e-6)
local line = ria.shapes {{line = corners {{5, 42}, {615, 42}}, crest = 9}}
local bed = f:map(function(v) return v end)
assert(bed:raise(line, {crest = "crest"}) == 31)
for i = 0, 30 do assert(bed:get(i, 4) == 9) end

-- Longitude and latitude: each cell is found by its middle's.
local still = ria.sim {grid = f, init = {level = 0}, out = false}
for _, c in ipairs {{0, 0}, {7, 3}, {30, 0}, {30, 16}, {12, 16}} do
  local x, y = to_map(20 * c[1] + 10, 10 * c[2] + 5)
  local east, north = crs:inverse(x, y)
  assert(still:probe({lon = east, lat = north}, "bed") == f:get(c[1], c[2]))
  still:gauge {name = c[1] .. "," .. c[2], lon = east, lat = north, every = 1, fields = {"bed"}}
end
still:run(1)
local _, seen = still:history("7,3", "bed")
assert(seen[2] == f:get(7, 3))
assert(still:grid().angle == 30)
assert(still:probe(X0, Y0, "bed") == f:get(0, 0)) -- corners are of the grid
local far_x, far_y = to_map(620, 170)
assert(still:probe(far_x, far_y, "bed") == f:get(30, 16))
says(function() still:probe(X0 + 600, Y0, "bed") end, "(512600, 4680000) lies outside the domain,"
  .. " turned by 30 deg, corners (512000, 4680000), (512536.9358, 4680310),"
  .. " (512451.9358, 4680457.224), (511915, 4680147.224)")
still:close()

-- --- what is refused ----------------------------------------------------------------------------

local function field_with(angle)
  return function() ria.field(grid_of {angle = angle, value = 0}) end
end
says(field_with(181), "angle = 181 is out of range")
says(field_with(-180), "angle = -180 is out of range")
says(field_with("400 deg"), "angle = 400 is out of range")
says(field_with("30 m"), "expected an angle")
says(field_with(0 / 0), "angle")
says(field_with(math.huge), "angle")
says(field_with(true), "angle")
assert(ria.field(grid_of {angle = "0.5235987755982988 rad", value = 0}).angle - 30 < 1e-12)
says(function() ria.field {nx = 2, ny = 2, dx = 1, x0 = 3, centre = {0, 0}, value = 0} end,
  "a grid lies by its corner or its middle: x0 and centre do not go together")
says(function() ria.dem {wide, dx = 20, angle = 30} end,
  "an angle needs a box beside it, which is turned about its corner")
says(function() ria.dem {wide, dx = 20, angle = 30, box = {X0, Y0, X0 + 5000, Y0 + 100}} end,
  "does not cover the box")
says(function() f:write "turned.asc" end,
  "turned.asc: ESRI ASCII has no grids with an angle (30 deg); write a GeoTIFF (.tif)")

-- A file brings its angle: as it is, on coarser cells along the same axes, on others.
f:write "turned.tif"
local same, coarse = ria.dem "turned.tif", ria.dem {"turned.tif", dx = 40, dy = 20}
assert(same.angle == 30 and same.x0 == X0 and same.nx == 31 and same:get(11, 5) == f:get(11, 5))
assert(coarse.angle == 30 and coarse.nx == 15 and coarse.ny == 8)
near(coarse:get(2, 1), (f:get(4, 2) + f:get(5, 2) + f:get(4, 3) + f:get(5, 3)) / 4)
local upright = ria.dem {"turned.tif", dx = 10, box = {X0 + 60, Y0 + 120, X0 + 120, Y0 + 180}}
assert(upright.angle == 0)
near(upright:get(3, 4), plane(X0 + 95, Y0 + 165))
says(function()
  ria.sim {grid = f, init = {level = 0}, out = false,
    boundary = {river = ria.inflow {from = {X0 + 200, Y0}, to = {X0 + 300, Y0}, q = 1}}}
end, "(512200, 4680000) is 100 m from the nearest side, south")
local on_x, on_y = to_map(103, 0)
says(function()
  ria.sim {grid = f, init = {level = 0}, out = false,
    boundary = {river = ria.inflow {from = {on_x, on_y}, to = {on_x + 1, on_y}, q = 1}}}
end, "covers the centre of no cell of the south side (dx = 20 m): the nearest cell is from"
  .. " (512086.6025, 4680050) to (512103.923, 4680060)")

-- --- runs ---------------------------------------------------------------------------------------

-- A bay 800 m by 480 m with all that has a place or a direction. P: from the bay's own coordinates
-- to the map; the bay turned by `turned` degrees; the grid: which cells it is computed on.
local function bay(solver, P, turned, grid, vectors)
  local function own(x, y) -- from the map to the bay
    local ox, oy = P(0, 0)
    local c, s = math.cos(math.rad(turned)), math.sin(math.rad(turned))
    return c * (x - ox) + s * (y - oy), c * (y - oy) - s * (x - ox)
  end
  local function ring(list)
    local r = {}
    for _, p in ipairs(list) do r[#r + 1] = {P(p[1], p[2])} end
    return r
  end
  local g = {}
  for k, v in pairs(grid) do g[k] = v end
  g.value = function(x, y)
    local u, v = own(x, y)
    return -4 + 3.6 * (v / 480) ^ 2 + 0.3 * math.sin(u / 61) * math.cos(v / 47)
  end
  local ground = ria.field(g)
  ground:raise(ria.shapes {{line = ring {{410, 300}, {650, 470}}}}, {crest = 2})
  ground:dig(ria.shapes {{polygon = ring {{104, 33}, {247, 61}, {181, 222}}}}, {by = 1.5})
  local lake = ria.shapes {{polygon = ring {{-1, -1}, {801, -1}, {801, 481}, {90, 481},
    {-1, 390}}}}
  ground:mask(lake)
  local sim = ria.sim {
    solver = solver, grid = ground, outside = "wall", out = false, tracers = {dye = {}},
    params = {wind_speed = 12, wind_from = (200 - turned) % 360, latitude = 50, wind_drag = 0.002,
      dt = solver == "adi" and 4 or nil},
    init = {manning = 0.03, u = vectors.u, v = vectors.v, level = function(x, y)
      local u, v = own(x, y)
      return 0.2 + 0.0004 * u - 0.0003 * v
    end},
    boundary = {
      [vectors.west] = {level = ria.tide {{speed = 360, amp = 0.5, phase = 200}}},
      river = ria.inflow {from = {P(800, 102)}, to = {P(800, 158)}, q = 30, tracers = {dye = 2}},
    }}
  sim:set("manning", ria.shapes {{polygon = ring {{300, 50}, {520, 90}, {410, 310}}}},
    {value = 0.06})
  local sx, sy = P(305, 203)
  sim:spill {tracer = "dye", x = sx, y = sy, radius = 55, mass = 900}
  local field = ria.shapes {{polygon = ring {{501, 51}, {623, 77}, {587, 144}}}}
  sim:spill {tracer = "dye", at = field, mass = 400, duration = 60}
  local gx, gy = P(333, 251)
  sim:gauge {name = "g", x = gx, y = gy, every = 50, fields = {"level", "dye", "u_east", "v_north"}}
  sim:run(300)
  return sim
end

local names = {"bed", "level", "speed", "dye", "manning"}
local nx, ny, dx = 40, 24, 20
local first_u = 0.15

-- cell(i, j): the same of the first run. back(east, north): the second's vectors as the first's.
local function compare(a, b, cell, back, eps)
  for _, name in ipairs(names) do
    local p, q = a:field(name), b:field(name)
    assert(p:count() == q:count() and p:count() > 700, name)
    for j = 0, q.ny - 1 do
      for i = 0, q.nx - 1 do
        local ci, cj = cell(i, j)
        near(q:get(i, j), p:get(ci, cj), eps, name .. " " .. i .. " " .. j)
      end
    end
  end
  local e, n, ae, an = b:field "u_east", b:field "v_north", a:field "u_east", a:field "v_north"
  for j = 0, e.ny - 1 do
    for i = 0, e.nx - 1 do
      local ci, cj = cell(i, j)
      local u, v = back(e:get(i, j), n:get(i, j))
      near(u, ae:get(ci, cj), eps, "u_east")
      near(v, an:get(ci, cj), eps, "v_north")
    end
  end
  local _, la = a:history("g", "level")
  local _, lb = b:history("g", "level")
  assert(#la == 7)
  for k = 1, #la do near(lb[k], la[k], eps) end
  near(b:flux("river"), a:flux("river"), 1e-9 * a:flux("river"))
end

for _, solver in ipairs(ria.solvers) do
  if solver == "shallow_water" or solver == "adi" then
    local name = solver
    local P = turn(3000, 7000, 0)
    local plain = bay(name, P, 0, {nx = nx, ny = ny, dx = dx, x0 = 3000, y0 = 7000},
      {u = first_u, v = 0, west = "west"})
    local fastest = plain:field("u"):max()
    assert(plain:field("u_east"):max() == fastest and fastest > 0.05, fastest)

    -- all of it turned, the grid too: but for the rounding of places nothing changes
    for _, angle in ipairs {90, 180, -90, 33} do
      local Q = turn(3000, 7000, angle)
      local with = bay(name, Q, angle,
        {nx = nx, ny = ny, dx = dx, x0 = 3000, y0 = 7000, angle = angle},
        {u = first_u, v = 0, west = "west"})
      local c, s = math.cos(math.rad(angle)), math.sin(math.rad(angle))
      compare(plain, with, function(i, j) return i, j end,
        function(e, n) return c * e + s * n, c * n - s * e end, 1e-10)
      near(with:field("u"):get(20, 5), plain:field("u"):get(20, 5), 1e-10)
      with:close()
    end

    -- the grid alone turned, by 90 degrees: the same water on cells whose axes are swapped. `adi`
    -- takes its axes in turn, so that they are not alike
    if name == "shallow_water" then
      local across = bay(name, P, 0, {nx = ny, ny = nx, dx = dx, x0 = 3800, y0 = 7000, angle = 90},
        {u = 0, v = -first_u, west = "north"})
      compare(plain, across, function(i, j) return nx - 1 - j, i end,
        function(e, n) return e, n end, 1e-10)
      across:close()
    end
    plain:close()
  end
end
