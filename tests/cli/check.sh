#!/bin/sh
# What `ria check` finds without a step: spills to which no water comes, at their own lines, and
# what a run would warn of.
#   check.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

# check NAME CODE: its stdout and stderr are what is written in NAME.out and NAME.err
check() {
  "$ria" check --no-forecast "$1.lua" >stdout 2>stderr
  code=$?
  [ $code = "$2" ] || fail "$1.lua: exit status $code"
  cmp -s stdout "$1.out" || fail "$1.lua prints: $(cat stdout)"
  cmp -s stderr "$1.err" || fail "$1.lua says: $(cat stderr)"
  [ ! -e out ] || fail "$1.lua: the check leaves results"
}

scratch
for name in dry sea flood cancelled; do : >$name.err; done

# a bed from -1.8 m in the west to 5.8 m in the east; a tide of 1.2 m. On the ground that the tide
# reaches a spill may find water, higher up it cannot. A condition may wait for the water.
cat >shore.txt <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, tracers = { "oil" },
  bed = function(x) return -2 + x / 25 end, init = { level = 0 },
  boundary = { west = ria.tide { M2 = { 1.2, 0 } } } }
LUA
cat shore.txt - >high.lua <<'LUA'
local hill = ria.spill { name = "hill", tracer = "oil",
  x = 190, y = 50, mass = 5 }
local tidal = ria.spill { tracer = "oil", x = 60, y = 50, radius = 6, mass = 5 }
sim:at("1 h", { tidal, hill })
sim:every("1 h", hill, { start = "30 min" })
sim:every("1 h", { ria.spill { tracer = "oil", x = 20, y = 50, mass = 5 },
  ria.spill { name = "listed", tracer = "oil", x = 150, y = 50, mass = 5 } }, { start = "2 h" })
sim:when(function() return false end, { tidal, hill }, { every = "1 min" })
sim:spill { tracer = "oil", rate = 1,
  x = 190, y = 50, start = "1 h" }
sim:at("1 h", ria.frame "oil")
sim:run "3 h"
LUA
cat >high.out <<'TEXT'
high.lua:7: ria.spill: warning: spill 'oil' at 1 h: no water within 6 m of (60, 50) at the start, where the bed is at least 0.6 m: the run fails unless water has come there by then
TEXT
where="where the bed is 5.8 m and the highest level is 1.2 m; the nearest wet cell is 145.1 m away at (45, 45)"
cat >high.err <<TEXT
high.lua:5: ria.spill: spill 'hill' at 1 h: no level given reaches (190, 50), $where
high.lua:5: ria.spill: spill 'hill' at 30 min: no level given reaches (190, 50), $where
high.lua:11: ria.spill: spill 'listed' at 2 h: no level given reaches (150, 50), where the bed is 4.2 m and the highest level is 1.2 m; the nearest wet cell is 105.1 m away at (45, 45)
high.lua:5: ria.spill: spill 'hill': no level given reaches (190, 50), $where
high.lua:13: sim:spill: spill 'oil' at 1 h: no level given reaches (190, 50), $where
TEXT
check high 1

# as JSON: what is printed and what is said
if command -v python3 >/dev/null; then
  "$ria" check high.lua --json >stdout 2>stderr
  python3 - <<'PY' || fail "high.lua --json: $(cat stdout)"
import json
told = json.load(open("stdout"))
assert told["log"] == open("high.out").read().splitlines() and told["exit"] == 1, told["log"]
assert told["error"] == open("high.err").read().rstrip("\n"), told["error"]
PY
fi

# many of them are counted
{
  cat shore.txt
  echo 'for k = 1, 30 do sim:at(k, ria.spill { tracer = "oil", x = 190, y = 50, mass = 5 }) end'
  echo 'sim:run "1 h"'
} >many.lua
"$ria" check many.lua 2>stderr && fail "many.lua passes"
[ "$(wc -l <stderr)" = 21 ] && [ "$(tail -1 stderr)" = "and 10 more" ] || fail "many.lua: $(cat stderr)"

# all that was said stands in the JSON, however long
if command -v python3 >/dev/null; then
  echo 'error(("x"):rep(20000), 0)' >long.lua
  "$ria" check long.lua --json 2>stderr | python3 -c 'import json, sys
