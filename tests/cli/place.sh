#!/bin/sh
# Plain frames lie where they should in a GIS: what GDAL reads of the files beside them.
#   place.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >bay.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 80, ny = 60, dx = 5, x0 = 512340, y0 = 4690120 }, crs = "EPSG:25829", bed = -2,
  init = { level = 0 } }
sim:at(0, ria.frame { field = "level", plain = true, width = 160 })
sim:at(0, ria.frame { field = "depth", plain = true, width = 160, world_file = false })
sim:run(1)
LUA
"$ria" run -q bay.lua || fail "bay.lua fails"
[ "$(cat out/bay/frames/level/level_000000.pgw)" = "2.5
0
0
-2.5
512341.25
4690418.75" ] || fail "level_000000.pgw says $(cat out/bay/frames/level/level_000000.pgw)"
[ "$(ls out/bay/frames/depth)" = depth_000000.png ] || fail "world_file = false leaves $(ls out/bay/frames/depth)"
"$ria" info out/bay | grep -qF "frames/depth (1), frames/level (1)" || fail "ria info counts $("$ria" info out/bay)"

sed 's/plain = true, width = 160 /world_file = true /' bay.lua >margins.lua
said=$("$ria" check margins.lua 2>&1)
[ "$said" = "margins.lua:4: ria.frame: world_file goes with plain = true: the pixels of other pictures are not all map" ] ||
  fail "world_file without plain says $said"

if command -v gdalinfo >/dev/null; then
  said=$(gdalinfo out/bay/frames/level/level_000000.png)
  for text in "Origin = (512340.000000000000000,4690420.000000000000000)" \
    "Pixel Size = (2.500000000000000,-2.500000000000000)" 'PROJCRS["ETRS89 / UTM zone 29N"'; do
    echo "$said" | grep -qF "$text" || fail "gdalinfo: expected '$text' in: $said"
  done
fi

exit $failed
