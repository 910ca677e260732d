#!/bin/sh
# ria export: what it makes of stores is read by netCDF4, xarray, VTK and GDAL, value by value; what
# it refuses. Readers that are not here are named, and the rest is still looked at.
#   export.sh PROGRAM SOURCE BUILD
ria=$1
source=$2
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
export GDAL_PAM_ENABLED=NO
scratch
here=$source/tests/cli
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3
skipped=

cat >sea.lua <<'LUA'
local ria = require "ria"
local p = ria.params { angle = 0, start = "", crs = "", ny = 41, precision = 64 }
local sim = ria.sim { grid = { nx = 70, ny = p.ny, dx = 40, dy = 25, x0 = 500000, y0 = 4600000, angle = p.angle },
  start = p.start ~= "" and p.start or nil, zone = p.start ~= "" and "+02:00" or nil, crs = p.crs ~= "" and p.crs or nil,
  precision = p.precision == 32 and "single" or "double",
  bed = function(x, y) return -5 + 8 * (x - 500000) / 2800 + (y - 4600000) / 1000 end, tracers = { dye = {} },
  maxima = { "level", "dye" }, init = { level = function(x) return 0.1 * math.sin(x / 100) end, u = 0.1, dye = 2 } }
sim:every("1 min", ria.save { "depth", "level", "u", "v", "bed", "dye", tile = 16 })
sim:every("2 min", ria.save { "speed", name = "slow" })
sim:run "4 min"
LUA
"$ria" run -q sea.lua --out dated start="2026-07-14 00:00:00.5" crs=EPSG:25829 || fail "dated"
"$ria" run -q sea.lua --out turned angle=30 crs=EPSG:25829 precision=32 || fail "turned"
"$ria" run -q sea.lua --out local angle=-100 || fail "local"
"$ria" run -q sea.lua --out row ny=1 precision=32 || fail "row"

# readback KIND RUN STORE...: as others read it
readback() {
  "$python" -B "$here/export.py" "$@" >said.txt 2>&1
  case $? in
  0) ;;
  77) skipped="$skipped
$1: $(tail -1 said.txt)" ;;
  *) fail "$*: $(head -5 said.txt)" ;;
  esac
}
for run in dated turned local row; do
  for kind in netcdf vti geotiff csv xdmf; do
    [ $run.$kind = local.geotiff ] && continue # turned as the one before
    "$ria" export $run --to $kind >made.txt 2>&1 || fail "$run to $kind: $(cat made.txt)"
    [ "$(wc -l <made.txt)" = 3 ] || fail "$run to $kind: it says $(cat made.txt)"
    readback $kind $run fields slow maxima
  done
done
grep -q '^row/export/maxima.xdmf: dye, level, 2 files, 0.00.* MB$' made.txt || fail "the last says $(cat made.txt)"
readback mdal dated fields
if [ -x "$build/tests/unit/unit.export" ]; then
  "$build/tests/unit/unit.export" . || fail "unit.export"
  readback cdf5 cdf5.nc
fi
[ -z "$(find . -name '.*' -type f ! -name '.z*')" ] || fail "left behind: $(find . -name '.*' -type f ! -name '.z*')"

# --- some of it -------------------------------------------------------------------------------------
"$ria" export dated --to geotiff --field level --time "2026-07-14 00:02:00.5" --out level.tif >/dev/null || fail "one picture"
cmp -s level.tif dated/export/fields/level_20260713T220200.500Z.tif || fail "one picture is another"
"$ria" export dated --to geotiff --field level --time "2 min" --store fields.zarr --out level.tif >/dev/null || fail "by time"
cmp -s level.tif dated/export/fields/level_20260713T220200.500Z.tif || fail "by time it is another"
"$ria" export row/fields.zarr --to csv --out x.csv >said 2>&1 && fail "a store of one row by itself"
grep -q 'y: how wide its only cell is does not show' said || fail "a store of one row: $(cat said)"
"$ria" export turned/fields.zarr --to netcdf --field dye --time last,first --out few.nc --json >made.json || fail "a store"
case $(cat made.json) in
'[{"path":"few.nc","fields":"dye","times":2,"files":1,"bytes":'*'}]') ;;
*) fail "--json says $(cat made.json)" ;;
esac

