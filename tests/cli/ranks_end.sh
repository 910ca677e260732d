#!/bin/sh
# Ranks of MPI that end early: an error of one ends all, is told once, with its number, and the exit status is as by one
# process; calls that differ are told with both lines; what was written is whole.
#   ranks_end.sh PROGRAM SOURCE BUILD
ria=$1
source=$2
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"
# between SIGTERM and SIGKILL, after each run that fails, even if all its processes have ended: a second else
export OMPI_MCA_odls_base_sigkill_timeout=0

scratch

cat >small.lua <<'LUA'
local ria = require "ria"
local rank = tonumber(os.getenv "OMPI_COMM_WORLD_RANK" or 0)
local p = ria.params { what = "", rank = 1, ny = 20 }
local here = rank == p.rank
if p.what == "first" and here then error "first" end
local params = { manning = 0.02 }
local function mine(what, a, b) return p.what == what and here and a or b end
local sim = ria.sim { grid = { nx = 20, ny = p.ny, dx = 1 }, bed = -1, params = params, init = { level = 0 }, boundary = {
  west = { level = { { at = 0, value = 0 }, { at = mine("point", 0.6, 0.3), value = 0 } } },
  out = { from = { 20, 0 }, to = { 20, mine("stretch", 1, 2) }, kind = "open" } } }
sim:every(1, ria.frame { field = "level", width = 64 })
sim:at(1, function() if p.what == "event" and here then error "boom" end if p.what == "gone" then if here then os.exit(5) end sim:probe(1, 1, "level") end end)
if p.what == "caught" and here then pcall(error, "not told") end
if p.what == "more" and here then sim:probe(1, 1, "level") end
if p.what == "order" and here then sim:field "level" end
if p.what == "order" then sim:probe(1, 1, "level") end
if p.what == "at" then sim:at(here and 0.7 or 0.8, print) end
if p.what == "set" then sim:set("level", function(x) return 1e-3 * x * rank end) end
if p.what == "names" then
  for name, x in pairs { a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7 } do sim:gauge { name = name, x = x, y = 1, every = 1 } end
end
sim:run(2)
if p.what == "last" and here then error "last" end
if p.what == "exit" then os.exit(7) end
if p.what == "exit_here" and here then os.exit(7) end
if p.what == "like" and here then error("rank and file", 0) end
LUA

# ends CODE TEXT STATUS ARGUMENT...: three ranks say TEXT, all of it; STATUS is that of run.json, or none
ends() {
  code=$1 text=$2 status=$3
  shift 3
  rm -rf out
  said=$(ranks 3 run -q small.lua --device cpu --threads 1 --out out "$@" 2>&1)
  got=$?
  [ $got -eq "$code" ] || fail "$*: exit code $got, not $code"
  [ "$said" = "$text" ] || fail "$*: '$said', not '$text'"
  [ "$(sed -n 's/^  "status": "\(.*\)",/\1/p' out/run.json 2>/dev/null)" = "$status" ] || fail "$*: run.json does not say '$status'"
}
alike=': every rank makes the same calls, in the same order, with the same values'
differ='the ranks do not do the same: '

