-- Units in the header of a CSV file: series, columns and curves come in SI, or in a tracer's unit.
local ria = require "ria"
local check = require "shared.check"
local fails = check.fails

local function put(text, path)
  path = path or "series_units.csv"
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end

local function is(a, b)
  assert(math.abs(a - b) <= 1e-12 * math.abs(b), ("%.17g, not %.17g"):format(a, b))
end

local path = put("time [h],flow [m3/h],level (ft),dye [mg/l],gauge (upper),hut [floors]\n"
  .. "0,3600,10,5,7,1\n2,7200,20,5,8,1\n")
is(ria.series(path):at "1 h", 1.5)
is(ria.series({ path = path, column = "level" }):at(7200), 6.096)
is(ria.series({ path = path, column = "level (ft)", offset = 1 }):at(7200), 7.096)
is(ria.series({ path = path, column = "gauge", scale = 2 }):at(7200), 16)
is(ria.series({ path = path, column = "gauge", unit = "cm" }):at(7200), 0.08)
is(ria.series({ path = path, unit = "m^3/h", scale = 2 }):at(0), 2)
is(ria.series({ path = path, time_unit = "1 h" }):at "1 h", 1.5)

local column = ria.columns(path)
local names = {}
for name in pairs(column) do names[#names + 1] = name end
table.sort(names)
names = table.concat(names, ", ")
assert(names == "dye, flow, gauge (upper), hut, level", names)
is(column.flow:at(0), 1)
is(column["flow [m3/h]"]:at(0), 1)
column = ria.columns(put "time,a [m],a\n0,1,2\n")
is(column["a [m]"]:at(0), 1)
is(column.a:at(0), 2)
column = ria.columns { path = put "time,flow\nmin,l/s\n0,500\n1,500\n", units = true }
is(column.flow:at "1 min", 0.5)

-- Where they are taken: what boundaries, tracers and curves bring.
local function sim(keys)
  return ria.sim {
    grid = { nx = 10, ny = 10, dx = 10 }, out = false,
    bed = -2,
    init = { level = 0 },
    tracers = { dye = { unit = "ug/l" } },
    boundary = { west = keys },
  }
end
path = put("time [h],flow [m3/h],level (ft),dye [mg/l],rain [%],hut [floors]\n"
  .. "0,3600,10,5,7,1\n2,3600,10,5,8,1\n")
local by = ria.columns(path)
local s = sim { kind = "discharge", q = by.flow, tracers = { dye = by.dye } }
s:run "20 s"
local account = s:totals()
is(account.water.inflow, 20)
assert(math.abs(account.dye.inflow - 20 * 5e-3) < 1e-12, account.dye.inflow)

local function refused(message, keys)
  fails("ria.sim: " .. message, sim, keys)
end
refused("boundary.west.q: the values of the series are in 'ft', as its file says: expected a "
  .. "flow (m^3/s, or any volume over any time); where the header is wrong, take "
  .. "the unit out of it", { kind = "discharge", q = by.level })
refused("boundary.west.level: the values of the series are in 'floors', as its file says: "
  .. "expected a length (mm, cm, m, km, ft, nmi, mi); where the header is wrong, take the unit out "
  .. "of it", { level = by.hut })
refused("boundary.west: the values of the series are in 'm3/h', as its file says: expected a "
  .. "length (mm, cm, m, km, ft, nmi, mi); where the header is wrong, take the unit out of it",
  by.flow)
refused("boundary.west.tracers.dye: the values of the series are in '%', as its file says: "
  .. "expected a concentration such as ug/l; where the header is wrong, take the unit out of it",
  { level = 0, tracers = { dye = by.rain } })
refused("boundary.west.tracers.dye: the values are in mg/l, as the header says, which is "
  .. "converted; scale would come on top: leave it out, or say unit = \"mg/l\" if that is meant",
  { level = 0, tracers = { dye = ria.series { path = path, column = "dye", scale = 2 } } })
assert(sim { level = ria.series { path = path, column = "hut", unit = "m" } })

-- A curve: its first column is what it is over.
local curve = ria.series(put("flow [l/s],level [cm]\n0,10\n5000,200\n",
  "series_curve.csv"))
assert(sim { kind = "rating", curve = curve })
refused("boundary.west.level: the times of the series are in 'l/s', as its file says: expected a "
  .. "time (ms, s, min, h, d, week, yr)", { level = curve })
refused("boundary.west.curve: the numbers of the first column of the series are in 'h', as its "
  .. "file says: expected a flow (m^3/s, or any volume over any time)",
  { kind = "rating", curve = by.level })

-- What contradicts itself, or cannot be read.
fails("ria.series: " .. path .. ": column 'flow [m3/h]' is in m3/h, and unit = \"l/s\" says "
  .. "otherwise", ria.series, { path = path, unit = "l/s" })
fails("ria.series: " .. path .. ": column 'time [h]' is in h, and time_unit = 60 s says otherwise",
  ria.series, { path = path, time_unit = "1 min" })
fails("ria.series: " .. path .. ": column 'flow [m3/h]': the values are in m3/h, as the header "
  .. "says, which is converted; scale would come on top: leave it out, or say unit = \"m3/h\" if "
  .. "that is meant", ria.series, { path = path, scale = 1 / 3600 })
fails("ria.series: series_units.csv: column 'time [blinks]' is in blinks: expected s, or another "
  .. "time", ria.series, put "time [blinks],q\n0,1\n1,1\n")
fails("ria.series: column, epoch, fill_gaps, time_unit, skip, header, units and unit go with a "
  .. "path", ria.series, { { 0, 1 }, unit = "m" })
