#!/bin/sh
# Build the fuzzers and run them at the lowest priority, for MINUTES by the clock:
#
#   tests/fuzz/run.sh [-j JOBS] MINUTES [TARGET ...]
#
# One after the other, or JOBS at a time; with more jobs than targets those that reach most get several, with one corpus.
# A row for each target: minutes of CPU time, executions, edges of the code that its corpus reaches, inputs in the corpus,
# findings in this run. The corpus grows in build-fuzz/corpus, findings go to build-fuzz/found/<target>. Exit status 1:
# there are new ones. In the environment: BUILD, another folder; FUZZERS, a folder of fuzzers that are built already.
set -eu
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$tree/build-fuzz}
fuzzers=${FUZZERS:-$build/tests/fuzz}
# A size that a reader asks for in vain is an error that it must tell; nothing that is small needs more.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=2000 UBSAN_OPTIONS=print_stacktrace=1

# turn NAME TURN SECONDS: one process. A finding ends it: it goes on with what is left of the time, five times at most.
turn() {
  name=$1 end=$(($(date +%s) + $3)) found=$build/found/$1 findings=0 executions=0
  log=$build/found/$1.$2.log
  # Sanitizers of older compilers fail where addresses are drawn from a wider range than they know.
  ahead=$(setarch -R true 2>/dev/null && echo setarch -R) || true
  while [ "$(date +%s)" -lt "$end" ] && [ $findings -lt 5 ]; do
    # shellcheck disable=SC2086  # words
    nice -n 19 $ahead "$fuzzers/fuzz.$name" -max_len=4096 -len_control=0 -timeout=120 -rss_limit_mb=3000 \
      -max_total_time=$((end - $(date +%s))) -print_final_stats=1 -artifact_prefix="$found/" "$build/corpus/$name" \
      "$tree/tests/fuzz/seeds/$name" >"$log" 2>&1 || { findings=$((findings + 1)); cp "$log" "$found/log.$2.$findings"; }
    count=$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+)/\1/p' "$log")
    executions=$((executions + ${count:-0}))
  done
  edges=$(sed -nE 's/^#.* cov: ([0-9]+).*/\1/p' "$log" | tail -n 1)
  times >"$build/found/$1.$2.times" # not in a pipe: of this process's children
  cpu=$(awk -F'[ms ]+' 'NR == 2 { print $1 + $3 + ($2 + $4) / 60 }' "$build/found/$1.$2.times")
  echo "$name $cpu $executions ${edges:-0} $findings"
}
if [ "${1:-}" = --turn ]; then
  shift
  turn "$@"
  exit
fi

jobs=1
[ "${1:-}" != -j ] || { jobs=$2; shift 2; }
minutes=${1:?usage: tests/fuzz/run.sh [-j JOBS] MINUTES [TARGET ...]}
shift
if [ $# -eq 0 ]; then
  for source in "$tree"/tests/fuzz/*.c; do
    name=$(basename "$source" .c)
    case $name in all | replay) ;; *) set -- "$@" "$name" ;; esac
  done
  many='api scenario checkpoint things api scenario zarr tiff'
else
  many=$*
fi
targets=$*

mkdir -p "$build"
if [ -z "${FUZZERS:-}" ]; then
  cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DRIA_FUZZ=ON -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_MPI=OFF \
        -DRIA_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo > "$build/run.log"
  for name in "$@"; do echo "fuzz.$name"; done | xargs nice -n 19 cmake --build "$build" -j "$jobs" --target >> "$build/run.log" 2>&1 || {
    tail -n 20 "$build/run.log" >&2
    exit 2
  }
fi

# As many turns as targets, or as jobs.
while [ $# -lt "$jobs" ]; do
  for name in $many; do
    [ $# -ge "$jobs" ] || set -- "$@" "$name"
  done
done
rounds=$((($# + jobs - 1) / jobs))
seconds=$(awk "BEGIN { s = int(60 * $minutes / $rounds); print s < 1 ? 1 : s }")
for name in $targets; do mkdir -p "$build/corpus/$name" "$build/found/$name"; done
k=0
for name in "$@"; do
  k=$((k + 1))
  echo "$name $k $seconds"
done | xargs -P "$jobs" -n 3 sh "$0" --turn >"$build/turns.txt"

printf '%-12s %8s %12s %8s %8s %8s\n' target minutes executions edges inputs findings
for name in $targets; do
  awk -v n="$name" -v inputs="$(find "$build/corpus/$name" -type f | wc -l)" '
    $1 == n { m += $2; e += $3; if ($4 > c) c = $4; f += $5 }
    END { printf "%-12s %8.1f %12d %8d %8d %8d\n", n, m, e, c, inputs, f }' "$build/turns.txt"
done
awk '{ m += $2; e += $3; f += $5 } END { printf "%-12s %8.1f %12d %8s %8s %8d\n", "all", m, e, "", "", f; exit f > 0 }' "$build/turns.txt"