assert len(json.load(sys.stdin)["error"]) == 20000' || fail "long.lua --json: the error is cut"
fi

# all that is wrong at once, each at its own line, and what a run would fail of later
cat >all.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, tracers = { "oil" },
  bed = function(x) return -2 + x / 25 end, init = { level = 0 },
  params = { wind_from = ria.series { { 0, 10 }, { 2400, 20 } } },
  boundary = { west = { kind = "level", level = ria.series { { 0, 0 }, { 1800, -0.5 } } } } }
sim:every("10 min", ria.frame { feld = "oil" })
sim:every("10 min", { ria.frame { field = "oul" }, ria.save { "level" } })
local pier = sim:gauge { name = "pier", x = 1000, y = 5, every = 60 }
sim:cancel(pier)
sim:gauge { name = "hill", x = 190, y = 5, every = 60 }
sim:cancel(sim:gauge { name = "cancelled", x = 190, y = 15, every = 60 })
sim:gauge { name = "sea", x = 20, y = 5, every = 60 }
assert(not pcall(sim.gauge, sim, { name = "caught" }))
assert(not coroutine.resume(coroutine.create(function() sim:gauge { name = "also" } end)))
sim:spill { tracer = "oil", x = 20, y = 5, mass = "5 m" }
sim:spill(ria.spill { tracer = "oil", x = 20, y = 5, mas = 5 })
sim:at("10 min", ria.spill { tracer = "oil", x = 190, y = 5, mass = 5 })
sim:run "1 h"
LUA
cat >all.out <<'TEXT'
all.lua:10: sim:gauge: warning: gauge 'hill': no level given reaches (190, 5), where the bed is 5.8 m and the highest level is 0 m
TEXT
cat >all.err <<'TEXT'
all.lua:6: ria.frame: unknown key 'feld': did you mean 'field'?
all.lua:7: ria.frame: unknown field 'oul': did you mean 'oil'?
all.lua:8: sim:gauge: gauge 'pier': (1000, 5) lies outside the domain, x 0 to 200, y 0 to 200
all.lua:15: sim:spill: mass: 'm' in '5 m' is a unit of length: expected a mass (ug, mg, g, kg, t)
all.lua:16: ria.spill: unknown key 'mas': did you mean 'mass'?
all.lua:18: sim:run: level of boundary 'west': its series has values from 0 s to 1800 s, and the run needs them from 0 s to 3600 s: extend it, or let it hold its end values
all.lua:18: sim:run: parameter 'wind_from': its series has values from 0 s to 2400 s, and the run needs them from 0 s to 3600 s: extend it, or let it hold its end values
all.lua:17: ria.spill: spill 'oil' at 10 min: no level given reaches (190, 5), where the bed is 5.8 m and the highest level is 0 m; the nearest wet cell is 145 m away at (45, 5)
TEXT
check all 1
"$ria" run all.lua >stdout 2>stderr && fail "all.lua runs"
[ "$(cat stderr)" = "$(head -1 all.err)" ] || fail "a run goes on after an error: $(cat stderr)"
rm -rf out
# a script that ends without a run, or by an error of its own, still has them told
{ sed '6!d; s/.*/local ria = require "ria"/' all.lua; sed -n '2,5p' all.lua; echo 'sim:gauge { name = 3 }'; } >ends.lua
"$ria" check ends.lua >stdout 2>stderr && fail "ends.lua passes"
[ "$(grep -c "^ends.lua:6: sim:gauge: " stderr)$(wc -l <stderr)" = 11 ] || fail "ends.lua says: $(cat stderr)"
echo 'error "no more"' >>ends.lua
"$ria" check ends.lua >stdout 2>stderr && fail "ends.lua passes with an error"
[ "$(sed -n '2p' stderr)" = "ends.lua:7: no more" ] || fail "ends.lua says: $(cat stderr)"
# many are counted
{ sed -n '1,5p' all.lua; echo 'for k = 1, 30 do sim:gauge { name = "g" .. k, x = 1000, y = 5, every = 60 } end'; echo 'sim:run "1 min"'; } >gauges.lua
"$ria" check gauges.lua 2>stderr && fail "gauges.lua passes"
[ "$(wc -l <stderr)" = 21 ] && [ "$(tail -1 stderr)" = "and 10 more" ] || fail "gauges.lua: $(cat stderr)"

