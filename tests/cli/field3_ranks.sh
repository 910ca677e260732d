#!/bin/sh
# Fields of three dimensions by ranks of MPI, each with some planes: all that a script can ask is that of one process.
#   field3_ranks.sh PROGRAM SOURCE BUILD
ria=$1
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"

scratch
cat >field3.lua <<'LUA'
local ria = require "ria"
local p = ria.params { nz = 13 }
local function show(...) print(string.format(("%.17g "):rep(select("#", ...)), ...)) end
for _, ends in ipairs { false, true, { z = true }, { x = true } } do
  for _, precision in ipairs { "single", "double" } do
    local f = ria.field3 { nx = 11, ny = 10, nz = p.nz, lx = 1, ly = 1.1, lz = 1.3, periodic = ends, precision = precision,
      init = function(x, y, z) return math.sin(7 * x) * math.exp(y) + z ^ 3 + math.random() end }
    for order = 2, 8, 2 do
      local d = f:gradient { order = order }
      local g = (2 * d[3] - f:laplacian { order = order }) * d[1] + d[2]:derivative("z", { order = order })
      for _, h in ipairs { f, d[1], d[2], d[3], g, g:copy():derivative("z", { order = order }) } do
        show(h:min(), h:max(), h:sum(), h:mean(), h:rms(), h:get(0, 0, 0), h:get(10, 9, p.nz - 1), h:get(4, 5, 6))
      end
      for _, slice in ipairs { g:slice { x = 0.35 }, g:slice { z = 0.3 } } do
        for k = 0, 9 do show(slice:get(k, k % slice.ny)) end
      end
    end
  end
end
LUA
for nz in 13 10; do
  "$ria" run -q field3.lua nz=$nz --out out --overwrite --device cpu --threads 1 >whole.said || fail "nz=$nz: $(cat whole.said)"
  [ "$(grep -c . whole.said)" = 832 ] || fail "nz=$nz prints $(grep -c . whole.said) lines"
  list='2 3'
  case "$RIA_TEST_SHORT$SANITIZE$nz" in 13) list='2 5 11' ;; 10) list='3 10 11' ;; esac
  for n in $list; do
    ranks "$n" run -q field3.lua nz=$nz --out out --overwrite --device cpu --threads 1 >cut.said 2>&1 || fail "nz=$nz by $n ranks: exit code $?: $(head -3 cut.said)"
    cmp -s whole.said cut.said || fail "nz=$nz by $n ranks: $(diff whole.said cut.said | head -4)"
  done
done

# ranks whose calls differ are told of both lines, and none waits for ever
cat >parted.lua <<'LUA'
local ria = require "ria"
local rank = tonumber(os.getenv "OMPI_COMM_WORLD_RANK" or 0)
local p = ria.params { what = "" }
local here = rank == 1
local f = ria.field3 { nx = 11, ny = 10, nz = 13, dx = 1, init = function(x) return p.what == "init" and rank or x end }
if p.what == "place" then f:get(0, 0, here and 12 or 0) end
if p.what == "kind" and here then f:sum() end
if p.what == "kind" then f:get(0, 0, 0) end
if p.what == "alone" and here then f:sum() end
if p.what == "value" then f:set(here and 1 or 2) end
if p.what == "map" then f = f:map(function(v) return v + rank end) end
f:max()
LUA
# parts_at TEXT WHAT: three ranks say so, and end
parts_at() {
  said=$(timeout 60 mpirun -q --oversubscribe -n 3 "$ria" run -q parted.lua what="$2" --device cpu --threads 1 2>&1)
  code=$?
  [ $code -eq 1 ] || fail "what=$2: exit code $code, not 1"
  [ "$said" = "$1: every rank makes the same calls, in the same order, with the same values" ] || fail "what=$2: '$said'"
}
differ='the ranks do not do the same: rank 0: parted.lua'
parts_at "parted.lua:6: field3:get: $differ:6: field3:get; rank 1: parted.lua:6: field3:get, with other values" place
parts_at "parted.lua:8: field3:get: $differ:8: field3:get; rank 1: parted.lua:7: field3:sum" kind
parts_at "parted.lua:12: field3:stats: $differ:12: field3:max; rank 1: parted.lua:9: field3:sum" alone
parts_at "parted.lua:12: field3:stats: $differ:5: ria.field3; rank 1: parted.lua:5: ria.field3, with other values of a field" init
parts_at "parted.lua:12: field3:stats: $differ:10: field3:set; rank 1: parted.lua:10: field3:set, with other values" value
parts_at "parted.lua:12: field3:stats: $differ:12: field3:max; rank 1: parted.lua:12: field3:max, with other values of a field" map
exit $failed
