#!/bin/sh
# A run that is killed and continued leaves the files of one that was not, byte for byte; only
# run.json has other wall times and arguments, and a list of where it went on. What was changed is
# refused by its name.
#   continue.sh PROGRAM SOURCE BUILD
# RIA_CONTINUE_KILLS: how many kills of each kind (2); RIA_CONTINUE_SCENES=all: every scenario,
# killed up to 20 times in a row.
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/continued.sh
. "$(dirname "$0")/shell/continued.sh"

scratch
kills=${RIA_CONTINUE_KILLS:-2}
seed=${RIA_CONTINUE_SEED:-$(od -An -N2 -tu2 /dev/urandom)}
tried=0 went_on=0

cp "$source/tests/cli/shell/bay.lua" .

# part SECONDS SIGNAL COMMAND...: run a command and end it by a signal after a time; its exit code
part() {
  after=$1 signal=$2
  shift 2
  "$@" >said 2>&1 &
  pid=$!
  sleep "$after"
  kill -"$signal" $pid 2>/dev/null
  wait $pid 2>/dev/null
}

# go_on DIRECTORY COMMAND...: what was ended is continued to its end
go_on() {
  to=$1
  shift
  "$@" >said 2>&1 || fail "$to: cannot be continued: $(tail -3 said)"
  if grep -q 'goes on at' said; then went_on=$((went_on + 1)); fi
}

# undisturbed DIRECTORY COMMAND...: $took seconds
undisturbed() {
  begun=$(date +%s.%N)
  to=$1
  shift
  "$@" >said 2>&1 || fail "$to: $(tail -3 said)"
  took=$(echo "$begun $(date +%s.%N)" | awk '{ print $2 - $1 }')
}

# killed_once NAME SIGNAL SHARE COMMAND...: ended after this share of its time, then to the end
killed_once() {
  name=$1 signal=$2 share=$3
  shift 3
  rm -rf "$name.k"
  part "$(awk -v a="$share" -v t="$took" 'BEGIN { print a * t }')" "$signal" "$@" --out "$name.k"
  go_on "$name.k" "$@" --out "$name.k" --continue
  same "$name, $signal after $share of $took s" "$name.ref" "$name.k"
}

# killed_often NAME TIMES COMMAND...: killed and continued again and again
killed_often() {
  name=$1 times=$2
  shift 2
  rm -rf "$name.o"
  for share in $(random "$times"); do
    part "$(awk -v a="$share" -v t="$took" 'BEGIN { print 0.05 + 0.3 * a * t }')" KILL "$@" --out "$name.o" --continue
  done
  go_on "$name.o" "$@" --out "$name.o" --continue
  same "$name, killed $times times" "$name.ref" "$name.o"
}

for precision in single double; do
  undisturbed $precision.ref "$ria" run bay.lua precision=$precision --out $precision.ref
  for share in $(random "$kills"); do
    killed_once $precision KILL "$share" "$ria" run bay.lua precision=$precision
  done
  [ $precision = single ] && [ "$kills" -lt 4 ] && continue
  for share in $(random "$kills"); do
    killed_once $precision INT "$share" "$ria" run bay.lua precision=$precision
    killed_once $precision TERM "$share" "$ria" run bay.lua precision=$precision
  done
  killed_often $precision "$kills" "$ria" run bay.lua precision=$precision
done

# finished, then longer: frames and gauges land at the end of the first
rm -rf long
"$ria" run -q bay.lua --out long --until "90 min" >said 2>&1 || fail "until: $(cat said)"
go_on long "$ria" run bay.lua --out long --continue
same "finished, then longer" double.ref long
go_on long "$ria" run bay.lua --out long --continue
same "finished, then continued" double.ref long
"$ria" run -q bay.lua hours=4 --out hours.ref >said 2>&1 || fail "hours: $(cat said)"

# ended where nothing but a gauge, which shortens no step, has a row: steps and files are those of a run that lands there for an event
cat >lands.lua <<'LUA'
local ria = require "ria"
local p = ria.params { lands = false }
local sim = ria.sim { grid = { nx = 30, ny = 12, dx = 20 }, bed = -3,
  boundary = { west = { kind = "discharge", q = 20 }, east = { kind = "radiate", level = 0 } } }
