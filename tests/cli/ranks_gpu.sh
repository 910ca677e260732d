#!/bin/sh
# Ranks of MPI on GPUs: one each they step together, straight or by NCCL (where it and two GPUs are), on one GPU by way of the
# host, with the same numbers every way; what ends badly ends soon, and says which part.
#   ranks_gpu.sh PROGRAM SOURCE BUILD
ria=$1
source=$2
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"

"$ria" info | grep -q ' cuda:0 ' || { echo "skipped: there is no GPU"; exit 77; }
gpus=$("$ria" info | grep -c ' cuda:[0-9]')
scratch

# shores, a river and a rating over the cut, a tide, a spill, sides that are periodic, or are so for a while: steps with two meetings, with one, and
# alone with the flow
cat >bay.lua <<'LUA'
local ria = require "ria"
local p = ria.params { solver = "shallow_water", order = 1, river = true, rated = false, ring = false, turn = false, alone = false, maxima = true,
                       cross = "centred", dt = 0, spread = 0.1, n = 97, time = 40 }
local water, adi = p.solver ~= "diffusion", p.solver == "adi"
local f = water and "level" or "u"
local curve = p.rated and { kind = "rating", curve = { { 0, -1 }, { 100, 0.02 }, { 900, 0.4 } } } or nil
local round = p.ring and "periodic" or nil
local sim = ria.sim {
  solver = p.solver, grid = { nx = p.n, ny = p.n + 14, dx = 10 }, precision = p.order == 1 and "single" or "double",
  bed = water and function(x, y) return -2 + 3 * math.sin(0.01 * x) * math.sin(0.013 * y) end or nil,
  tracers = water and { dye = { diffusion = p.spread }, salt = {} } or nil,
  init = { [f] = function(x, y) return 0.1 * math.sin(0.03 * x + 0.05 * y) end },
  params = water and { manning = 0.02, order = p.order, cross = adi and p.cross or nil, dt = adi and p.dt or nil } or { dt = 0.5 },
  boundary = not (water and not p.alone) and { north = round, south = round } or {
                         north = round or { kind = "level", level = ria.tide { M2 = { 0.3, 20 } } }, south = round, east = curve,
                         river = p.river and ria.inflow { from = { 0, 300 }, to = { 0, 800 }, q = 20 } or nil },
  maxima = water and p.maxima and { "level", "speed" } or nil,
}
if water and not p.alone then sim:at(5, ria.spill { tracer = "dye", x = 450, y = 555, radius = 90, mass = 3 }) end
sim:every(7, ria.save { f, water and "dye" or nil, precision = 1e-9 })
sim:gauge { name = "a", x = 155, y = 555, every = 1.7 }
for k, kind in ipairs(p.turn and { "periodic", water and "wall" or "open" } or {}) do -- a ring comes, and goes
  sim:at(k * p.time / 3, function() for _, side in ipairs { "south", "north" } do sim:boundary(side, kind) end end)
end
if p.time > 1000 then sim:at(1, function() io.open("started", "w"):close() end) end
sim:run(p.time)
print(sim:time(), sim:steps(), sim:probe(330, 570, f), sim:stats(f).sum)
LUA

# one ARGUMENT...: what one process on one GPU leaves in one/, in two parts
one() {
  rm -rf one
  case "$*" in *--parts*) ;; *) set -- "$@" --parts 2 ;; esac
  RIA_MPI=none "$ria" run -q bay.lua "$@" --device cuda --threads 1 --out one >one.said 2>&1 || fail "$*: $(cat one.said)"
  rm -f one/run.json
}
# two WAY DEVICE ARGUMENT...: the same by two ranks, or $many, which exchange so
many=2
two() {
  way=$1 device=$2
  shift 2
  rm -rf two
  ranks "$many" run -q bay.lua "$@" --device "$device" --threads 1 --out two >two.said 2>&1 || fail "$* on $device: $(cat two.said)"
  grep -q "\"exchange\": \"$way\"" two/run.json || fail "$* on $device: run.json says $(grep '"exchange"' two/run.json), not '$way'"
  rm -f two/run.json
  diff -r one two >said 2>&1 || fail "$* on $device, $way: $(head -3 said)"
  cmp -s one.said two.said || fail "$* on $device, $way: '$(cat two.said)', not '$(cat one.said)'"
}