ends 0 '' ok
ends 0 '' ok what=caught
ends 0 '' ok what=names
ends 1 'rank 1: small.lua:5: first' '' what=first
ends 1 'small.lua:5: first' '' what=first rank=0
ends 1 'rank 2: small.lua:12: boom' callback what=event rank=2
ends 1 'small.lua:12: boom' callback what=event rank=0
ends 1 'rank 1: small.lua:23: last' ok what=last
ends 1 'rank 1: rank and file' ok what=like
ends 7 '' ok what=exit
ends 5 'small.lua:22: sim:run: small.lua:12: sim:probe: rank 1: os.exit was called' interrupted what=gone
ends 7 'rank 1: the script ended with exit code 7' ok what=exit_here
ends 1 "small.lua:22: sim:run: ${differ}rank 0: small.lua:22: sim:run; rank 1: small.lua:14: sim:probe$alike" '' what=more
ends 1 "small.lua:16: sim:probe: ${differ}rank 0: small.lua:16: sim:probe; rank 1: small.lua:15: sim:field$alike" '' what=order
ends 1 "small.lua:22: sim:run: ${differ}rank 0: small.lua:17: sim:at; rank 1: small.lua:17: sim:at, with other values$alike" '' what=at
ends 1 "small.lua:22: sim:run: ${differ}rank 0: small.lua:18: sim:set; rank 1: small.lua:18: sim:set, with other values of the field 'level'$alike" '' what=set
ends 1 "small.lua:22: sim:run: ${differ}rank 0: small.lua:22: sim:run; rank 1: small.lua:22: sim:run, with other values of a boundary's points$alike" argument what=point
ends 1 'small.lua:8: ria.sim: 3 parts of a grid of 2 rows: each has at least one, so --parts 2 at most (ria_context_desc.parts)' '' ny=2
ends 2 'ria: cannot start: 2 parts for 3 ranks: each rank steps at least one, so --parts 3 at least (ria_context_desc.parts), or start fewer' '' --parts 2
ends 2 "ria: cannot start: device 'cuda:x': after 'cuda:' come numbers, 0, 1, 2, ..., as in cuda:1, cuda:0,2 or cuda:0-3" '' --device cuda:x

# a command line that is wrong, and words of all
said=$(ranks 3 run --bogus small.lua 2>&1)
code=$?
[ $code -eq 2 ] || fail "a wrong option: exit code $code, not 2"
[ "$said" = "ria: unknown option '--bogus': see \`ria run --help\`" ] || fail "a wrong option: '$said'"
[ "$(ranks 3 --version 2>&1 | grep -c .)" = 1 ] || fail "ria --version is said more than once"

# wrong OPTION...: a command line that is wrong on the second rank alone, or another one; mpirun is started by the batch script of a Slurm job
wrong() {
  said=$(SLURM_PROCID=0 timeout 60 mpirun -q --oversubscribe -n 1 "$ria" run -q small.lua --device cpu : -n 1 "$ria" "$@" 2>&1)
  code=$?
  [ $code -eq 2 ] || fail "rank 1 has '$*': exit code $code, not 2"
}
# other LINE OPTION...: the second rank has another command line, in one form LINE
other() {
  line=$1
  shift
  wrong "$@"
  [ "$said" = "ria: ${differ}rank 0: ria run small.lua --device cpu --quiet; rank 1: $line$alike" ] || fail "rank 1 has '$*': '$said'"
}
wrong run -q small.lua --threads 5000
[ "$said" = 'ria: rank 1: --threads 5000: expected a whole number, 1 .. 4096' ] || fail "rank 1 has a wrong option: '$said'"
wrong run -q
[ "$said" = 'ria: rank 1: ria run needs a script: ria run bay.lua' ] || fail "rank 1 has no script: '$said'"

other "ria run small.lua --device cuda --parts 2 --until '1 s' --continue --limited --limit time=1m --limit cells=9 --quiet ny=2" \
  run --limit time=1m --limit cells=9 small.lua --limited --until='2 s' ny=3 --until '1 s' --continue --set ny=2 --device cuda:1 --parts 2 -q
# commands for one process do not leave a run to wait for them
other "ria help units" help units
wrong rum
[ "$said" = "ria: rank 1: unknown command 'rum': did you mean 'run'?" ] || fail "rank 1 has no such command: '$said'"
# long lines: what differs is shown
long=$(printf 'what=%0500d' 1)
said=$(timeout 60 mpirun -q --oversubscribe -n 1 "$ria" run small.lua "$long" x=1 : -n 1 "$ria" run small.lua "$long" x=2 2>&1)
[ "$said" = "ria: ${differ}rank 0: ... x=1; rank 1: ... x=2$alike" ] || fail "long lines differ: '$said'"
# the same, in other words
said=$(timeout 60 mpirun -q --oversubscribe -n 1 "$ria" run -q small.lua --device cpu ny=4 what=caught ny=8 --out same : \
  -n 1 "$ria" run small.lua --out=other --threads 1 --device cpu --set ny=8 --out same -q what=caught 2>&1)
