#!/bin/sh
# Runs that are killed (SIGKILL) at random moments and continued, once or several times, leave the files of a run that
# was not: every picture, chunk and table to the byte; run.json may differ in wall times, in its list of continuations
# and in how a grid was cut into parts.
#   [RIA=PROGRAM] kills.sh COUNT JOBS [OPTION ...]
# COUNT trials, JOBS at a time, over every solver, order and precision (scene.lua), three of four in one part, one with
# the grid in parts. What follows are options of `ria run`: --device cuda. It needs the program and a POSIX shell, awk, diff, timeout.
# RIA_TRIAL_SCENE="cells=30 parts=3": smaller or larger runs; RIA_TRIAL_SEED=N: the same moments, by the clock;
# RIA_TRIAL_SECONDS=N: no trial starts later than that, nor after RIA_UNTIL (of `date +%s`); RIA_TRIAL_TIMES=20: each is killed so often in a row.
# Exit status 0: all went well. The last line: how many were tried, how many failed.
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 2 ] || { sed -n 's/^# \{0,1\}//; 2,11p' "$0"; exit 2; }
count=$1 jobs=$2
shift 2
ria=${RIA:-$here/../../build/bin/ria}
ria=$(cd "$(dirname "$ria")" && pwd)/$(basename "$ria")
[ -x "$ria" ] || { echo "there is no program $ria: RIA=PROGRAM" >&2; exit 2; }
seed=${RIA_TRIAL_SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
longest=60 bound="" # s that one run may take
seconds=${RIA_TRIAL_SECONDS:-$((${RIA_UNTIL:-9999999999} - $(date +%s)))}

scratch=$(mktemp -d "${TMPDIR:-/tmp}/ria-kills.XXXXXX") && cd "$scratch" || exit 2
trap 'cd / && rm -rf "$scratch"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

cat >scenes <<'END'
solver=shallow_water order=2 precision=double
solver=shallow_water order=1 precision=single
solver=adi precision=double
solver=diffusion precision=single
solver=sediment precision=double
solver=shallow_water order=2 precision=single
solver=shallow_water order=1 precision=double
solver=adi precision=single
solver=diffusion precision=double
solver=sediment precision=single
solver=shallow_water order=2 precision=double --parts 3
solver=adi precision=double --parts 2
solver=sediment precision=double --parts 3
END
case " $* " in *" --device cuda"*) sed -i '/^solver=adi.*--parts/d' scenes ;; esac # refused there
n_scenes=$(wc -l <scenes)

# scene K DIRECTORY OPTION ...: run the K-th scene, from 0 on
scene() {
  words=$(sed -n "$(($1 % n_scenes + 1))p" scenes)
  to=$2
  shift 2
  # shellcheck disable=SC2086 # words
  exec $bound "$ria" run "$here/scene.lua" $words $RIA_TRIAL_SCENE --threads 2 --out "$to" "$@"
}

# random K N: N numbers in 0 .. 1 of trial K
random() {
  awk -v s="$((seed * 1000 + $1))" -v n="$2" 'BEGIN { srand(s); rand(); for (k = 0; k < n; k++) printf "%.4f ", rand() }'
}

now() { date +%s.%N; }

# as_was DIRECTORY: run.json without what may differ: parts are cut by the clock
as_was() {
  sed -e '/^  "parts": \[/,/^  \]/d; /^  "cuts":/d' -e '/"written":/d; /"wall_s":/d; /"cell_steps_per_s":/d; /^  "continued": /,/^ *}],$/d; /^  "run":/d' "$1/run.json"
}

# reference K OPTION ...: an undisturbed run of a scene, and how long it took
reference() {
  k=$1
  shift
  begun=$(now)
  (scene "$k" "ref.$k" "$@") >"ref.$k.said" 2>&1 || echo "scene $k cannot be run: $(tail -2 "ref.$k.said")" >>problems
  echo "$begun $(now)" | awk '{ print $2 - $1 }' >"ref.$k.took"
}

# end_after SECONDS K DIRECTORY OPTION ...: $code is 137 where the run was killed
end_after() {
  after=$1
  shift
  (scene "$@") >"$to_log" 2>&1 &
  pid=$!
  sleep "$after"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  code=$?
}

# trial K OPTION ...: a line of what happened
trial() {
  k=$1
  shift
  of=$((k % n_scenes)) out=run.$k to_log=run.$k.log what="" bound=""
  if grep -q "^scene $of cannot" problems; then
    echo failed
    echo tried
    return
  fi
  took=$(cat "ref.$of.took")
  rm -rf "$out"
  # every fourth is killed again on its way; in a row of many none comes to the end
  times=${RIA_TRIAL_TIMES:-$(((k / n_scenes) % 4 == 3 ? 4 : 1))}
  for share in $(random "$k" "$times"); do
    [ "$times" -lt 5 ] || share=$(awk -v a="$share" 'BEGIN { print 0.6 * a }')
    end_after "$(awk -v a="$share" -v t="$took" 'BEGIN { print a * t }')" "$of" "$out" --continue "$@"
    case $code in
    137) echo killed ;;
    0) echo over ;;
    *) what="exit status $code before it was killed: $(tail -2 "$to_log")" ;;
    esac
    at="$at $share"
  done
  bound="timeout $longest"
  (scene "$of" "$out" --continue "$@") >"$to_log" 2>&1
  code=$?
  grep -q 'goes on at' "$to_log" && echo on
  if [ -z "$what" ] && [ $code != 0 ]; then what="exit status $code: $(tail -2 "$to_log")"; fi
  if [ -z "$what" ]; then
    as_was "ref.$of" >"$out.left"
    as_was "$out" >"$out.right"
    what=$(diff -r -x checkpoints -x run.json "ref.$of" "$out" 2>&1 | head -4; diff "$out.left" "$out.right" | head -4)
  fi
  if [ -n "$what" ]; then
    echo failed
    echo "trial $k (scene $of, killed at$at of $took s): $what" >>problems
  fi
  echo tried
  rm -rf "$out" "$out.left" "$out.right"
}

# worker W OPTION ...: every JOBS-th of the references, or of the trials
worker() {
  w=$1 work=$2 end=$3
  shift 3
  while [ "$w" -lt "$end" ]; do
    at=""
    [ "$work" = trial ] && [ $(($(date +%s) - begin)) -ge "$seconds" ] && break
    "$work" "$w" "$@"
    w=$((w + jobs))
  done
}

# all WORK N OPTION ...: by JOBS workers
all() {
  w=0 pids=""
  while [ $w -lt "$jobs" ]; do
    (worker $w "$@") >>"$1.$w" 2>&1 &
    pids="$pids $!"
    w=$((w + 1))
  done
  for pid in $pids; do wait "$pid"; done
}

: >problems
all reference "$n_scenes" "$@"
begin=$(date +%s)
all trial "$count" "$@"
cat trial.* >results
cat problems
# how_many WORD
how_many() { grep -c "^$1\$" results; }
echo "seed $seed, $*: $(how_many killed) kills, $(how_many over) runs were over before; $(how_many on) went on from a checkpoint"
tried=$(how_many tried) failed=$(how_many failed)
[ "$tried" = "$count" ] || [ $(($(date +%s) - begin)) -ge "$seconds" ] || { cat results; failed="$failed, and some came to nothing"; }
echo "tried $tried of $count in $(($(date +%s) - begin)) s, failed $failed"
[ "$failed" = 0 ] && [ "$tried" -gt 0 ]
