-- Tides in a run with a start: Greenwich phases, nodal factors, names; what the summary says.
local ria = require "ria"
local check = require "shared.check"
local near, fails = check.near, check.fails

local rad = math.pi / 180

-- The level that a side is given, read back as the wind's speed, which follows any series.
local function follow(tide, keys)
  keys = keys or {}
  local sim = ria.sim { grid = { nx = 3, ny = 3, dx = 10 }, bed = -1, out = false,
    start = keys.start, zone = keys.zone, params = { wind_speed = 0 } }
  sim:vary("wind_speed", tide)
  return sim
end

-- By the definition, from where constituents stand at the date.
local function level(set, date, clock)
  local sum = set.z0 or 0
  for name, c in pairs(set) do
    if type(c) == "table" then
      local now, at = ria.tide_state(name, date), ria.tide_state(name, clock or date)
      sum = sum + now.f * c[1] * math.cos((at.v + now.u - c[2]) * rad)
    end
  end
  return sum
end

local set = { M2 = { 1.12, 78 }, S2 = { 0.39, 107 }, K1 = { 0.2, 300 }, MF = { 0.05, 10 }, z0 = 5 }
near(follow(ria.tide(set), { start = "2026-07-14" }):param "wind_speed", level(set, "2026-07-14"),
  1e-4)
near(follow(ria.tide(set), { start = "2026-07-14 02:00", zone = "+02:00" }):param "wind_speed",
  level(set, "2026-07-14"), 1e-4)

-- The same table behind local clocks: the argument is that of the clock's reading.
local kept = {}
for name, value in pairs(set) do kept[name] = value end
kept.phases = "local"
near(follow(ria.tide(kept), { start = "2026-07-14 02:00", zone = "+02:00" }):param "wind_speed",
  level(set, "2026-07-14T00:00Z", "2026-07-14T02:00Z"), 1e-4)

-- Relative phases are what they were, with a start and without one.
kept.phases = "relative"
local raw = ria.tide(set):at(0)
assert(follow(ria.tide(set)):param "wind_speed" == raw)
assert(follow(ria.tide(kept), { start = "2026-07-14" }):param "wind_speed" == raw)

-- Names in any case, and the others that are used.
assert(ria.tide({ lambda2 = { 1, 0 }, m2 = { 2, 0 } }):at(0) == 3)
assert(ria.tide({ LDA2 = { 1, 0 } }):at(1e4) == ria.tide({ LAM2 = { 1, 0 } }):at(1e4))
fails("ria.tide: LAM2 and lda2 are one constituent", ria.tide, { LAM2 = { 1, 0 }, lda2 = { 1, 0 } })
fails("ria.tide: unknown phases 'greenwhich': did you mean 'greenwich'?", ria.tide,
  { M2 = { 1, 0 }, phases = "greenwhich" })
fails("ria.tide: unknown nodal 'yearly': one of daily, mid, none", ria.tide,
  { M2 = { 1, 0 }, nodal = "yearly" })
fails("ria.tide: tide: nodal factors belong to dates: phases relative to t = 0 have none", ria.tide,
  { M2 = { 1, 0 }, nodal = "none", phases = "relative" })
fails("ria.tide_state: unknown constituent 'M22': did you mean 'M2'?", ria.tide_state, "M22",
  "2026-07-14")
fails("sim:vary: the phases of a tide are local, and the run has no start: give it the date of "
  .. 't = 0 (start = "2026-07-14 00:00")', follow, ria.tide { M2 = { 1, 0 }, phases = "local" })

-- f is 1 and u is 0 where nothing turns; M2 of the moon's node is within 4 %.
local s2, m2 = ria.tide_state("S2", "2026-07-14"), ria.tide_state("M2", "2026-07-14")
assert(s2.f == 1 and s2.u == 0 and s2.v == 0 and s2.speed == 30)
assert(math.abs(m2.f - 1) < 0.04 and m2.f ~= 1)

