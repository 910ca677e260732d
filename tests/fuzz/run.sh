#!/bin/sh
# Build the fuzzers and run them one after the other, MINUTES in all, on one core that nobody else wants:
#
#   tests/fuzz/run.sh MINUTES [TARGET ...]
#
# A row for each target: minutes, executions, edges of the code that its corpus reaches, inputs in the corpus, findings
# in this run. The corpus grows in build-fuzz/corpus, findings go to build-fuzz/found/<target>. Exit status 1: there are
# new ones. BUILD: another folder.
set -eu
minutes=${1:?usage: tests/fuzz/run.sh MINUTES [TARGET ...]}
shift
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$tree/build-fuzz}
if [ $# -eq 0 ]; then
  for source in "$tree"/tests/fuzz/*.c; do
    name=$(basename "$source" .c)
    [ "$name" = replay ] || set -- "$@" "$name"
  done
fi

log=$build/run.log
mkdir -p "$build"
cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DRIA_FUZZ=ON -DRIA_CUDA=OFF -DRIA_MPI=OFF \
      -DRIA_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo > "$log"
for name in "$@"; do echo "fuzz.$name"; done | xargs nice -n 19 cmake --build "$build" --target >> "$log" 2>&1 || {
  tail -n 20 "$log" >&2
  exit 2
}

seconds=$(awk "BEGIN { s = int(60 * $minutes / $#); print s < 1 ? 1 : s }")
# A size that a reader asks for in vain is an error that it must tell; nothing that is small needs more.
export ASAN_OPTIONS=allocator_may_return_null=1:max_allocation_size_mb=2000 UBSAN_OPTIONS=print_stacktrace=1
new=0
printf '%-12s %8s %12s %8s %8s %8s\n' target minutes executions edges inputs findings
for name in "$@"; do
  corpus=$build/corpus/$name
  found=$build/found/$name
  mkdir -p "$corpus" "$found"
  start=$(date +%s)
  end=$((start + seconds))
  executions=0
  findings=0
  # A finding ends the fuzzer: it goes on with what is left of the time, five times at most.
  while [ "$(date +%s)" -lt $end ] && [ $findings -lt 5 ]; do
    nice -n 19 "$build/tests/fuzz/fuzz.$name" -max_len=4096 -len_control=0 -timeout=120 -rss_limit_mb=3000 \
      -max_total_time=$((end - $(date +%s))) -print_final_stats=1 -artifact_prefix="$found/" "$corpus" \
      "$tree/tests/fuzz/seeds/$name" > "$build/found/$name.log" 2>&1 || findings=$((findings + 1))
    count=$(sed -nE 's/^stat::number_of_executed_units: *([0-9]+)/\1/p' "$build/found/$name.log")
    executions=$((executions + ${count:-0}))
  done
  [ $findings -eq 0 ] || new=1
  edges=$(sed -nE 's/^#.* cov: ([0-9]+).*/\1/p' "$build/found/$name.log" | tail -n 1)
  printf '%-12s %8.1f %12s %8s %8s %8s\n' "$name" "$(awk "BEGIN { print ($(date +%s) - $start) / 60 }")" \
    "$executions" "$edges" "$(find "$corpus" -type f | wc -l)" "$findings"
done
exit $new
