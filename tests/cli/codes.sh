#!/bin/sh
# Exit codes of every class of failure, and the first line of what is said.
#   codes.sh PROGRAM SOURCE
# shellcheck disable=SC3045  # every sh that runs this has ulimit -v
ria=$1 source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

# expect CODE TEXT ARGUMENTS...: the program exits with CODE and TEXT is in what it says.
expect() {
  code=$1 text=$2
  shift 2
  said=$("$ria" "$@" 2>&1 </dev/null)
  got=$?
  if [ "$got" != "$code" ]; then
    echo "ria $*: exit code $got, expected $code: $said"
    failed=1
  fi
  case $said in
  *"$text"*) ;;
  *)
    echo "ria $*: expected '$text' in: $said"
    failed=1
    ;;
  esac
}

# script NAME: standard input as a script.
script() { { echo 'local ria = require "ria"'; cat; } >"$1"; }

scratch

script good.lua <<'LUA'
local p = ria.params {
  n = {8, "cells along a side", min = 2, max = 64},
  wind = {3, unit = "m/s"},
  name = {"calm", choices = {"calm", "storm"}},
}
local sim = ria.sim { grid = { nx = p.n, ny = p.n, dx = 10 }, bed = -2, init = { level = 0 } }
sim:gauge { name = "pier", x = 15, y = 15, every = "10 s" }
sim:run "1 min"
LUA

# 0: all is well
expect 0 "simulated      1 min" run good.lua --out results --threads 1
expect 0 ": shallow_water, order 2, 8 x 8 cells of 10 m, double precision, cpu with 1 thread" run good.lua --out results --overwrite --threads 1 --device cpu
expect 0 "" run -q good.lua --out results --overwrite
expect 0 "good.lua: ok" check good.lua
expect 0 "cells along a side" params good.lua
expect 0 "8 x 8 cells" info good.lua
expect 0 "results in results" info results
# a grid that cannot fit is refused before anything is sampled
script large.lua <<'LUA'
ria.sim { grid = { nx = 40000, ny = 40000, dx = 1 }, bed = function() error "sampled" end, out = false }
LUA
said=$( (ulimit -v 4000000 && "$ria" check large.lua --device cpu) 2>&1)
case $SANITIZE$said in
*"large.lua:2: ria.sim: grid: 40000 x 40000 = 1.6e+09 cells need about 102 GB of memory, "*" GB are free: larger cells, or single precision, need less") ;;
address*) ;; # takes terabytes of address space
*)
  echo "a grid of 1.6e9 cells: $said"
  failed=1
  ;;
esac

expect 0 "12 x 12 cells" run good.lua n=12 --out results --overwrite
expect 0 "12 x 12 cells" run good.lua --set n=12 --out=results --overwrite
expect 0 "simulated      30 s" run good.lua --until "30 s" --out results --overwrite
expect 0 "simulated      22.5 s" run good.lua --until "22.5 s" --out results --overwrite
expect 0 "simulated      7.25 s" run good.lua --until "7.25 s" --out results --overwrite
expect 0 "run" help
expect 0 "manning" help shallow_water
expect 0 "threshold" help ria.frame
expect 0 "threshold" help frame
expect 0 "froude: froude | off" help adi
expect 0 "  ria run bay.lua --checkpoint-every" help checkpoints
expect 0 "  ria run --limited x.lua --allow data" help limits
expect 0 "exit codes" run --help
expect 0 "---@meta" help --stubs
expect 0 "ria" --version
expect 0 "Mcell/s" bench shallow_water case=wet n=64 steps=2
expect 0 "a step  sustained " bench shallow_water case=wet n=64 steps=2
expect 0 "Mcell/s" bench case=wet n=64 steps=2 --threads 1
expect 0 "a checkpoint every 3 steps: " bench shallow_water case=wet n=64 steps=3 checkpoint=yes
expect 0 "cell/s" bench derivative case=x n=32 steps=2
expect 0 "order 2 on 100 cells: " bench accuracy case=stoker scale=0.25
expect 0 "  wet + output " bench case=wet n=64 seconds=0.01 tracers=2 precision=64 output=raw
expect 0 '[{"case":"wet","device":"cpu",' bench case=wet n=64 steps=3 checkpoint=yes output=yes --json
expect 2 "did you mean 'case'" bench accuracy caes=stoker
expect 1 "unknown case 'stokr': known are vortex, thacker, stoker, square" bench accuracy case=stokr
expect 0 "viridis" info
[ -z "$("$ria" run -q good.lua --out results --overwrite)" ] || { echo "run -q is not quiet"; failed=1; }
[ -e out ] && { echo "check, params, info or --out left results in out"; failed=1; }