# where the tide comes in time all is well, and a run says nothing of it
cat shore.txt - >dry.lua <<'LUA'
sim:at("30 min", ria.spill { tracer = "oil", x = 60, y = 50, mass = 5 })
sim:run "1 h"
LUA
cat >dry.out <<'TEXT'
dry.lua:5: ria.spill: warning: spill 'oil' at 30 min: no water at (60, 50) at the start, where the bed is 0.6 m: the run fails unless water has come there by then
dry.lua: ok
TEXT
check dry 0
"$ria" run dry.lua -q >stdout 2>stderr || fail "dry.lua: $(cat stderr)"
rm -rf out

# a river may flood any ground
sed 's/boundary = .*/boundary = { west = { kind = "discharge", q = 5 } } }/; s/x = 60/x = 190/
  s/sim:run.*/sim:run "31 min"/' dry.lua >flood.lua
cat >flood.out <<'TEXT'
flood.lua:5: ria.spill: warning: spill 'oil' at 30 min: no water at (190, 50) at the start, where the bed is 5.8 m: the run fails unless water has come there by then
flood.lua: ok
TEXT
check flood 0
# and where it has not come in time the run fails at the spill's own line
"$ria" run flood.lua -q >stdout 2>stderr && fail "flood.lua runs"
grep -q "^flood.lua:5: ria.spill: spill 'oil': no water at (190, 50) at 1800 s; the nearest wet cell is " stderr ||
  fail "flood.lua says: $(cat stderr)"
rm -rf out

# wind, water that comes with an event, and functions: nothing is sure then, and a run may complete
above="where the bed is 5.8 m and the highest level is 1.2 m; the nearest wet cell is 145.1 m away at (45, 45)"
maybe() {
  { sed "s/tracers =/$2 tracers =/" shore.txt; echo "$3"
    echo 'sim:at("1 h", ria.spill { tracer = "oil", x = 190, y = 50, mass = 5 })'
    echo 'sim:run "2 h"'; } >"$1.lua"
  "$ria" check --no-forecast "$1.lua" >stdout 2>stderr || fail "$1.lua does not pass: $(cat stderr)"
  grep -qF "$1.lua:6: ria.spill: warning: spill 'oil' at 1 h: $4" stdout || fail "$1.lua says $(cat stdout)"
}
maybe wind 'params = { wind_speed = 20 },' '' 'no water at (190, 50) at the start'
maybe hose '' 'sim:every("10 min", ria.spill { x = 190, y = 50, volume = 50 }, { start = "10 min" })' "no level given reaches (190, 50), $above"
maybe later '' 'sim:when(function(s) return s:time() > 60 end, ria.spill { x = 190, y = 50, volume = 50 }, { every = "10 min" })' "no level given reaches (190, 50), $above"
maybe fn '' 'sim:at("10 min", function(s) s:set { level = 7 } end)' "no level given reaches (190, 50), $above"

# what was cancelled does not happen, nor does a list of which a part was refused
cat shore.txt - >cancelled.lua <<'LUA'
local hill = ria.spill { tracer = "oil", x = 190, y = 50, mass = 5 }
local water = ria.spill { x = 190, y = 50, volume = 5 }
sim:cancel(sim:at("1 h", hill))
sim:cancel(sim:every("1 h", { hill }, { start = "1 h" }))
sim:cancel(sim:when(function() end, hill, { every = "1 h" }))
assert(not pcall(sim.at, sim, "1 h", { hill, ria.spill { tracer = "oil", x = 990, y = 50, mass = 5 } }))
sim:cancel(sim:at("1 h", water))
sim:run "3 h"
LUA
echo "cancelled.lua: ok" >cancelled.out
check cancelled 0

# what a run says of its start, at the line that runs
cat >sea.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, bed = function(x) return -x / 25 end,
  init = { level = 2 }, boundary = { east = "open" } }
