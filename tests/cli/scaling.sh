#!/bin/sh
# ria bench scaling: the cases of all solvers on one thread and on several, and the formula that is fitted to points.
#   scaling.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
small="--device cpu size=16 each=8 seconds=0.001"

# says CODE TEXT ARGUMENT...: the whole of what is said is TEXT, with this exit code
says() {
  code=$1 text=$2
  shift 2
  said=$("$ria" bench scaling "$@" 2>&1)
  got=$?
  [ "$got" = "$code" ] || fail "scaling $*: exit code $got, not $code"
  [ "$said" = "$text" ] || fail "scaling $*: says '$said', not '$text'"
}

# shellcheck disable=SC2086
"$ria" bench scaling $small --threads 3 >all || fail "exit code $?"
for name in shallow_water/wet shallow_water/second diffusion/passes sediment/mapped adi/wet; do
  for on in "16 x 16  *1 thread" "16 x 16  *2 threads" "16 x 16  *3 threads, one part" "8 x 8  *1 thread" "8 x 24  *3 threads"; do
    grep -q "^  $name .* $on  *[0-9]" all || fail "$name: no row of '$on' in $(cat all)"
  done
done
grep -q "threads, one part .* [0-9.]* .* %" all || fail "no part of the ideal: $(cat all)"

# the last row is that of all threads, however many
"$ria" bench scaling --device cpu size=64 each=no seconds=0.001 --threads 40 case=diffusion >many || fail "40 threads: exit code $?"
tail -n 2 many | head -n 1 | grep -q "64 x 64  *40 threads  *[0-9]" || fail "40 threads: $(cat many)"

# shellcheck disable=SC2086
"$ria" bench scaling $small --threads 2 case=sediment --json >rows.json || fail "--json: exit code $?"
if command -v python3 >/dev/null; then
  "$ria" bench scaling --json --device cuda:98-99 size=8 >none.json 2>/dev/null
  python3 -c 'import json; assert json.load(open("none.json")) == []' || fail "--json where a case fails: $(cat none.json)"
  python3 - <<'PY' || fail "rows.json: $(cat rows.json)"
import json
rows = json.load(open("rows.json"))
assert [r["on"] for r in rows] == ["1 thread", "2 threads", "2 threads, one part"] * 2, rows
assert [r["ny"] for r in rows] == [16, 16, 16, 8, 16, 16] and all(r["nx"] in (16, 8) for r in rows)
for one, two in ((0, 1), (0, 2)):
    assert abs(rows[two]["times"] - rows[one]["ms_per_step"] / rows[two]["ms_per_step"]) < 1e-9
assert abs(rows[4]["times"] - 2 * rows[3]["ms_per_step"] / rows[4]["ms_per_step"]) < 1e-9
PY
fi

all="shallow_water/wet, shallow_water/second, diffusion/passes, sediment/mapped, adi/wet"
says 2 "ria: bench scaling: unknown case 'wat': known are $all" case=wat
says 2 "ria: unknown setting 'sise': did you mean 'size'?" sise=8
says 2 "ria: unknown setting 'x': one of case, size, each, seconds, points" x=8
says 2 "ria: size=16,4: the value is not allowed (see \`ria help bench\`)" size=16,4
says 2 "ria: each=maybe: the value is not allowed (see \`ria help bench\`)" each=maybe
says 2 "ria: bench scaling cuts the grid itself: it takes no --parts" --parts 2
says 5 "ria: shallow_water/wet: $("$ria" bench case=wet --device cuda:98 n=8 steps=1 2>&1 | sed 's/^ria: cannot start: //')" --device cuda:98-99 size=8
says 3 "ria: cannot open nowhere" points=nowhere
printf '# x\n\nshallow_water/wet 8 8 0 3\n' >bad
says 3 "ria: bad:3: expected SOLVER/CASE NX NY DEVICES MICROSECONDS" points=bad

# 10 us + 1e-5 us a cell of a device; in parts 5 us + 2 ns a column
awk 'BEGIN { for (n = 1000; n < 10000; n *= 2) for (p = 1; p <= 4; p *= 2)
  printf "shallow_water/wet %d %d %d %.10g\n", n, n, p, 10 + n * n / p * 1e-5 + (p > 1 ? 5 + 0.002 * n : 0) }' >points
"$ria" bench scaling points=points >model || fail "points: exit code $?"
line="shallow_water/wet: a step takes 10.00 us + cells / devices / 100.00 per ns; in parts 5.00 us + 2.000 ns a column more"
grep -q "^  $line$" model || fail "points made by the formula do not give it back: $(cat model)"
grep -q "12 points, the farthest 0.0 % off; half of a part's time is its own from 900000 cells on (rows of 2000)" model ||
  fail "how far points are off: $(cat model)"
# 8192 squared: 681.1 us on one, 366.9 on two: 93 %; on 64 of eight hosts 10 + 10.5 + 47 + 12.6 + 5 us: 13 %
grep -q "^    8192 x 8192  *93 %  *85 %  *74 %  *13 %  *1 %$" model || fail "what is foretold: $(cat model)"
grep -q "^    1000 x 1000 .* -$" model || fail "a thousand rows cannot be a thousand and more parts: $(cat model)"

exit $failed
