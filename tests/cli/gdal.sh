#!/bin/sh
# Rasters that GDAL alone reads: through libgdal where it is found, refused with a command where not.
#   gdal.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
export GDAL_PAM_ENABLED=NO

scratch
awk 'BEGIN {
  print "ncols 30\nnrows 20\nxllcorner 500000\nyllcorner 4600000\ndx 10\ndy 20\nNODATA_value -9999"
  for (j = 0; j < 20; j++)
    for (i = 0; i < 30; i++)
      print (i + 3 * j) % 17 < 2 ? -9999 : (i * j) % 97 / 4
}' >bed.asc

# refused LUA TEXT: the script fails with the text
refused() {
  echo "local ria = require 'ria' ria.dem $1" >refused.lua
  said=$("$ria" run -q refused.lua 2>&1) && fail "$1: it is read"
  echo "$said" | grep -qF -e "$2" || fail "$1: expected '$2', not '$said'"
}

# --- without libgdal ------------------------------------------------------------------------------
printf 'CDF\001' >sea.nc
echo '<VRTDataset rasterXSize="1" rasterYSize="1"/>' >map.vrt
printf 'SQLite format 3\000' >land.gpkg
(
  export RIA_GDAL=none
  refused '"sea.nc"' "sea.nc: a netCDF file, which GDAL reads, and RIA_GDAL is none; gdal_translate sea.nc sea.tif makes one that is read"
  refused '"map.vrt"' "map.vrt: a virtual raster of GDAL, which GDAL reads, and RIA_GDAL is none; gdal_translate map.vrt map.tif makes one"
  refused '"land.gpkg"' "land.gpkg: a SQLite file, perhaps a GeoPackage, which GDAL reads, and RIA_GDAL is none"
  RIA_GDAL=./nothing.so refused '"sea.nc"' "a netCDF file, which GDAL reads, and RIA_GDAL=./nothing.so cannot be loaded; gdal_translate"
  refused '"no.nc"' "cannot open no.nc: No such file or directory"
  exit $failed
) || failed=1

# --- with it --------------------------------------------------------------------------------------
said=$("$ria" info sea.nc 2>&1)
case $said in
*"libgdal is not found"*)
  echo "skipped: no libgdal"
  [ $failed = 0 ] && exit 77
  exit 1
  ;;
esac
echo "$said" | grep -q "^sea.nc: GDAL cannot open it: " || fail "a netCDF file that is cut short: $said"
command -v gdal_translate >/dev/null || { [ $failed = 0 ] && echo "skipped: no gdal_translate" && exit 77; exit 1; }

# heights in feet, by what GDAL writes into GeoTIFF (read without it) and into other formats
gdal_translate -q -a_srs EPSG:32629+6360 bed.asc feet.tif
gdal_translate -q -of VRT feet.tif feet.vrt
cat >feet.lua <<'LUA'
local ria = require "ria"
local a = ria.dem { "bed.asc", gap = 40 }
for _, name in ipairs { "feet.tif", "feet.vrt" } do
  local b = ria.dem { name, gap = 40 }
  assert(math.abs(b:max() / a:max() - 1200 / 3937) < 1e-9, name .. ": " .. b.about)
  assert(b.about:find(", as the file says)", 1, true), b.about)
  assert(ria.dem { name, gap = 40, unit = "m" }:max() == a:max())
end
LUA
"$ria" run -q feet.lua || fail "heights in feet"

cat >compare.lua <<'LUA'
local ria = require "ria"
local a = ria.dem "bed.asc"
for line in io.lines "list" do
  local b = ria.dem(line)
  assert(b.nx == a.nx and b.ny == a.ny and b.dx == a.dx and b.dy == a.dy and b.x0 == a.x0 and b.y0 == a.y0, line .. ": another grid")
  assert(b.crs and b.crs:find("32629", 1, true), line .. ": another crs: " .. tostring(b.crs))
  for j = 0, a.ny - 1 do
    for i = 0, a.nx - 1 do
      local v, w = a:get(i, j), b:get(i, j)
      assert(v == w or (v ~= v and w ~= w), ("%s, cell (%d, %d): %s, not %s"):format(line, i, j, w, v))
    end
  end