sim:gauge { name = "a", x = 200, y = 100, every = "1 min" }
sim:checkpoint { every = "4 min" }
if p.lands then sim:at("3 min", function() end) end
sim:run "6 min"
LUA
"$ria" run -q lands.lua lands=true --out lands.ref >said 2>&1 || fail "lands: $(cat said)"
for end in "3 min" "2.5 min"; do
  rm -rf lands
  "$ria" run -q lands.lua --until "$end" --out lands >said 2>&1 || fail "until $end: $(cat said)"
  "$ria" run -q lands.lua --out lands --continue >said 2>&1 || fail "until $end, then continued: $(cat said)"
  [ "$(wc -l <lands/gauges.csv)" = "$(wc -l <lands.ref/gauges.csv)" ] || fail "until $end: rows of gauges are missing, or there twice"
  [ "$end" != "3 min" ] || cmp lands/gauges.csv lands.ref/gauges.csv >said 2>&1 || fail "until $end: $(cat said)"
done

# the plain interpreter
if command -v lua5.4 >/dev/null && [ -e "$build/lib/lua/ria.so" ] && [ -z "$SANITIZE" ]; then
  export LUA_CPATH="$build/lib/lua/?.so" LUA_PATH="$source/scripts/?.lua"
  sed 's/maxima =/resume = true, title = "bay", out = "plain", maxima =/' bay.lua >plain.lua
  for share in $(random "$kills"); do
    rm -rf plain
    part "$(awk -v a="$share" -v t="$took" 'BEGIN { print a * t }')" KILL lua5.4 plain.lua
    go_on plain lua5.4 plain.lua
    same "lua5.4, killed after $share of $took s" double.ref plain
  done
fi

# refused CODE WORDS ARGUMENT...: the run in `changed` is not continued, and says why
refused() {
  wanted=$1 words=$2
  shift 2
  "$ria" run -q "$@" --out changed >said 2>&1
  code=$?
  [ $code = "$wanted" ] || fail "$*: exit code $code: $(cat said)"
  grep -q "$words" said || fail "$*: says $(cat said)"
}
"$ria" run -q bay.lua --out changed --until "90 min" >said 2>&1 || fail "changed: $(cat said)"
cp bay.lua kept.lua
refused 3 'hours = 3 then, hours = 4 now' bay.lua hours=4 --continue
refused 3 'kick = 100 then, kick = 90 now' bay.lua kick=90 --continue
sed 's/0.5 kg/0.6 kg/' kept.lua >bay.lua
refused 3 'its line 2[0-9] was .*0.5 kg.* and is .*0.6 kg' bay.lua --continue
refused 1 'in boundaries and sources: its script' bay.lua --continue-changed
{ cat kept.lua; echo '-- a remark'; } >bay.lua
refused 3 "was '' and is '-- a remark'" bay.lua --continue
refused 2 'give one of the two' bay.lua --continue --overwrite
refused 2 'write the unit' bay.lua --checkpoint-every 10
cp kept.lua bay.lua
go_on changed "$ria" run bay.lua hours=4 --out changed --continue-changed
same "changed where it may be" hours.ref changed

# a number in another form is the same number
go_on changed "$ria" run bay.lua hours=4.0 kick=1e2 --out changed --continue

# a module that was changed, one that was not loaded then, a script of another name
rm -rf changed
echo 'return 6' >part.lua
cp part.lua other.lua
{ echo 'local part, other = require "part", arg[1] and require "other"'; cat lands.lua; } >parted.lua
"$ria" run -q parted.lua --out changed --until "3 min" >said 2>&1 || fail "parted: $(cat said)"
refused 3 "the module 'other', which it requires, was not loaded then" parted.lua lands=false --continue
echo 'return 7' >part.lua
refused 3 "the module 'part', which it requires, was changed" parted.lua --continue
echo 'return 6' >part.lua
cp parted.lua named.lua
refused 3 "was 'parted' and is 'named'" named.lua --continue
go_on changed "$ria" run parted.lua --out changed --continue

# a run that was changed while it went on: it is not continued without these changes
echo 'sim:at(200, function(s) s:boundary("west", "wall") end)' >change.lua
"$ria" run -q lands.lua --changes change.lua --out changes.ref >said 2>&1 || fail "changes: $(cat said)"
rm -rf changed
"$ria" run -q lands.lua --changes change.lua --out changed --until "3 min" >said 2>&1 || fail "changes: $(cat said)"
refused 3 'changed while it went on: --changes changed/changes.lua makes these' lands.lua --continue
go_on changed "$ria" run lands.lua --out changed --continue --changes changed/changes.lua
cmp changed/changes.lua changes.ref/changes.lua || fail "changes.lua of a run that went on"
rm -rf changed
"$ria" run -q lands.lua --out changed --until "3 min" >said 2>&1 || fail "lands: $(cat said)"
refused 3 'no changes were made then' lands.lua --continue --changes change.lua
go_on changed "$ria" run lands.lua --out changed --continue-changed --changes change.lua
cmp changed/changes.lua changes.ref/changes.lua || fail "changes.lua of a run that had none"
printf '\n\nsim:clos()\n' >change.lua
"$ria" run -q lands.lua --changes change.lua --out faulty >said 2>&1 && fail "a faulty change is made"
grep -q '^change.lua:3: sim: there is no sim:clos' said || fail "a faulty change: $(cat said)"

