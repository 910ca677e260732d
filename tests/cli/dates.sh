#!/bin/sh
# Dates are the same under any zone of the system (of locales: unit.date); --until takes one; pandas and xarray
# read what is written.
#   dates.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch

cat >bay.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 6, ny = 4, dx = 100 }, bed = -2, init = { level = 0 },
  start = "2026-03-29 01:30", zone = "+01:00", overwrite = true,
  boundary = { west = { level = { { "2026-03-29 01:00", 0 }, { "2026-03-29 03:00", 0.5 } } } } }
sim:every("10 min", { ria.frame { field = "level", width = 300 }, ria.save "level" })
sim:gauge { name = "a", x = 250, y = 250, every = "10 min", fields = { "level" } }
sim:run "2026-03-29 02:30"
LUA

# The clocks of Berlin jump within this hour, those of the run do not.
sums() { (cd "$1" && find . -type f ! -name run.json -exec cksum {} + | sort -k3); }
TZ=UTC "$ria" run -q --threads 1 --out one bay.lua || fail "the run failed"
TZ=Europe/Berlin "$ria" run -q --threads 1 --out two bay.lua || fail "the run failed"
TZ=Pacific/Auckland "$ria" run -q --threads 1 --out three bay.lua || fail "the run failed"
[ "$(sums one)" = "$(sums two)" ] || fail "TZ=Europe/Berlin changes results"
[ "$(sums one)" = "$(sums three)" ] || fail "TZ=Pacific/Auckland changes results"
[ "$(sed -n '7s/,[^,]*$//p' one/gauges.csv)" = "3000,2026-03-29T02:20:00" ] ||
  fail "gauges.csv: $(sed -n 7p one/gauges.csv)"

# until CODE STDERR ARGUMENTS...
until_() {
  code=$1 said=$2
  shift 2
  "$ria" run -q --out four "$@" >out.txt 2>err.txt
  got=$?
  if [ "$got" != "$code" ] || { [ -n "$said" ] && ! grep -qF "$said" err.txt; }; then
    printf 'ria run %s\n  status %s, said %s\n' "$*" "$got" "$(cat err.txt)"
    failed=1
  fi
}
until_ 0 "" --until "2026-03-29 02:00" bay.lua
[ "$(tail -n 1 four/gauges.csv | cut -d, -f1,2)" = "1800,2026-03-29T02:00:00" ] ||
  fail "--until 2026-03-29 02:00 ended at $(tail -n 1 four/gauges.csv)"
until_ 0 "" --until 2026-03-29T00:40Z bay.lua
[ "$(tail -n 1 four/gauges.csv | cut -d, -f1)" = 600 ] ||
  fail "--until 00:40Z ended at $(tail -n 1 four/gauges.csv)"
until_ 2 "ria: --until: date '2026-02-29': the month has no such day" --until 2026-02-29 bay.lua
until_ 1 "sim:run: --until: '2026-03-29 01:30' is not after the start of the run, 2026-03-29T01:30:00+01:00" \
  --until "2026-03-29 01:30" bay.lua
sed 's/start = .*zone = "+01:00", //; s/"2026-03-29 02:30"/"1 h"/; s/level = { { .*/level = 0 } } }/' \
  bay.lua >plain.lua
until_ 1 "sim:run: --until: '2026-03-29' is a date, and this run has none" --until 2026-03-29 plain.lua

# The summary says what the phases of each tide are counted from.
cat >tides.lua <<'LUA'
local ria = require "ria"
local mixed = ria.tide { M2 = { 1, 30 }, S2 = { 0.3, 20 }, { speed = 14.5, amp = 0.1, phase = 0 } }
local sim = ria.sim { grid = { nx = 6, ny = 4, dx = 100 }, bed = -9, init = { level = 0 }, out = false,
  tracers = { "dye" }, start = "2026-07-14", params = { wind_speed = 0 },
  boundary = { west = { level = mixed,
    tracers = { dye = ria.tide { z0 = 2, M2 = { 1, 0 }, phases = "relative" } } },
    east = { kind = "radiate", level = ria.tide { M2 = { 1, 30 } }, u = {
      { at = 0, value = ria.tide { M2 = { 0.1, 0 } } }, { at = 1, value = ria.tide { M2 = { 0.1, 9 } } } } } } }
sim:vary("wind_speed", ria.tide { { speed = 15, amp = 1, phase = 0 }, z0 = 1 })
sim:spill { x = 250, y = 250, flow = ria.tide { z0 = 2, M2 = { 1, 0 }, nodal = "none" } }
for k = 1, 2 do -- spills of one name are told once
  sim:spill { name = "outfall", tracer = "dye", x = 50, y = 150 + k, conc = 1,
    flow = ria.tide { z0 = 2, M2 = { 1, 0 }, phases = "local" } }
end
sim:run(60)
LUA
"$ria" run tides.lua >out.txt 2>&1 || fail "tides.lua: $(cat out.txt)"
grep '^  tide ' out.txt >said.txt
cat >expected.txt <<'TEXT'
  tide           east, level: 1 constituent, phases at Greenwich, nodal factors by the date
  tide           east, u at 2 points along it: 1 constituent, phases at Greenwich, nodal factors by the date
  tide           west: 2 constituents, phases at Greenwich, nodal factors by the date; 1 by its speed, relative to t = 0
  tide           west, dye: 1 constituent, phases relative to t = 0
  tide           wind_speed: 1 constituent, phases relative to t = 0
  tide           water, flow: 1 constituent, phases at Greenwich, no nodal factors
  tide           outfall, flow: 1 constituent, phases by the clocks of the run, nodal factors by the date
TEXT
cmp -s said.txt expected.txt || fail "the summary says: $(cat said.txt)"

# Readers
if /usr/bin/python3 -c 'import pandas, xarray' 2>/dev/null; then
  /usr/bin/python3 - <<'PY' || fail "pandas or xarray read other dates"
import pandas
table = pandas.read_csv("one/gauges.csv", parse_dates=["date"], index_col="date")
assert str(table.index.dtype) == "datetime64[ns]", table.index.dtype
assert table.index[-1] == pandas.Timestamp("2026-03-29 02:30"), table.index
assert table.to_xarray().sel(date="2026-03-29T02:00")["time_s"] == 1800
budget = pandas.read_csv("one/budget.csv", parse_dates=["date"])
assert str(budget.date.dtype) == "datetime64[ns]", budget.date.dtype
PY
else
  echo "skipped: pandas and xarray are not here"
fi
exit $failed
