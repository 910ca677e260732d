#!/bin/sh
# What goes where: results on stdout, trouble on stderr, JSON that parses, colours only on terminals.
#   output.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >bay.lua <<'LUA'
local p = params { n = {8, "cells"}, ["wind"] = {3, unit = "m/s"} }
local ria = require "ria"
local synth = require "ria.synth"
local sim = ria.sim { grid = { nx = p.n, ny = p.n, dx = 10 }, bed = function(x, y)
  return -2 + 0 * synth.noise(x, y) end, init = { level = 0 }, tracers = { "oil" } }
sim:spill { tracer = "oil", x = 15, y = 15, mass = "1 kg" }
sim:run "1 min"
LUA

# what lies after the end of a run: a warning in the check and in the summary
cat >late.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 },
  tracers = { "oil" } }
sim:at("9 h", ria.spill { tracer = "oil", x = 15, y = 15, mass = "1 kg" })
sim:at("10 h", ria.frame "level")
sim:run "1 min"
LUA
cat >rough.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2,
  init = { level = 0, manning = function(x) return x < 40 and 0.02 or 0.05 end } }
sim:run "1 min"
LUA
"$ria" check --no-forecast late.lua >stdout 2>stderr || fail "late.lua does not pass the check"
grep -qx "late.lua:6: sim:run: warning: 2 events after the end of this run, 1 min, cannot happen unless \
another follows: spill 'oil' at 9 h, an output at 10 h" stdout || fail "check of late.lua: $(cat stdout)"
"$ria" run late.lua >stdout 2>stderr || fail "late.lua fails"
grep -qx "  warning        2 events after the end of the run never happened: spill 'oil' at 9 h, an \
output at 10 h" stdout || fail "summary of late.lua: $(cat stdout)"
grep -q '"unreached": *"2 events after' out/late/run.json || fail "run.json of late.lua"
# a map of a parameter is told as one, not as the value that it stands in for
"$ria" run rough.lua >stdout 2>stderr || fail "rough.lua fails"
grep -qx "  manning        map, 0.02 to 0.05 s/m^(1/3)" stdout || fail "rough.lua: $(cat stdout)"
grep -q '"manning": *"map, 0.02 to 0.05"' out/rough/run.json || fail "run.json of rough.lua"
"$ria" run bay.lua --until 3 2>stderr && fail "--until 3 is taken"
grep -qx 'ria: --until 3: write the unit too, as in "3 h"' stderr || fail "--until 3: $(cat stderr)"

# the default directory is named after the script; run.json tells what was run
"$ria" run bay.lua wind=5 >stdout 2>stderr || fail "bay.lua fails: $(cat stderr)"
[ -f out/bay/run.json ] || fail "no out/bay/run.json"
[ -s stdout ] || fail "no report on stdout"
[ -s stderr ] && fail "stderr is not empty: $(cat stderr)"
grep -q '"script": *"bay.lua"' out/bay/run.json || fail "run.json does not name the script"
grep -q '"wind": *"5"' out/bay/run.json || fail "run.json does not hold the parameters"
grep -q 'fnv1a64:' out/bay/run.json || fail "run.json does not hold the script's hash"

# an account that does not close says so; one that does says nothing
grep -q 'does not close' stdout && fail "the account of bay.lua closes, and the report says it does not"
cat >lossy.lua <<'LUA'
local sim = require "ria".sim {
  solver = "diffusion", precision = "single", grid = { nx = 32, ny = 4, dx = 1 },
  params = { diffusivity = 1 }, init = { u = 3000 }, boundary = { west = { kind = "value", u = 3001 } } }
sim:run(4000)
LUA
"$ria" run lossy.lua >lossy 2>stderr || fail "lossy.lua fails: $(cat stderr)"
grep -q 'the account of content does not close: .* run it in double' lossy || fail "an account that does not close is not told of"

if command -v python3 >/dev/null; then
  parse() { python3 -c 'import json, sys; json.load(sys.stdin)'; }
  parse <out/bay/run.json || fail "run.json is no JSON"
  "$ria" run bay.lua --overwrite --json | parse || fail "run --json is no JSON"
  "$ria" params bay.lua --json | parse || fail "params --json is no JSON"
  "$ria" check bay.lua --json | parse || fail "check --json is no JSON"
  "$ria" run bay.lua --overwrite --json | python3 -c '
