#!/bin/sh
# Fields in netCDF: the message names the command, and what that command (of GDAL) makes is read, by
# ria.nest and by `from`.
#   netcdf.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >sea.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 16, dx = 40, x0 = 500000, y0 = 4600000 }, start = "2026-07-14 00:00",
  crs = "EPSG:25829", bed = -5, tracers = { dye = {} },
  init = { level = function(x) return 0.1 * math.sin(x / 100) end, u = 0.1, dye = 2 } }
sim:every("1 min", ria.save { "depth", "level", "u", "v", "dye" })
sim:run "2 min"
LUA
cat >bay.lua <<'LUA'
local ria = require "ria"
local p = ria.params { from = "", nest = "" }
local sim = ria.sim { grid = { nx = 10, ny = 8, dx = 40, x0 = 500080, y0 = 4600080 }, bed = -5, tracers = { dye = {} },
  crs = "EPSG:25829", start = p.nest ~= "" and "2026-07-14 00:00" or nil, from = p.from ~= "" and p.from or nil,
  init = p.nest ~= "" and { level = 0 } or nil, out = false }
if p.nest ~= "" then sim:relax { "west", "east", width = 100, time = 1, nest = ria.nest(p.nest) } end
sim:run(p.nest ~= "" and 100 or 1)
print(sim:date(1), ("%.17g %.17g %.17g"):format(sim:totals().water.stored, sim:totals().dye.stored, sim:stats("u").max))
LUA
"$ria" run -q sea.lua --out early >said 2>&1 || fail "sea.lua fails: $(cat said)"
said() { "$ria" run -q bay.lua "$@" 2>&1; }
store=$(said from=early)
case $store in
2026-07-14T00:00:01Z*) fail "it begins at the start of the earlier run" ;;
2026-07-14T00:02:01Z*) ;;
*) fail "from the store it says $store" ;;
esac
nested=$(said nest=early)

# attributes of other writers
at_date() { # NAME UNIT: times of that unit
  rm -rf "$1" && cp -r early/fields.zarr "$1"
  sed -i "s/seconds since 2026-07-14 00:00:00/$2/" "$1/time/.zattrs"
}
at_date minutes "minutes since 2026-07-13 00:00:00"
[ "$(said from=minutes | cut -c 1-20)" = 2026-07-13T02:00:01Z ] || fail "in minutes it says $(said from=minutes)"
at_date days "days since 2026-07-13 00:00:00"
[ "$(said from=days | cut -c 1-20)" = 2026-11-10T00:00:01Z ] || fail "in days it says $(said from=days)"
cp -r early/fields.zarr filled
sed -i 's/"fill_value": "NaN"/"fill_value": 2.0/' filled/dye/.zarray
sed -i 's/"fill_value": "NaN"/"fill_value": 0/' filled/v/.zarray
case $(said from=filled) in
*"store filled: frame 2 has no 'dye' where it has 'depth': a chunk is missing"*) ;;
*) fail "of numbers that are none it says $(said from=filled)" ;;
esac
# times as whole numbers of 4 and 8 bytes
cp -r early/fields.zarr whole
sed -i 's/<f8/<i4/; s/"chunks": \[[0-9]*\]/"chunks": [3]/' whole/time/.zarray
printf '\000\000\000\000\074\000\000\000\170\000\000\000' >whole/time/0
[ "$(said from=whole)" = "$store" ] || fail "of whole numbers it says $(said from=whole), of others $store"

printf 'CDF\001 and so on' >sea.nc
case $(said from=sea.nc) in
*"bay.lua:4: ria.sim: from: sea.nc: a netCDF file, and a store is read: gdalmdimtranslate -of Zarr"*"sea.nc sea.zarr makes one"*) ;;
*) fail "of a netCDF file it says $(said from=sea.nc)" ;;
esac
case $(said nest=sea.nc) in
*"bay.lua:6: ria.nest: sea.nc: a netCDF file, and a store is read: gdalmdimtranslate"*) ;;
*) fail "of a netCDF file ria.nest says $(said nest=sea.nc)" ;;
esac
[ $failed = 0 ] || exit $failed

gdalmdimtranslate --version >said 2>&1 || exit 77
rm sea.nc
gdalmdimtranslate -q -of netCDF -array name=depth -array name=level,dstname=ZOS -array name=u,dstname=UO \
  -array name=v,dstname=VO -array name=dye early/fields.zarr sea.nc 2>said || exit 77
gdalmdimtranslate -q -of Zarr -co FORMAT=ZARR_V2 -array name=ZOS,dstname=level -array name=UO,dstname=u \
  -array name=VO,dstname=v -array name=depth -array name=dye sea.nc sea.zarr 2>said || fail "gdalmdimtranslate says $(cat said)"
[ "$(said from=sea.zarr)" = "$store" ] || fail "by way of netCDF it says $(said from=sea.zarr), else $store"
[ "$(said nest=sea.zarr)" = "$nested" ] || fail "by way of netCDF a nest says $(said nest=sea.zarr), else $nested"
exit $failed
