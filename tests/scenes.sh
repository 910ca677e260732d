#!/bin/sh
# tests/scenes.sh - random scenes of every solver under ASan and UBSan, or ThreadSanitizer: each run as it is, handed over to
# new solvers on its way, with its grid cut, with a checkpoint at a random step, and from that checkpoint; all to the same bits.
#
#   tests/scenes.sh [-j JOBS] [-s thread] [COUNT [FIRST [FOLDER]]]
#
# COUNT scenes a solver, 500; from seed FIRST, 1; FOLDER: of the build; -s: another sanitizer; JOBS at a time, 2. A line a
# solver; what a scene that fails says is before it, and in FOLDER/scenes. Short scenes (20 steps), with nice -n 19.
# In the environment: RIA_UNTIL, seconds of `date +%s` after which none begins; RIA_CMAKE_ARGS, more arguments for CMake;
# RIA_BUILD_JOBS, jobs of the build.
top=$(cd "$(dirname "$0")/.." && pwd)

# block FOLDER NAME FIRST LAST: some scenes of a solver
block() {
  [ "$(date +%s)" -lt "${RIA_UNTIL:-9999999999}" ] || { echo "late $2 $(($4 - $3 + 1))"; return; }
  log=$1/scenes/$2.$3.txt
  # Sanitizers fail where addresses are drawn from a wider range than they know.
  ahead=$(setarch -R true 2>/dev/null && echo setarch -R)
  # shellcheck disable=SC2086  # words
  if nice -n 19 $ahead "$1/tests/solver/$2" "$3" "$4" >"$log" 2>&1; then
    echo "passed $2 $(($4 - $3 + 1))"
    rm -f "$log"
  else
    echo "failed $2 $(($4 - $3 + 1)) seeds $3 to $4: $log"
  fi
}
if [ "$1" = --block ]; then
  shift
  block "$@"
  exit
fi

jobs=2 sanitize=address,undefined
while getopts j:s: letter; do
  case $letter in
  j) jobs=$OPTARG ;;
  s) sanitize=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
count=${1:-500} first=${2:-1}
build=${3:-$top/build-scenes}
tests='solver.gpu.state solver.gpu.adi_state solver.diffusion.state solver.sediment.state'
# ThreadSanitizer does not know the synchronisation of OpenMP.
[ "$sanitize" != thread ] || set -- -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON
[ "$sanitize" = thread ] || set --
# shellcheck disable=SC2086  # RIA_CMAKE_ARGS: several words
cmake -S "$top" -B "$build" -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_MPI=OFF -DRIA_SANITIZE="$sanitize" \
  -DCMAKE_BUILD_TYPE=RelWithDebInfo "$@" $RIA_CMAKE_ARGS >/dev/null || exit 1
mkdir -p "$build/scenes"
# shellcheck disable=SC2086  # several names
nice -n 19 cmake --build "$build" -j "${RIA_BUILD_JOBS:-$jobs}" --target $tests >"$build/built.txt" 2>&1 || { tail -30 "$build/built.txt"; exit 1; }
export RIA_TEST_DEVICE=cpu RIA_TEST_SHORT=1 OMP_WAIT_POLICY=passive ASAN_OPTIONS=allocator_may_return_null=1

seed=$first last=$((first + count - 1))
while [ "$seed" -le "$last" ]; do
  to=$((seed + 9))
  [ "$to" -le "$last" ] || to=$last
  for name in $tests; do echo "$build $name $seed $to"; done
  seed=$((to + 1))
done | xargs -P "$jobs" -n 4 sh "$0" --block >"$build/blocks.txt"
grep '^failed' "$build/blocks.txt" | while read -r _ name _ where; do
  echo "$name: FAILED within $where"
  tail -n 20 "${where##*: }"
done
for name in $tests; do
  awk -v n="$name" '$2 == n { k[$1] += $3; if ($1 == "failed") b++ }
    END { printf "%s: %d scenes, %d blocks of ten failed", n, k["passed"] + k["failed"], b
          if (k["late"]) printf "; %d not begun, out of time", k["late"]; print "" }' "$build/blocks.txt"
done
! grep -q '^failed' "$build/blocks.txt"