code=$?
[ $code -eq 0 ] && [ -z "$said" ] || fail "parameters in another order: exit code $code, '$said'"
# programs that a script of a rank runs one after another, and what it becomes in the end: bash does so by itself with a last command
for last in '"$0" help units; true' 'exec "$0" help units'; do
  said=$(timeout 60 mpirun -q --oversubscribe -n 2 sh -c '"$0" run -q small.lua --device cpu --threads 1 --out twice --overwrite; [ $OMPI_COMM_WORLD_RANK = 1 ] || '"$last" "$ria" 2>&1)
  code=$?
  [ $code -eq 0 ] && [ "$(echo "$said" | head -1)" = 'Quantities and their units' ] || fail "a script of each rank, $last: exit code $code, '$said'"
done
said=$(timeout 60 mpirun -q --oversubscribe -n 2 sh -c '[ $OMPI_COMM_WORLD_RANK = 1 ] || exec env "_=$0" "$0" help units' "$ria" 2>&1) # as bash leaves it
[ "$(echo "$said" | head -1)" = 'Quantities and their units' ] || fail "what bash became on one rank: '$said'"

# MPI begins once: a second run of the same script is refused
said=$(timeout 60 mpirun -q --oversubscribe -n 2 sh -c '"$0" run -q small.lua --device cpu --threads 1 --out one; "$0" run -q small.lua --device cpu --out two' "$ria" 2>&1)
code=$?
[ $code -eq 5 ] && [ -e one/run.json ] && [ ! -e two ] || fail "two runs of each rank's script: exit code $code, '$said'"
case $said in
"ria: MPI has been begun by an earlier program of this rank (process "*"), and begins once in what a launcher started: give each run an mpirun of its own ("*) ;;
*) fail "two runs of each rank's script: '$said'" ;;
esac

# a rank that never begins MPI: for whom the others wait, said by one of them
said=$(RIA_MPI_WAIT='1 s' timeout 60 mpirun -q --oversubscribe -n 1 sleep 30 : -n 2 "$ria" run -q small.lua --device cpu 2>&1)
code=$?
[ $code -eq 5 ] || fail "RIA_MPI_WAIT: exit code $code, not 5"
[ "$said" = "ria: rank 1 has waited 1 s for the processes that were started beside it to begin MPI: rank 0 is another program (sleep); a process that is to run by itself (in a shell of srun --pty) needs RIA_MPI=none; ended by RIA_MPI_WAIT=1 s" ] || fail "RIA_MPI_WAIT: '$said'"
said=$(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 RIA_MPI_WAIT=5 "$ria" run small.lua 2>&1)
[ "$said" = "ria: RIA_MPI_WAIT=5: expected how long ranks wait for each other at the start, with its unit: RIA_MPI_WAIT='2 min'" ] || fail "RIA_MPI_WAIT=5: '$said'"
# what ria info says of ranks where there is one process
[ "$("$ria" info | sed -n 's/^  ranks     mpirun -n N ria run ...: Open MPI v[0-9.]*[^ ]*, by //p')" = "$(realpath "$build/lib/libria_mpi.so")" ] || fail "ria info says: $("$ria" info)"
"$ria" info | grep -q '^  ranks     none: ' && fail "ria info finds no libria_mpi.so"
RIA_MPI=$PWD/none.so "$ria" info | grep -q "^  ranks     none: $PWD/none.so: cannot open" || fail "ria info with another RIA_MPI: $(RIA_MPI=$PWD/none.so "$ria" info)"

