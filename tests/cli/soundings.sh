#!/bin/sh
# Scattered points in triangles, as gdal_grid (by qhull) has them; ria info on files of points.
#   soundings.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
printf '5 5 1\n15 5 2\n5 15 3\n15 15 4\n' >lattice.xyz
said=$("$ria" info lattice.xyz) || fail "ria info lattice.xyz: $said"
for text in "2 x 2 cells of 10 x 10 m, x 0 .. 20, y 0 .. 20" "values    1 .. 4, 0 of 4 cells without data"; do
  echo "$said" | grep -qF "$text" || fail "ria info: expected '$text' in: $said"
done
printf '0 0 1\n1 0 1\n5.3 7 1\n' >wild.xyz
said=$("$ria" info wild.xyz 2>&1)
[ $? = 3 ] || fail "ria info wild.xyz does not exit with 3"
[ "$said" = 'wild.xyz: its 3 points are not the cells of a raster; ria.soundings { "wild.xyz", dx = ... } makes cells of them' ] ||
  fail "ria info wild.xyz: $said"
[ $failed = 0 ] || exit 1

command -v gdal_grid >/dev/null || { echo "skipped: no gdal_grid" && exit 77; }
awk 'BEGIN {
  srand(7)
  print "x,y,z"
  for (k = 0; k < 400; k++) printf "%.3f,%.3f,%.3f\n", 1000 * rand(), 1000 * rand(), 50 * rand()
}' >points.csv
cat >points.vrt <<'XML'
<OGRVRTDataSource><OGRVRTLayer name="points"><SrcDataSource>points.csv</SrcDataSource>
<GeometryType>wkbPoint</GeometryType><GeometryField encoding="PointFromColumns" x="x" y="y" z="z"/>
</OGRVRTLayer></OGRVRTDataSource>
XML
gdal_grid -q -a linear:radius=0:nodata=-9999 -txe 0 1000 -tye 1000 0 -outsize 100 50 -ot Float64 -l points \
  points.vrt grid.tif >said 2>&1 || { echo "skipped: $(cat said)" && exit 77; }
cat >compare.lua <<'LUA'
local ria = require "ria"
local theirs = ria.dem "grid.tif"
local ours = ria.soundings { "points.csv", dx = 10, dy = 20, box = { 0, 0, 1000, 1000 }, gridding = "triangles" }
local worst, rim = 0, 0
for j = 0, 49 do
  for i = 0, 99 do
    local v, w = ours:get(i, j), theirs:get(i, j)
    if (v == v) ~= (w == w) then rim = rim + 1 elseif v == v then worst = math.max(worst, math.abs(v - w)) end
  end
end
assert(ours:count() > 4500 and rim == 0, ("%d cells, %d by one of both alone"):format(ours:count(), rim))
assert(worst < 1e-6, worst)
LUA
"$ria" run -q compare.lua || fail "other triangles than gdal_grid's"
exit $failed
