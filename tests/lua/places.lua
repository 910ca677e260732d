-- Coordinate systems in scripts, and places by longitude and latitude wherever a position goes.
-- Positions are those that PROJ's cs2cs gives.
local ria = require "ria"
local check = require "shared.check"
local fails, near = check.fails, check.near

local out = os.tmpname() .. ".places"

local function at(x, y, u, v, within)
  near(x, u, within)
  near(y, v, within)
end

-- --- a system -----------------------------------------------------------------------------------

local utm = ria.crs "EPSG:25829"
assert(utm.name == "ETRS89 / UTM zone 29N" and utm.epsg == 25829 and utm.unit == "m")
assert(utm.built_in and tostring(utm) == "ria.crs ETRS89 / UTM zone 29N")
local X, Y = 520623.172966, 4677564.296796
local x, y = utm:forward(-8.75, 42.25)
at(x, y, X, Y, 1e-6)
local lon, lat = utm:inverse(x, y)
at(lon, lat, -8.75, 42.25, 1e-12)
for _, text in ipairs {
  { "8°45'W", "42°15'N" }, { "8 45 00 W", "42 15 N" }, { "8:45:00W", "42:15" },
  { "-8.75", "N 42.25" }, { "W8d45m", "42d14'60.0" }, { "-8.75 deg", "42.25°" },
  { "8º45′00″W", "42.25 N" }, { "-8 45", "+42 15" }, { "8°44.99999999999'W", "42.25n" },
} do
  local ok, u, v = pcall(utm.forward, utm, text[1], text[2])
  if text[2] == "42d14'60.0" then
    assert(not ok)
  else
    assert(ok, u)
    at(u, v, X, Y, 1e-5)
  end
end
local xs, ys = utm:forward({ -8.75, -8.5, 81 }, { 42.25, 42.3, 0 })
at(xs[1], ys[1], X, Y, 1e-6)
at(xs[2], ys[2], 541213.793060, 4683206.783640, 1e-6)
assert(xs[3] ~= xs[3] and ys[3] ~= ys[3] and #xs == 3)
local lons, lats = utm:inverse(xs, ys)
at(lons[2], lats[2], -8.5, 42.3, 1e-11)
assert((ria.crs "EPSG:4326").unit == "deg")
local unnamed = [=[GEOGCS["x",DATUM["y",SPHEROID["z",6378000,298]]]]=]
assert(ria.crs(unnamed).epsg == nil)

fails("crs:forward: 81, 0 lies outside the area of ETRS89 / UTM zone 29N", utm.forward, utm, 81, 0)
fails("crs:forward: lat = 92 is out of range: -90 .. 90 deg", utm.forward, utm, -8, 92)
local wrong_ones = { "8 75 W", "-8.75 W", "W 8.75 W", "8.5 30 W", "8 N", "west", "", "8 45 0 0" }
for _, wrong in ipairs(wrong_ones) do
  fails(("crs:forward: lon: '%s' is no longitude: write -8.75, \"8.75 W\", \"8°45'W\" or " ..
    "\"8 45 00 W\""):format(wrong), utm.forward, utm, wrong, 42)
end
fails("crs:forward: lat: '42 W' is no latitude: write 42.25, \"42.25 N\", \"42°15'N\" or " ..
  "\"42 15 00 N\"",
  utm.forward, utm, -8, "42 W")
fails("crs:forward: lon has 2 numbers and lat 1", utm.forward, utm, { 1, 2 }, { 3 })
fails("crs:forward: lat = 4: expected a list, as the first is", utm.forward, utm, { 1, 2 }, 4)
fails("crs:inverse: y[2] = 'b': expected a number", utm.inverse, utm, { 1, 2 }, { 3, "b" })
fails("crs: there is no crs:foward: did you mean crs:forward?", function() return utm.foward end)

-- --- places of a run ----------------------------------------------------------------------------

local function bay(keys)
  local all = { grid = { nx = 60, ny = 40, dx = 50, x0 = 520000, y0 = 4677000 }, bed = -5,
    init = { level = function(u, v) return (u - 520000) / 1e5 + (v - 4677000) / 1e4 end },
    tracers = { "dye" }, crs = "EPSG:25829", out = out, overwrite = true }
  for key, value in pairs(keys or {}) do all[key] = value end
  return ria.sim(all)
end

local function read(name)
  local file <close> = assert(io.open(out .. "/" .. name))
  return file:read "a"
end

local sim = bay {
  boundary = {
    -- 1 m and 60 m off the western side: the cells between them, as by x and y
    brook = ria.inflow { q = 2, from = { lon = -8.757567, lat = 42.249583 },
      to = { lon = "8°45'27\"W", lat = "42.2540 N" } },
    south = "open",
  },
}
assert(sim:crs() == "EPSG:25829")
x, y = sim:xy("8°45'W", 42.25)
at(x, y, X, Y, 1e-6)
lon, lat = sim:lonlat(x, y)
at(lon, lat, -8.75, 42.25, 1e-12)

local by_xy, by_lon = sim:probe(X, Y, "level"), sim:probe({ lon = -8.75, lat = 42.25 }, "level")
assert(by_xy == by_lon and by_lon == sim:probe({ x = X, y = Y }, "level"))
assert(by_lon == sim:probe({ lon = -8.75, lat = "42°15'N" }).level)
assert(by_lon ~= sim:probe({ X + 50, Y }, "level"))

sim:gauge { name = "one", x = X, y = Y, every = "10 s" }
sim:gauge { name = "two", lon = "8.75 W", lat = 42.25, every = "10 s" }
sim:spill { tracer = "dye", lon = -8.75, lat = 42.25, mass = 5 }
sim:at("10 s", ria.spill { tracer = "dye", lon = -8.748, lat = 42.255, rate = "1 kg/s" })
sim:run "30 s"
local _, one = sim:history("one", "dye")
local _, two = sim:history("two", "dye")
for k = 1, #one do assert(one[k] == two[k] and one[k] > 0) end
assert(sim:flux "brook" > 0)
local json = read "run.json"
assert(json:find('"x": 520623.172966', 1, true) and json:find('"y": 4677564.296796', 1, true), json)
-- each gauge is listed with its place on the map and on the earth
local lines = json:match '\n  "gauges": (%b[])'
for _, gauge in ipairs { "one", "two" } do
  local entry = lines:match('{[^{}]*"name": "' .. gauge .. '"[^{}]*}')
  at(tonumber(entry:match '"x": ([-%d.]+)'), tonumber(entry:match '"y": ([-%d.]+)'), X, Y, 1e-6)
  at(tonumber(entry:match '"lon": ([-%d.]+)'), tonumber(entry:match '"lat": ([-%d.]+)'), -8.75,
    42.25, 1e-9)
end
sim:close()

-- A field of a run knows its crs where it is given to it; one without says so.
local field = ria.field { nx = 4, ny = 4, dx = 1, value = 2 }
assert(field:at { x = 1, y = 1 } == 2 and field:at({ 1, 1 }, { interpolate = true }) == 2)
fails("field:at: lon and lat: the field has no coordinate system", field.at, field,
  { lon = 1, lat = 1 })
local name = os.tmpname() .. ".asc"
local file = assert(io.open(name, "w"))
file:write "ncols 2\nnrows 2\nxllcorner 520600\nyllcorner 4677500\ncellsize 50\n1 2\n3 4\n"
file:close()
file = assert(io.open(name:gsub("asc$", "prj"), "w"))
file:write [=[PROJCS["ETRS_1989_UTM_Zone_29N",
GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]],
PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],
PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],
PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-9.0],
PARAMETER["Scale_Factor",0.9996],PARAMETER["Latitude_Of_Origin",0.0],UNIT["Meter",1.0]]
]=]
file:close()
local dem = ria.dem(name)
assert(dem:at { lon = -8.75, lat = 42.25 } == 1 and dem:at({ lon = -8.75, lat = 42.25 }, {}) == 1)
assert((ria.crs(dem.crs)).epsg == 25829)