-- A record analysed, and predicted again.
local tides = require "ria.tides"
local dates, values = {}, {}
for hour = 0, 30 * 24 do dates[#dates + 1] = 1784000000 + 3600 * hour end
local truth = { M2 = { 1.1, 78 }, S2 = { 0.4, 107 }, O1 = { 0.2, 330 }, z0 = 3 }
for k, v in ipairs(tides.predict(truth, dates)) do values[k] = v end
local found, how = tides.fit { dates = dates, values = values, names = { "M2", "S2", "O1" } }
near(found.M2[1], 1.1, 1e-4)
near(found.O1[2], 330, 0.05)
near(found.z0, 3, 1e-4)
assert(how.n == #dates and how.explained > 0.9999 and how.residual < 1e-4 and #how.names == 3)
near(how.shares.M2 + how.shares.S2 + how.shares.O1, 1, 0.02)
assert(how.shares.M2 > 0.8 and how.shares.O1 < 0.1)
assert(#how.errors.M2 == 2 and found.phases == "greenwich" and found.nodal == "daily")
near(ria.tide_predict(found, { "2026-07-14 06:30" })[1],
  ria.tide_predict(truth, { "2026-07-14T08:30+02:00" })[1], 1e-3)
near(ria.tide_predict(truth, { "2026-07-14" })[1], level(truth, "2026-07-14"), 1e-4)
fails("ria.tide_fit: there are 1 values and 2 dates", ria.tide_fit,
  { dates = { 0, 1 }, values = { 1 } })
fails("ria.tide_fit: dates[2] = 'noon': expected a date, or seconds since 1970", ria.tide_fit,
  { dates = { 0, "noon" }, values = { 1, 2 } })
fails("ria.tide_fit: M2 and N2 cannot be told apart in a record of 2 d: that takes 27 d 14 h "
  .. "(rayleigh = 1): leave one of them out", ria.tide_fit, { names = { "M2", "N2" },
  dates = { 0, 43200, 86400, 172800 }, values = { 1, 2, 3, 4 } })

-- The gauge of a run by local clocks, fitted back: ria.csv reads its dates as if in UTC, and the
-- zone mends them. Without it M2 is 58 degrees off.
local out = os.tmpname() .. ".tides"
local sim = ria.sim { grid = { nx = 3, ny = 3, dx = 1000 }, bed = -100, init = { level = 0 },
  out = out, start = "2026-07-14 00:00", zone = "+02:00",
  boundary = { west = { level = ria.tide { M2 = { 1, 30 }, ramp = "2 h" } } } }
sim:gauge { name = "a", x = 500, y = 1500, every = "10 min", fields = { "level" } }
sim:run "3 d"
sim:close()
local table_of, late = ria.csv(out .. "/gauges.csv"), { dates = {}, values = {}, names = { "M2" } }
for k = 80, #table_of.date do
  late.dates[#late.dates + 1] = table_of.date[k]
  late.values[#late.values + 1] = table_of["a.level"][k]
end
late.zone = "+02:00"
near(tides.fit(late).M2[2], 30, 1)

-- Dates of tides.predict by a zone, as text and as numbers; local phases need one.
local here, noon = { zone = "+02:00" }, { "2026-07-14 02:00" }
local as_utc = tides.predict(truth, { "2026-07-14" })[1]
assert(tides.predict(truth, noon, here)[1] == as_utc)
assert(tides.predict(truth, { ria.csv(out .. "/gauges.csv").date[13] }, here)[1] == as_utc)
os.execute(("rm -rf '%s'"):format(out))
local by_clock = { M2 = { 1.1, 78 }, phases = "local" }
near(tides.predict(by_clock, noon, here)[1], level({ M2 = by_clock.M2 }, "2026-07-14T00:00Z",
  "2026-07-14T02:00Z"), 1e-4)
fails('ria.tide_predict: the phases of the set are local: say by which clocks: { zone = "+02:00" }',
  ria.tide_predict, by_clock, noon)

-- A tide by dates has no level at a time that is none.
fails("series:at: the phases of the tide are those at Greenwich, and times from t = 0 are no "
  .. "dates: ria.tide_predict(set, dates) gives levels", function()
  return ria.tide({ M2 = { 1, 0 }, phases = "greenwich" }):at(0)
end)
fails("series:at: the phases of the tide are local, and times from t = 0 are no dates: "
  .. "ria.tide_predict(set, dates) gives levels", function()
  return ria.tide(by_clock):at(0)
end)

-- Between two places phases and nodal factors are of one kind; z0 lies between, too.
local halfway = tides.between({ M2 = { 1, 0 }, z0 = 1, phases = "local" },
  { M2 = { 3, 0 }, z0 = 2, phases = "local" }, 0.25)
assert(halfway.phases == "local" and halfway.z0 == 1.25)
near(halfway.M2[1], 1.5, 1e-12)
fails("phases of the two tides differ: 'auto' and 'local'", tides.between, { M2 = { 1, 0 } },
  by_clock, 0.5)
fails("nodal of the two tides differ: 'mid' and 'daily'", tides.between,
  { M2 = { 1, 0 }, nodal = "mid" }, { M2 = { 1, 0 } }, 0.5)

-- A set from tides.fit has names that tides.speeds leaves out.
near(tides.delay({ M1 = { 1, 10 }, lambda2 = { 1, 0 } }, 3600).M1[2],
  10 + ria.tide_state("M1", "2000-01-01").speed, 1e-9)
near(tides.level({ M1 = { 2, 60 } }, 0), 1, 1e-12)
fails("no speed known for constituent 'M22'", tides.level, { M22 = { 1, 0 } }, 0)

-- A table of constituents; what is wrong with one.
local path = os.tmpname()
local function write(text)
  local file = assert(io.open(path, "w"))
  file:write(text):close()
end
write "constituent,amplitude,phase,nodal\nZ0,2.5,0,mid\nM2,1.5,30,mid\n"
local read = tides.read(path)
assert(read.z0 == 2.5 and read.M2[1] == 1.5 and read.M2[2] == 30 and read.nodal == "mid"
  and read.phases == "greenwich")
write "constituent,amplitude,phase\nM2,1,0\nM2,1,0\n"
fails(path .. ": constituent 'M2' is there twice", tides.read, path)
write "constituent,amplitude\nM2,1\n"
fails(path .. " has no column 'phase'", tides.read, path)
os.remove(path)

-- Errors of both stand at the line that calls.
local function at_line_of(f)
  local _, said = pcall(f)
  local line = ("%s:%d: "):format(debug.getinfo(f, "S").short_src:match "[^/]*$",
    debug.getinfo(f, "S").linedefined)
  assert(said:find(line, 1, true), ("expected %s\nsaid     %s"):format(line, said))
end
at_line_of(function() return tides.fit { dates = { 0 } }, 1 end)
at_line_of(function() return tides.predict(set, 5), 1 end)