end
LUA
cat >up.lua <<'LUA'
local ria = require "ria"
local a, b = ria.dem "bed.asc", ria.dem "up.vrt"
assert(b.y0 == 4600000 and b.dy == 20 and b:get(7, 2) == a:get(7, a.ny - 3) and b:get(7, 2) == b:get(7, 2))
LUA
gdal_translate -q -a_srs EPSG:32629 bed.asc bed.tif
# made FILE OPTIONS: what GDAL makes with these is to be read
made() {
  file=$1
  shift
  gdal_translate -q "$@" bed.tif "$file" >made.out 2>&1 && echo "$file" >>list
}
made bottom.nc -of netCDF
made top.nc -of netCDF -co WRITE_BOTTOMUP=NO
made four.nc -of netCDF -co FORMAT=NC4C
made bed.vrt -of VRT
made bed.img -of HFA
made zstd.tif -co COMPRESS=ZSTD
# cells taken out by a mask beside the file, by a mask of GDAL's own, by an alpha band
mask="-q -a_nodata none -b 1 -mask mask,1 --config GDAL_TIFF_INTERNAL_MASK NO"
# shellcheck disable=SC2086 # several words
gdal_translate $mask -of HFA bed.tif masked.img && [ -f masked.img.msk ] && echo masked.img >>list
# shellcheck disable=SC2086
gdal_translate $mask bed.tif masked.tif && [ -f masked.tif.msk ] && echo masked.tif >>list
gdal_translate -q -of VRT masked.tif masked.vrt && echo masked.vrt >>list
gdalwarp -q -dstalpha -te 500000 4600000 500300 4600400 -ts 30 20 bed.tif alpha.tif
gdal_translate -q -of VRT alpha.tif alpha.vrt && echo alpha.vrt >>list
gdal_translate -q -co COMPRESS=ZSTD alpha.tif alpha_zstd.tif >made.out 2>&1 && echo alpha_zstd.tif >>list
# south up, as no gdal_translate makes it
sed "s/<GeoTransform>.*<\/GeoTransform>/<GeoTransform>500000, 10, 0, 4600000, 0, 20<\/GeoTransform>/" bed.vrt >up.vrt
"$ria" run -q up.lua || fail "rows from south to north"
gdal_translate -q -of VRT -b 1 -b 1 bed.tif two.vrt
echo "vrt://bed.vrt?bands=1" >>list
gdal_translate -q -of netCDF two.vrt two.nc && echo 'NETCDF:"two.nc":Band2' >>list
[ "$(wc -l <list)" -ge 11 ] || fail "GDAL made only $(cat list)"
"$ria" run -q compare.lua || fail "what GDAL reads is another raster"

said=$("$ria" info bottom.nc)
for text in "bottom.nc: a" "30 x 20 cells of 10 x 20 m, x 500000 .. 500300, y 4.6e+06 .. 4.6004e+06" "values    0 .. 24"; do
  echo "$said" | grep -qF "$text" || fail "ria info: expected '$text' in: $said"
done
refused '"two.vrt"' "two.vrt: it has 2 bands, and one is read: name it, 'vrt://two.vrt?bands=1'"
said=$("$ria" info 'vrt://alpha.tif?bands=1,2' 2>&1)
echo "$said" | grep -qF "values    0 .. 24, 70 of 600 cells without data" || fail "ria info vrt://: $said"
said=$("$ria" info 'vrt://nothing.tif?bands=1' 2>&1) && fail "ria info vrt://nothing.tif: $said"
gdal_translate -q -of VRT -b 1 -b 1 -b 2 alpha.tif three.vrt
refused '"three.vrt"' "three.vrt: it has 3 bands, and one is read, with an alpha band: name it, 'vrt://three.vrt?bands=1,3'"
refused '"two.nc"' "two.nc: it has 2 rasters: read one by its name, 'NETCDF:\"two.nc\":Band1', 'NETCDF:\"two.nc\":Band2'"
sed 's|<GeoTransform>.*</GeoTransform>|<GeoTransform>0, 1, 0.5, 0, 0.25, -1</GeoTransform>|' bed.vrt >askew.vrt
refused '"askew.vrt"' "askew.vrt: its rows and columns are not at right angles; gdalwarp -r bilinear askew.vrt out.tif makes one that is read"
sed '/<GeoTransform>/d' bed.vrt >nowhere.vrt
refused '"nowhere.vrt"' "nowhere.vrt: it does not say where its cells lie; gdal_translate -a_ullr WEST NORTH EAST SOUTH nowhere.vrt out.tif"
exit $failed
