-- What leaves a simulation: files where they should be, gauges, stores, rasters, tables.
local ria = require "ria"

local out = os.tmpname() -- a file: its name with a suffix is ours
local dir = out .. ".results"

local function exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

local sim = ria.sim {
  title = "A basin",
  grid = {nx = 16, ny = 12, dx = 100},
  bed = -3,
  tracers = {"oil"},
  init = {level = function(x) return x < 800 and 0.3 or 0 end},
  boundary = {east = "open"},
  maxima = {"level", "speed"},
  out = dir,
}
sim:at(60, ria.spill {tracer = "oil", x = 400, y = 600, radius = 150, mass = 100})
sim:every("5 min", {ria.frame {field = "level", range = {-0.3, 0.3}}, ria.frame "oil"})
sim:every("10 min", ria.save {"level", "oil", precision = 1e-4})
local handle = sim:gauge {name = "pier", x = 450, y = 650, every = "1 min"}
sim:gauge {name = "buoy", x = 1250, y = 650, every = "1 min", fields = {"level"}}
assert(math.type(handle) == "integer")
sim:run "30 min"
sim:finish()

for _, path in ipairs {"frames/level/level_000006.png", "frames/oil/oil_000000.png", "gauges.csv",
  "budget.csv", "run.json", "fields.zarr/.zmetadata", "maxima.zarr/.zmetadata"} do
  assert(exists(dir .. "/" .. path), path)
end