# a host in C: two simulations by turns, as by one process; a rank that fails ends all
# hosted N ARGUMENT...: the example by N ranks
hosted() {
  n=$1
  shift
  timeout 60 mpirun -q --oversubscribe -n "$n" "$build/examples/ranks" "$@" 2>&1
}
[ "$(hosted 3)" = "$(hosted 1 | sed 's/by 1 ranks/by 3 ranks/')" ] || fail "examples/ranks: $(hosted 3; hosted 1)"
said=$(hosted 3 2)
code=$?
[ $code -eq 1 ] || fail "examples/ranks: exit code $code of a rank that fails, not 1"
case $said in
"rank 2: unknown field 'levle': did you mean 'level'?"*) ;;
*) fail "examples/ranks, a rank that fails: '$said'" ;;
esac

# a rank that fails before it has a context
said=$(timeout 60 mpirun -q --oversubscribe -n 1 "$ria" check -q small.lua --device cpu : -n 1 env TMPDIR=/nowhere "$ria" check -q small.lua --device cpu 2>&1)
code=$?
[ $code -eq 1 ] || fail "rank 1 has no place for a check: exit code $code, not 1"
case $said in
"ria: cannot start: rank 1: cannot make a directory like /nowhere/"*) ;;
*) fail "rank 1 has no place for a check: '$said'" ;;
esac

# caught WHAT: a failure that all ranks catch (all), or the first alone (first)
cat >caught.lua <<'LUA'
local ria = require "ria"
local rank = tonumber(os.getenv "OMPI_COMM_WORLD_RANK" or 0)
local p = ria.params { what = "" }
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 1 }, bed = -1, init = { level = 0 } }
sim:at(1, function() if rank == (p.what == "all" and 0 or 2) then error "boom" end end)
local run = (p.what == "all" or rank == 0) and pcall or function(f, ...) return f(...) end
run(sim.run, sim, 2)
if p.what == "all" and rank == 1 then os.exit(7) end
LUA
caught() {
  said=$(ranks 3 run -q caught.lua --device cpu --threads 1 --out "caught.$1" what="$1" 2>&1)
  code=$?
}
caught all
[ $code -eq 7 ] || fail "os.exit(7) after an error that was caught: exit code $code"
[ "$said" = 'rank 1: the script ended with exit code 7' ] || fail "os.exit(7) after an error that was caught: '$said'"
caught first
[ $code -eq 1 ] || fail "an error of rank 2 that rank 0 caught: exit code $code, not 1"
[ "$said" = 'rank 2: caught.lua:5: boom' ] || fail "an error of rank 2 that rank 0 caught: '$said'"

# a rank that cannot start
said=$(timeout 60 mpirun -q --oversubscribe -n 1 "$ria" run -q small.lua --device cpu : -n 1 env RIA_MPI=/nowhere/libria_mpi.so "$ria" run -q small.lua --device cpu 2>&1)
code=$?
[ $code -eq 5 ] || fail "rank 1 has no libria_mpi.so: exit code $code, not 5"
case $said in
"ria: rank 1: this process was started as one of several, but libria_mpi.so, which joins them, cannot be loaded "*) ;;
*) fail "rank 1 has no libria_mpi.so: '$said'" ;;
esac

# a setting of the environment that is another there
said=$(timeout 60 mpirun -q --oversubscribe -n 1 "$ria" run -q small.lua --device cpu : -n 1 env RIA_CUTS=often "$ria" run -q small.lua --device cpu 2>&1)
cores='ranks tell on what cores they run'
[ "$said" = "ria: cannot start: ${differ}rank 0: $cores; rank 1: $cores, with other values of RIA_CUTS$alike" ] || fail "rank 1 has RIA_CUTS: '$said'"