# Where there is one GPU ranks take turns on it.
reach=
[ "$gpus" -ge 2 ] || reach=ipc
export RIA_CUDA_REACH="$reach"
straight='straight from GPU to GPU'
# those of the implicit solver: phase by phase, where maxima are kept or diffusion follows dt, and in graphs; columns of one
# block, and of two
adi="solver=adi maxima=false"
for scene in "order=1" "order=2" "order=1 river=false" "order=2 alone=true" "solver=diffusion" \
  "order=2 rated=true river=false" "order=1 rated=true" "order=2 ring=true rated=true" "order=1 ring=true alone=true" "solver=diffusion ring=true" \
  "order=1 turn=true" "order=2 turn=true alone=true" "solver=diffusion turn=true" \
  "solver=adi" "$adi dt=1.5 order=2" "$adi spread=0 cross=steady river=false" "$adi order=2 spread=0 alone=true" "$adi spread=0 n=297" \
  "$adi dt=1.5 spread=40" "$adi dt=1.5 spread=3000 order=2" "$adi ring=true order=2" "$adi dt=1.5 spread=3000 turn=true"; do
  # shellcheck disable=SC2086 # words
  {
    one $scene
    two "$straight" cuda $scene
    export RIA_CUDA_REACH=
    two 'by way of the host (ranks share a GPU)' cuda:0 $scene
    export RIA_CUDA_REACH="$reach"
  }
done
one order=2
export RIA_CUDA_GRAPHS=off
two "$straight" cuda order=2
unset RIA_CUDA_GRAPHS
export RIA_CUDA_REACH=host
two 'by way of the host (as the environment asks)' cuda order=2
export RIA_CUDA_REACH="$reach"
for scene in "order=2" "$adi spread=0 n=297" "$adi dt=1.5 spread=3000"; do
  # shellcheck disable=SC2086 # words
  {
    one $scene --parts 5
    two "$straight" cuda $scene --parts 5
  }
done
# shellcheck disable=SC2086 # words
{
  one $adi --parts 5
  export RIA_CUDA_REACH=host
  two 'by way of the host (as the environment asks)' cuda $adi --parts 5
}
export RIA_CUDA_REACH="$reach"

# Three ranks, which may share a GPU: where the south and the north are a ring each has two neighbours.
many=3
export RIA_CUDA_REACH=ipc
for scene in "order=1 ring=true" "order=2 ring=true rated=true" "order=1 ring=true alone=true" "solver=diffusion ring=true" \
  "order=1 turn=true river=false" "solver=diffusion turn=true" "$adi dt=1.5 spread=3000 ring=true"; do
  # shellcheck disable=SC2086 # words
  {
    one $scene time=20 --parts 3
    two "$straight" cuda $scene time=20 --parts 3
  }
done
export RIA_CUDA_REACH="$reach"
many=2

# In parts as whole: explicit diffusion in three turns, and implicit; round a ring.
for spread in 40 3000 "3000 ring=true"; do
  # shellcheck disable=SC2086 # words
  {
    one $adi dt=1.5 spread=$spread --parts 1
    rm -rf whole && mv one whole && mv one.said whole.said
    one $adi dt=1.5 spread=$spread --parts 5
  }
  diff -r whole one >said 2>&1 || fail "adi that spreads ($spread) in 5 parts: $(head -3 said)"
  cmp -s whole.said one.said || fail "adi that spreads ($spread) in 5 parts: '$(cat one.said)', not '$(cat whole.said)'"
done

# By NCCL, as between hosts: it is there if a first run says so.
nccl=
export RIA_CUDA_REACH=nccl
if [ "$gpus" -ge 2 ]; then
  one order=1
  export RIA_NCCL=none
  two 'by way of the host (as the environment asks; no NCCL: RIA_NCCL is none)' cuda order=1
  export RIA_NCCL=/nowhere/libnccl.so
  two 'by way of the host (as the environment asks; no NCCL: RIA_NCCL=/nowhere/libnccl.so cannot be loaded)' cuda order=1
  unset RIA_NCCL
  rm -rf two
  ranks 2 run -q bay.lua --device cuda --threads 1 --out two >said 2>&1 || fail "by NCCL: $(cat said)"
  nccl=$(sed -n 's/.*"exchange": "from GPU to GPU by \(NCCL [0-9.]*\) .*/\1/p' two/run.json)
  [ "$nccl" ] || echo "not tested: NCCL ($(grep '"exchange"' two/run.json))"
