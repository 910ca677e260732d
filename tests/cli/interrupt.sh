#!/bin/sh
# Ctrl-C: the step is finished, results are closed and summed up, exit code 130.
#   interrupt.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >long.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 64, ny = 64, dx = 10 }, bed = -2,
  init = { level = function(x) return x / 1000 end } }
sim:gauge { name = "pier", x = 15, y = 15, every = "1 min" }
sim:at("2 min", function() io.open("started", "w"):close() end)
sim:run "10000 d"
LUA
printf 'io.open("started", "w"):close() while true do end' >loop.lua

# interrupt SCRIPT: run it, send SIGINT once it says that it has started, which is after the first
# step and the first row of the gauge; its exit code in $code. The shell starts background jobs with
# SIGINT ignored, which the program overrides.
interrupt() {
  rm -f started
  "$ria" run "$1" --overwrite >stdout 2>stderr &
  pid=$!
  await started
  kill -INT $pid
  wait $pid
  code=$?
}

interrupt long.lua
[ $code = 130 ] || fail "long.lua: exit code $code: $(cat stderr)"
grep -q "simulated" stdout || fail "no summary after Ctrl-C"
[ -f out/long/run.json ] || fail "no run.json after Ctrl-C"
[ -f out/long/gauges.csv ] || fail "no gauges after Ctrl-C"

interrupt loop.lua
[ $code = 130 ] || fail "loop.lua: exit code $code: $(cat stderr)"

exit $failed
