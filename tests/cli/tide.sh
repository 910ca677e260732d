#!/bin/sh
# ria tide: the constituents of a record with gaps and noise, what it writes, and what it refuses.
#   tide.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

# says CODE TEXT ARGUMENT...: `ria tide ARGUMENT...` exits with CODE and says TEXT
says() {
  code=$1 text=$2
  shift 2
  said=$("$ria" tide "$@" 2>&1)
  got=$?
  [ $got = "$code" ] || fail "tide $*: exit code $got, not $code"
  [ "$said" = "$text" ] || fail "tide $*: expected '$text', said '$said'"
}

# A month of half hours at a port: four constituents about a mean of 3.2 m, noise of +- 2 cm from a
# generator of its own, each 97th level missing, two of them by -99.
scratch
cat >make.lua <<'LUA'
local tides = require "ria.tides"
local dates, seed = {}, 7
for k = 0, 48 * 31 do dates[#dates + 1] = 1784073600 + 1800 * k end -- from 2026-07-15
local set = { M2 = { 1.12, 78 }, S2 = { 0.39, 107 }, O1 = { 0.2, 330 }, M4 = { 0.05, 200 }, z0 = 3.2 }
local file = assert(io.open("port.csv", "w"))
file:write "# a synthetic gauge\ndate,flag,level\n"
for k, level in ipairs(tides.predict(set, dates)) do
  seed = (1103515245 * seed + 12345) % 2147483648
  local noise = 0.04 * (seed / 2147483648 - 0.5)
  local text = k % 97 > 0 and ("%.4f"):format(level + noise) or k < 200 and "-99" or ""
  file:write(os.date("!%Y-%m-%d %H:%M", dates[k]), ",ok,", text, "\n")
end
file:close()
LUA
"$ria" run -q make.lua || fail "make.lua"

says 0 "port.csv: column level
  1489 samples, each 30 min, 2026-07-15T00:00:00Z to 2026-08-15T00:00:00Z, of which 15 gaps

  name    speed deg/h  amplitude m    error  phase deg  error    share
  Z0                        3.2002   0.0003
  M2       28.9841042       1.1200   0.0004      78.00   0.02  82.535 %
  S2       30.0000000       0.3901   0.0004     107.01   0.06  10.698 %
  O1       13.9430356       0.2003   0.0004     330.12   0.10   3.823 %
  M4       57.9682084       0.0493   0.0005     200.14   0.53   0.150 %

residual  0.0115 m RMS, at most 0.021 m, 2026-08-14T19:00:00Z; 99.98 % of the variance explained
phases at Greenwich, time UTC; nodal factors: daily" port.csv --missing -99 --constituents M2,S2,O1,M4 --lua port.lua --csv table.csv --picture port.png
[ -s port.png ] || fail "no picture"

# what it wrote is what a scenario and the command read
cat >read.lua <<'LUA'
local tides = require "ria.tides"
local as_lua, as_csv = dofile "port.lua", tides.read "table.csv"
for name, value in pairs(as_lua) do
  local other = as_csv[name]
  if type(value) == "table" then assert(value[1] == other[1] and value[2] == other[2], name)
  else assert(value == other, name) end
end
for name in pairs(as_csv) do assert(as_lua[name], name) end
local level = tides.predict(as_lua, { "2026-08-20", "2026-08-20 00:30" })
print(("date,level\n2026-08-20T00:00:00Z,%.4f\n2026-08-20T00:30:00Z,%.4f"):format(level[1], level[2]))
ria = require "ria"
ria.tide(as_csv)
ria.tide(as_lua)
LUA
"$ria" run -q read.lua >said.txt 2>&1 || fail "read.lua: $(cat said.txt)"
"$ria" tide table.csv --predict 2026-08-20 "2026-08-20 00:59" --every "30 min" >predicted.csv
cmp -s said.txt predicted.csv || fail "table.csv predicts $(cat predicted.csv), port.lua $(cat said.txt)"

# by default all that the record parts, the rest named; the same record in centimetres, by other
# clocks, below lines that are no table, and in seconds from a start
"$ria" tide port.csv --missing -99 >all.txt || fail "port.csv"
grep -q '^  K1 .* weak$' all.txt || fail "nothing is weak: $(cat all.txt)"
grep -q '^weak: less than twice its error$' all.txt || fail "weak is not explained"
grep -q '^left out, as the record does not part them: .*K2' all.txt || fail "nothing is left out"
rows() { "$ria" tide "$@" --constituents M2,S2,O1,M4 | grep '^  [MSOZ]' >rows.txt; }
rows port.csv --missing -99
cp rows.txt expected.txt
awk -F, 'BEGIN { print "exported by hand"; print "" } /^#/ { next }
  NR == 2 { print "date,level"; print ",cm"; next }
  { print $1 "," ($3 == "" || $3 == -99 ? "" : 100 * $3) }' port.csv >cm.csv
rows cm.csv --skip 2 --unit cm
cmp -s rows.txt expected.txt || fail "cm.csv: $(cat rows.txt)"
rows cm.csv --skip 2
cmp -s rows.txt expected.txt || fail "cm.csv by its own units: $(cat rows.txt)"
awk -F, '/^20/ { print 1800 * n++ "," ($3 == "" || $3 == -99 ? "nan" : $3) } /^date/ { print "time_s,level" }' \
  port.csv >seconds.csv
rows seconds.csv --start "2026-07-15 02:00" --zone +02:00
cmp -s rows.txt expected.txt || fail "seconds.csv: $(cat rows.txt)"
"$ria" tide port.csv --missing -99 --constituents M2 --json | grep -q '^{"file":"port.csv","column":"level","nodal":"daily","samples":1474,"z0":3.' ||
  fail "--json"

for unit in '[cm]' ' (cm)'; do
  sed "s/^date,level/date,level$unit/; /^,cm/d" cm.csv >bracket.csv
  rows bracket.csv --skip 2
  cmp -s rows.txt expected.txt || fail "level$unit: $(cat rows.txt)"
done
awk -F, '/^20/ { print 0.5 * n++ "," ($3 == "" || $3 == -99 ? "nan" : $3) } /^date/ { print "time [h],level [m]" }' \
  port.csv >hours.csv
rows hours.csv --start "2026-07-15 02:00" --zone +02:00
cmp -s rows.txt expected.txt || fail "hours.csv: $(cat rows.txt)"

# what it refuses
sed 's/^date,level.*/date,level (NAP)/' bracket.csv >remark.csv
says 3 "ria: remark.csv: column 'level (NAP)' is in NAP, no length: say --unit, or another --column" remark.csv --skip 2
sed 's/time .h./time [m]/' hours.csv >metres.csv
says 3 "ria: metres.csv: column 'time [m]' is in m: expected s, or another time" metres.csv --start 2026-07-15
says 2 "ria: ria tide needs a record of levels: ria tide harbour.csv"
says 2 "ria: port.csv: M2 and N2 cannot be told apart in a record of 31 d: that takes 41 d 8 h (rayleigh = 1.5): leave one of them out" \
  port.csv --missing -99 --constituents M2,N2 --rayleigh 1.5
says 2 "ria: port.csv: tide: unknown constituent 'M22': did you mean 'M2'?" port.csv --constituents M22
says 2 "ria: unknown option '--constituent': did you mean '--constituents'?" port.csv --constituent M2
says 2 "ria: --nodal yearly: one of daily, mid, none" port.csv --nodal yearly
says 2 "ria: --rayleigh 0: expected cycles above 0, at most 10" port.csv --rayleigh 0
says 2 "ria: --predict needs FROM and TO, two dates" port.csv --predict 2026-08-20
says 2 "ria: --predict: FROM is after TO" port.csv --missing -99 --predict 2026-08-20 2026-08-19
says 2 "ria: --missing x: expected the number that stands for a gap" port.csv --missing x
says 2 "ria: table.csv is a table of constituents: --predict FROM TO gives levels of it" table.csv
says 2 "ria: table.csv is a table of constituents: only --predict goes with it" table.csv \
  --predict 2026-08-20 2026-08-21 --lua other.lua
says 3 "ria: seconds.csv has no column of dates: give --start, the date of its second 0" seconds.csv
says 3 "ria: port.csv has a column of dates: leave --start out" port.csv --start 2026-01-01
says 3 "ria: port.csv: there is no column 'levle'; did you mean 'level'?; columns: date, flag, level" port.csv --column levle
sed 's/^,cm/,K/' cm.csv >kelvin.csv
says 3 "ria: kelvin.csv: column 'level' is in K, no length: say --unit, or another --column" kelvin.csv --skip 2
says 1 "ria: cannot write 'missing/port.lua': No such file or directory" port.csv --lua missing/port.lua
printf 'date,level\n2026-07-15,1\n2026-07-14,2\n2026-07-16,3\n' >back.csv
says 3 "ria: back.csv:3: the time is not after that of the row before" back.csv
printf 'constituent,amplitude,phase\nM22,1,0\n' >slip.csv
says 3 "ria: slip.csv:2: unknown constituent 'M22'" slip.csv --predict 2026-08-20 2026-08-21

for word in daily,daily,mid daily,often,daily daily,,daily; do
  echo "M2,1,0 S2,0.5,0 N2,0.2,0" | tr ' ' '\n' >rows.txt
  { echo constituent,amplitude,phase,nodal; echo $word | tr , '\n' | paste -d , rows.txt -; } >nodal.csv
  case $word in
  *mid) text="nodal.csv:4: nodal is mid, and in the rows before daily: all have the same, or say --nodal" ;;
  *often*) text="nodal.csv:3: nodal is often: one of daily, mid, none" ;;
  *) text="nodal.csv:3: nodal is missing: one of daily, mid, none" ;;
  esac
  says 3 "ria: $text" nodal.csv --predict 2026-08-20 2026-08-20
