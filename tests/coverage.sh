#!/bin/sh
# tests/coverage.sh - which lines and branches of engine and bindings do the tests reach (gcc, gcov, python3)?
#
#   tests/coverage.sh [FOLDER [TESTS]]   FOLDER: of the build, build-coverage; TESTS: a regular expression for ctest -R
#
# Prints a line a file, the lines that no test reached, and the sums. Tests run in their short form; those that measure
# speed, build copies of the tree or end processes at random are left out (what such a process reached is not counted).
# In the environment: RIA_COVERAGE_JOBS=2, jobs and tests at a time; RIA_CMAKE_ARGS, more arguments for CMake; RIA_UNTIL,
# seconds of `date +%s` at which tests end; RIA_COVERAGE_MORE, what another build told (its coverage.json), to be added.
set -e
top=$(cd "$(dirname "$0")/.." && pwd)
build=${1:-$top/build-coverage}
tests=${2:-.}
# noinline: a function of a *_k.h is counted once, not once for each place that it is inlined into.
# shellcheck disable=SC2086  # RIA_CMAKE_ARGS: several words
nice -n 19 cmake -S "$top" -B "$build" -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_NATIVE=OFF -DCMAKE_BUILD_TYPE=Coverage \
  $RIA_CMAKE_ARGS -DCMAKE_C_FLAGS='-O0 -Dalways_inline=noinline --coverage -fprofile-update=atomic -DNDEBUG -w' >/dev/null
nice -n 19 cmake --build "$build" -j "${RIA_BUILD_JOBS:-${RIA_COVERAGE_JOBS:-2}}" >"$build/built.txt" 2>&1 || { tail -30 "$build/built.txt"; exit 1; }
find "$build" -name '*.gcda' -delete
stop=
[ -z "$RIA_UNTIL" ] || stop="--stop-time $(date -d "@$RIA_UNTIL" +%H:%M:%S)"
# shellcheck disable=SC2086  # words
OMP_THREAD_LIMIT=1 RIA_TEST_SHORT=1 nice -n 19 ctest --test-dir "$build" -j "${RIA_COVERAGE_JOBS:-2}" $stop -R "$tests" \
  -E '^(lint|gpu|validation|soak)|cli\.(crash|disk|oom|install|left_out|bootstrap)' >"$build/tests.txt" 2>&1 || true
sed -n '/tests passed/,$p' "$build/tests.txt"
exec nice -n 19 python3 "$top/tests/coverage.py" "$top" "$build"
