#!/bin/sh
# The page of a run in a headless Chromium: each control, from the disk and served by ria view; that of two runs.
# RIA_PAGE_PICTURES=DIR keeps pictures of it, to be looked at.
#   browser.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/chromium.sh
. "$(dirname "$0")/shell/chromium.sh"
scratch
cp "$source/tests/cli/page/hostile.lua" .
"$ria" run hostile.lua --quiet --device cpu --out ok >said 2>&1 || fail "the run: $(cat said)"
"$ria" run hostile.lua --quiet --device cpu --out bad fail=yes >said 2>&1 && fail "the run did not fail"
# on a turned grid, on a map
cat >turned.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 24, ny = 16, dx = 50, dy = 25, x0 = 512000, y0 = 4690000, angle = 30 }, crs = "EPSG:25829",
  bed = -4, init = { level = 0, u = 0.5, v = 0.2 }, boundary = { north = "open", east = ria.tide { M2 = { 0.5, 60 } },
  south = { kind = "rating", curve = { { 0, -1 }, { 40, 2 } } }, west = { kind = "level", level = { { 0, 0 }, { 60, 0.1 }, { 120, 0.3 } } } } }
sim:every("1 min", ria.save { "level", "u", "v" })
sim:gauge { name = "pier", x = 512321, y = 4690456, every = "1 min" }
sim:section { name = "mouth", line = { { 512200, 4690300 }, { 512400, 4690500 } }, every = "1 min" }
sim:run "2 min"
LUA
"$ria" run turned.lua --quiet --device cpu --out turned >said 2>&1 || fail "the run on a turned grid: $(cat said)"
python3 "$source/tests/cli/page/browser.py" "$ria" $browser || failed=1

# two runs compared: one that was given something else, one of other cells and times
sed -e 's/"open" }/"wall" }/' -e 's/250 kg/300 kg/' -e 's/  tracers = /  params = { manning = 0.03 },\n&/' -e 's/0.4 \*/0.35 */' hostile.lua >other.lua
sed -e 's/nx = 24, ny = 16, dx = 50/nx = 48, ny = 32, dx = 25/' -e 's/"10 min", ria.save/"15 min", ria.save/' hostile.lua >fine.lua
"$ria" run other.lua note=abc --quiet --device cpu --out other >said 2>&1 || fail "the other run: $(cat said)"
"$ria" run fine.lua --quiet --device cpu --out fine >said 2>&1 || fail "the run of finer cells: $(cat said)"
sed -e 's/00:00"/00:10"/' -e 's/"level", "dye", "u"/"level", "u"/' hostile.lua >later.lua
sed -e '/ria.save/d' -e '/maxima = /d' hostile.lua >bare.lua
for run in later bare; do
  "$ria" run $run.lua --quiet --device cpu --out $run >said 2>&1 || fail "the run $run: $(cat said)"
done
python3 "$source/tests/cli/page/compare.py" "$ria" $browser || failed=1

exit $failed
