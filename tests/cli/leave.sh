#!/bin/sh
# Scripts that leave by os.exit, output that nobody can read, what `ria check` leaves behind, modules
# beside a script that are named as the engine's.
#   leave.sh PROGRAM SOURCE BUILD
# shellcheck disable=SC2010  # names of ours, without blanks
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
mkdir tmp
sim='local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 } }
sim:every(1, ria.frame { field = "level", width = 64 })'

# leaves NAME CODE STATUS FRAMES: what NAME.lua leaves when it is run by $how
leaves() {
  rm -rf out
  $how "$1.lua" >stdout 2>stderr
  code=$?
  [ $code = "$2" ] || fail "$how $1.lua: exit code $code, not $2: $(cat stderr)"
  [ -s stderr ] && fail "$how $1.lua says $(cat stderr)"
  grep -q "\"status\": *\"$3\"" "out/$1/run.json" ||
    fail "$how $1.lua: run.json says $(grep status "out/$1/run.json")"
  n=$(find out -name '*.png' | wc -l)
  [ "$n" = "$4" ] || fail "$how $1.lua: $n frames, not $4"
}

# exit NAME STATEMENTS: a script that has taken 40 steps
script() {
  name=$1
  shift
  printf '%s\nsim:at(5, function() %s end)\nsim:start()\nsim:step(20)\n%s\n' "$sim" "$2" "$1" >"$name.lua"
}
script zero 'os.exit(0)' ''
script seven 'os.exit(7)' ''
script no 'os.exit(false, true)' ''
script swallowed 'pcall(os.exit, 4) while true do pcall(error) end' ''
script coroutine 'coroutine.wrap(function() os.exit(5) end)()' ''
script event '' 'os.exit(3)'
script event_swallowed '' 'while true do pcall(os.exit, true) end'
script finaliser 'setmetatable({}, { __gc = function() os.exit(6) end }) collectgarbage()' ''
frames=$("$ria" run -q zero.lua && find out -name '*.png' | wc -l)
[ "$frames" -gt 5 ] || fail "zero.lua: $frames frames"
how="$ria run -q"
leaves zero 0 ok "$frames"
leaves seven 7 ok "$frames"
leaves no 1 ok "$frames"
leaves swallowed 4 ok "$frames"
leaves coroutine 5 ok "$frames"
leaves finaliser 6 ok "$frames"
leaves event 3 interrupted 5
leaves event_swallowed 0 interrupted 5

# the plain interpreter closes the state where it is asked to
if [ -z "$SANITIZE" ] && command -v lua5.4 >/dev/null; then
  export LUA_CPATH="$build/lib/lua/?.so" LUA_PATH="$source/scripts/?.lua"
  script zero 'os.exit(0, true)' ''
  script event '' 'os.exit(3, true)'
  how=lua5.4
  leaves zero 0 ok "$frames"
  leaves event 3 interrupted 5
  unset LUA_CPATH LUA_PATH
fi

# a report that cannot be written
printf '%s\nsim:run(5)\n' "$sim" >report.lua
printf 'print "lost"' >print.lua
if [ -c /dev/full ]; then
  for command in "run report.lua --overwrite" "run report.lua --overwrite --json" "run -q print.lua" \
    "help" "info" "check report.lua"; do
    # shellcheck disable=SC2086
    "$ria" $command >/dev/full 2>stderr
    code=$?
    [ $code = 1 ] || fail "ria $command >/dev/full: exit code $code"
    grep -q "^ria: standard output cannot be written" stderr ||
      fail "ria $command >/dev/full says $(cat stderr)"
  done
fi

# a directory is missing, not meant to be called --overwrite
said=$("$ria" run report.lua --out --overwrite 2>&1)
[ $? = 2 ] || fail "--out --overwrite is taken"
[ "$said" = "ria: --out needs DIR, and '--overwrite' is an option: if it is meant, write --out=./--overwrite" ] ||
  fail "--out --overwrite says $said"
said=$("$ria" run report.lua --until -q 2>&1)
[ "$said" = "ria: --until needs T, and '-q' is an option: if it is meant, write --until=-q" ] ||
  fail "--until -q says $said"
[ -e --overwrite ] && fail "a directory is called --overwrite"

# check leaves nothing, however it ends
export TMPDIR="$PWD/tmp"
left() { ls tmp | grep ria-check && fail "check leaves directories after $1"; }
printf '%s\nos.exit(3)\n' "$sim" >exits.lua
printf 'io.open("started", "w"):close() while true do end' >loop.lua
"$ria" check --trusted exits.lua
[ $? = 3 ] || fail "check exits.lua: exit code $?"
left os.exit
for signal in TERM KILL; do
  rm -f started
  "$ria" check --trusted loop.lua >/dev/null 2>&1 &
  pid=$!
  await started
  [ "$(ls tmp | grep -c ria-check)" = 1 ] || fail "check has no directory of its own"
  "$ria" check report.lua >/dev/null
  [ "$(ls tmp | grep -c ria-check)" = 1 ] || fail "a check removed the directory of another"
  kill -$signal $pid
  wait $pid 2>/dev/null
  [ $signal = KILL ] && "$ria" check report.lua >/dev/null
  left $signal
done
unset TMPDIR

# the engine's own modules come first, others beside the script are found
mkdir ria
echo 'error "not the engine'"'"'s"' >ria/synth.lua
echo 'return { mine = true }' >ria/harbour.lua
cat >modules.lua <<'LUA'
assert(require("ria.synth").noise and require("ria.harbour").mine)
local ok, message = pcall(require, "ria.nothing")
assert(not ok and message:find("scripts/ria/nothing.lua", 1, true), message)
LUA
"$ria" run modules.lua -q || fail "modules.lua fails"

exit $failed
