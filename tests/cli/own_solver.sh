#!/bin/sh
# examples/own_solver: built outside the tree against an installed ria, loaded by `require`, used by its names.
#   own_solver.sh PROGRAM SOURCE BUILD      (CC, CMAKE, SANITIZE from the environment)
source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# A module that is not sanitised has no place in a sanitised program.
[ -z "$SANITIZE" ] || exit 77

scratch
"$CMAKE" --install "$build" --prefix "$PWD/installed" >log 2>&1 || { cat log; exit 1; }
generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt") # the one that is there
# Lua and what else the build found, where it found it: that may be no place of the system's.
grep -E '^(LUA|PNG|ZLIB)_[A-Z_]*:[A-Z]*=/' "$build/CMakeCache.txt" | sed 's/^\([A-Z_]*\):[A-Z]*=\(.*\)$/set(\1 "\2" CACHE PATH "")/' >found.cmake
{
  "$CMAKE" -C found.cmake -S "$source/examples/own_solver" -B module -G "$generator" "-DCMAKE_PREFIX_PATH=$PWD/installed" \
    "-DCMAKE_C_COMPILER=$CC" && "$CMAKE" --build module
} >log 2>&1 || { cat log; fail "examples/own_solver is not built"; exit 1; }

# what is registered outlives the Lua state: the module is not unloaded with it
command -v readelf >/dev/null && { readelf -d module/waves.so | grep -q NODELETE || fail "waves.so is unloaded when Lua closes"; }

export LUA_CPATH="$PWD/module/?.so"
installed/bin/ria run "$source/examples/own_solver/shelf.lua" --out results --device cpu >log 2>&1 || { cat log; fail "shelf.lua fails"; }
grep -q "A long wave over a shelf: waves, 200 x 60 cells" log || fail "it is not the solver 'waves'"
# the wave's two halves run apart: the eastern one reaches the shelf, by Green's law higher than half of it: 0.69 m
awk -F, 'NR > 1 && $2 > most { most = $2 } END { print most; exit !(most > 0.65 && most < 0.75) }' results/gauges.csv ||
  fail "the crest at the gauge is not between 0.65 and 0.75 m"
awk -F, 'NR > 1 { r = $NF / $2 } END { exit !(r < 1e-12 && r > -1e-12) }' results/budget.csv || fail "the budget does not close"
[ "$(find results/frames -name '*.png' | wc -l)" = 7 ] || fail "there are not 7 pictures"

# names are known, and misspelt ones are
cat >wrong.lua <<'LUA'
local ria = require "ria"
require "waves"
require "waves"
ria.sim { solver = "wave", grid = { nx = 4, ny = 4, dx = 1 }, bed = -1 }
LUA
if installed/bin/ria run wrong.lua --device cpu >log 2>&1; then fail "solver 'wave' is known"; fi
grep -q "unknown solver 'wave': did you mean 'waves'?" log || { cat log; fail "the nearest name is not told"; }
sed 's/"wave"/"waves", params = { gravty = 1 }/' wrong.lua >worse.lua
if installed/bin/ria run worse.lua --device cpu >log 2>&1; then fail "parameter 'gravty' is known"; fi
grep -q "gravity" log || { cat log; fail "the nearest parameter is not told"; }

exit $failed