# hosts that share no files: the script must be on each, results are on rank 0's alone
apart() {
  said=$(timeout 60 mpirun -q --oversubscribe -n 1 -wdir "$PWD/here" "$ria" run -q small.lua --device cpu --out out : \
    -n 1 -wdir "$PWD/there" "$ria" run -q small.lua --device cpu --out out 2>&1)
  code=$?
}
mkdir here there
cp small.lua here
printf 'ncols 3\nnrows 3\nxllcorner 0\nyllcorner 0\ncellsize 1\n-5 -5 -5\n-5 -5 -5\n-5 -5 -5\n' >here/bed.asc
cat >here/bed.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = ria.dem "bed.asc", init = { level = 0 } }
sim:run(1)
LUA
apart
[ $code -eq 3 ] && [ "$said" = 'rank 1: cannot open small.lua: No such file or directory' ] || fail "a rank without the script: exit code $code, '$said'"
cp small.lua here/bed.lua there
apart
[ $code -eq 0 ] && [ -z "$said" ] || fail "no files are shared: exit code $code, '$said'"
[ "$(ls -m there)" = 'bed.lua, small.lua' ] || fail "rank 1 leaves files: $(ls there)"
[ -e here/out/run.json ] || fail "rank 0 leaves no results"

# a file that is another there
sed 's/-5/-6/' here/bed.asc >there/bed.asc
said=$(timeout 60 mpirun -q --oversubscribe -n 1 -wdir "$PWD/here" "$ria" run -q bed.lua --device cpu --out out --overwrite : \
  -n 1 -wdir "$PWD/there" "$ria" run -q bed.lua --device cpu --out out --overwrite 2>&1)
[ "$said" = "bed.lua:3: sim:run: ${differ}rank 0: bed.lua:3: sim:run; rank 1: bed.lua:3: sim:run, with other values of the field 'bed'$alike" ] ||
  fail "ranks read other files: '$said'"

# no plug-in: what to do
said=$(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 RIA_MPI=/nowhere/libria_mpi.so "$ria" run small.lua 2>&1)
code=$?
[ $code -eq 5 ] || fail "without libria_mpi.so: exit code $code, not 5"
case $said in
"ria: this process was started as one of several, but libria_mpi.so, which joins them, cannot be loaded ("*"): build ria where mpicc is found, or name the file in RIA_MPI; where each process is to run by itself, RIA_MPI=none") ;;
*) fail "without libria_mpi.so: '$said'" ;;
esac
# the MPI that it was built with is not there
LC_ALL=C sed 's/libmpi\.so/libnpi.so/g' "$build/lib/libria_mpi.so" >other_mpi.so
said=$(OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 RIA_MPI=$PWD/other_mpi.so "$ria" run small.lua 2>&1)
case $said in
*"cannot be loaded (libnpi.so"*"; \`module load\` the MPI that it was built with, or add its folder to LD_LIBRARY_PATH): build"*) ;;
*) fail "without the MPI of libria_mpi.so: '$said'" ;;
esac
# one task of srun, the batch script and the shell of a job are no ranks
for marks in "SLURM_PROCID=0 SLURM_STEP_NUM_TASKS=1 PMI_RANK=0 PMI_SIZE=1" "PMIX_RANK=0 SLURM_STEP_NUM_TASKS=1" "SLURM_PROCID=0 SLURM_NTASKS=4"; do
  # shellcheck disable=SC2086 # several words
  env $marks RIA_MPI=/nowhere/libria_mpi.so "$ria" info >said 2>&1 || fail "$marks: $(cat said)"
done
# found by PATH; each by itself
[ "$(PATH="$(dirname "$ria"):$PATH" ria=ria && ranks 2 info | grep -c '^  ranks     2')" = 1 ] || fail "ria from PATH does not find libria_mpi.so"
[ "$(RIA_MPI=none ranks 2 info | grep -c '^  ranks     none: RIA_MPI is none$')" = 2 ] || fail "RIA_MPI=none does not leave each process by itself"
# a launcher whose MPI is another
said=$(OMPI_COMM_WORLD_RANK='' PMI_RANK=0 PMI_SIZE=2 "$ria" run small.lua 2>&1)
case $said in
"ria: the launcher started 2 processes, but MPI knows of 1: "*) ;;
*) fail "of 2 processes that MPI does not know: '$said'" ;;
esac
# commands that run no script
[ "$(ranks 2 help units | grep -c '^Quantities')" = 1 ] || fail "ria help is said more than once"
[ "$(ranks 2 info | grep -c '^  ranks     2, of which 2 on this host (Open MPI')" = 1 ] || fail "ria info does not tell the ranks once"
said=$(echo 'print(1)' | ranks 2 run - 2>&1)
[ "$said" = "ria: 2 ranks cannot read one standard input: put the script into a file" ] || fail "a script from standard input: '$said'"