sim:run "1 min"
LUA
warning="9.8 m of water stand where the open east side falls outwards at the start, and run out: \
where the sea lies beyond, give slope = 0, or a level"
cat >sea.out <<TEXT
sea.lua:4: sim:run: warning: $warning
sea.lua: ok
TEXT
check sea 0
# of several that run by turns each is checked
sed 's/^sim:run.*/ria.run_all({ sim, other }, "1 min")/; s/^local sim = \(.*\)/local other\nlocal function make() return \1/
  s/"open" } }/"open" } } end\nlocal sim = make()\nother = make()/' sea.lua >both.lua
: >both.err
{
  echo "both.lua:7: ria.run_all: warning: $warning"
  echo "both.lua:7: ria.run_all: warning: $warning"
  echo "both.lua: ok"
} >both.out
check both 0

"$ria" run sea.lua >stdout 2>stderr || fail "sea.lua: $(cat stderr)"
grep -qx "  warning        $warning" stdout || fail "summary of sea.lua: $(cat stdout)"

# what the run will take: a short one is measured whole, and ends as it was said
cat >short.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, bed = -2,
  init = { level = function(x) return x < 100 and 1 or 0 end } }
sim:every("2 s", ria.frame "level", { stop = "9 s" })
sim:every("5 s", ria.save { "level", "depth", "bed" })
sim:at("3 s", function(s) print("an event runs", s) end)
sim:run "20 s"
LUA
"$ria" check short.lua >stdout 2>stderr || fail "short.lua: $(cat stderr)"
grep -q "^  time       .*: [0-9]* steps on " stdout && grep -q "^  measured .*, 20 s, which is all of it$" stdout &&
  grep -q "^  disk       .* kB to .*: 4 frames, 4 saves; free: " stdout && grep -q "^  memory     2[0-9] kB of arrays" stdout ||
  fail "the forecast of short.lua: $(cat stdout)"
grep -q "an event\|warning" stdout && fail "the forecast of short.lua runs events, or warns: $(cat stdout)"
if command -v python3 >/dev/null; then
  "$ria" check short.lua --json >told.json 2>stderr && "$ria" run -q short.lua >stdout 2>stderr || fail "short.lua: $(cat stderr)"
  cat >long.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, bed = -2, init = { level = 0 } }
sim:every("1 s", ria.save { "level", "u", "v" })
sim:run "1e6 d"
LUA
  "$ria" check long.lua --json >long.json 2>stderr || fail "long.lua: $(cat stderr)"
  python3 - <<'PY' || fail "the forecast of short.lua is not what came: $(cat told.json)"
import json, os
[f], ran = json.load(open("told.json"))["forecast"], json.load(open("out/short/run.json"))
assert f["steps"] == [f["measured_steps"]] * 2 and abs(f["steps"][0] - ran["steps"]) <= 16, (f, ran["steps"])
assert (f["frames"], f["saves"], f["t_end"], f["warnings"]) == (4, 4, 20, []), f
size = sum(os.path.getsize(os.path.join(d, n)) for d, _, names in os.walk("out/short") for n in names)
assert 0.8 * f["disk"][0] < size < 1.2 * f["disk"][1], (f, size)
[f] = json.load(open("long.json"))["forecast"]
assert f["wall"][1] > 1.9 * f["wall"][0] > 1e5 and f["saves"] == 86400e6, f
assert any("more than a day" in w for w in f["warnings"]) and any("the disk is short" in w for w in f["warnings"]), f
PY
  rm -rf out
fi
# step by step, to no end that is known: what an hour takes
sed 's/^sim:run.*/while sim:time() < 40 do sim:step() end/' short.lua >steps.lua
"$ria" check steps.lua >stdout 2>stderr || fail "steps.lua: $(cat stderr)"
grep -q "^  time       .* an hour of the flow on cpu.*: it goes on step by step, to no known end$" stdout && grep -q "^  measured .* from the start, [^,]*$" stdout ||
  fail "the forecast of steps.lua: $(cat stdout)"
"$ria" check steps.lua --json >told.json 2>stderr && grep -q '"t_end":null,' told.json && ! grep -q '"steps":\[' told.json || fail "steps.lua --json: $(cat told.json)"
[ "$("$ria" check --no-forecast short.lua)" = "short.lua: ok" ] || fail "--no-forecast tells one"

exit $failed