# a script that runs no simulation: its results go where others' do
script fields.lua <<'LUA'
local f = ria.field3 { nx = 9, ny = 9, nz = 9, dx = 1, init = function(x) return x end }
f:derivative("x"):slice { z = 0 }:draw { path = ria.out() .. "/slope.png", range = { 0, 2 } }
print("written to " .. ria.out())
LUA
expect 0 "written to out/fields" run fields.lua
expect 0 "written to new" run fields.lua --out new --device cpu
[ -e out/fields/slope.png ] && [ -e new/slope.png ] || { echo "fields.lua has drawn nothing"; failed=1; }
expect 0 "errors.png" run "$source/scenarios/derivative.lua" n=36 --out new
expect 1 "holds the results of a simulation" run fields.lua --out results
expect 0 "nothing runs in it" check fields.lua
"$ria" run fields.lua --overwrite 2>&1 >/dev/null | grep . && { echo "fields.lua is told that nothing runs in it"; failed=1; }
# and belong to it until it ends: another script, or a run, does not get the directory meanwhile
script holds.lua <<'LUA'
print("has " .. ria.out())
os.execute('"$RIA" run fields.lua --out new')
os.execute('"$RIA" run good.lua --out new --overwrite -q')
LUA
rm -rf new
RIA=$ria "$ria" run holds.lua --out new >stdout 2>stderr || { echo "holds.lua: $(cat stderr)"; failed=1; }
busy="directory 'new' is in use by another run (process [0-9]* on .*): wait for its end, or choose another directory"
[ "$(grep -c "^fields.lua:[0-9]*: ria.out: $busy$" stderr)" = 1 ] && [ "$(grep -c "^good.lua:[0-9]*: sim:run: $busy$" stderr)" = 1 ] &&
  [ "$(wc -l <stderr)" = 2 ] && [ "$(cat stdout)" = "has new" ] && [ -z "$(ls -A new)" ] ||
  { echo "beside holds.lua: $(cat stdout stderr; ls -A new)"; failed=1; }
# also after its own simulation there; and its results are no reason to refuse it
script after.lua <<'LUA'
local sim = ria.sim { grid = { nx = 4, ny = 4, dx = 1 }, bed = -1, init = { level = 0 } }
sim:run(1)
sim:close()
assert(io.open(ria.out() .. "/more.txt", "w")):close()
os.execute('"$RIA" run good.lua --out new --overwrite -q')
LUA
rm -rf new
RIA=$ria "$ria" run after.lua --out new >stdout 2>stderr || { echo "after.lua: $(cat stderr)"; failed=1; }
[ "$(grep -c "^good.lua:[0-9]*: sim:run: $busy$" stderr)" = 1 ] && [ "$(wc -l <stderr)" = 1 ] && [ -e new/more.txt ] && [ ! -e new/.ria-lock ] ||
  { echo "beside after.lua: $(cat stderr; ls -A new)"; failed=1; }
rm -rf out new

# 1: the script or its run
script syntax.lua <<'LUA'
local x = = 3
LUA
script key.lua <<'LUA'
ria.sim { grid = { nx = 4, ny = 4, dx = 1 },
  bedd = -1 }
LUA
script fails.lua <<'LUA'
local sim = ria.sim { grid = { nx = 4, ny = 4, dx = 1 }, bed = -1, out = false }
sim:at(5, function() error "no more" end)
sim:run(10)
LUA
script object.lua <<'LUA'
error(setmetatable({}, { __tostring = function() return "an object" end }))
LUA
expect 1 "syntax.lua:2: unexpected symbol near '='" run syntax.lua
expect 1 "key.lua:3: ria.sim: unknown key 'bedd': did you mean 'bed'?" run key.lua
expect 1 "key.lua:3: ria.sim: unknown key 'bedd': did you mean 'bed'?" check key.lua
expect 1 "fails.lua:3: no more" run fails.lua
expect 1 "stack traceback" run fails.lua -v
expect 1 "an object" run object.lua
echo 'error()' >silent.lua
expect 1 "silent.lua: an error without a message" run silent.lua
expect 1 "silent.lua: an error without a message" check silent.lua
echo 'error { 5 }' >table.lua
expect 1 "table.lua: an error that is a table, not text (with -v ria run tells where)" run table.lua
expect 1 "holds" run good.lua --out results
if [ "$(id -u)" != 0 ]; then
  mkdir -p locked && chmod 555 locked
  expect 1 "locked" run good.lua --out locked/results
  chmod 755 locked && rmdir locked
fi
: >file
expect 1 "file" run good.lua --out file/results

# 2: the command line
expect 2 "did you mean 'run'" rnu good.lua
expect 2 "did you mean \`ria run good.lua\`" good.lua
expect 2 "needs a script" run
expect 2 "did you mean '--threads'" run good.lua --thread 2
expect 2 "--threads 0" run good.lua --threads 0
expect 2 "--out needs DIR" run good.lua --out
expect 2 "takes no value" run good.lua --overwrite=yes
expect 2 "--until" run good.lua --until "3 kg"
expect 2 "expected NAME=VALUE" run good.lua --set n
expect 2 "expected auto, cpu, cuda" run good.lua --device abacus
expect 2 "one argument too many" run good.lua other.lua
expect 2 "unknown parameter 'wnid': did you mean 'wind'" run good.lua wnid=4
expect 2 "n = 100 is out of range: 2 .. 64" run good.lua n=100
expect 2 "expected a number" run good.lua n=many
expect 2 "did you mean 'storm'" run good.lua name=strom
expect 2 "is a unit of mass" run good.lua "wind=3 kg"
expect 2 "declares no parameters" run fails.lua wind=3
expect 2 "did you mean 'shallow_water'" help shalow_water
expect 2 "did you mean 'shallow_water'" bench shalow_water
expect 2 "did you mean 'derivative'" bench derivatve
expect 2 "known are x, y, z, gradient, laplacian" bench derivative case=w
expect 2 "has no output to measure" bench derivative case=x n=16 output=yes
expect 2 "did you mean 'wet'" bench case=wett
expect 2 "did you mean 'steps'" bench step=3
expect 2 "not allowed" bench precision=16
for setting in n=4 n=x steps=0 seconds=0 tracers=99 output=maybe checkpoint=maybe; do
  expect 2 "ria: $setting: the value is not allowed" bench $setting
