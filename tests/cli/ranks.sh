#!/bin/sh
# Ranks of MPI: scenarios leave the same files, byte for byte, and scripts get the same answers, by one process or by
# several; what cannot be stepped by several says so once.
#   ranks.sh PROGRAM SOURCE BUILD
#
#   RIA_TEST_DEVICE   "cpu" (default); "cuda", "cuda:0,1": a GPU a rank, against as many parts in one process on the first
#   RIA_TEST_RANKS    numbers of ranks, a list, in place of those that each case names
ria=$1
source=$2
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"

device=${RIA_TEST_DEVICE:-cpu} first=cpu
case $device in
cuda*)
  first=cuda
  "$ria" info | grep -q ' cuda:0 ' || { echo "skipped: there is no GPU"; exit 77; }
  ;;
esac

scratch

# whole ARGUMENT...: what one process leaves in whole/, and prints
whole() {
  rm -rf whole
  RIA_MPI=none "$ria" run -q "$@" --device $first --threads 1 --out whole >whole.said 2>&1 || fail "$*: exit code $?: $(cat whole.said)"
  rm -f whole/run.json
}
# cut_alike N ARGUMENT...: `whole` with as many parts, unless they are asked for: on GPUs the last digits of sums of
# sources and of decay show the cuts
cut_alike() {
  n=$1
  shift
  case "$*" in
  *--parts*) whole "$@" ;;
  *) whole "$@" --parts "$n" ;;
  esac
}
# same N ARGUMENT...: as `whole` with the same arguments, by N ranks
same() {
  n=$1
  shift
  rm -rf cut
  [ $first = cpu ] || cut_alike "$n" "$@"
  ranks "$n" run -q "$@" --device "$device" --threads 1 --out cut >cut.said 2>&1 || fail "$* by $n ranks: exit code $?: $(cat cut.said)"
  [ "$n" = 1 ] || grep -q "\"ranks\": $n," cut/run.json || fail "$* by $n ranks: run.json does not say so"
  if [ $first = cuda ] && [ "$n" != 1 ]; then
    [ "$(sed -n '/"devices"/,/]/p' cut/run.json | grep -c '"cuda:[0-9]*"')" = "$n" ] || fail "$* by $n ranks: run.json does not have their devices"
  fi
  rm -f cut/run.json
  diff -r whole cut >said 2>&1 || fail "$* by $n ranks: $(head -3 said)"
  cmp -s whole.said cut.said || fail "$* by $n ranks prints '$(head -3 cut.said)', not '$(head -3 whole.said)'"
}
# all SHORT SCRIPT ARGUMENT...: with so many ranks (a list), in the long form with 2, 3 and 4 beside them
all() {
  list=$1
  shift
  [ -n "$RIA_TEST_SHORT$SANITIZE" ] || list=$(printf '%s\n' $list 2 3 4 | sort -u)
  [ -z "$RIA_TEST_RANKS" ] || list=$RIA_TEST_RANKS
  whole "$@"
  [ -n "$(ls whole)" ] || fail "$* leaves nothing"
  for n in $list; do same "$n" "$@"; done
}

s=$source/scenarios
all '3' "$s/ria_spill.lua" grid=40 days=0.03
all '2' "$s/delta.lua" cells=40 time=3000
all '4' "$s/storm.lua" solver=shallow_water --until 1h
all '3' "$s/heat.lua" --until 1s
all '3' "$s/ria_spill.lua" solver=adi grid=40 days=0.02
all '2' "$s/dam_break.lua"
all '3' "$s/lake_at_rest.lua" --until 300s
all '4' "$s/tank.lua" --until 0.1s
all '7' "$s/thacker.lua" --until 1s

# all that a script can ask, at each of its turns: printed by one rank, the same on all
cat >answers.lua <<'LUA'
local ria = require "ria"
local p = ria.params { solver = "shallow_water", ny = 11 }
local water = p.solver == "shallow_water"
local f = water and "level" or "u"
local sim = ria.sim {
  solver = p.solver, grid = { nx = 9, ny = p.ny, dx = 10 },
  bed = water and function(x, y) return -2 + 0.01 * x + 0.001 * y end or nil,
  tracers = water and { dye = { diffusion = 0.1 } } or nil,
  init = { [f] = function(x, y) return 0.1 * math.sin(x + 3 * y) end },
  params = water and { manning = 0.02 } or { dt = 1 },
  boundary = water and { north = { kind = "level", level = ria.tide { M2 = { 0.3, 20 } } },
                         east = ria.tide { { at = { 90, 0 }, M2 = { 0.3, 20 } }, { at = 0.8, M2 = { 0.2, 50 } } },
                         brook = ria.inflow { from = { 0, 20 }, to = { 0, 80 }, q = 2 } }
                   or { north = "periodic", south = "periodic" },
  maxima = water and { "level", "speed" } or nil,
}
if water then
  sim:at(5, ria.spill { tracer = "dye", x = 45, y = 55, radius = 25, mass = 3 })
  sim:every(4, ria.frame { field = "dye" })