# The history of a cell is the column of its row in the tables of all times; so is a line.
"$ria" export dated --to csv --field level,u --at 501230,4600310 --out at.csv >/dev/null || fail "a history"
[ "$(head -1 at.csv)" = time_s,date,level,u ] || fail "a history begins with $(head -1 at.csv)"
[ "$(wc -l <at.csv)" = 6 ] || fail "a history: $(cat at.csv)"
k=0
for time in 0 60 120 180 240; do
  k=$((k + 1))
  "$ria" export dated --to csv --field level,u --time "$time s" --out all.csv >/dev/null || fail "at $time s"
  value=$(grep '^501220,4600312.5,' all.csv | cut -d, -f3-)
  [ "$(sed -n "$((k + 1))p" at.csv)" = "$time,2026-07-14T00:0$((k - 1)):00.500+02:00,$value" ] ||
    fail "at $time s: $(sed -n "$((k + 1))p" at.csv), in the table $value"
done
"$ria" export dated --to csv --field level --time last --line 499990,4600012.5,500110,4600012.5 --out line.csv >/dev/null ||
  fail "a line"
awk -F, 'NR == FNR { at[$1 "," $2] = $3; next }
  FNR == 1 { if ($0 != "time_s,date,distance,x,y,level") print "header " $0; next }
  { x = 500000 + 40 * int(($4 - 500000) / 40) + 20; want = $4 < 500000 ? "" : at[x ",4600012.5"]
    if ($6 != want || $3 - ($4 - 499990) > 1e-6) print "row " $0 ", not " want; n++ }
  END { if (n != 6) print n " rows" }' all.csv line.csv >said
[ -s said ] && fail "a line: $(cat said)"

# --- refused ----------------------------------------------------------------------------------------
# refused CODE TEXT ARGUMENT...
refused() {
  code=$1 text=$2
  shift 2
  "$ria" export "$@" >/dev/null 2>said
  got=$?
  [ $got = "$code" ] || fail "export $*: exit code $got, not $code"
  grep -qF -e "$text" said || fail "export $*: expected '$text', said '$(cat said)'"
}
refused 2 "ria export needs the results of a run: ria export out/bay --to netcdf"
refused 2 "ria export needs --to, one of netcdf, vti, geotiff, csv, xdmf" dated
refused 2 "--to netcd: did you mean 'netcdf'?" dated --to netcd
refused 2 "unknown field 'levle': did you mean 'level'? known are bed, depth, dye, level, u, v, speed" dated --to vti --field levle
refused 2 "unknown store 'maxime.zarr': did you mean 'maxima.zarr'?" dated --to vti --store maxime.zarr
refused 2 "no frame at '90 s'; the nearest of its 5 is at \"2026-07-14T00:01:00.500+02:00\"" dated --to vti --time "90 s"
refused 2 "2 stores have what is asked for (fields, slow): choose a store" dated --to netcdf --out a.nc
refused 2 "--at 12: expected X,Y in m" dated --to csv --at 12
refused 2 "--line 1,2,3,4,5: expected X1,Y1,X2,Y2" dated --to csv --line 1,2,3,4,5
refused 2 "export to csv" dated --to netcdf --at 501230,4600310
refused 3 "nowhere: there is no store" nowhere --to netcdf
mkdir -p dated/export/taken.nc && refused 1 "it is a directory" dated --to netcdf --store slow --out dated/export/taken.nc
sed 's/ria.save/function() end or ria.save/; s/maxima = {[^}]*},//' sea.lua >none.lua
"$ria" run -q none.lua --out none || fail "none.lua"
refused 3 "the run saved no fields" none --to netcdf
"$ria" help export | grep -q -e '--line X1,Y1,X2,Y2' || fail "no help"

[ -z "$skipped" ] || echo "skipped:$skipped" | sort -u
exit $failed