done
expect 2 "unknown setting 'zzqq': one of case, n, steps, seconds, precision, tracers, output, checkpoint" bench zzqq=3
expect 2 "unknown option '--zzqqxx': see \`ria run --help\`" run good.lua --zzqqxx
expect 2 "unknown command 'qqqqqq': one of run, check, info," qqqqqq
expect 2 "no help on 'qqqqqqqq': \`ria help\` lists all topics" help qqqqqqqq
expect 2 "--to qqqqq: one of netcdf, vti, geotiff, csv, xdmf" export results --to qqqqq
expect 2 "--trusted takes limits away: leave out --limited, --limit and --allow" check good.lua --trusted --allow .
expect 2 "--no-open goes with --view" run good.lua --no-open
expect 2 "unknown parameter 'zzzz': the script declares n, name, wind" run good.lua zzzz=3
expect 2 "unknown parameter 'out': did you mean the option --out?" run good.lua out=5
echo 'require "ria".params {}' >none.lua
expect 2 "unknown parameter 'x': the script declares none" run none.lua x=3
expect 2 "--parts 0: expected a whole number, 1 .. 4096" run good.lua --parts 0
expect 2 "--until -5 s: expected a time after 0" run good.lua --until "-5 s"
# shellcheck disable=SC2046  # as many words
expect 2 "--limit is given more than 32 times" run good.lua $(for k in $(seq 33); do echo "--limit memory=${k}G"; done)

# 3: an input file
script dem.lua <<'LUA'
ria.dem "missing.asc"
LUA
script series.lua <<'LUA'
ria.series "broken.csv"
LUA
printf 'time,flow\n0,1\n10,two\n' >broken.csv
expect 3 "cannot open nothing.lua" run nothing.lua
expect 3 "dem.lua:2: ria.dem: cannot open missing.asc" run dem.lua
expect 3 "broken.csv" run series.lua
expect 3 "missing.asc" info missing.asc
mkdir -p empty
expect 3 "not a directory of results" info empty

# 4: the numbers
script steep.lua <<'LUA'
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 1 }, bed = -2, out = false,
  params = { dt_min = 100 }, init = { level = function(x) return x > 4 and 1 or 0 end } }
sim:run(1000)
LUA
expect 4 "steep.lua:4: sim:run:" run steep.lua

# 5: the device
expect 5 "device 'cuda:99' cannot be used" run good.lua --device cuda:99
expect 5 "device 'cuda:99' cannot be used" bench case=wet n=64 steps=2 --device cuda:99
expect 2 "after 'cuda:' come numbers" run good.lua --device cuda:x
expect 0 "cuda" info

# no room: for what a check writes, for a file (which does not stay, then), for what is printed
(export TMPDIR=/nowhere; expect 1 "cannot make a directory like /nowhere/ria-check-XXXXXX: No such file or directory" check good.lua; exit $failed) || failed=1
said=$( (trap '' XFSZ && ulimit -f 0 && exec "$ria" new roomy) 2>&1)
case $said in
*"ria: roomy.lua cannot be written: File too large"*) [ ! -e roomy.lua ] || { echo "half a scenario stays"; failed=1; } ;;
*) echo "a scenario without room: $said"; failed=1 ;;
esac
if [ -c /dev/full ]; then
  "$ria" --version >/dev/full 2>said
  [ "$? $(cat said)" = "1 ria: standard output cannot be written: No space left on device" ] || { echo "a full disk: $(cat said)"; failed=1; }
fi

# an empty script is a script
script nothing_in_it.lua </dev/null
expect 0 "nothing_in_it.lua: nothing runs in it" run nothing_in_it.lua
[ -z "$("$ria" run nothing_in_it.lua 2>/dev/null)$("$ria" run -q nothing_in_it.lua 2>&1)" ] ||
  { echo "that nothing runs is said on stdout, or under -q"; failed=1; }
script not_run.lua <<'LUA'
ria.sim { grid = { nx = 4, ny = 4, dx = 1 }, bed = -1, out = false }
LUA
expect 0 "its simulation never runs: sim:run(t) is missing" run not_run.lua
expect 0 "nothing runs in it" check nothing_in_it.lua
expect 0 "declares no parameters" params nothing_in_it.lua

exit $failed
