#!/bin/sh
# Fields in netCDF: classic files, as GDAL, nccopy and netCDF4 of Python write them, are read by ria.nest and by `from`;
# netCDF-4 is refused with the command that makes a classic one.
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
*"bay.lua:4: ria.sim: from: sea.nc: the file ends within its header: is it cut short?"*) ;;
*) fail "of a file that is no netCDF it says $(said from=sea.nc)" ;;
esac
printf '\211HDF\r\n\032\n and so on' >sea4.nc
case $(said nest=sea4.nc) in
*"bay.lua:6: ria.nest: sea4.nc: a netCDF-4 (HDF5) file, and classic netCDF is read: nccopy -k cdf5 sea4.nc sea4_cdf5.nc makes one"*) ;;
*) fail "of a netCDF-4 file ria.nest says $(said nest=sea4.nc)" ;;
esac
echo "CDF of words" >words.nc
case $(said from=words.nc) in
*"words.nc: by its first bytes not a classic netCDF file (CDF-1, CDF-2, CDF-5)"*) ;;
*) fail "of a file of words it says $(said from=words.nc)" ;;
esac
printf 'GRIB and so on' >sea.grib
case $(said from=sea.grib) in
*"sea.grib: a GRIB file, and a store is read: gdalmdimtranslate -of netCDF -co FORMAT=NC2 sea.grib sea.nc makes one"*) ;;
*) fail "of a GRIB file it says $(said from=sea.grib)" ;;
esac
[ $failed = 0 ] || exit $failed

# same FILE: what is read of it is what the store has
same() {
  [ "$(said from="$1")" = "$store" ] || fail "from $1 it says $(said from="$1"), else $store"
  [ "$(said nest="$1")" = "$nested" ] || fail "a nest from $1 says $(said nest="$1"), else $nested"
  files="$files $1"
}
files=
gdalmdimtranslate --version >said 2>&1 || exit 77
rm sea.nc
# made FORMAT FILE: by GDAL, with another name for the level
made() {
  gdalmdimtranslate -q -of netCDF -co FORMAT="$1" -array name=depth -array name=level,dstname=zos -array name=u \
    -array name=v -array name=dye early/fields.zarr "$2" 2>said
}
made NC sea.nc || exit 77
same sea.nc
made NC2 sea2.nc && same sea2.nc
made NC4 sea4.nc && case $(said from=sea4.nc) in
*"a netCDF-4 (HDF5) file, and classic netCDF is read: nccopy -k cdf5 sea4.nc"*) ;;
*) fail "of GDAL's netCDF-4 it says $(said from=sea4.nc)" ;;
esac
case $(sed 's/EPSG:25829/EPSG:25830/' bay.lua >other.lua && "$ria" run -q other.lua from=sea.nc 2>&1) in
*"sea.nc is in another coordinate system than this run"*) ;;
*) fail "in another system it says $("$ria" run -q other.lua from=sea.nc 2>&1)" ;;
esac
if command -v nccopy >/dev/null; then
  for kind in classic "64-bit offset" cdf5; do nccopy -k "$kind" sea4.nc "$kind.nc" && same "$kind.nc"; done
  gdalmdimtranslate -q -of Zarr -co FORMAT=ZARR_V2 sea4.nc sea4.zarr 2>said || fail "gdalmdimtranslate says $(cat said)"
else
  echo "without nccopy: CDF-5 of its own is not read"
fi

# packed, from the north, without a length: as models hand out their fields
cat >repack.py <<'PY'
import sys
import netCDF4
import numpy
one = netCDF4.Dataset("sea.nc")
for k, kind in enumerate(("NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA")):
    with netCDF4.Dataset(f"python{k}.nc", "w", format=kind) as out:
        out.createDimension("time", None)
        out.createDimension("deep", 1)
        for name in ("y", "x"):
            out.createDimension(name, len(one.dimensions[name]))
        for name in ("time", "y", "x"):
            v = out.createVariable(name, "f8" if name != "time" else "i4", (name,))
            v.setncatts({"units": "m" if name != "time" else "seconds since 2026-07-14 00:00:00.0 UTC", "axis": name[0].upper()})
            v[:] = one[name][:] if name != "y" else one[name][::-1]
        for name in ("depth", "zos", "u", "v", "dye"):
            v = out.createVariable(name, "f8" if k < 2 else "f4", ("time", "deep", "y", "x") if name in "uv" else ("time", "y", "x"))
            v.setncatts({a: one[name].getncattr(a) for a in one[name].ncattrs() if a in ("units", "standard_name")})
            v[:] = one[name][:][:, None, ::-1, :] if name in "uv" else one[name][:][:, ::-1, :]
    with netCDF4.Dataset("short.nc", "w", format="NETCDF3_CLASSIC") as out:
        for name in ("time", "y", "x"):
            out.createDimension(name, len(one.dimensions[name]))
            v = out.createVariable(name, "f8", (name,))
            v.setncatts({"units": one[name].units, "axis": name[0].upper()})
            v[:] = one[name][:]
        v = out.createVariable("level", "i2", ("time", "y", "x"), fill_value=-32768)
        v.setncatts({"units": "m", "scale_factor": 1e-4, "add_offset": 0.01})
        v[:] = numpy.ma.masked_less(one["zos"][:], -0.09)
        v = out.createVariable("bed", "i1", ("y", "x"))
        v.setncatts({"units": "m"})
        v[:] = -5
PY
if python3 -c 'import netCDF4' 2>said; then
  python3 repack.py 2>said || fail "repack.py says $(cat said)"
  same python0.nc && same python1.nc
  [ "$(said from=python2.nc | cut -c 1-27)" = "$(echo "$store" | cut -c 1-27)" ] || fail "from floats it says $(said from=python2.nc)"
  case $(said from=short.nc) in
  2026-07-14T00:02:01Z*) ;;
  *) fail "from whole numbers it says $(said from=short.nc)" ;;
  esac
else
  echo "without netCDF4 of Python: what it writes is not read"
fi
# what the command of docs/lua.md makes of netCDF-4 without nccopy
gdalmdimtranslate -q -of netCDF -co FORMAT=NC2 sea4.nc again.nc 2>said && same again.nc
echo "netCDF files read as the store is:$files"
exit $failed