# a signal that ends a function between two of its releases
cat >half.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 50 }, bed = -3, tracers = { "dye" },
  title = "half", init = { level = function(x) return x / 2000 end } }
sim:checkpoint { every = "1 min" }
sim:gauge { name = "pier", x = 500, y = 500, every = 10 }
sim:at("5 min", function(s)
  s:spill { tracer = "dye", x = 300, y = 300, radius = 100, mass = 1 }
  io.open("half.started", "w"):close()
  local until_then = os.clock() + 0.5
  while os.clock() < until_then do end
  s:spill { tracer = "dye", x = 700, y = 300, radius = 100, mass = 2 }
end)
sim:run "20 min"
LUA
undisturbed half.ref "$ria" run half.lua --out half.ref
rm -f half.started
"$ria" run half.lua --out half >said 2>&1 &
pid=$!
await half.started
kill -INT $pid
wait $pid
go_on half "$ria" run half.lua --out half --continue
same "ended between two releases" half.ref half

# nothing there
"$ria" run bay.lua --until "20 min" --out none --continue >said 2>&1 || fail "none: $(cat said)"
grep -q '^none: nothing to continue' said || fail "none: says $(head -3 said)"

# several simulations, each with checkpoints of its own; one that is over is not stepped again
cat >two.lua <<'LUA'
local ria = require "ria"
local function make(name, depth)
  local sim = ria.sim { grid = { nx = 30, ny = 20, dx = 100 }, bed = -depth, out = out .. name, title = name,
    init = { level = function(x) return x / 3000 end } }
  sim:checkpoint { every = "2 min", keep = 1 }
  sim:gauge { name = "pier", x = 1500, y = 500, every = 30 }
  sim:every("10 min", ria.save { "level" })
  return sim
end
local first = make("/first", 5)
first:run "1 h"
local a, b = make("/a", 3 + first:stats("level").max), make("/b", 4)
local function follow(s, other)
  s:boundary("west", { kind = "level", level = 0.01 * (other:stats("level").max + math.sin(other:time())) })
end
a:every("7 min", function() follow(a, b) end)
b:checkpoint { every = "40 min", at_end = false }
b:when(function() return a:probe(1500, 500, "level") > 0 end, function() follow(b, a) end,
  { every = "3 min", ["repeat"] = true })
ria.run_all({ a, b }, "2 h")
LUA
sed 's/ out \.\. name/ "two.ref" .. name/' two.lua >ref.lua
sed 's/ out \.\. name/ "two.k" .. name, resume = true/' two.lua >k.lua
undisturbed two.ref "$ria" run ref.lua
for share in $(random "$kills"); do
  rm -rf two.k
  part "$(awk -v a="$share" -v t="$took" 'BEGIN { print a * t }')" KILL "$ria" run k.lua
  go_on two.k "$ria" run k.lua
  for each in first a b; do same "two, $each" two.ref/$each two.k/$each; done
done
rm -rf two.k # one goes on from another time than the other, at which it looks
"$ria" run -q k.lua --until "70 min" >said 2>&1 || fail "two, until: $(cat said)"
go_on two.k "$ria" run k.lua
for each in a b; do same "two that look at each other, $each" two.ref/$each two.k/$each; done

if [ "$RIA_CONTINUE_SCENES" = all ]; then
  while read -r name args; do
    # shellcheck disable=SC2086 # words
    set -- "$ria" run "$source/scenarios/"$args --checkpoint-every "50 ms"
    undisturbed "$name.ref" "$@" --out "$name.ref"
    for share in $(random "$kills"); do killed_once "$name" KILL "$share" "$@"; done
    killed_often "$name" 20 "$@"
  done <<END
spill ria_spill.lua grid=60 days=0.5
spill_single ria_spill.lua grid=60 days=0.5 precision=single
spill_adi ria_spill.lua grid=60 days=1 solver=adi
heat heat.lua grid=100 time=4
heat_double heat.lua grid=100 time=4 precision=double
storm storm.lua cells=60
town town.lua time=60
delta delta.lua cells=60 time=20000
END
fi

[ "$went_on" -gt 0 ] || fail "no run went on from a checkpoint"
echo "$tried runs compared, $went_on went on from a checkpoint"
exit $failed
