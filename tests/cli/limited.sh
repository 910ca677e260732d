#!/bin/sh
# Scripts of others: what they try to get out of `ria run --limited` by, and what each try ends with.
ria=$1 source=$2
failed=0
. "$(dirname "$0")/shell/common.sh"
scratch
mkdir scripts other
echo secret >other/secret.txt
printf 'ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n' >scripts/two.asc
cp scripts/two.asc other/two.asc
printf 't,q\n0,1\n10,2\n' >other/q.csv
ln -s "$PWD/other" scripts/link
ln -s ../other/two.asc scripts/link.asc
ln -s /dev/zero scripts/zero.asc
mkfifo scripts/fifo.asc
echo 'return { mine = true }' >scripts/mine.lua
echo 'return "text"' >scripts/text.lua
tries=0

# try CODE WORDS SCRIPT [OPTION...]: the script ends with this code and says these words
try() {
  code=$1 words=$2
  printf '%s\n' "$3" >scripts/try.lua
  shift 3
  tries=$((tries + 1))
  rm -rf out
  timeout 90 "$ria" run -q --limited scripts/try.lua --device cpu --limit instructions=3e7,memory=200M,time=50s,cells=1e5,frames=3,output=300k "$@" >said 2>&1
  got=$?
  case $got/$(cat said) in
  "$code"/*"$words"*) ;;
  *) fail "try $tries: exit code $got, wanted $code and '$words': $(head -c 300 said): $(head -n 3 scripts/try.lua)" ;;
  esac
}

# libraries
try 21 "os.execute is not there" 'os.execute "touch gone"'
try 21 "io.open is not there" 'io.open("other/secret.txt")'
try 21 "io.popen is not there" 'io.popen "ls"'
try 21 "debug.getregistry is not there" 'debug.getregistry()'
try 21 "package.loadlib is not there" 'package.loadlib("libc.so.6", "system")'
try 21 "package.cpath is not there" 'package.cpath = "/tmp/?.so" require "x"'
try 21 "the module 'os' is not there" 'require("os").exit(0)'
try 21 "the module '..other' is not there" 'require "..other"'
try 21 "the module '../other' is not there" 'require "../other"'
try 21 "a symbolic link" 'require "link.secret"'
try 1 "error loading module 'ffi'" 'setmetatable(_G, { __index = function(_, k) return require(k) end }) print(ffi)'
try 1 "attempt to index a string value" 'getmetatable(io).__index = nil'
try 21 "io.lines is not there" 'rawset(io, "x", 1) local _ = io.lines'
try 21 "os.exit is not there" 'os.exit(0)'

# code
try 21 "string.dump is not there" 'string.dump(print)'
try 1 "attempt to load a binary chunk" 'assert(load("\27Lua"))'
try 21 "bytecode is not there" 'assert(load("\27Lua", "x", "b"))'
try 1 "attempt to load a binary chunk" 'local n = 0 assert(load(function() n = n + 1 return n == 1 and "\27Lua" or nil end, "x", "bt"))'
try 1 "unknown key 'bedd'" 'assert(load("require [[ria]].sim { bedd = 1 }", "@/etc/passwd"))()'
try 21 "'/etc/passwd' may not be read" 'loadfile "/etc/passwd"'
try 21 "may not be read" 'dofile "scripts/../other/x.lua"'
try 1 fine 'local e = {} load("x = 1", "e", "t", e)() assert(e.x == 1 and x == nil) assert(dofile "scripts/text.lua" == "text") error "fine"'

# files to read
try 21 "'/etc/passwd' may not be read" 'require "ria".dem "/etc/passwd"'
try 21 "may not be read: files below" 'require "ria".dem "other/two.asc"'
try 21 "may not be read: files below" 'require "ria".dem "scripts/../other/two.asc"'
try 21 "a symbolic link" 'require "ria".dem "scripts/link/two.asc"'
try 21 "a symbolic link" 'require "ria".dem "scripts/link.asc"'
try 21 "a symbolic link" 'require "ria".dem "scripts/zero.asc"'
try 21 "it is no regular file" 'require "ria".dem "scripts/fifo.asc"'
try 21 "may not be read" 'require "ria".dem "/proc/self/cwd/other/two.asc"'
try 21 "may not be read" 'require "ria".dem "/proc/self/root/etc/passwd"'
try 21 "may not be read" 'require "ria".dem "/dev/zero"'
try 21 "may not be read" 'require "ria".dem "/vsicurl/http://localhost/x.tif"'
try 21 "may not be read" "require 'ria'.dem 'NETCDF:\"/etc/passwd\":z'"
try 21 "is for GDAL" "require 'ria'.dem 'NETCDF:\"x.nc\":z'" --allow .
try 21 "may not be read" 'require "ria".series "other/q.csv"'
try 21 "may not be read" 'require "ria".csv "other/q.csv"'
try 21 "may not be read" 'require "ria".shapes "other/x.geojson"'
try 21 "may not be read" 'require "ria".soundings "other/x.xyz"'
try 21 "may not be read" 'require "ria".nest "other/store"'
for proj in '' none; do # there or not
  [ -z "$proj" ] || export RIA_PROJ=$proj
  try 21 "is for PROJ" 'require "ria".crs "+proj=utm +zone=29 +nadgrids=/etc/passwd"'
done
unset RIA_PROJ

try 1 "argument 1 is text with a zero byte, behind 'scripts/two.asc'" 'require "ria".dem "scripts/two.asc\0.tif"'
try 1 "path has a zero byte, behind 'scripts/two.asc'" 'require "ria".dem { path = "scripts/two.asc\0.tif" }'

# files to write
try 21 "may not be written" 'require "ria".field { nx = 2, ny = 2, dx = 1, value = 1 }:write "other/two.asc"'
try 21 "may not be written" 'require "ria".field { nx = 2, ny = 2, dx = 1, value = 1 }:write "scripts/try.lua"'
try 21 "may not be written" 'local ria = require "ria" ria.field { nx = 2, ny = 2, dx = 1, value = 1 }:write(ria.out() .. "/../../other/two.asc")'
try 21 "may not be written" 'require "ria".field { nx = 2, ny = 2, dx = 1, value = 1 }:draw { path = "other/x.png" }'
try 21 "may not be written" 'require "ria".plot { path = "/tmp/x.png", { { x = { 0, 1 }, y = { 0, 1 } } } }'
sim='local ria = require "ria" local sim = ria.sim { grid = { nx = 30, ny = 30, dx = 1 }, bed = -1, init = { level = function(x) return x / 100 end }'
try 1 fine "$sim, out = 'other/results' } sim:run(1) error 'fine'"
[ -e other/results ] && fail "a script chose where its results go"
try 1 "" "$sim } sim:every('1 s', ria.save { 'level', store = '../../other/store' }) sim:run(1)"

# without end
try 22 "limit of instructions" 'while true do end'
try 22 "limit of instructions" 'while true do pcall(function() while true do end end) end'
try 22 "limit of instructions" 'xpcall(function() while true do end end, function() while true do end end) while true do end'
try 22 "limit of instructions" 'while true do coroutine.wrap(function() for _ = 1, 900 do end end)() end'
try 22 "limit of instructions" 'while true do coroutine.resume(coroutine.create(function() while true do end end)) end'
try 22 "limit of instructions" 'local t <close> = setmetatable({}, { __close = function() while true do end end }) while true do end'
closes='local t <close> = setmetatable({}, { __close = function() while true do end end })'
try 22 "try.lua:1: limit of instructions" "coroutine.wrap(function() $closes while true do end end)()"
try 22 "try.lua:1: limit of instructions" "local f = coroutine.wrap(function() $closes error 'x' end) while true do pcall(f) end"
try 22 "limit of instructions" 'print(setmetatable({}, { __tostring = function() while true do end end }))'
try 22 "limit of instructions" 'error(setmetatable({}, { __tostring = function() while true do end end }))'
try 22 "limit of instructions" "$sim } sim:every('1 s', function() while true do end end) sim:run(9)"
try 22 "limit of instructions" 'require "ria".field { nx = 300, ny = 300, dx = 1, value = function() while true do end end }'
try 21 "__gc is not there" 'setmetatable({}, { __gc = function() while true do end end })'
try 1 "attempt to index a string value" 'getmetatable("").__gc = 1'
try 21 "collectgarbage 'stop' is not there" 'collectgarbage "stop"'
try 24 "limit of time" 'local s = ("a"):rep(30000) print(s:find(".-.-.-.-b"))' --limit time=1s
try 24 "limit of time" 'print(#("").rep("", 1e18))' --limit time=1s
try 24 "limit of time" 'table.move({}, 1, 1 << 60, 2)' --limit time=1s
try 24 "limit of time" "$sim } sim:run(1e9)" --limit time=1s
try 24 "limit of time" "$sim } while true do pcall(sim.run, sim, 1e9) end" --limit time=1s

# a clock that is set, here an hour back between two looks at it, ends nothing
cat >clock.c <<'C'
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *t) {
  const long rc = syscall(SYS_clock_gettime, id, t);
  if (id == CLOCK_REALTIME) t->tv_sec -= 3600;
  return (int)rc;
}
C
if [ -z "$SANITIZE" ] && ${CC:-cc} -shared -fPIC -D_GNU_SOURCE -o clock.so clock.c 2>/dev/null; then
  export LD_PRELOAD=./clock.so
  try 0 "" "$sim, out = false } sim:run(3)"
  unset LD_PRELOAD
fi

# memory, cells, frames, output
try 23 "limit of memory" 'local t = {} while true do t[#t + 1] = ("x"):rep(1000) .. #t end' --limit memory=20M
try 23 "limit of memory" 'while true do pcall(string.rep, "x", 1e9) end'
try 23 "limit of memory" 'local t = {} while true do pcall(function() while true do t[#t + 1] = ("x"):rep(1000) .. #t end end) end' --limit memory=20M
try 25 "limit of cells" 'while true do pcall(require "ria".field, { nx = 3000, ny = 3000, dx = 1, value = 1 }) end'
try 25 "limit of cells" 'require "ria".sim { grid = { nx = 3000, ny = 3000, dx = 1 }, bed = 1 }'
try 23 "limit memory=N" "local t = {} for k = 1, 1e5 do t[k] = require 'ria'.field { nx = 300, ny = 300, dx = 1, value = 1 } end"
try 23 "limit of memory" 'require "ria".sim { grid = { nx = 3000, ny = 3000, dx = 1 }, bed = 1 }' --limit cells=1e9
try 26 "limit of frames" "$sim } sim:every('1 s', ria.frame { field = 'level' }) sim:run(9)"
[ "$(find out -name '*.png' | wc -l)" = 3 ] || fail "of three frames $(find out -name '*.png' | wc -l) are there"
grep -q '"status": "limit"' out/try/run.json || fail "run.json does not tell of the limit: $(head -n 4 out/try/run.json)"
try 26 "limit of frames" 'local r = require "ria" local f = r.field { nx = 9, ny = 9, dx = 1, value = 1 } for _ = 1, 9 do pcall(f.draw, f, { path = r.out() .. "/x.png" }) end'
try 27 "limit of output" "$sim } sim:every('0.1 s', ria.save { 'level', 'u', 'v' }) sim:run(99)"
try 27 "limit of output" 'while true do print(("x"):rep(1000)) end'
try 27 "limit of output" 'local r = require "ria" r.field { nx = 300, ny = 300, dx = 1, value = function() return math.random() end }:write(r.out() .. "/x.tif")'

try 27 "limit of output" "for _ = 1, 99 do $sim } sim:run(1) end"
try 1 ": xxxx" 'error(("x"):rep(1e7))'
[ "$(wc -c <said)" -lt 110000 ] || fail "an error of $(wc -c <said) bytes was told whole"

# a checkpoint that may not be read is not passed over as if it were damaged
kept='local sim = require("ria").sim { grid = { nx = 9, ny = 9, dx = 1 }, bed = -1, init = { level = 0 } } sim:checkpoint() sim:run(3)'
try 0 "" "$kept"
mv out/try/checkpoints kept && ln -s "$PWD/kept" out/try/checkpoints
"$ria" run -q --limited scripts/try.lua --continue >said 2>&1
[ $? = 21 ] && grep -q "checkpoint: .*a symbolic link" said || fail "a link to checkpoints: $(cat said)"

# what is allowed goes on
try 0 "" 'local ria = require "ria" assert(ria.dem("scripts/two.asc") and require("mine").mine and require "ria.synth")
assert(ria.dem "other/two.asc") assert(ria.series "other/q.csv")
local ok, why = pcall(ria.dem, "/etc/passwd") assert(not ok and why:find "may not be read")
local co = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return select(2, pcall(coroutine.yield, b)) end)
assert(co(1) == 2 and co(3) == 3 and co(4) == 4)
local closed co = coroutine.wrap(function() local t <close> = setmetatable({}, { __close = function(_, e) closed = e end }) error { 5 } end)
local no, thrown = pcall(co) assert(not no and thrown[1] == 5 and closed == thrown)
no, thrown = pcall(co) assert(not no and thrown:find "dead coroutine")
assert(select(2, xpcall(error, function(e) return e .. "!" end, "x")) == "x!")
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 1 }, bed = -1, init = { level = 0 } }
local two = ria.sim { grid = { nx = 8, ny = 8, dx = 1 }, bed = -1, init = { level = 0 } }
sim:every("1 s", ria.save { "level" }) sim:run(2) two:run(1)' --allow other
[ -f out/try/run.json ] && [ -f out/try/2/run.json ] || fail "of two simulations not both left results below out/try"

# modules and files of code: with what they may begin with, in another environment, with a fault, not there
printf '\357\273\277#!/usr/bin/lua\nreturn 5\n' >scripts/head.lua
echo 'y = 1' >scripts/sets.lua
echo 'quiet = 7' >scripts/quiet.lua
echo 'return (' >scripts/faulty.lua
try 0 "$(printf '5\tnil')" 'assert(require "head" == 5 and dofile "scripts/head.lua" == 5 and require "quiet" == true and quiet == 7 and require "quiet" == true)
local e = {} loadfile("scripts/sets.lua", "t", e)() assert(e.y == 1 and y == nil)
local f, why = loadfile "scripts/none.lua" assert(f == nil and why:find "cannot open")
f, why = loadfile "scripts/faulty.lua" assert(f == nil and why:find "^scripts/faulty.lua:2: unexpected symbol")
local ok ok, why = pcall(require, "none") assert(not ok and why:find "error loading module .none.: cannot open")
for _, name in ipairs { "a..b", ".a", "a.", "a b", "" } do assert(not pcall(require, name), name) end
assert(collectgarbage "count" > 0 and collectgarbage() == 0 and collectgarbage "isrunning") print(5, nil)'

# check, params and info are limited unless told otherwise; the exit code of a check that needs more says which option
echo 'io.open("made", "w")' >scripts/io.lua
for command in check params info; do
  said=$("$ria" $command scripts/io.lua 2>&1)
  [ $? = 21 ] || fail "$command of io.lua: exit code $?"
  case $said in *"ria check --trusted"*) ;; *) fail "$command of io.lua: $said" ;; esac
done
[ -e made ] && fail "a script that was only looked at made a file"
"$ria" check -q --trusted scripts/io.lua >said 2>&1 || fail "check --trusted: $(cat said)"
[ -e made ] || fail "check --trusted did not trust"

# the command line
usage() {
  "$ria" run scripts/mine.lua "$@" >said 2>&1
  [ $? = 2 ] || fail "$*: $(cat said)"
}
usage --limit memory
usage --limit memory=-1
usage --limit memroy=2G
usage --limit time=10x
usage --allow nowhere
[ "$tries" -ge 30 ] || fail "only $tries tries"
[ "$(cat other/secret.txt other/two.asc)" = "secret
$(cat scripts/two.asc)" ] || fail "files of others changed"
[ "$(ls other)" = "q.csv
secret.txt
two.asc" ] || fail "files were added: $(ls other)"

# scenarios need no more
for scenario in "$source"/scenarios/*.lua; do
  case ${scenario##*/} in
  conical_island.lua | monai.lua | submerged_island.lua | nested.lua) continue ;; # need data
  port.lua) continue ;;                                                           # writes with io
  esac
  "$ria" check -q "$scenario" >said 2>&1 || fail "check $scenario: $(cat said)"
done
"$ria" run -q --limited "$source/scenarios/tidal_channel.lua" --until "10 min" --out run >said 2>&1 || fail "tidal_channel.lua: $(cat said)"
"$ria" run -q --limited "$source/scenarios/real_coast.lua" dx=400 hours=0.5 --out coast >said 2>&1 || fail "real_coast.lua: $(cat said)"
exit $failed
