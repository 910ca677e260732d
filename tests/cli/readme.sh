#!/bin/sh
# README.md works as printed: its scenario runs. (Its programs in C are those of docs/manual: manual.sh.)
#   readme.sh PROGRAM SOURCE
ria=$1 source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
awk '$0 == "```lua" { on = 1; next } /^```/ && on { exit } on' "$source/README.md" >first.lua
[ -s first.lua ] || { echo "README.md has no scenario"; exit 1; }

"$ria" run first.lua --overwrite >stdout 2>stderr || fail "the scenario fails: $(cat stderr)"
grep -q "high water at" stdout || fail "its event did not fire"
for made in frames/dye/dye_000048.png fields.zarr/dye/0.0.0 gauges.csv maxima.zarr/level/0.0 run.json; do
  [ -s "out/first/$made" ] || fail "the scenario made no $made"
done
[ "$(wc -l <out/first/gauges.csv)" = 1442 ] || fail "not a row a minute in gauges.csv"

exit $failed
