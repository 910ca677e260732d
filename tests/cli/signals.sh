#!/bin/sh
# One signal ends a script wherever Lua is, and its simulations are closed: outputs are written,
# run.json says "interrupted", and the exit status is 128 and the signal's number.
#   signals.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
started='local function started() io.open("started", "w"):close() end'
sim='local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 } }
sim:at(0, ria.frame { field = "level", width = 64 })'

# script NAME: standard input as a script that knows `started` and, if asked, a simulation.
script() { { echo "$started"; cat; } >"$1.lua"; }

script loop <<'LUA'
started()
while true do end
LUA
script shapes <<'LUA'
local ria = require "ria"
local comb = {}
for k = 1, 100000 do comb[k] = { k % 2 * 1000, math.random() * 1000 } end
local field = ria.field { nx = 3, ny = 3, dx = 400, value = 0 }
local shapes = ria.shapes { { polygon = comb } }
started()
while true do pcall(shapes.share, shapes, field) end
LUA
script coroutine_wrap <<'LUA'
coroutine.wrap(function() started() while true do end end)()
LUA
script coroutine_resume <<'LUA'
local inner = coroutine.create(function() started() while true do end end)
coroutine.resume(coroutine.create(function()
  coroutine.resume(inner)
  while true do end
end))
while true do end
LUA
script swallow <<'LUA'
local function spin() started() while true do end end
while true do pcall(spin) xpcall(spin, function(m) return m end) end
LUA
script bed <<'LUA'
require "ria".sim { grid = { nx = 2000, ny = 2000, dx = 1 }, out = false, bed = function()
  started()
  while true do end
end }
LUA
{ script event; } <<LUA
$sim
sim:at(2, function() started() while true do end end)
pcall(sim.run, sim, 5)
while true do pcall(sim.run, sim, 7) end
LUA
{ script test_of_event; } <<LUA
$sim
sim:when(function(s) while s:time() > 0 do started() pcall(error) end end, print, { every = 1 })
sim:run(5)
LUA
{ script same_time; } <<LUA
$sim
local function again(s) started() s:at(s:time(), again) end
sim:at(1, again)
sim:run(5)
LUA
{ script running; } <<LUA
$sim
sim:at(1, started)
sim:run "10000 d"
LUA
{ script coroutine_run; } <<LUA
$sim
sim:at(1, started)
coroutine.wrap(function() while true do pcall(sim.run, sim, 1e9) end end)()
LUA

# signal NAME NUMBER SCRIPT ...
signal() {
  name=$1 number=$2
  shift 2
  for stem in "$@"; do
    rm -rf started out
    "$ria" run "$stem.lua" >stdout 2>stderr &
    pid=$!
    await started
    kill -"$name" $pid
    wait $pid 2>/dev/null
    code=$?
    [ $code = $((128 + number)) ] || fail "$stem, SIG$name: exit code $code: $(cat stderr)"
    grep -q interrupted stderr || fail "$stem, SIG$name: says $(cat stderr)"
    [ -d "out/$stem" ] || continue
    grep -q '"status": *"interrupted"' "out/$stem/run.json" ||
      fail "$stem, SIG$name: run.json says $(grep status "out/$stem/run.json")"
    [ -e "out/$stem/frames/level/level_000000.png" ] || fail "$stem, SIG$name: no frame"
    find out -name '.*tmp*' | grep . && fail "$stem, SIG$name: temporary files are left"
  done
}
signal TERM 15 loop shapes coroutine_wrap coroutine_resume swallow bed event test_of_event same_time \
  running coroutine_run
signal INT 2 swallow event running
signal HUP 1 loop event running

# nohup: a hang-up that is ignored stays ignored
rm -rf started out
(trap '' HUP && exec "$ria" run running.lua --until 1d -q) >stdout 2>stderr &
pid=$!
await started
kill -HUP $pid
wait $pid
[ $? = 0 ] || fail "an ignored SIGHUP ended the run: $(cat stderr)"

# timeout(1) sends each signal twice at once: that is one
{ script twice; } <<LUA
$sim
sim:at(1, started)
sim:every(600, ria.save { "level" })
sim:run "10000 d"
LUA
if command -v timeout >/dev/null; then
  rm -rf started out
  timeout 3 "$ria" run twice.lua -q >stdout 2>stderr
  [ $? = 124 ] || fail "twice.lua is not ended by timeout"
  grep -q '"status": *"interrupted"' out/twice/run.json || fail "timeout ended twice.lua at once"
fi

# and so are two signals that come together, while Lua is in a function of C
{ script both; } <<LUA
$sim
sim:at(1, function() started() local _ = ("a"):rep(220):find((".-"):rep(3) .. "b") while true do end end)
sim:run(5)
LUA
rm -rf started out
"$ria" run both.lua >stdout 2>stderr &
pid=$!
await started
kill -TERM $pid
kill -INT $pid
wait $pid 2>/dev/null
grep -q '"status": *"interrupted"' out/both/run.json || fail "two signals at once: $(grep status out/both/run.json)"

# what cannot be ended inside is named after a second, and a second signal ends it
{ script stuck; } <<LUA
$sim
sim:at(1, function() started() local _ = ("a"):rep(2000):find((".-"):rep(9) .. "b") end)
sim:run(5)
LUA
rm -rf started out
"$ria" run stuck.lua >stdout 2>stderr &
pid=$!
await started
kill -INT $pid
tries=0
while ! grep -q again stderr && [ $tries -lt 100 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
[ "$(cat stderr)" = "ria: the present step or call is finished first, then results are closed; \
Ctrl-C again ends at once and leaves them as they are" ] || fail "a script that is stuck says $(cat stderr)"
kill -INT $pid
wait $pid 2>/dev/null
[ $? = 130 ] || fail "a second signal does not end a script that is stuck"

# nobody reads: the run ends, closed
{ script pipe; } <<LUA
$sim
sim:every(1, function(s) print(s:time()) io.stdout:flush() end)
sim:run "10000 d"
LUA
rm -rf out
{ "$ria" run pipe.lua -q 2>stderr; echo $? >code; } | head -1 >/dev/null
[ "$(cat code)" = 141 ] || fail "pipe.lua: exit code $(cat code): $(cat stderr)"
grep -q '"status": *"interrupted"' out/pipe/run.json || fail "pipe.lua is not closed"

# files may not grow any more: as a full disk, and the signal's exit status
{ script limit; } <<LUA
$sim
sim:gauge { name = "a gauge with a name of some length", x = 5, y = 5, every = 0.5 }
sim:run "1 d"
LUA
rm -rf out
(ulimit -f 40 && exec "$ria" run limit.lua -q) >stdout 2>stderr
code=$?
[ $code = 153 ] || fail "limit.lua: exit code $code: $(cat stderr)"
grep -q '"status": *"running"' out/limit/run.json && fail "limit.lua is not closed"

exit $failed
