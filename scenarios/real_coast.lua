-- real_coast.lua - a coast from its own data: elevation in degrees, tides of a table, a river by dates.
--
-- The elevation is a raster in degrees of longitude and latitude, as charts and portals hand it out. It is
-- projected onto the model's map, a UTM zone. Tides have the phases of tide tables, at Greenwich, and come in
-- over the open sides by the date; the river's discharge is read by date from a table. Every place is
-- given by longitude and latitude. The files lie at their right place in a GIS: out/real_coast/highest.tif,
-- frames with world files, a store with its coordinate system.
--
--   ria run scenarios/real_coast.lua                               a small bay that the script makes: seconds
--   ria run scenarios/real_coast.lua dem=FILE.tif crs=EPSG:32630   a coast of yours (z up, m; a .tif or .asc)
--   ria run scenarios/real_coast.lua dem=FILE.tif river=q.csv      with its river: columns date, q in m3/s
--
-- With a file of your own say where the river and the gauges are: edit `places`. The tide is that of a harbour in
-- the north-west of Spain, rounded.

local ria = require "ria"

local p = ria.params {
  dem = { "", help = "elevation in degrees (GeoTIFF or ESRI ASCII); a bay made here if left out" },
  crs = { "EPSG:25829", help = "the model's map, in metres" },
  dx = { 100, unit = "m", help = "size of a cell", min = 1 },
  river = { "", help = "CSV of the river: date, q in m3/s; a flood if left out" },
  start = { "2026-03-19 00:00", help = "date of the start, UTC" },
  hours = { 15, unit = "h", help = "simulated time", min = 0.1 },
}

-- Longitude and latitude, in any of the usual forms.
local places = {
  pier = { lon = "8°48'30\"W", lat = "42°16'N" },
  bridge = { lon = -8.7262, lat = 42.2735 },
  river_from = { lon = -8.6945, lat = 42.2760 },
  river_to = { lon = -8.6945, lat = 42.2815 },
  spill = { lon = "8 45 W", lat = "42 16 20 N" },
}

-- A bay open to the west with a river at its head, in degrees.
local function make_dem(path)
  local function bed(lon, lat)
    local east = (lon + 8.86) / 0.16 -- 0 at sea, 1 at the head
    local axis = 42.268 + 0.010 * east ^ 2
    local half = 0.035 * math.exp(-2.2 * east) + 0.0035
    local off = math.abs(lat - axis) / half
    local depth = 32 * math.max(0, 1 - east) ^ 1.5 + 3
    return math.min(-depth + (depth + 4) * off ^ 2, 90 + 30 * math.sin(400 * lon) * math.sin(500 * lat))
  end
  ria.field { nx = 176, ny = 110, dx = 0.001, x0 = -8.87, y0 = 42.215, crs = "EPSG:4326", value = bed }:write(path)
end

-- A flood, as long as the script has no file of its own.
local flood = { { "2026-03-18 00:00", 20 }, { "2026-03-19 06:00", 20 }, { "2026-03-19 12:00", 140 },
  { "2026-03-20 00:00", 60 }, { "2027-03-20 00:00", 20 } }

local out = ria.out()
local dem = p.dem
if dem == "" then
  dem = out .. "/bay_degrees.tif"
  make_dem(dem)
end

local sim = ria.sim {
  title = "A coast from its own data",
  grid = ria.dem { dem, crs = p.crs, dx = p.dx, gap = 3 },
  start = p.start,
  params = { manning = 0.027 },
  tracers = { dye = { unit = "mg/l" } },
  init = { level = -0.4 },
  boundary = {
    west = ria.tide { M2 = { 1.05, 79 }, S2 = { 0.37, 108 }, N2 = { 0.22, 60 }, K1 = { 0.07, 69 },
      O1 = { 0.06, 320 }, ramp = "1 h" },
    river = ria.inflow { from = places.river_from, to = places.river_to,
      q = p.river ~= "" and ria.series { path = p.river, column = "q" } or flood },
  },
  maxima = { "level", "dye" },
}

for _, name in ipairs { "pier", "bridge" } do
  sim:gauge { name = name, lon = places[name].lon, lat = places[name].lat, every = "10 min" }
end
sim:at("3 h", ria.spill { tracer = "dye", mass = "200 kg", radius = 250,
  lon = places.spill.lon, lat = places.spill.lat })
sim:every("3 h", { ria.frame { field = "level", plain = true }, ria.frame { field = "dye", scale = "log" },
  ria.save { "level", "dye", precision = 1e-3 } })
sim:run(p.hours)

sim:maximum "level":write { out .. "/highest.tif" }
local lon, lat = sim:lonlat(sim:xy(places.pier.lon, places.pier.lat))
print(("pier at %.5f, %.5f: high water %.2f m; map written to %s/highest.tif"):format(lon, lat,
  sim:maximum "level":at(places.pier), out))