-- --- elevation in degrees -----------------------------------------------------------------------

-- Ground that rises eastward on the map of zone 29, on degrees; .prj as ESRI writes it.
local bay_deg = os.tmpname()
local function write_degrees(path, extension)
  local to <close> = assert(io.open(path .. ".asc", "w"))
  to:write "ncols 120\nnrows 80\nxllcorner -8.8\nyllcorner 42.2\ncellsize 0.0005\n"
  for j = 79, 0, -1 do
    for i = 0, 119 do
      to:write(("%.4f "):format((utm:forward(-8.8 + (i + 0.5) / 2000,
        42.2 + (j + 0.5) / 2000) - 520000) / 50))
    end
    to:write "\n"
  end
  if not extension then return end
  local prj <close> = assert(io.open(path .. ".prj", "w"))
  prj:write('GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,',
    '298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]')
end
write_degrees(bay_deg, "prj")
local bare = os.tmpname()
write_degrees(bare)

for _, path in ipairs { bay_deg, bare } do
  for _, keys in ipairs { { dx = 40 }, {}, { dx = 100, box = { 517050, 4672050, 520050, 4675050 } },
    { dx = 80, dy = 60 } } do
    keys[1], keys.crs = path .. ".asc", "EPSG:25829"
    local ground = ria.dem(keys)
    assert(ground.crs == "EPSG:25829" and ground:count() == ground.nx * ground.ny)
    assert(ground.dx == (keys.dx or 41) and ground.dy == (keys.dy or ground.dx))
    local middle = keys.box and { 518500, 4673500 } or { 519000, 4674000 }
    near(ground:at(middle, { interpolate = true }), (middle[1] - 520000) / 50, 2e-3)
    if keys.box then
      assert(ground.x0 == 517050 and ground.y0 == 4672050 and ground.nx == 30)
      near(ground:get(0, 0), (517100 - 520000) / 50, 5e-3)
    end
  end