end
sim:every(3, ria.save { f, precision = 1e-6 })
sim:gauge { name = "a", x = 15, y = 15, every = 0.7 }
sim:gauge { name = "b", x = 85, y = 65, every = 3, exact = true }
local function tell(s)
  print(s:time(), s:steps(), s:probe(33, 57, f), s:field(f):at(45, 25))
  local st = s:stats(f)
  print(st.min, st.max, st.sum, st.n)
  for _, name in ipairs(water and { "water", "dye" } or {}) do
    local of = s:totals()[name]
    print(name, of.stored, of.inflow, of.outflow, of.sources)
  end
end
tell(sim)
sim:every(6, tell)
sim:when(function(s) return s:probe(5, 5, f) > -0.05 end, function(s, e) print("high", e.t) end, { every = 0.5, ["repeat"] = true })
sim:at(8, function(s) s:set(f, function(x, y) return 0.1 * math.cos(x * y) end) end)
sim:run(12)
tell(sim)
sim:step(3)
tell(sim)
sim:advance(2)
for _, g in ipairs { "a", "b" } do
  local t, v = sim:history(g, f)
  print(#t, t[#t], v[#v])
end
-- files by name are rank 0's, and all may read them
local path = sim:out() .. "/" .. f .. ".asc"
sim:field(f):write(path)
print(ria.dem(path):at(45, 25))
sim:field(f):draw { path = sim:out() .. "/" .. f .. ".png" }
local note = io.open(sim:out() .. "/note.txt", "a")
note:write("once\n")
note:close()
LUA
all '1 2 5' answers.lua
all '3' answers.lua solver=diffusion
all '4' answers.lua ny=7
all '2' answers.lua --parts 7

# how each rank has fared is told, and where cuts are: by what is wet, later by work
cat >coast.lua <<'LUA'
local ria = require("ria")
local bed = function(_, y) return y > 60 and 5 or -5 end
local sim = ria.sim { grid = { nx = 100, ny = 240, dx = 1 }, bed = bed, init = { level = function(x) return 0.01 * x end } }
sim:run(2)
LUA
ranks 2 run coast.lua --device cpu --threads 1 --out coast >said 2>&1 || fail "coast.lua: $(cat said)"
grep -Eq '^  parts          2 of 3[0-9] to 20[0-9] rows, cut [2-9] times$' said || fail "coast.lua: $(grep '  parts' said)"
time='[0-9.]+ m?s'
grep -Eq "^  ranks          2: stepping $time to $time, waiting $time to $time, exchanging $time to $time\$" said || fail "coast.lua: $(grep '  ranks' said)"
[ "$(grep -c '"stepping_s": \|"waiting_s": \|"exchanging_s": ' coast/run.json)" = 6 ] || fail "run.json of coast.lua does not tell how ranks fared"

# rank 0 writes what the others pack: it holds no field of the grid (11.5 MB each here)
cat >memory.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 1200, ny = 1200, dx = 10 }, bed = -1, init = { level = function(x) return 0.1 * math.sin(x / 3000) end } }
sim:every(1, ria.save { "level", "depth", "u", precision = 1e-3 })
sim:run(2)
os.execute "sed -n 's/^VmHWM:[^0-9]*\\([0-9]*\\).*/\\1/p' /proc/$PPID/status >peak.$OMPI_COMM_WORLD_RANK"
LUA
if [ -z "$SANITIZE" ] && [ -r /proc/self/status ]; then
  ranks 3 run -q memory.lua --device cpu --threads 1 --out memory || fail "memory.lua: exit code $?"
  [ "$(cat peak.0)" -lt $(($(cat peak.1) + 11000)) ] || fail "rank 0 took $(cat peak.0) kB, rank 1 $(cat peak.1) kB"
fi

# another simulation begins where the script has let go of one: all ranks close that at one place, whenever Lua collects
cat >loop.lua <<'LUA'
local ria = require "ria"
for k = 1, 12 do
  local sim = ria.sim { grid = { nx = 9, ny = 9, dx = 1 }, bed = -1, init = { level = 0 }, out = "loop/" .. k }
  sim:run(1)
  local rank = tonumber(os.getenv "OMPI_COMM_WORLD_RANK" or 0)
  if k % 3 == rank then collectgarbage() end
  local waste = {}
  for i = 1, 3000 * rank do waste[i] = { i } end
end
LUA
[ "$(ranks 3 run loop.lua --device cpu --threads 1 2>&1 | grep -c '^  written to')" = 12 ] || fail "loop.lua does not tell of each run"
exit $failed