import json, sys
run = json.load(sys.stdin)
sim = run["simulations"][0]
assert run["exit"] == 0 and sim["time"] == 60 and sim["nx"] == 8
assert abs(sim["budget"]["oil"]["stored"] - 1) < 1e-9
' || fail "run --json does not hold the results"
fi

# no escape sequences where nobody looks
TERM=xterm "$ria" run bay.lua --overwrite 2>&1 | grep -q "$(printf '\033')" && fail "escapes in a pipe"

# where the first frame is, while the run goes on
cat >pictured.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 } }
sim:at(0, ria.frame "level")
sim:at("30 s", function()
  local began = os.time()
  repeat until os.time() >= began + 2
end)
sim:run "1 min"
LUA
"$ria" run pictured.lua >stdout 2>stderr || fail "pictured.lua fails: $(cat stderr)"
[ "$(cat stderr)" = "first frame: out/pictured/frames/level/level_000000.png" ] || fail "pictured.lua: $(cat stderr)"
[ -s out/pictured/frames/level/level_000000.png ] || fail "pictured.lua: no first frame"
"$ria" run pictured.lua -q --overwrite 2>stderr || fail "pictured.lua -q fails"
[ -s stderr ] && fail "pictured.lua -q says $(cat stderr)"

# once for each simulation: of two that take turns, of one after another, of steps too short for progress
cat >turns.lua <<'LUA'
local ria = require "ria"
local function pictured(out)
  local sim = ria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 }, out = out }
  sim:at(0, ria.frame "level")
  return sim
end
local one, two = pictured "turns/one", pictured "turns/two"
for _ = 1, 200 do one:step() two:step() end
one:close()
for k = 1, 3 do
  local sim <close> = pictured("turns/after" .. k)
  sim:advance(1)
end
LUA
"$ria" run turns.lua >/dev/null 2>stderr || fail "turns.lua fails: $(cat stderr)"
for k in after1 after2 after3 one two; do echo "first frame: turns/$k/frames/level/level_000000.png"; done >expected
sort stderr | cmp -s - expected || fail "turns.lua: $(cat stderr)"

# on a terminal a line is redrawn: how far it is, how fast; it is wiped before the summary
if command -v python3 >/dev/null; then
  printf 'local ria = require "ria"\nria.sim { grid = { nx = 8, ny = 8, dx = 10 }, bed = -2, init = { level = 0 } }:run "10000 d"\n' >ever.lua
  COLUMNS='' TERM=xterm python3 - "$ria" <<'PY' || fail "on a terminal: see above"
import fcntl, os, pty, re, signal, struct, subprocess, sys, termios
mine, its = pty.openpty()
fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("4H", 24, 70, 0, 0))
run = subprocess.Popen([sys.argv[1], "run", "ever.lua", "--overwrite"], stdout=subprocess.PIPE, stderr=its)
os.close(its)
told = b""
while b"x real time" not in told:
    told += os.read(mine, 4096)
run.send_signal(signal.SIGINT)
said = run.communicate()[0]
try:
    while more := os.read(mine, 4096):
        told += more
except OSError:  # its end is closed
    pass
line = re.search(rb"\r\x1b\[K(t = [^\r]*)", told)[1].decode()
assert re.match(r"t = .* of 27.3785 yr \(\d+ %\), \d+ x real time, ", line) and len(line) == 69, line
assert b"\r\x1b[K" in told[told.rindex(b"real time"):], told[-200:]
assert run.returncode == 130 and b"simulated" in said, (run.returncode, said)
PY
fi

# the second simulation of a script gets a directory of its own
cat >two.lua <<'LUA'
local ria = require "ria"
for _ = 1, 2 do
  ria.sim { grid = { nx = 4, ny = 4, dx = 10 }, bed = -2, init = { level = 0 } }:run(10)
end
LUA
"$ria" run two.lua >/dev/null || fail "two.lua fails"
[ -f out/two/run.json ] && [ -f out/two-2/run.json ] || fail "two simulations, one directory"

# stubs are Lua
if command -v luac5.4 >/dev/null; then
  "$ria" help --stubs >ria.d.lua
  luac5.4 -p ria.d.lua || fail "the stubs are no Lua"
fi

# the script's own numbers are the same every time
printf 'print(math.random(1000000), math.random())' >random.lua
[ "$("$ria" run random.lua)" = "$("$ria" run random.lua)" ] || fail "math.random is not repeatable"

# a script from standard input
echo 'print(require("ria").version)' | "$ria" run - >/dev/null || fail "no script from stdin"

exit $failed
