#!/bin/sh
# Checkpoints of ranks: what some left, killed or interrupted, as many others go on with, a process in parts or not among
# them, to the files of a run that was not disturbed, byte for byte.
#   ranks_continue.sh PROGRAM SOURCE BUILD
# RIA_CONTINUE_KILLS: how many kills of each kind (2, 1 in short).
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"
# shellcheck source=tests/cli/shell/continued.sh
. "$(dirname "$0")/shell/continued.sh"

scratch
kills=${RIA_CONTINUE_KILLS:-2}
[ -z "$RIA_TEST_SHORT$SANITIZE" ] || kills=1
seed=${RIA_CONTINUE_SEED:-$(od -An -N2 -tu2 /dev/urandom)}
tried=0 went_on=0
on="--device cpu --threads 1"
export RIA_CUTS=often # state moves between ranks, too

sed 's/^sim:checkpoint.*/sim:checkpoint { every = "10 min", wall = "30 ms" }/' "$source/tests/cli/shell/bay.lua" >bay.lua
cat >named <<'SH'
#!/bin/sh
echo $$ >"pid.${OMPI_COMM_WORLD_RANK:-0}"
exec "$@"
SH
chmod +x named

# by WAY ARGUMENT...: ria with these, so: N ranks, or pN: a process with N parts
by() {
  way=$1
  shift
  # shellcheck disable=SC2086 # words
  case $way in
  p1) ./named "$ria" "$@" $on ;;
  p*) ./named "$ria" "$@" $on --parts "${way#p}" ;;
  *) timeout 300 mpirun -q --oversubscribe -n "$way" ./named "$ria" "$@" $on ;;
  esac
}

# end SIGNAL WAY ARGUMENT...: a run to cut/ that a signal to its last rank ends at some time after its first checkpoint
end() {
  signal=$1 way=$2
  shift 2
  rm -f pid.*
  by "$way" "$@" >said 2>&1 &
  pid=$!
  last=0
  case $way in p*) ;; *) last=$((way - 1)) ;; esac
  while { [ ! -s pid.$last ] || [ -z "$(ls cut/checkpoints 2>/dev/null)" ]; } && kill -0 $pid 2>/dev/null; do sleep 0.02; done
  sleep "$(random 1 | awk -v t="$took" '{ print 0.7 * t * $1 }')"
  kill -"$signal" "$(cat pid.$last)" 2>/dev/null
  wait $pid 2>/dev/null
  for one in pid.*; do # mpirun may end before ranks that it ends have left the directory
    for _ in $(seq 600); do kill -0 "$(cat "$one")" 2>/dev/null || break; sleep 0.05; done
  done
}

# go_on DIRECTORY WAY ARGUMENT...: to its end
go_on() {
  to=$1 way=$2
  shift 2
  by "$way" run bay.lua --out "$to" --continue "$@" >said 2>&1 || fail "$to by $way: cannot be continued: $(tail -3 said)"
  if grep -q 'goes on at' said; then went_on=$((went_on + 1)); fi
  [ "$(grep -c 'goes on at\|nothing to continue' said)" = 1 ] || fail "$to by $way: says $(head -3 said)"
}

begun=$(date +%s.%N)
by p1 run -q bay.lua --out ref >said 2>&1 || fail "$(cat said)"
took=$(echo "$begun $(date +%s.%N)" | awk '{ print $2 - $1 }')
by 3 run -q bay.lua --out whole >said 2>&1 || fail "by 3: $(cat said)"
same "3 ranks that take checkpoints" ref whole
[ -n "$(ls whole/checkpoints)" ] || fail "3 ranks took no checkpoint"

# written by some, read by others
for pair in 2:3 3:2 2:1 3:p2 p1:3 p2:2; do
  for k in $(seq "$kills"); do
    signal=KILL
    case $pair$k in 2:3* | *2) signal=TERM ;; esac
    rm -rf cut
    end $signal "${pair%:*}" run -q bay.lua --out cut
    go_on cut "${pair#*:}"
    same "$pair, $signal, $k" ref cut
  done
done
# again and again, by others each time
rm -rf cut
for way in 3 2 p2; do end KILL $way run -q bay.lua --out cut --continue; done
go_on cut 2
same "killed three times" ref cut
# finished by two, then longer by three
rm -rf cut
by 2 run -q bay.lua --out cut --until "90 min" >said 2>&1 || fail "until: $(cat said)"
cp -r cut short
go_on cut 3
same "finished, then longer" ref cut

# refused CODE WORDS WAY ARGUMENT...: what is in `short` is not continued; one rank says why
refused() {
  wanted=$1 words=$2 way=$3
  shift 3
  rm -rf other
  cp -r short other
  [ "$way" = 3 ] && for each in other/checkpoints/*; do printf x | dd of="$each" bs=1 seek=3000 conv=notrunc 2>/dev/null; done
  by "$way" run -q "$@" --out other --continue >said 2>&1
  code=$?
  [ $code = "$wanted" ] || fail "$*: exit code $code: $(cat said)"
  [ "$(grep -c "$words" said)" = 1 ] || fail "$*: says $(cat said)"
}
refused 3 'hours = 3 then, hours = 4 now' 2 bay.lua hours=4
refused 3 'is whole: the run can only start again' 3 bay.lua
sed 's/0.5 kg/0.6 kg/' bay.lua >other.lua
refused 3 'was .*0.5 kg.* and is .*0.6 kg' 2 other.lua

# a rank that does otherwise than it did ends all
sed 's/^sim:every("10 min"/if os.getenv "OMPI_COMM_WORLD_RANK" == "1" then sim:at("20 min", function(s) s:set("dye", 1) end) end\n&/' \
  bay.lua >other.lua
by 2 run -q other.lua --out other --continue-changed >said 2>&1 && fail "ranks that differ: exit code 0"

# one file where the host asks for it, and what became of it is known to all
cat >host.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 80, ny = 80, dx = 50 }, bed = -5, title = "host",
  init = { level = function(x) return x / 4000 end } }
sim:checkpoint { every = "1 min" }
sim:every("1 min", ria.save { "level" })
sim:run "30 min"
LUA
cat >limited <<'SH'
#!/bin/sh
[ "$OMPI_COMM_WORLD_RANK" = 0 ] && { trap '' XFSZ; ulimit -f 200; }
exec "$@"
SH
chmod +x limited
OMPI_MCA_btl=self,tcp timeout 60 mpirun -q --oversubscribe -n 2 ./limited "$ria" run -q host.lua --device cpu --threads 1 --out host >said 2>&1
code=$?
[ $code = 1 ] || fail "a disk that is full: exit code $code"
[ "$(grep -c "^host.lua:6: sim:run: .*cannot write 'host/checkpoints/.*File too large" said)" = 1 ] || fail "a disk that is full: $(cat said)"
grep -q '"status": "output"' host/run.json || fail "a disk that is full: run.json does not say so"

[ "$went_on" -gt 0 ] || fail "no run went on from a checkpoint"
echo "$tried runs compared, $went_on went on from a checkpoint"
exit $failed