done
"$ria" tide nodal.csv --nodal none --predict 2026-08-20 2026-08-20 >said.txt 2>&1 || fail "--nodal: $(cat said.txt)"
for option in --column --constituents --rayleigh --start --unit --missing; do
  says 2 "ria: table.csv is a table of constituents: $option goes with a record of levels" table.csv \
    --predict 2026-08-20 2026-08-21 $option 1
done
says 2 "ria: --every goes with --predict FROM TO" port.csv --every "1 h"
says 2 "ria: --predict prints CSV: leave --json out" port.csv --missing -99 --predict 2026-08-20 2026-08-21 --json

says 2 "ria: --zone: zone 'noon': a zone is an offset from UTC such as '+02:00', or 'UTC': names and summer time are not known" port.csv --zone noon
says 2 "ria: --skip x: expected a number of lines" port.csv --skip x
says 2 "ria: --unit: unknown unit 'parsecs' in '1 parsecs': expected a length (mm, cm, m, km, ft, nmi, mi)" port.csv --unit parsecs
says 2 "ria: --rayleigh 20: expected cycles above 0, at most 10" port.csv --rayleigh 20
says 2 "ria: --constituents: expected names, M2,S2" port.csv --missing -99 --constituents ,
says 3 "ria: port.csv: column 'date' has dates, no levels" port.csv --column date
says 2 "ria: --predict: date 'tomorrow': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it" port.csv --missing -99 --predict 2026-08-20 tomorrow
for word in "0 s:expected a time after 0" "5 kg:'kg' in '5 kg' is a unit of mass: expected a time (ms, s, min, h, d, week, yr)"; do
  says 2 "ria: --every: ${word#*:}" port.csv --missing -99 --predict 2026-08-20 2026-08-21 --every "${word%%:*}"
