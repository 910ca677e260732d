#!/bin/sh
# tests/scenes.sh - random scenes of every solver under ASan and UBSan: each run as it is, handed over to new solvers on its
# way, with its grid cut, with a checkpoint, and from that checkpoint; all to the same bits.
#
#   tests/scenes.sh [COUNT [FIRST [FOLDER]]]   COUNT scenes a solver, 500; from seed FIRST, 1; FOLDER: of the build
#
# A line a solver; what a scene that fails says is before it. Short scenes (20 steps), with nice -n 19.
top=$(cd "$(dirname "$0")/.." && pwd)
count=${1:-500}
first=${2:-1}
build=${3:-$top/build-scenes}
tests='solver.gpu.state solver.gpu.adi_state solver.diffusion.state solver.sediment.state'
cmake -S "$top" -B "$build" -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_SANITIZE=address,undefined \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null || exit 1
mkdir -p "$build"
# shellcheck disable=SC2086  # several names
nice -n 19 cmake --build "$build" -j 2 --target $tests >"$build/built.txt" 2>&1 || { tail -30 "$build/built.txt"; exit 1; }
export RIA_TEST_DEVICE=cpu RIA_TEST_SHORT=1 OMP_WAIT_POLICY=passive ASAN_OPTIONS=allocator_may_return_null=1
failed=0
for name in $tests; do
  bad=0 seed=$first last=$((first + count - 1))
  while [ "$seed" -le "$last" ]; do
    to=$((seed + 9))
    [ "$to" -le "$last" ] || to=$last
    nice -n 19 "$build/tests/solver/$name" "$seed" "$to" || { bad=$((bad + 1)); echo "$name: failed within seeds $seed to $to"; }
    seed=$((to + 1))
  done
  echo "$name: $count scenes, seeds $first to $last; $bad blocks of ten failed"
  [ "$bad" -eq 0 ] || failed=1
done
exit $failed
