#!/bin/sh
# Pages of four scenarios in a headless Chromium, from the disk and served: controls, a quiet console, and
# colours of the field viewer as in the pictures that the engine drew. RIA_TEST_LONG=1: of eight, one of the
# solver "sediment", two of solver=adi; RIA_PAGE_PICTURES=DIR keeps pictures.
#   browser_scenarios.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/chromium.sh
. "$(dirname "$0")/shell/chromium.sh"
scratch

# scenario NAME FIELD RANGE EVERY WIDTH ARGUMENT...: its results in NAME, with pictures "seen" of the field and a
# store at the same times. WIDTH: five pixels a cell, and a height that is even, so that cells have a pixel in their middle
scenario() {
  name=$1 lines="sim:every($4, ria.frame { name = \"seen\", field = \"$2\", map = \"viridis\", range = { $3 }, plain = true, thinnest = 0, width = $5 })
sim:every($4, ria.save { \"$2\", name = \"seen\" })"
  awk -v lines="$lines" '/^sim:run/ { print lines } { print }' "$source/scenarios/$name.lua" >"$name.lua"
  shift 5
  "$ria" run "$name.lua" "$@" --quiet --device cpu --out "$name" >said 2>&1 || fail "$name: $(cat said)"
  names="$names $name"
}
names=
scenario bay level "-1, 2" 5400 160 cells=32 days=0.2
scenario ria_spill level "-0.5, 1.5" 3600 200 grid=40 days=0.15
scenario town level "0.5, 3" 10 200 dx=20 time=40
scenario heat u "10, 60" 60 200 grid=40 "time=4 min" # of the solver "diffusion"
if [ -n "$RIA_TEST_LONG" ]; then
  scenario tidal_channel level "-1, 1.5" 3600 300 cells=60 days=0.2
  scenario storm level "-0.5, 0.5" 3600 240 cells=48 hours=6
  scenario basin level "-0.4, 0.6" 20 384
  scenario delta sand "0, 1" p.time/4 200 cells=40 time=2000
fi
# shellcheck disable=SC2086 # words
python3 "$source/tests/cli/page/scenes.py" "$ria" $browser $names || failed=1

exit $failed
