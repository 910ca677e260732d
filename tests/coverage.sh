#!/bin/sh
# tests/coverage.sh - which lines and branches of engine and bindings do the tests reach (gcc, gcov, python3)?
#
#   tests/coverage.sh [FOLDER [TESTS]]   FOLDER: of the build, build-coverage; TESTS: a regular expression for ctest -R
#
# Prints a line a file, the lines that no test reached, and the sums. Tests run in their short form; those that measure
# speed, build copies of the tree or end processes at random are left out (what such a process reached is not counted).
# Those of solvers come last, for they take longest here. Between them memory is refused at places of the program, which
# is what reaches most ways out (trials/places.py): a short form of it is in ctest.
# In the environment: RIA_COVERAGE_JOBS=2, jobs and tests at a time; RIA_COVERAGE_PLACES=all, or so many, or 0;
# RIA_CMAKE_ARGS, more arguments for CMake; RIA_UNTIL, seconds of `date +%s` at which tests end; RIA_COVERAGE_MORE, what
# another build told (its coverage.json), to be added.
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
jobs=${RIA_COVERAGE_JOBS:-2}
export OMP_THREAD_LIMIT=1 RIA_TEST_SHORT=1 RIA_MEMORY_PLACES=all

# some OPTION ...: of the tests, to their end or to that of the time
some() {
  stop=
  if [ "$RIA_UNTIL" ]; then
    [ "$(date +%s)" -lt "$RIA_UNTIL" ] || return 0
    stop="--stop-time $(date -d "@$RIA_UNTIL" +%H:%M:%S)"
  fi
  # shellcheck disable=SC2086  # words
  nice -n 19 ctest --test-dir "$build" -j "$jobs" $stop -R "$tests" "$@" \
    -E '^(lint|gpu|validation|soak)|cli\.(crash|disk|install|left_out|bootstrap)' >>"$build/tests.txt" 2>&1 || true
}
: >"$build/tests.txt"
some -LE solver
[ "$tests" != . ] || [ "$RIA_COVERAGE_PLACES" = 0 ] ||
  nice -n 19 sh "$top/tests/trials/run.sh" -j "$jobs" -n "${RIA_COVERAGE_PLACES:-all}" "$build" places >>"$build/tests.txt" 2>&1 || true
some -L solver
grep -E 'tests passed|^[[:space:]]+[0-9]+ - .*\(|^FAILED|^a place refused|^out of time' "$build/tests.txt" || true
exec nice -n 19 python3 "$top/tests/coverage.py" "$top" "$build"
