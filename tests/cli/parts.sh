#!/bin/sh
# --parts: scenarios leave the same files, byte for byte, whether the grid is whole or cut; what cannot be cut says so.
#   parts.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch

# leaves DIR ARGUMENT...: what a run leaves in DIR, but for what it says of itself
leaves() {
  dir=$1
  shift
  "$ria" run -q "$@" --device cpu --out "$dir" >said || fail "$* --out $dir: exit code $?"
  rm -f "$dir/run.json"
}
# same N SCRIPT ARGUMENT...: in N parts as in one
same() {
  n=$1 script=$2
  shift 2
  leaves whole "$source/scenarios/$script.lua" "$@"
  leaves cut "$source/scenarios/$script.lua" "$@" --parts "$n"
  [ -n "$(ls whole)" ] || fail "$script leaves nothing"
  diff -r whole cut >said 2>&1 || fail "$script $* in $n parts: $(head -3 said)"
  rm -r whole cut
}
same 3 ria_spill grid=40 days=0.05
same 2 delta cells=40 time=5000
same 3 storm solver=shallow_water --until 2h
same 3 heat --until 2s
same 5 dam_break
same 3 lake_at_rest --until 300s
same 4 tank --threads 2
same 2 heat --until 2s --threads 2
same 2 delta cells=140 time=1000 --threads 2
same 3 thacker --until 5s
same 4 ria_spill solver=adi grid=40 days=0.05
same 3 basin --until 60s
same 2 tidal_channel --until 2h

cat >small.lua <<'LUA'
local ria = require('ria')
ria.sim { solver = "shallow_water", grid = { nx = 4, ny = 5, dx = 1 }, bed = -1 }:run(1)
LUA
# refuses CODE TEXT ARGUMENT...: TEXT is all that is said
refuses() {
  code=$1 text=$2
  shift 2
  said=$("$ria" run -q small.lua --out out --overwrite "$@" 2>&1)
  [ $? -eq "$code" ] || fail "$*: another exit code than $code"
  [ "$said" = "$text" ] || fail "$*: '$said', not '$text'"
}
refuses 1 "small.lua:2: ria.sim: 6 parts of a grid of 5 rows: each has at least one, so --parts 5 at most (ria_context_desc.parts)" --parts 6
refuses 2 "ria: --parts 0: expected a whole number, 1 .. 4096" --parts 0
refuses 2 "ria: cannot start: device 'cuda:0-3': 4 GPUs have at least 4 parts of a grid, not 2" --device cuda:0-3 --parts 2

# a refusal that was mended leaves no part behind
cat >mended.lua <<'LUA'
local ria = require("ria")
local sim = ria.sim { solver = "diffusion", grid = { nx = 6, ny = 6, dx = 1 }, params = { dt = 1 } }
sim:set("diffusivity", 5)
assert(not pcall(sim.run, sim, 3), "an unstable step runs")
sim:set("diffusivity", 0.1)
sim:run(3)
LUA
for n in 1 2 3; do
  "$ria" run -q mended.lua --out out --overwrite --parts $n >said 2>&1 || fail "mended.lua in $n parts: $(cat said)"
done

# fields of three dimensions are cut along z, all that a script can ask is the same
cat >field3.lua <<'LUA'
local ria = require "ria"
local f = ria.field3 { nx = 11, ny = 10, nz = 13, lx = 1, ly = 1.1, lz = 1.3, periodic = { x = true },
  init = function(x, y, z) return math.sin(7 * x) * math.exp(y) + z ^ 3 end }
local function show(...) print(string.format(("%.17g "):rep(select("#", ...)), ...)) end
local d = f:gradient()
local g = (2 * d[3] - f:laplacian { order = 4 }) * d[1] + d[2]:derivative("z", { order = 6 })
for _, h in ipairs { f, d[1], d[2], d[3], g } do
  show(h:min(), h:max(), h:sum(), h:mean(), h:rms(), h:get(0, 0, 0), h:get(10, 9, 12), h:get(4, 5, 6))
end
local slice = g:slice { x = 0.35 }
for k = 0, 12 do show(slice:get(k % 10, k)) end
LUA
"$ria" run -q field3.lua --out out --overwrite --device cpu >whole.said || fail "field3.lua: $(cat whole.said)"
[ "$(grep -c . whole.said)" = 18 ] || fail "field3.lua prints '$(cat whole.said)'"
for n in 2 5 13 40; do
  "$ria" run -q field3.lua --out out --overwrite --device cpu --parts $n >cut.said || fail "field3.lua in $n parts: exit code $?"
  cmp -s whole.said cut.said || fail "field3.lua in $n parts: $(diff whole.said cut.said | head -3)"
done

# how threads shared the parts is told, and rows by what is wet
cat >coast.lua <<'LUA'
local ria = require("ria")
local bed = function(_, y) return y > 60 and 5 or -5 end
local sim = ria.sim { solver = "shallow_water", grid = { nx = 200, ny = 240, dx = 1 }, bed = bed, init = { level = 0 } }
sim:run(5)
LUA
"$ria" run coast.lua --out coast --device cpu --parts 2 --threads 2 >said 2>&1 || fail "coast.lua in 2 parts: $(cat said)"
grep -Eq '^  parts          2 of 3[0-9] to 20[0-9] rows, cut 2 times, 2 at once: stepping [0-9.]+ m?s, waiting [0-9.]+ m?s$' said ||
  fail "coast.lua: $(grep parts said)"
tr -d ' \n' <coast/run.json | grep -Eq '"parts":\[\{"from_row":0,"rows":3[0-9]\},\{"from_row":3[0-9],"rows":20[0-9]\}\],"cuts":2' ||
  fail "run.json of coast.lua does not tell the cut"

# what was cut is told, and one part is no cut
"$ria" run -q small.lua --out out --overwrite --parts 2 || fail "small.lua in 2 parts"
tr -d ' \n' <out/run.json | grep -q '"parts":\[{"from_row":0,"rows":2},{"from_row":2,"rows":3}\]' ||
  fail "run.json does not tell the cut"
"$ria" run -q small.lua --out out --overwrite --parts 1 || fail "small.lua in 1 part"
grep -q '"parts"' out/run.json && fail "run.json tells of a cut where there is none"
exit $failed
