#!/bin/sh
# A run that begins where an earlier one was: what the summary, run.json and `ria check` say of it,
# and the same bits in parts.
#   from.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >bay.lua <<'LUA'
local ria = require "ria"
local p = ria.params { from = "", n = 20, island = 0, seconds = 60 }
local sim = ria.sim { grid = { nx = p.n, ny = p.n, dx = 800 / p.n }, tracers = { "dye", p.n == 20 and "salt" or "oil" },
  bed = function(x, y) return -3 + p.island * math.exp(-((x - 300) ^ 2 + (y - 300) ^ 2) / 1e4) end,
  init = { level = function(x) return 0.1 * math.sin(x / 100) end, dye = 2 },
  from = p.from ~= "" and p.from or nil }
sim:every("1 min", ria.save { "bed", "depth", "level", "qx", "qy", "dye", p.n == 20 and "salt" or "oil" })
sim:run(p.seconds)
local depth = sim:stats("depth")
print(("%.17g %.17g %.17g"):format(depth.sum, depth.min, depth.max))
LUA
"$ria" run -q bay.lua --out early >said 2>&1 || fail "the earlier run fails: $(cat said)"

"$ria" check --no-forecast bay.lua from=early n=30 island=4 >said 2>&1 || fail "check fails: $(cat said)"
for line in "bay.lua:8: from: warning: .* m^3 of water stood in .* cells whose ground is above its level now: it went to the other cells" \
  "bay.lua:8: from: warning: the level was shifted by 0.* m to keep the volume" \
  "bay.lua:8: from: warning: not in the store: tracer 'oil'" \
  "bay.lua:8: from: warning: left out: 'salt', which this simulation lacks"; do
  grep -q "^$line" said || fail "check does not say '$line' but $(cat said)"
done
"$ria" check --no-forecast bay.lua from=early >said 2>&1 || fail "check fails: $(cat said)"
grep -q warning said && fail "of the same run check warns: $(cat said)"

"$ria" run bay.lua from=early n=30 --out fine >said 2>&1 || fail "the run fails: $(cat said)"
for line in "  from           early/fields.zarr at 1 min: depth, level, qx, qy, dye$" "                 from 20 x 20 cells of 40 x 40 m$" \
  "                 .* m^3 of water; the level was shifted by .* m to keep it$" "  warning        left out: 'salt', which this simulation lacks$"; do
  grep -q "^$line" said || fail "the summary does not say '$line' but $(cat said)"
done
grep -q '"from": "early/fields.zarr at 1 min: depth, level' fine/run.json || fail "run.json does not say where it began"

whole=$("$ria" run -q bay.lua from=early n=30 --out whole 2>&1)
parts=$("$ria" run -q --parts 4 bay.lua from=early n=30 --out parts 2>&1)
[ "$whole" = "$parts" ] || fail "in parts it says $parts, as a whole $whole"

refused() {
  if said=$("$ria" run -q bay.lua "from=$1" --out never 2>&1); then fail "from $1 runs"; fi
  case $said in
  *"bay.lua:6: ria.sim: from: $2"*) ;;
  *) fail "from $1 it says $said" ;;
  esac
}
refused nowhere "nowhere: there is no store: name the results of a run that saved fields"
printf 'ria pieces 1\n and more' >saved.checkpoint
refused saved.checkpoint "saved.checkpoint is a checkpoint, which only the run that wrote it goes on from"
cp -r early damaged
printf 'x' >damaged/fields.zarr/depth/1.0.0
refused damaged "store damaged/fields.zarr: depth/1.0.0: the chunk is damaged, or of another size"
rm damaged/fields.zarr/qx/1.0.0
cp early/fields.zarr/depth/1.0.0 damaged/fields.zarr/depth/1.0.0
refused damaged "store damaged/fields.zarr: frame 1 has no 'qx' where it has 'depth': a chunk is missing"
rm damaged/fields.zarr/depth/1.0.0
refused damaged "store damaged/fields.zarr has no values within this grid"
[ ! -e never ] || fail "a run that is refused leaves results"
exit $failed
