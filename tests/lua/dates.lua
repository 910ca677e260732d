-- A run with a start on the calendar: dates wherever a time goes, in, out and in messages.
local ria = require "ria"
local check = require "shared.check"
local fails = check.fails

local out = os.tmpname() .. ".dates"

local function read(name)
  local file = assert(io.open(out .. "/" .. name, "rb"))
  local text = file:read "a"
  file:close()
  return text
end

local function holds(text, piece)
  assert(text:find(piece, 1, true), ("no '%s' in\n%s"):format(piece, text:sub(1, 2000)))
end

local function basin(keys)
  local all = { grid = { nx = 6, ny = 4, dx = 100 }, bed = -2, init = { level = 0 }, out = false }
  for key, value in pairs(keys or {}) do all[key] = value end
  return ria.sim(all)
end

-- Events, spills, forcing and the end of a run by date. The zone is said once.
local river = os.tmpname()
local file = assert(io.open(river, "w"))
file:write "date,q\n2026-07-13 23:00,0\n2026-07-14 01:00,2\n"
file:close()

local function run(keys)
  local seen = {}
  local sim = basin {
    start = keys.start or "2026-07-14 00:00", zone = keys.zone, clock = keys.clock, out = out,
    overwrite = true, units_row = true, tracers = { "dye" },
    boundary = {
      west = { kind = "discharge", q = keys.q or ria.series { path = river, zone = keys.river } } },
  }
  sim:at(keys.at or "2026-07-14 00:10", function(s, event)
    seen.t, seen.date, seen.now = event.t, event.date, s:date()
  end)
  sim:when(function(s) return s:time() > 0 end, function(_, event) seen.when = event.date end,
    { every = "5 min" })
  sim:every("10 min", function(_, event) seen[#seen + 1] = event.t end,
    { from = keys.from or "2026-07-14 00:05", to = "20 min" })
  sim:every("10 min", { ria.frame { field = "level", width = 400 }, ria.save "level" },
    { start = "2026-07-14 00:20" })
  sim:spill { tracer = "dye", x = 250, y = 250, mass = 1, start = keys.spill or "2026-07-14 00:20" }
  sim:gauge { name = "a", x = 250, y = 250, every = "5 min", fields = { "level" } }
  seen.reached = sim:run(keys.till or "2026-07-14 00:30")
  seen.level = sim:probe(250, 250, "level")
  seen.water = sim:totals().water.inflow
  seen.summary = sim:summary().date
  sim:close()
  return seen
end

local seen = run { zone = "+02:00" }
assert(seen.t == 600 and seen.reached == 1800 and #seen == 2 and seen[1] == 300 and seen[2] == 900)
assert(seen.date == "2026-07-14T00:10:00+02:00" and seen.now == seen.date, seen.date)
assert(seen.when == "2026-07-14T00:05:00+02:00" and seen.summary == "2026-07-14T00:30:00+02:00")

-- from 1 m3/s at the start to 1.5 at its end
assert(math.abs(seen.water - 1.25 * 1800) < 1e-6 * seen.water, seen.water)

-- Files: what a spreadsheet reads as a date, the true instant in the store, both in run.json.
holds(read "gauges.csv", "time_s,date,a.level\ns,+02:00,m\n0,2026-07-14T00:00:00,0\n" ..
  "300,2026-07-14T00:05:00,")
holds(read "budget.csv", "time_s,date,water_stored,")
holds(read "budget.csv", "\ns,+02:00,m^3,")
holds(read "budget.csv", "\n1800,2026-07-14T00:30:00.000,")
holds(read "fields.zarr/time/.zattrs", '"units": "seconds since 2026-07-13 22:00:00"')
holds(read "run.json", '"epoch": "2026-07-13 22:00:00",\n' ..
  '  "start": "2026-07-14T00:00:00+02:00",\n  "zone_s": 7200,')
holds(read "run.json", '"date": "2026-07-14T00:30:00+02:00"')
holds(read "run.json", '"gauges.csv": {\n      "time_s": "s",\n' ..
  '      "date": "+02:00",\n      "a.level": "m"')
local dated = read "frames/level/level_000001.png"
holds(dated, "ria:date\0" .. "2026-07-14T00:30:00+02:00")

-- Its own gauge, read back: by date, and by time.
local tide = ria.series { path = out .. "/gauges.csv", units = true }
assert(tide:at(1800) == seen.level)

-- The same instants said otherwise are the same run, and the same file.
local csv = read "gauges.csv"
local same = run { zone = "+02:00", at = 600, from = 300, spill = "2026-07-13T22:20Z",
  till = "30 min",
  q = { { "2026-07-13T21:00Z", 0 }, { "2026-07-13T23:00Z", 2 } } }
assert(same.level == seen.level and read "gauges.csv" == csv)
same = run { zone = "+02:00", start = "2026-07-13 22:00Z", river = "+02:00",
  q = ria.series { { "2026-07-13 23:00", 0 }, { "2026-07-14 01:00", 2 } } }
assert(same.level == seen.level and read "gauges.csv" == csv)
same = run { at = 600, from = 300, q = { { -3600, 0 }, { 3600, 2 } } }
assert(same.level == seen.level)
holds(read "gauges.csv", "time_s,date,a.level\ns,UTC,m\n0,2026-07-14T00:00:00,0\n")

-- Frames may count from the start; only their label changes. A river by UTC is another river.
run { zone = "+02:00", clock = "elapsed" }
assert(read "frames/level/level_000001.png" ~= dated)
holds(read "frames/level/level_000001.png", "ria:date\0" .. "2026-07-14T00:30:00+02:00")
assert(run({ zone = "+02:00", river = "UTC", q = ria.series { path = river, zone = "UTC",
  hold = true } }).level ~= seen.level)

-- Without a start nothing is dated.
local plain = basin { out = out, overwrite = true }
plain:gauge { name = "a", x = 250, y = 250, every = "5 min", fields = { "level" } }
plain:run "5 min"
plain:close()
assert(read "gauges.csv" == "time_s,a.level\n0,0\n300,0\n")
holds(read "budget.csv", "time_s,water_stored,")
assert(not read("run.json"):find('"date"', 1, true))
os.execute(("rm -rf '%s'"):format(out))

-- Seconds below a whole one: as many digits in all rows.
local fine = basin { start = "2026-07-14", out = out, overwrite = true }
fine:gauge { name = "a", x = 250, y = 250, every = "0.5 s", fields = { "level" } }
fine:run "1 s"
fine:close()
assert(read "gauges.csv" == "time_s,date,a.level\n0,2026-07-14T00:00:00.000,0\n" ..
  "0.5,2026-07-14T00:00:00.500,0\n1,2026-07-14T00:00:01.000,0\n")
os.execute(("rm -rf '%s'"):format(out))

-- A budget has a row where the run ends, which need not lie on its period.
local ragged = basin { start = "2026-07-14", out = out, overwrite = true, budget = "1 min" }
ragged:run(65.4)
ragged:close()
holds(read "budget.csv", "\n60,2026-07-14T00:01:00.000,")
holds(read "budget.csv", "\n65.4,2026-07-14T00:01:05.400,")
os.execute(("rm -rf '%s'"):format(out))

-- Asking. Ends of months and leap days.
local sim = basin { start = "2024-02-28 12:00" }
assert(sim:date() == "2024-02-28T12:00:00Z" and sim:date "1 d" == "2024-02-29T12:00:00Z")
assert(sim:date(2.5 * 86400) == "2024-03-02T00:00:00Z")
assert(sim:time "2024-03-01" == 36 * 3600 and sim:time() == 0 and sim:time "1 h" == 3600)
assert(basin({ epoch = "2023-02-28" }):time "2023-03-01" == 86400)
local s = ria.series { { "2026-07-14 00:00", 1 }, { "2026-07-15", 3 } }
assert(s:at "2026-07-14 12:00" == 2)
local from, to = s:span()
assert(from == "2026-07-14T00:00:00" and to == "2026-07-15T00:00:00")
from = ria.series({ { "2026-07-14 00:00+02:00", 1 }, { "2026-07-15T00:00Z", 3 } }):span()
assert(from == "2026-07-13T22:00:00Z")

-- The sun: up at noon, down at midnight; the same by a run's clock.
local up, turn = ria.sun("2026-06-21T12:00Z", 0, 23.44)
assert(up > 89.3 and turn >= 0 and turn < 360)
local down = ria.sun("2026-06-21T00:00Z", 0, 23.44)
assert(math.abs(down + 43.1) < 0.2, down)
assert(basin({ start = "2026-06-21 02:00", zone = "+02:00" }):sun(0, 23.44, "12 h") == up)

-- What is wrong, and what to write.
local no_start = "the run has no start: give ria.sim the date of t = 0, such as start = "
  .. '"2026-07-14 00:00"'
local undated = basin()
local function needs_start(date)
  return ("'%s' is a date, and this run has none: give it a start, the date of t = 0 (start = "
    .. "\"%s 00:00\"), or write the time since t = 0, as in '1 d 6 h'"):format(date,
    date:sub(1, 10))
end
fails("sim:date: " .. no_start, undated.date, undated)
fails("sim:sun: " .. no_start, undated.sun, undated, 0, 0)
fails("sim:run: " .. needs_start "2026-07-15", undated.run, undated, "2026-07-15")
fails("sim:every: from: " .. needs_start "2026-07-15", undated.every, undated, 60, print,
  { from = "2026-07-15" })
fails("sim:boundary: boundary 'west': q: the times of a series are dates, and the run has no "
  .. 'start: give it the date of t = 0 (start = "2026-07-14 00:00")', undated.boundary, undated,
  "west", { kind = "discharge", q = ria.series { { "2026-07-14", 0 }, { "2026-07-15", 1 } } })
fails("ria.sim: start and epoch are two names of one thing: write start alone", basin,
  { start = "2026-07-14", epoch = "2026-07-14" })
fails('ria.sim: a zone goes with a start, the date of t = 0: start = "2026-07-14 00:00"', basin,
  { zone = "UTC" })
fails("ria.sim: zone 'CET': a zone is an offset from UTC such as '+02:00', or 'UTC':"
  .. " names and summer time are not known", basin, { start = "2026-07-14", zone = "CET" })
fails("ria.sim: date '2023-02-29': the month has no such day", basin, { start = "2023-02-29" })
fails("ria.sim: start '0000-01-01': years are 0001 to 9999, in UTC and by the clocks of the zone",
  basin, { start = "0000-01-01" })
fails("ria.sim: unknown clock 'dates': did you mean 'date'?", basin, { clock = "dates" })
fails("sim:at: an event at 2024-02-28T11:00:00Z: it must be at or after the present, "
  .. "2024-02-28T12:00:00Z", sim.at, sim, "2024-02-28 11:00", print)
fails("sim:run: a run to 2024-02-28 11:00: it must be at or after the present, 2024-02-28 12:00",
  sim.run, sim, "2024-02-28 11:00")
fails("ria.run_all: sims[1]: a run to 2024-02-28 11:00: it must be at or after the present, "
  .. "2024-02-28 12:00", ria.run_all, { sim }, "2024-02-28 11:00")
fails("sim:every: from = '2024-02-28 11:00' is before the start of the run, 2024-02-28T12:00:00Z",
  sim.every, sim, 60, print, { from = "2024-02-28 11:00" })
fails("sim:every: from and to are other names of start and stop: write one of each", sim.every, sim,
  60, print, { from = 1, start = 2 })
fails("sim:every: an event every 60 s stops at 2024-02-28 13:00, before its first time, "
  .. "2024-02-28 14:00", sim.every, sim, 60, print,
  { from = "2024-02-28 14:00", to = "2024-02-28 13:00" })
fails("sim:at: date '2024-02-30': the month has no such day", sim.at, sim, "2024-02-30", print)
fails("ria.spill: start: date '2024-02-30': the month has no such day", ria.spill,
  { x = 1, y = 1, volume = 1, start = "2024-02-30" })
fails("ria.series: [2]: times and dates are mixed", ria.series, { { "2026-07-14", 0 }, { 60, 1 } })
local mixed = "ria.series: [2]: some dates say their zone and others do not: write it for all"
fails(mixed, ria.series, { { "2026-07-14", 0 }, { "2026-07-15T00:00Z", 1 } })
fails(mixed, ria.series, { { "2026-07-14", 0 }, { "2026-07-15T00:00Z", 1 }, zone = "+02:00" })
assert(ria.series({ { "2026-07-14", 0 }, { "2026-07-15T00:00Z", 1 }, zone = "UTC" })
  :at "2026-07-14 12:00" == 0.5)
fails("ria.series: the dates must grow: that of point 2 is not after the one before", ria.series,
  { { "2026-07-14", 0 }, { "2026-07-14", 1 } })
fails("ria.series: the times are no dates: zone does not apply", ria.series,
  { { 0, 0 }, { 1, 1 }, zone = "UTC" })
fails("series:at: t = 5: expected a date, as the times of the series are", s.at, s, 5)
fails("series:at: t = '2026-07-14 12:00Z' says its zone, and the dates of the series say none: "
  .. "leave it out, or give ria.series the zone of its dates", s.at, s, "2026-07-14 12:00Z")
assert(ria.series({ { "2026-07-14 00:00", 1 }, { "2026-07-15", 3 }, zone = "+02:00" })
  :at "2026-07-14 10:00Z" == 2)
fails("ria.sun: date 'noon': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it", ria.sun,
  "noon", 0, 0)
fails("ria.sun: lat = 91 is out of range: -90 .. 90 deg", ria.sun, "2026-07-14", 0, 91)

-- Late for the spill, and a series that ends too soon: by date.
local late = basin { start = "2026-07-14", zone = "+02:00", boundary = {
  west = { level = { { "2026-07-13 23:00", 0 }, { "2026-07-14 01:00", 0 } } } } }
late:run "10 min"
fails("sim:spill: spill 'water' starts at 2026-07-14 00:05, before the present, 2026-07-14 00:10",
  late.spill, late, { x = 250, y = 250, volume = 1, start = "2026-07-14 00:05" })
fails("sim:spill: the spill starts at 2026-07-14T00:00:00+02:00: it must be at or after "
  .. "the present, 2026-07-14T00:10:00+02:00", late.spill, late,
  { x = 250, y = 250, volume = 1, start = 0 })
fails("sim:run: level of boundary 'west': its series has values from 2026-07-13 23:00 to "
  .. "2026-07-14 01:00, and the run needs them from 2026-07-14 00:10 to 2026-07-14 02:00: extend "
  .. "it, or let it hold its end values", late.run, late, "2026-07-14 02:00")
os.remove(river)
