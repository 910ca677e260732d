#!/bin/sh
# sim:fit: maps and stores of a grid in parts, whose cuts move, and in ranks are those of the whole, to the bit.
#   fit.sh PROGRAM SOURCE BUILD
ria=$1
# shellcheck disable=SC2034 # of ranks.sh
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
shell=$(absolute "$(dirname "$0")/shell")

scratch
cat >bay.lua <<'LUA'
local ria = require "ria"
local p = ria.params { solver = "shallow_water", precision = "double" }
local sim = ria.sim { grid = { nx = 30, ny = 40, dx = 400 }, solver = p.solver, precision = p.precision,
  init = { level = 0 }, start = "2026-07-15", tracers = { "dye" },
  bed = function(x, y) return -7 + 0.0005 * y + 8 * math.exp(-((x - 6e3) ^ 2 + (y - 9e3) ^ 2) / 2e6) end,
  boundary = { south = { level = ria.tide { M2 = { 0.5, 40 }, M4 = { 0.1, 90 }, ramp = "2 h" } } } }
sim:fit { "M2", "M4", from = "6 h", every = "8 min" }
sim:fit { "M4", field = "speed", every = "5 min" }
sim:every("5 h", ria.frame { field = "level_M2_amplitude", phase = "level_M2_phase", phase_step = 5 })
sim:every("10 h", ria.save { "speed_M4_phase", "level", "level_M2_amplitude", name = "maps" })
sim:run "20 h"
for _, name in ipairs { "level_M2_amplitude", "level_M4_phase", "level_Z0", "speed_M4_amplitude" } do
  local field, n = sim:field(name), 0
  for j = 0, 39 do
    for i = 0, 29 do
      local v = field:get(i, j)
      if v == v then n = n + 1 end
      print(("%s %a"):format(name, v))
    end
  end
  assert(n > 600 and n <= 1200, name .. n)
end
LUA

# leaves DIR COMMAND...: the maps printed, and the store
leaves() {
  dir=$1
  shift
  "$@" --device cpu --out "$dir" --overwrite | grep '^level_\|^speed_' >"$dir.txt" || fail "$*: no maps"
  [ -d "$dir/tides.zarr/level_M2_phase" ] || fail "$*: no store"
  [ -f "$dir/frames/level_M2_amplitude/level_M2_amplitude_000004.png" ] || fail "$*: no frames"
  cmp "$dir/tides.zarr/level_M2_amplitude/0.0" "$dir/maps.zarr/level_M2_amplitude/2.0.0" || fail "$*: saves"
  [ -f "$dir/maps.zarr/speed_M4_phase/1.0.0" ] || fail "$*: nothing saved in mid-run"
}
same() {
  cmp -s whole.txt "$1.txt" || fail "maps differ: $2"
  for what in tides.zarr maps.zarr frames; do
    diff -r "whole/$what" "$1/$what" >said.txt 2>&1 || fail "$what differ: $2: $(head -3 said.txt)"
  done
}

for how in "solver=shallow_water" "solver=shallow_water precision=single" "solver=adi"; do
  # shellcheck disable=SC2086
  leaves whole "$ria" run bay.lua $how
  # shellcheck disable=SC2086
  leaves parts "$ria" run bay.lua $how --parts 3 --threads 1
  same parts "$how in 3 parts"
done

# from here on with ranks, or not at all
[ $failed = 0 ] || exit $failed
# shellcheck source=tests/cli/shell/ranks.sh
. "$shell/ranks.sh"
for how in "solver=shallow_water" "solver=adi precision=single"; do
  # shellcheck disable=SC2086
  leaves whole "$ria" run bay.lua $how
  # shellcheck disable=SC2086
  leaves ranks ranks 3 run bay.lua $how --parts 5 --threads 1
  same ranks "$how in 3 ranks"
done
exit $failed
