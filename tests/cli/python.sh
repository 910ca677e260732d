#!/bin/sh
# The Python module: tests/cli/python/run.py, the example, and Ctrl-C. What is not here is named.
#   python.sh PROGRAM SOURCE BUILD      (CC, SANITIZE from the environment)
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
scratch
python=python3
[ -x /usr/bin/python3 ] && python=/usr/bin/python3 # where Debian's packages are
[ -e "$build/python/ria/_ria.abi3.so" ] || { echo "not tested: Python, the module was not built (Python.h of 3.11 or later)"; exit 77; }
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "not tested: Python, $python is older than 3.11"; exit 77; }
"$python" -c 'import numpy' 2>/dev/null || { echo "not tested: Python, there is no numpy"; exit 77; }
export PYTHONPATH="$build/python" PYTHONDONTWRITEBYTECODE=1
case $SANITIZE in
'') ;;
*address*)
  # the interpreter is not sanitised: the runtime comes first, and what it leaks itself is not told
  LD_PRELOAD=$("$CC" -print-file-name=libasan.so)
  [ -e "$LD_PRELOAD" ] || { echo "not tested: Python, $CC has no libasan.so"; exit 77; }
  export LD_PRELOAD ASAN_OPTIONS="$ASAN_OPTIONS:detect_leaks=0"
  ;;
*) exit 77 ;;
esac

"$python" "$source/tests/cli/python/run.py" "$ria" || fail "python/run.py: see above"
"$python" "$source/examples/python/harbour.py" >said.txt 2>&1 || fail "harbour.py: $(cat said.txt)"
grep -q '^highest level at the pier 0\.[0-9]* m' said.txt || fail "harbour.py says $(cat said.txt)"

# Ctrl-C: from Python, in a script's run, and in Lua that goes round and round
cat >long.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 64, ny = 64, dx = 10 }, bed = -2, init = { level = 0.1 } }
sim:at("1 min", function() io.open("started", "w"):close() end)
sim:run "10000 d"
LUA
printf 'io.open("started", "w"):close() while true do pcall(function() while true do end end) end' >loop.lua
cat >long.py <<'PY'
import ria
sim = ria.Simulation(nx=64, ny=64, dx=10, bed=-2, level=0.1, out="out/long_py", threads=1)
sim.at("1 min", lambda sim, t: open("started", "w").close())
try:
    sim.run("10000 d")
except KeyboardInterrupt:
    print("stopped", sim.time > 60, sim["level"].max() > 0.09)
    raise
PY
echo 'import ria, sys; ria.Script(sys.argv[1], threads=1).run()' >script.py
interrupt() {
  rm -f started
  (trap - INT; exec "$python" -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler); sys.argv = sys.argv[1:]; exec(open(sys.argv[0]).read())' "$@") >stdout 2>stderr &
  pid=$!
  await started
  kill -INT $pid
  wait $pid
  code=$?
  [ $code = 130 ] || fail "$* after Ctrl-C: exit code $code: $(cat stderr)"
  grep -q '^KeyboardInterrupt' stderr || fail "$* after Ctrl-C: $(cat stderr)"
}
interrupt long.py
grep -q '^stopped True True' stdout || fail "long.py says $(cat stdout)"
grep -q '"status": "interrupted"' out/long_py/run.json || fail "long.py: $(grep status out/long_py/run.json)"
interrupt script.py long.lua
grep -q '"status": "interrupted"' out/long/run.json || fail "long.lua: $(grep status out/long/run.json)"
interrupt script.py loop.lua
exit $failed