done
says 2 "ria: --predict: more than 10 million levels: make --every longer" port.csv --missing -99 --predict 1900-08-20 2100-08-21 --every "1 s"
printf 'date,name\n2026-07-14,a\n2026-07-15,b\n' >words.csv
says 3 "ria: words.csv has no column of levels behind its dates" words.csv
printf 'date,level\n2026-07-14 00:00,1\n2026-07-14T01:00Z,2\n' >zones.csv
says 3 "ria: zones.csv: some of its dates say their zone and others do not: write it for all" zones.csv --zone +02:00
printf 'date,level\n2026-07-14 00:00,1\n,2\n' >timeless.csv
says 3 "ria: timeless.csv:3: the time is missing" timeless.csv
printf 'constituent,amplitude,phase\nM2,-1,0\n' >below.csv
says 3 "ria: below.csv:2: 'M2' needs an amplitude >= 0 and a phase" below.csv --predict 2026-08-20 2026-08-21
printf 'constituent,amplitude\nM2,1\n' >phaseless.csv
says 3 "ria: phaseless.csv: there is no column 'phase'; columns: constituent, amplitude" phaseless.csv --predict 2026-08-20 2026-08-21
# factors of the middle of a year change with the year, those of each date at no time
printf 'constituent,amplitude,phase\nM2,1,0\n' >m2.csv
for nodal in mid daily; do
  "$ria" tide m2.csv --nodal $nodal --predict "2026-12-31 23:59:59" "2027-01-01" --every "1 s" >$nodal.txt || fail "--nodal $nodal over a new year"
  awk -F, 'NR > 1 { v[NR] = $2 } END { d = v[3] - v[2]; print d < 0 ? -d : d }' $nodal.txt >$nodal.step