-- a gauge's history is what its file holds
local t, level = sim:history("pier", "level")
assert(#t == 31 and #level == 31 and t[31] == 1800)
local csv = ria.csv(dir .. "/gauges.csv")
assert(csv.rows == 31, csv.rows)
assert(#csv.names >= 5, table.concat(csv.names, " "))
assert(math.abs(level[31] - sim:probe(450, 650, "level")) < 1e-12)

-- run.json has the units of every column; a row of them is asked for, and read back
local function in_tables(run, column, unit)
  local report = io.open(run .. "/run.json"):read "a"
  return report:match '"tables": (%b{})':find(('"%s": "%s"'):format(column, unit), 1, true)
end
assert(in_tables(dir, "pier.oil", "kg/m^3") and in_tables(dir, "oil_stored", "kg"))
assert(in_tables(dir, "time_s", "s") and in_tables(dir, "buoy.level", "m"))
local labelled = dir .. ".units"
local pond = ria.sim {grid = {nx = 4, ny = 4, dx = 10}, bed = -1, init = {level = 0},
  tracers = {dye = {unit = "mg/l"}, germs = {unit = "cfu/100 ml"}}, units_row = true,
  out = labelled}
pond:gauge {name = "pier", x = 5, y = 5, every = 1, fields = {"level", "u", "dye", "germs"}}
pond:run(3)
pond:finish()
local rows = ria.csv(labelled .. "/gauges.csv", {units = true})
assert(rows.rows == 4 and rows["pier.level"][4] == 0 and rows.time_s[4] == 3)
assert(table.concat(rows.names, " ") == "time_s pier.level pier.u pier.dye pier.germs")
assert(table.concat(rows.units, "|") == "s|m|m s-1|mg/l|cfu/100 ml", table.concat(rows.units, "|"))
local account = ria.csv(labelled .. "/budget.csv", {units = true})
for k, name in ipairs(account.names) do
  local units = {time = "s", water = "m^3", dye = "kg", germs = "cfu"}
  local unit = units[name:match "^%a+"]
  assert(account.units[k] == unit, name .. " " .. account.units[k])
  assert(in_tables(labelled, name, unit), name)
end

-- gauges shorten no step unless they are exact: the same steps, the same water
local function steps_with(gauge)
  local function dam(x) return x < 300 and 1 or 0 end
  local channel = ria.sim {grid = {nx = 60, ny = 3, dx = 10}, bed = -2, init = {level = dam},
    out = false}
  if gauge then channel:gauge(gauge) end
  channel:run(60)
  return channel:steps(), channel:field "level", gauge and {channel:history(gauge.name, "level")}
end
local bare, water = steps_with(nil)
local steps, other, read = steps_with {name = "mid", x = 305, y = 15, every = 0.1}
assert(steps == bare, steps .. " steps, " .. bare .. " without a gauge")
for i = 0, 59 do assert(other:get(i, 1) == water:get(i, 1), i) end
assert(#read[1] == 601 and read[1][2] == 0.1 and read[1][601] == 60)
assert(read[2][601] == water:get(30, 1))
local landing, _, exact = steps_with {name = "mid", x = 305, y = 15, every = 0.1, exact = true}
assert(landing >= 600 and #exact[1] == 601)
for k = 1, 601 do assert(math.abs(read[2][k] - exact[2][k]) < 0.06, k) end

-- results that are there are not overwritten unasked
local second = ria.sim {grid = {nx = 4, ny = 4, dx = 1}, bed = -1, out = dir}
local ok, message = pcall(second.run, second, 1)
assert(not ok and message:find(dir, 1, true), message)

-- nor written to by two at a time; when one is through, another may have them
local function small(n)
  local s = ria.sim {grid = {nx = n, ny = 4, dx = 1}, bed = -1, init = {level = 0},
    out = dir .. "_shared", overwrite = true}
  s:gauge {name = "pier", x = 1.5, y = 1.5, every = 1}
  return s
end
local one, two = small(4), small(5)
one:advance(1)
ok, message = pcall(two.run, two, 2)
assert(not ok and message:find("is in use by another script or simulation of this process: close "
  .. "that first, or choose another directory", 1, true), message)
one:run(3)
two:run(2)
assert(ria.csv(dir .. "_shared/gauges.csv").rows == 3)
ok, message = pcall(one.run, one, 4)
assert(not ok and message:find("its files there were changed, perhaps by another run", 1,
  true), message)
assert(ria.csv(dir .. "_shared/gauges.csv").rows == 3)

-- a table that goes away in mid-run ends the run
local losing = small(4)
losing:at(1.5, function() assert(os.remove(dir .. "_shared/gauges.csv")) end)
ok, message = pcall(losing.run, losing, 3)
assert(not ok and message:find("_shared/gauges.csv' was removed while the run was writing it", 1,
  true), message)
assert(not pcall(losing.close, losing)) -- its results are not whole: closing says so, too

-- rasters go out and come back
local path = out .. ".asc.gz"
local function slope(x, y) return x - 2 * y end
local bed = ria.field {nx = 6, ny = 4, dx = 10, x0 = 100, value = slope}
bed:write(path)
local again = ria.dem(path)
assert(again.nx == 6 and again.ny == 4 and again.x0 == 100)
assert(math.abs(again:get(5, 3) - bed:get(5, 3)) < 1e-6)
local down = ria.dem {path, down = true, offset = 1}
assert(math.abs(down:get(2, 2) - (1 - bed:get(2, 2))) < 1e-6)
local coarse = ria.dem {path, dx = 20}
assert(coarse.nx == 3 and coarse.ny == 2 and coarse.dx == 20)

-- GeoTIFF too, with the coordinate system of the run
local mapped = ria.sim {grid = {nx = 6, ny = 4, dx = 10, x0 = 500000}, crs = "EPSG:32629",
  bed = slope, out = false}
assert(mapped:field "bed".crs == "EPSG:32629")
mapped:field "bed":write(out .. ".tif")
local tiff = ria.dem(out .. ".tif")
assert(tiff.crs == "EPSG:32629" and tiff.nx == 6 and tiff.x0 == 500000)
assert(tiff:get(5, 3) == mapped:field "bed":get(5, 3))
-- or as a map in colours: a palette with the row 0 for no data
mapped:field "bed":map(function(v, _, y) return y > 10 and v or nil end)
  :write {out .. ".tif", map = "deep", range = {500000 - 60, 500060}}
tiff = ria.dem(out .. ".tif")
assert(tiff.crs == "EPSG:32629" and tiff:count() == 18 and tiff:min() == 1 and tiff:max() == 181)
local uncoloured = {out .. ".tif", range = {0, 1}}
local refused = select(2, pcall(tiff.write, tiff, uncoloured))
assert(refused:find("field:write: range is of colours, and needs map beside it", 1, true), refused)
assert(os.remove(out .. ".tif"))

-- a raster as a grid is the bed too
local basin = ria.sim {grid = bed:map(function() return -2 end), out = false}
assert(basin:field("bed"):max() == -2 and basin:grid().x0 == 100)

-- colour maps and charts
assert(#ria.colormap "viridis" == 256 and #ria.maps >= 7)
ria.plot {
  path = out .. ".png",
  title = "measured and computed",
  {title = "pier", xlabel = "t [s]", ylabel = "level [m]",
    {x = t, y = level, label = "computed"},
    {x = {0, 900, 1800}, y = {0.3, 0.1, 0 / 0}, label = "measured", points = true,
      color = "#c02020"}},
}
assert(exists(out .. ".png"))

sim:close()
os.execute(("rm -rf '%s' '%s' '%s' '%s' '%s'"):format(out, dir, labelled, path, out .. ".png"))