end
-- what lies on the model's map already stays as it is, whatever its crs is called
local utm_dem = ria.dem { name, crs = "EPSG:25829" }
assert(utm_dem.nx == 2 and utm_dem:get(0, 0) == 3 and utm_dem.crs == "EPSG:25829")
-- a run on it, with places by longitude and latitude, and its crs in what it writes
local coast = ria.sim { grid = ria.dem { bay_deg .. ".asc", crs = "EPSG:25829", dx = 100 },
  init = { level = 0 }, out = false }
x = coast:xy(-8.78, 42.22)
near(coast:probe({ lon = -8.78, lat = 42.22 }, "bed"),
  (math.floor(x / 100) * 100 + 50 - 520000) / 50, 5e-3)
assert(coast:crs() == "EPSG:25829")
fails("ria.dem: WGS 84 is in degrees, and ria computes in metres: take a system in metres, such " ..
  "as that of a UTM zone", ria.dem, { bay_deg .. ".asc", crs = "EPSG:4326" })

-- --- refusals -----------------------------------------------------------------------------------

sim = bay { out = false }
local function gauge(keys)
  keys.name, keys.every = "g", 1
  return function() sim:gauge(keys) end
end
fails("sim:gauge: a place is either x and y or lon and lat: x and lat do not go together",
  gauge { x = 1, lat = 42 })
fails("sim:gauge: a place is either x and y or lon and lat: x and lon do not go together",
  gauge { x = X, y = Y, lon = -8.75, lat = 42.25 })
fails("sim:gauge: missing key 'lat': latitude, instead of y", gauge { lon = -8.75 })
fails("sim:gauge: missing key 'lon': longitude, instead of x, in a run with a crs: -8.75, " ..
  "\"8°45'W\"",
  gauge { lat = 42.25 })
fails("sim:gauge: missing key 'x': where it stands", gauge {})
fails("sim:gauge: missing key 'y': where it stands", gauge { x = 2 })
fails("sim:gauge: lon = 400 is out of range: -180 .. 360 deg", gauge { lon = 400, lat = 42 })
fails("sim:gauge: lon 81, lat 0 lies outside the area of ETRS89 / UTM zone 29N",
  gauge { lon = 81, lat = 0 })
fails("ria.spill: missing key 'y': its centre",
  function() ria.spill { x = 2, tracer = "dye", mass = 1 } end)
fails("ria.spill: missing key 'lat': latitude, instead of y",
  function() ria.spill { lon = 2, tracer = "dye", mass = 1 } end)
fails("sim:probe: unknown key 'lan': did you mean 'lon'?", sim.probe, sim, { lan = 2, lat = 3 })
fails("sim:probe: expected a pair such as {1, 2}, not a table", sim.probe, sim, { 1, 2, 3 })
fails("ria.sim: missing key 'boundary.brook.to.lat': latitude, instead of y",
  bay, { out = false, boundary = {
    brook = { q = 2, from = { lon = -8.7575, lat = 42.25 }, to = { lon = -8.7575 } } } })

local plain = ria.sim { grid = { nx = 6, ny = 4, dx = 50 }, bed = -5, init = { level = 0 },
  out = false, tracers = { "dye" } }
local without = "lon and lat: the run has no coordinate system: name the one that its x and y " ..
  "are in, such as crs = \"EPSG:32629\", the UTM zone of this place"
assert(plain:crs() == nil)
fails("sim:gauge: " .. without, plain.gauge, plain,
  { name = "g", lon = -8.75, lat = 42.25, every = 1 })
fails("sim:probe: " .. without, plain.probe, plain, { lon = -8.75, lat = 42.25 })
fails("sim:xy: " .. without, plain.xy, plain, -8.75, 42.25)
fails("ria.spill: " .. without, plain.at, plain, 0, -- told when it is released
  ria.spill { tracer = "dye", lon = -8.75, lat = 42.25, mass = 1 })
fails("sim:lonlat: lon and lat: the run has no coordinate system: name it, crs = \"EPSG:...\"",
  plain.lonlat, plain, 1, 2)
fails("sim:xy: " .. without:gsub("32629", "32751"), plain.xy, plain, 121, -10)

-- frames with a graticule
do
  local keys = { grid = { nx = 20, ny = 10, dx = 500, x0 = 500000, y0 = 4680000 }, bed = -5,
    init = { level = 0 }, out = "graticule" }
  local function frame(graticule)
    local ok, err = pcall(function()
      local run = ria.sim(keys)
      run:at(0, ria.frame { field = "level", graticule = graticule })
      run:run(1)
      run:close()
    end)
    os.execute "rm -rf graticule"
    return ok, tostring(err)
  end
  local ok, err = frame(true)
  assert(not ok and err:find("needs the run's coordinate system: crs = \"EPSG:...\"", 1, true), err)
  keys.crs = "EPSG:32629"
  assert(frame(true) and frame "1'" and frame '30"' and frame "0.05 deg" and frame(0.1))
  ok, err = frame "1 km"
  assert(not ok and err:find("expected true, or degrees: 0.5", 1, true), err)
  ok, err = frame(0)
  assert(not ok and err:find("graticule = 0 degrees is out of range: above 0, to 90", 1, true), err)
  ok, err = frame '1"'
  assert(not ok and err:find("give a greater step", 1, true), err)
end
