#!/bin/sh
# A copy of the sources without one line of solvers.def: it builds, nothing of that solver is in it, the program
# does not name it, asking for it names those that are there, and tests of the others pass.
#   left_out.sh PROGRAM SOURCE BUILD      (CC, CMAKE, SANITIZE from the environment; RIA_LEFT_OUT: the solver, else adi)
# shellcheck disable=SC2046,SC2086  # lists of words
source=$2 build=$3
gone=${RIA_LEFT_OUT:-adi}
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# Once is enough.
[ -z "$SANITIZE" ] || exit 77

scratch
mkdir tree
(cd "$source" && tar cf - CMakeLists.txt bindings engine examples gpu packaging scripts tests) | tar xf - -C tree
list=tree/engine/solvers/solvers.def
sed -i "/^RIA_SOLVER($gone)/d" $list
there=$(sed -n 's/^RIA_SOLVER(\(.*\))/\1/p' $list | paste -sd ' ')
[ $(echo "$there" | wc -w) = $(($(grep -c '^RIA_SOLVER' "$source/engine/solvers/solvers.def") - 1)) ] || fail "no line for $gone"

# a unit test, and the quickest tests of each of the others
tests="unit.grid unit.register"
for solver in $there; do
  case $solver in
  adi) tests="$tests solver.adi.refuses solver.adi.rest" ;;
  diffusion) tests="$tests solver.diffusion.errors solver.diffusion.steady" ;;
  sediment) tests="$tests solver.sediment.errors solver.sediment.pure" ;;
  shallow_water) tests="$tests solver.shallow_water.rest solver.shallow_water.walls" ;;
  esac
done

generator=$(sed -n 's/^CMAKE_GENERATOR:INTERNAL=//p' "$build/CMakeCache.txt") # the one that is there
{
  "$CMAKE" -S tree -B made -G "$generator" "-DCMAKE_C_COMPILER=$CC" -DRIA_TESTS=ON -DRIA_CUDA=OFF \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 &&
    "$CMAKE" --build made -j 2 --target ria_program ria_shared $tests
} >log 2>&1 || { tail -n 40 log; fail "without $gone it is not built"; exit 1; }

nm made/libria.a made/libria.so made/bin/ria 2>/dev/null | grep -E " [A-Za-z] (ria_|rl_)?$gone(_|$)" && fail "something of $gone is linked"
grep -E "solvers?/$gone/" made/compile_commands.json | head -n 3 | grep . && fail "something of $gone is compiled"

[ "$(made/bin/ria info | sed -n 's/^ *solvers  *//p')" = "$there" ] || fail "ria info: $(made/bin/ria info)"
for page in '' $there --stubs; do
  made/bin/ria help $page >said 2>&1 || fail "ria help $page fails: $(cat said)"
  [ "$gone" = diffusion ] || # a word of the field too
    ! grep -w "$gone" said || fail "ria help $page names $gone"
done

cat >asks.lua <<LUA
require("ria").sim { solver = "$gone", grid = { nx = 4, ny = 4, dx = 1 } }
LUA
if made/bin/ria run asks.lua >said 2>&1; then fail "solver '$gone' is there"; fi
names=$(echo "$there" | sed 's/ /, /g')
grep -q "asks.lua:1: ria.sim: unknown solver '$gone': there are $names" said || fail "asking for $gone says: $(cat said)"

for name in $tests; do
  OMP_WAIT_POLICY=passive RIA_TEST_SHORT=1 made/tests/${name%%.*}/$name >log 2>&1 || fail "without $gone: $name: $(cat log)"
done

exit $failed