# signals, and ranks that are killed
cat >long.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 1 }, bed = -1, init = { level = function(x) return 0.01 * x end } }
sim:every(1, ria.save { "level" })
sim:at(1, function() io.open("started", "w"):close() end)
sim:run "1 d"
LUA
cat >named <<'SH'
#!/bin/sh
echo $$ >"pid.$OMPI_COMM_WORLD_RANK"
exec "$@"
SH
chmod +x named
# stop SIGNAL: of the second rank, once all run; what becomes of all in $code and said
stop() {
  rm -rf out started pid.*
  timeout 120 mpirun -q --oversubscribe -n 3 ./named "$ria" run -q long.lua --device cpu --threads 1 --out out >said 2>&1 &
  pid=$!
  await started
  kill -"$1" "$(cat pid.1)"
  wait $pid
  code=$?
}
stop TERM
[ $code -eq 143 ] || fail "SIGTERM of one rank: exit code $code, not 143"
[ "$(grep -c 'interrupted at t = ' said)" = 1 ] || fail "SIGTERM of one rank: $(cat said)"
grep -q '"status": "interrupted"' out/run.json || fail "SIGTERM of one rank: run.json does not say so"
stop HUP
[ $code -eq 129 ] || fail "SIGHUP of one rank: exit code $code, not 129"
stop KILL
[ $code -eq 137 ] || fail "a rank was killed: exit code $code, not 137"

# limited WHAT RANK COMMAND...: with a limit for one rank
cat >limited <<'SH'
#!/bin/sh
what=$1 rank=$2
shift 2
if [ "$OMPI_COMM_WORLD_RANK" = "$rank" ]; then
  [ "$what" = disk ] && { trap '' XFSZ; ulimit -f 200; }
  [ "$what" = memory ] && ulimit -v 400000
fi
exec "$@"
SH
chmod +x limited
sed 's/nx = 20, ny = 20/nx = 300, ny = 300/; s/0.01 \* x/0.01 * math.sin(x * y * y)/; s/function(x)/function(x, y)/; s/"1 d"/(10)/; /started/d' long.lua >full.lua
said=$(OMPI_MCA_btl=self,tcp timeout 60 mpirun -q --oversubscribe -n 2 ./limited disk 0 "$ria" run -q full.lua --device cpu --threads 1 --out full 2>&1)
code=$?
[ $code -eq 1 ] || fail "a full disk: exit code $code, not 1"
[ "$said" = "full.lua:4: sim:run: cannot write 'full/fields.zarr/level/0.0.0': File too large" ] || fail "a full disk: '$said'"
grep -q '"status": "output"' full/run.json || fail "a full disk: run.json does not say so"
if [ -z "$SANITIZE" ]; then
  # arenas of threads take room that no one asked for
  sed 's/nx = 20, ny = 20/nx = 3000, ny = 3000/; s/"1 d"/(1)/; /started/d' long.lua >memory.lua
  said=$(MALLOC_ARENA_MAX=1 timeout 60 mpirun -q --oversubscribe -n 2 ./limited memory 1 "$ria" run -q memory.lua --device cpu --threads 1 --out memory 2>&1)
  code=$?
  [ $code -eq 1 ] || fail "a rank out of memory: exit code $code, not 1"
  case $said in
  "rank 1: memory.lua:2: ria.sim: grid: 3000 x 3000 = 9e+06 cells need about "*) ;;
  *) fail "a rank out of memory: '$said'" ;;
  esac
fi
exit $failed
