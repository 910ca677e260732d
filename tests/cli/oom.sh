#!/bin/sh
# Memory runs out: refused from the k-th request on, refused once, and refused by a limit of the
# system. Each time the program ends with a message and exit status 1, or comes through unharmed; it
# never aborts, and OpenMP never ends it. A sample of the requests, all with RIA_OOM_POINTS=all.
#   oom.sh PROGRAM SOURCE BUILD
# shellcheck disable=SC3045  # every sh that runs this has ulimit -v
ria=$1 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
scratch
refuse=$build/tests/cli/refuse.so
[ -z "$SANITIZE" ] && [ -f "$refuse" ] || exit 77
cat >tiny.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 6, ny = 6, dx = 10 }, bed = -3, params = { manning = 0.025 },
  tracers = { oil = { decay = "1 1/d" } }, init = { level = 0 }, maxima = { "level" },
  boundary = { west = ria.tide { M2 = { 1.2, 0 } }, north = "open" } }
sim:at(2, ria.spill { tracer = "oil", x = 30, y = 30, radius = 15, mass = 5 })
sim:every(10, ria.frame { field = "oil", scale = "log", width = 200 })
sim:film { name = "film.png", title = "T" }
sim:every(5, ria.save { "level", "oil", precision = 1e-6 })
sim:gauge { name = "jetty", x = 30, y = 30, every = 2 }
sim:every(3, function(s) s:probe(30, 30) end)
sim:run(10)
LUA

LD_PRELOAD=$refuse REFUSE_COUNT=count "$ria" run tiny.lua -q --threads 1 || fail "tiny.lua fails"
requests=$(cat count)
[ "$requests" -gt 1000 ] || fail "only $requests requests are counted"
files=$(find out -type f | wc -l)

# without MODE NAME: run tiny.lua with the $k-th request refused
without() {
  rm -rf out
  env LD_PRELOAD="$refuse" REFUSE_AT="$k" "$@" "$ria" run tiny.lua -q --threads 1 >said 2>&1
  code=$?
  what="request $k of $requests ($*)"
  status=$(sed -n 's/.*"status": "\(.*\)",/\1/p' out/tiny/run.json 2>/dev/null)
  grep -q "libgomp\|PANIC" said && fail "$what: $(cat said)"
  case $code in
  0)
    [ ! -s said ] || fail "$what: exit status 0, and it says $(cat said)"
    [ "$status" = ok ] || fail "$what: exit status 0, and run.json says $status"
    [ "$(find out -type f | wc -l)" = "$files" ] || fail "$what: exit status 0, and files are missing"
    ;;
  1)
    grep -q "memory" said || fail "$what: says $(cat said)"
    [ "$status" = ok ] && fail "$what: exit status 1, and run.json says ok"
    ;;
  *) fail "$what: exit status $code: $(cat said)" ;;
  esac
}

step_all=$((requests / 70)) step_one=$((requests / 40))
[ "$RIA_OOM_POINTS" = all ] && step_all=1 step_one=1
k=0
while [ $k -lt "$requests" ]; do
  without REFUSE_ALL=1
  k=$((k + step_all))
done
k=3
while [ $k -lt "$requests" ]; do
  without REFUSE_ONE=1
  k=$((k + step_one))
done

# the last ones, where a run closes: once run.json says that all is well it is
k=$((requests - 16))
while [ $k -lt "$requests" ]; do
  without REFUSE_ONE=1
  k=$((k + 1))
done

# the message says how much was wanted, Lua's or the engine's, though raising it needs memory too
k=0
without REFUSE_ALL=1
[ "$(cat said)" = "ria: out of memory" ] || fail "the first request: $(cat said)"
lua=0 engine=0
for k in $(seq 200 37 $((requests - 1))); do
  without REFUSE_ALL=1
  head -1 said | grep -q "^tiny.lua: not enough memory: Lua asked for [0-9]* bytes$" && lua=$((lua + 1))
  head -1 said | grep -q "^tiny.lua: out of memory" && engine=$((engine + 1))
done
[ $lua -gt 0 ] && [ $engine -gt 0 ] || fail "$lua messages of Lua's, $engine of the engine's"

# a script takes all there is, in an event: results are closed, and say why
cat >hog.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 6, ny = 6, dx = 10 }, bed = -3, init = { level = 0 } }
local t = {}
sim:every(1, function() for i = 1, 1e6 do t[#t + 1] = { i } end end)
sim:run(100)
LUA
for limit in 200000 250000 300000 350000 400000; do
  for threads in 1 2; do
    rm -rf out
    (ulimit -v $limit && exec "$ria" run hog.lua -q --device cpu --threads $threads) >said 2>&1
    code=$?
    what="hog.lua with $limit kB and $threads threads"
    [ $code = 1 ] || fail "$what: exit status $code: $(cat said)"
    head -1 said | grep -q "^hog.lua:[45]: sim:run: .*out of memory" ||
      fail "$what: says $(cat said)"
    grep -q '"status": "memory"' out/hog/run.json || fail "$what: $(grep status out/hog/run.json)"
  done
done

# threads that the system has no room for
echo 'print "never"' >never.lua
(ulimit -v 400000 && exec "$ria" run never.lua --device cpu --threads 1000) >said 2>&1
code=$?
[ $code = 1 ] || fail "1000 threads: exit status $code"
grep -q "^ria: cannot start: 1000 threads cannot be started, only [0-9]* (.*): ask for fewer threads$" said ||
  fail "1000 threads: says $(cat said)"

exit $failed
