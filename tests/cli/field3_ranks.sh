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
  [ -n "$RIA_TEST_SHORT$SANITIZE" ] || list='2 3 5 10 11'
  for n in $list; do
    ranks "$n" run -q field3.lua nz=$nz --out out --overwrite --device cpu --threads 1 >cut.said 2>&1 || fail "nz=$nz by $n ranks: exit code $?: $(head -3 cut.said)"
    cmp -s whole.said cut.said || fail "nz=$nz by $n ranks: $(diff whole.said cut.said | head -4)"
  done
done

exit $failed
