#!/bin/sh
# A turned grid lies where it should for others: world files, GeoTIFF and stores, by GDAL; what
# `ria info` and the run say of it; a turned raster of GDAL's is read.
#   angle.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >bay.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 80, ny = 60, dx = 5, x0 = 512340, y0 = 4690120, angle = 30 }, crs = "EPSG:25829",
  bed = function(x, y) return -5 + (x - 512340) / 400 + (y - 4690120) / 900 end, init = { level = 0 } }
sim:at(0, ria.frame { field = "level", plain = true, width = 160 })
sim:at(0, ria.frame { field = "bed" })
sim:at(0, ria.save { "bed", "u", "u_east" })
sim:run(1)
sim:field "bed":write "bed.tif"
sim:field "bed":write { "colours.tif", map = "deep" }
LUA
"$ria" run bay.lua >said 2>&1 || fail "bay.lua fails: $(cat said)"
grep -qF "80 x 60 cells of 5 m turned by 30 deg, double precision" said || fail "the summary says $(cat said)"

# The corner of cell (0, 0) is (512340, 4690120); 400 m along x, 300 m along y.
awk 'BEGIN { split("2.16506350946 1.25 1.25 -2.16506350946 512191.707531755 4690379.350089381", is) }
  { d = $1 - is[NR]; if (d > 1e-6 || d < -1e-6) exit 1 } END { exit NR != 6 }' out/bay/frames/level/level_000000.pgw ||
  fail "level_000000.pgw says $(cat out/bay/frames/level/level_000000.pgw)"
grep -aq "ria:angle" out/bay/frames/bed/bed_000000.png || fail "the picture does not tell its angle"

# --- GDAL -----------------------------------------------------------------------------------------

# place FILE COLUMN ROW X Y: where that place of a picture lies, in columns and rows from the north-west
place() {
  said=$(echo "$2 $3" | gdaltransform -output_xy "$1")
  echo "$said $4 $5" | awk '{ exit !($1 - $3 < 1e-6 && $3 - $1 < 1e-6 && $2 - $4 < 1e-6 && $4 - $2 < 1e-6) }' ||
    fail "gdaltransform $1: $2 $3 lies at $said, not at $4 $5"
}
if command -v gdaltransform >/dev/null && command -v gdalinfo >/dev/null; then
  for file in bed.tif colours.tif; do
    place $file 0 60 512340 4690120                             # corner
    place $file 10.5 49.5 512359.2163337 4690191.7163337      # centre of cell (10, 10)
    place $file 80 60 512686.41016151 4690320                   # along x
    place $file 0 0 512190 4690379.80762114                     # along y
  done
  place out/bay/frames/level/level_000000.png 0 120 512340 4690120
  place out/bay/frames/level/level_000000.png 21 99 512359.2163337 4690191.7163337
  place out/bay/frames/level/level_000000.png 160 0 512536.41016151 4690579.80762114
  gdalinfo bed.tif | grep -qF 'ID["EPSG",25829]' || fail "gdalinfo bed.tif: no crs"
  said=$(gdallocationinfo -valonly -geoloc bed.tif 512359.2163337 4690191.7163337)
  echo "$said" | awk '{ d = $1 - (-5 + 19.2163337 / 400 + 71.7163337 / 900); exit !(d < 1e-6 && d > -1e-6) }' ||
    fail "the centre of cell (10, 10) has $said"
  # what GDAL says of the store puts it nowhere, rather than beside its place
  said=$(gdalinfo 'ZARR:"out/bay/fields.zarr":/bed' 2>&1)
  if echo "$said" | grep -q "^Driver: Zarr"; then
    echo "$said" | grep -q "PROJCRS" && fail "the store of a turned grid has a crs for GDAL: $said"
    echo "$said" | grep -qE "^(Origin = \(0\.0|Upper Left  \( *0\.0)" || fail "the store's corner: $said"
  fi
  # a raster that GDAL has turned
  gdal_translate -q -of VRT -a_srs EPSG:25829 bed.tif bed.vrt && gdal_translate -q -of HFA bed.vrt bed.img
  cat >read.lua <<'LUA'
local ria = require "ria"
local a = ria.dem "bed.tif"
for _, name in ipairs { "bed.vrt", "bed.img" } do
  local b = ria.dem(name)
  assert(b.nx == 80 and b.ny == 60 and b.dx == 5 and b.dy == 5 and b.x0 == 512340 and b.y0 == 4690120, name)
  assert(b.angle == 30 and b:get(7, 3) == a:get(7, 3) and b:get(79, 0) == a:get(79, 0), name)
end
LUA
  "$ria" run -q read.lua || fail "turned rasters of GDAL are read wrong"
fi

# --- what is told ---------------------------------------------------------------------------------

attributes=$(tr -d '\n' <out/bay/fields.zarr/.zattrs)
for text in '"grid_angle": 30' '"affine": [512340, 0.8660254037844' '4690120, 0.49999999999999'; do
  echo "$attributes" | grep -qF "$text" || fail "the store lacks $text: $attributes"
done
grep -q '"standard_name": "sea_water_x_velocity"' out/bay/fields.zarr/u/.zattrs || fail "u of the store is said to go east"
grep -q '"standard_name": "eastward_sea_water_velocity"' out/bay/fields.zarr/u_east/.zattrs || fail "u_east of the store"
grep -q '"_CRS"' out/bay/fields.zarr/u/.zattrs && fail "the store of a turned grid is placed by x and y alone"
grep -q '"angle": 30' out/bay/run.json || fail "run.json lacks the angle"
tr -d ' \n' <out/bay/run.json | grep -qF '"affine":[512340,4.33012701892219' || fail "run.json lacks the affine"
corners="corners (512340, 4690120), (512686.4102, 4690320), (512536.4102, 4690579.808), (512190, 4690379.808)"
for file in bay.lua bed.tif; do
  said=$("$ria" info --picture info.png $file)
  for text in "80 x 60 cells of 5 x 5 m, turned by 30 deg about (512340, 4690120)" "$corners"; do
    echo "$said" | grep -qF "$text" || fail "ria info $file: expected '$text' in: $said"
  done
  grep -aq "ria:angle" info.png || fail "the picture of ria info does not tell the angle"
done
"$ria" help ria.sim.grid | grep -q "counter-clockwise" || fail "ria help ria.sim.grid lacks the angle"
"$ria" help ria.dem | grep -q "counter-clockwise" || fail "ria help ria.dem lacks the angle"
exit $failed