else
  echo "not tested: NCCL (there is one GPU)"
fi
if [ "$nccl" ]; then
  way="from GPU to GPU by $nccl (as the environment asks)"
  for scene in "order=1" "order=2" "order=1 river=false" "order=2 alone=true" "solver=diffusion" "order=2 --parts 5" "solver=diffusion --parts 5" \
    "order=2 rated=true river=false" "order=2 ring=true rated=true" "solver=diffusion ring=true" "order=1 turn=true" \
    "solver=adi" "$adi dt=1.5 order=2" "$adi spread=0 cross=steady river=false" "$adi order=2 alone=true" "$adi n=297 --parts 5" \
    "$adi dt=1.5 spread=3000 order=2" "$adi ring=true order=2" "$adi dt=1.5 spread=3000 ring=true"; do
    # shellcheck disable=SC2086 # words
    {
      one $scene
      two "$way" cuda $scene
    }
  done
  if [ "$gpus" -ge 4 ]; then
    many=4
    for scene in "order=1" "order=2 river=false" "order=2 ring=true rated=true" "solver=diffusion ring=true" \
      "solver=diffusion" "$adi n=297" "$adi dt=1.5 spread=3000"; do
      # shellcheck disable=SC2086 # words
      {
        one $scene --parts 4
        two "$way" cuda $scene --parts 4
      }
    done
    many=2
  fi
fi
export RIA_CUDA_REACH="$reach"

# ends TEXT ARGUMENT...: two ranks on two GPUs say it, once, within seconds (by NCCL with the rank that does so first)
ends() {
  text=$1
  shift
  said=$(timeout 60 mpirun -q --oversubscribe -n 2 "$ria" run -q bay.lua "$@" --device cuda --threads 1 --out out 2>&1)
  code=$?
  case $RIA_CUDA_REACH in nccl) said=$(echo "$said" | sed 's/run: rank [0-9]*: part/run: part/') ;; esac
  [ $code -eq 5 ] || fail "$*: exit code $code, not 5"
  [ "$said" = "$text" ] || fail "$*: '$said', not '$text'"
  rm -rf out
}
other=cuda:1
[ "$gpus" -ge 2 ] || other=cuda:0
export RIA_CUDA_STALLS=0.5
ends "bay.lua:26: sim:run: part 2 of the grid (from row 55, on $other) did not answer within 0.5 s"
ends "bay.lua:26: sim:run: part 2 of the grid (from row 55, on $other) did not answer within 0.5 s" solver=diffusion
ends "bay.lua:26: sim:run: part 2 of the grid (from row 56, on $other) did not answer within 0.5 s" solver=adi
ends "bay.lua:26: sim:run: part 2 of the grid (from row 56, on $other) did not answer within 0.5 s" solver=adi maxima=false spread=0
if [ "$nccl" ]; then
  export RIA_CUDA_REACH=nccl
  ends "bay.lua:26: sim:run: part 1 of the grid (from row 0, on cuda:0): other ranks did not answer within 0.5 s ($nccl)"
  ends "bay.lua:26: sim:run: part 1 of the grid (from row 0, on cuda:0): other ranks did not answer within 0.5 s ($nccl)" solver=diffusion
  ends "bay.lua:26: sim:run: part 1 of the grid (from row 0, on cuda:0): other ranks did not answer within 0.5 s ($nccl)" solver=adi
  export RIA_CUDA_REACH="$reach"
fi
unset RIA_CUDA_STALLS
# a rank that is killed takes the others along
cat >named <<'SH'
#!/bin/sh
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
SH
chmod +x named
for way in "$reach" ${nccl:+nccl} adi; do
  solver=shallow_water
  export RIA_CUDA_REACH="$way"
  [ "$way" != adi ] || export RIA_CUDA_REACH="$reach" solver=adi
  rm -rf out started
  timeout 60 mpirun -q --oversubscribe -n 2 ./named "$ria" run -q bay.lua solver=$solver dt=0.01 maxima=false n=600 time=100000 \
    --device cuda --threads 1 --out out >said 2>&1 &
  pid=$!
  await started
  began=$(date +%s)
  kill -KILL "$(cat pid.1)"
  wait $pid
  code=$?
  [ $code -eq 137 ] || fail "a rank was killed ($way): exit code $code, not 137"
  [ $(($(date +%s) - began)) -lt 20 ] || fail "a rank was killed ($way): the others went on"
done
exit $failed
