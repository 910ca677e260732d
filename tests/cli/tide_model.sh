#!/bin/sh
# Maps of a tidal model in netCDF, as FES has them: through libgdal where it is found, refused with a command where not.
#   tide_model.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
export GDAL_PAM_ENABLED=NO

scratch
# m2.nc: netCDF-3 with amplitude (cm) and phase over 1/4 degrees, land in the east; and the same as rasters
cat >model.lua <<'LUA'
local ria = require "ria"
local n, m, d, west, south, none = 12, 10, 0.25, -10, 41, 1e20
local function amplitude(x, y) return 120 + 10 * (x + 9) + 5 * (y - 42) end -- cm
local function phase(x, y) return (355 + 8 * (x + 9) - 6 * (y - 42)) % 360 end
local function padded(s) return s .. ("\0"):rep(-#s % 4) end
local function name(s) return (">I4"):pack(#s) .. padded(s) end
local function attributes(units, fill)
  return (">I4I4"):pack(0x0C, fill and 2 or 1) .. name "units" .. (">I4I4"):pack(2, #units) .. padded(units)
    .. (fill and name "_FillValue" .. (">I4I4f"):pack(5, 1, none) or "")
end
local function floats(f)
  local s = {}
  for j = 0, m - 1 do
    for i = 0, n - 1 do s[#s + 1] = (">f"):pack(i < 9 and f(west + (i + 0.5) * d, south + (j + 0.5) * d) or none) end
  end
  return table.concat(s)
end
local function line(count, from)
  local s = {}
  for k = 0, count - 1 do s[k + 1] = (">f"):pack(from + (k + 0.5) * d) end
  return table.concat(s)
end
local vars = {
  { "lat", { 0 }, attributes "degrees_north", line(m, south) }, { "lon", { 1 }, attributes "degrees_east", line(n, west) },
  { "amplitude", { 0, 1 }, attributes("cm", true), floats(amplitude) }, { "phase", { 0, 1 }, attributes("degrees", true), floats(phase) },
}
local function head(begin)
  local s = { "CDF\1", (">I4I4I4"):pack(0, 0x0A, 2), name "lat", (">I4"):pack(m), name "lon", (">I4"):pack(n), (">I4I4"):pack(0, 0), (">I4I4"):pack(0x0B, #vars) }
  for _, v in ipairs(vars) do
    s[#s + 1] = name(v[1]) .. (">I4"):pack(#v[2])
    for _, dim in ipairs(v[2]) do s[#s + 1] = (">I4"):pack(dim) end
    s[#s + 1] = v[3] .. (">I4I4I4"):pack(5, #v[4], begin)
    begin = begin + #v[4]
  end
  return table.concat(s)
end
local f = assert(io.open("m2.nc", "wb"))
f:write(head(#head(0)))
for _, v in ipairs(vars) do f:write(v[4]) end
f:close()
local grid = { nx = n, ny = m, dx = d, x0 = west, y0 = south, crs = "EPSG:4326" }
for path, of in pairs { ["amplitude.tif"] = amplitude, ["phase.tif"] = phase } do
  grid.value = of
  ria.field(grid):map(function(v, x) if x < west + 9 * d then return v end end):write(path)
end
LUA
"$ria" run -q model.lua || fail "model.lua"

cat >west.lua <<'LUA'
local ria = require "ria"
local p = ria.params { maps = "nc" }
local sim = ria.sim { grid = { nx = 3, ny = 8, dx = 2000, x0 = 620000, y0 = 4660000 }, crs = "EPSG:32629", bed = -20, out = false,
  init = { level = 0 }, boundary = { west = ria.tide { model = { M2 = p.maps == "nc" and "m2.nc" or { "amplitude.tif", "phase.tif" } }, unit = "cm" } } }
sim:run(900)
for j = 0, 7 do print(("%.5f"):format(sim:probe(621000, 4661000 + 2000 * j, "level"))) end
LUA
(
  export RIA_GDAL=none
  said=$("$ria" run -q west.lua 2>&1) && fail "netCDF without GDAL: it is read"
  expected="m2.nc: amplitude and phase of a netCDF file are read through GDAL, and RIA_GDAL is none; where it is, gdal_translate 'NETCDF:\"m2.nc\":amplitude' amplitude.tif and the same for phase make rasters: M2 = { \"amplitude.tif\", \"phase.tif\" }"
  echo "$said" | grep -qF -e "$expected" || fail "netCDF without GDAL: $said"
  exit $failed
) || failed=1
"$ria" run west.lua maps=tif >said 2>&1 || fail "rasters: $(cat said)"
grep -q "^amplitude.tif: [1-8] of 8 points lie beside cells without data, which take what the nearest with data has, up to [1-9] cells away$" said ||
  fail "what was filled is not told: $(cat said)"
grep '^-*[0-9]\.[0-9]*$' said >rasters
[ "$(wc -l <rasters)" = 8 ] || fail "rasters: $(cat said)"

case $("$ria" info m2.nc 2>&1) in
*"libgdal is not found"*)
  echo "skipped: no libgdal"
  [ $failed = 0 ] && exit 77
  exit 1
  ;;
esac
"$ria" run -q west.lua >netcdf 2>&1 || fail "netCDF: $(cat netcdf)"
cmp -s netcdf rasters || fail "netCDF: $(cat netcdf), rasters: $(cat rasters)"
exit $failed