done
awk 'FNR == NR { mid = $1; next } END { exit !(mid > 3e-3 && $1 < 1e-3) }' mid.step daily.step || fail "over a new year mid steps by $(cat mid.step) m, daily by $(cat daily.step) m"

# a file appears whole or not at all: where the disk is full the old one stays, and nothing beside it
cp port.lua kept.lua
for option in --lua --csv; do
  (
    trap '' XFSZ
    ulimit -f 0
    "$ria" tide port.csv --missing -99 $option kept.lua 2>&1 >/dev/null | cat
    exit
  ) | grep -q '^ria: cannot write .*kept.lua' || fail "$option: a full disk is not told"
  cmp -s port.lua kept.lua || fail "$option: kept.lua was half written"
done
rm kept.lua
for left in .*kept* *kept*; do
  [ ! -e "$left" ] || fail "left behind: $left"
done
says 1 "ria: cannot write '/dev/full': No space left on device" port.csv --missing -99 --lua /dev/full

# a port's year fitted and predicted, and a run that follows the prediction within seiches of a few centimetres
"$ria" run -q "$source/scenarios/port.lua" --out port grid=30 days=1 >said.txt 2>&1 || fail "port.lua: $(cat said.txt)"
grep -qx '8594 levels, 0.076 m RMS left, 98.7 % explained' said.txt || fail "port.lua: $(cat said.txt)"
grep -q '^the run is 0.0[1-6][0-9] m RMS' said.txt || fail "port.lua: $(cat said.txt)"
[ -s port/port.png ] || fail "port.lua leaves no picture"
# by ranks each has the record that it made: none reads what another writes; the outcome is that of one process
build=$(dirname "$(dirname "$ria")")
(
  # shellcheck source=tests/cli/shell/ranks.sh
  . "$here/shell/ranks.sh"
  for _ in 1 2 3; do
    rm -rf ranked
    ranks 2 run -q "$source/scenarios/port.lua" --device cpu --out ranked grid=30 days=1 >ranked.txt 2>&1 || fail "port.lua by 2 ranks: $(cat ranked.txt)"
    cmp -s said.txt ranked.txt || fail "port.lua by 2 ranks: $(cat ranked.txt)"
    cmp -s port/gauge.csv ranked/gauge.csv || fail "port.lua by 2 ranks: another gauge.csv"
  done
  exit $failed
) >ranks.txt 2>&1
code=$?
case $code in
0 | 77) ;;
*) fail "$(cat ranks.txt)" ;;
esac
exit $failed
