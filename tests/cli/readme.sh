#!/bin/sh
# README.md works as printed: its scenario runs, its program in C builds and runs.
#   readme.sh PROGRAM SOURCE BUILD      (CC, SANITIZE from the environment)
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

# block LANGUAGE: the first block of it in README.md
block() { awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ && on { exit } on' "$source/README.md"; }

scratch
block lua >first.lua
block c >first.c
[ -s first.lua ] && [ -s first.c ] || { echo "README.md has no scenario or no program"; exit 1; }

"$ria" run first.lua --overwrite >stdout 2>stderr || fail "the scenario fails: $(cat stderr)"
grep -q "high water at" stdout || fail "its event did not fire"
for made in frames/dye/dye_000048.png fields.zarr/dye/0.0.0 gauges.csv maxima.zarr/level/0.0 run.json; do
  [ -s "out/first/$made" ] || fail "the scenario made no $made"
done
[ "$(wc -l <out/first/gauges.csv)" = 1442 ] || fail "not a row a minute in gauges.csv"

# the numbers in its comments are those of the list below it
numbers=$(grep -o -- '-- [0-9]*$' first.lua | tr -dc '0-9\n')
[ "$numbers" = "$(seq 15)" ] || fail "numbers in the scenario: $numbers"
for n in $numbers; do
  grep -q "^$n\. " "$source/README.md" || fail "the scenario's $n is not explained"
done

if $CC ${SANITIZE:+"-fsanitize=$SANITIZE"} -Wall -Wextra -Werror -o first first.c "-I$source/engine/include" \
  "-L$build" -lria "-Wl,-rpath,$build"; then
  ./first || fail "the program in C fails"
  [ "$(find flood/frames/level -name '*.png' | wc -l)" = 13 ] || fail "the program in C made no frames"
else
  fail "the program in C does not build"
fi

exit $failed
