#!/bin/sh
# ria bench scaling by ranks of MPI: rank 0 alone, then all of them, in one call.
#   scaling_ranks.sh PROGRAM SOURCE BUILD
ria=$1
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"

scratch
ranks 3 bench scaling size=16 each=8 seconds=0.001 --threads 1 >all 2>&1 || fail "exit code $?: $(cat all)"
for name in shallow_water/wet shallow_water/second diffusion/passes sediment/mapped adi/wet; do
  for on in "16 x 16  *1 rank " "16 x 16  *3 ranks" "8 x 8  *1 rank " "8 x 24  *3 ranks"; do
    [ "$(grep -c "^  $name .* $on  *[0-9]" all)" = 1 ] || fail "$name: not one row of '$on' in $(cat all)"
  done
done

# where a square of each rank is one that was measured all ranks leave it out, and the next step is that of all
ranks 2 bench scaling size=8 each=8 seconds=0.001 --threads 1 case=diffusion >same 2>&1 || fail "exit code $?: $(cat same)"
[ "$(grep -c "8 x 8  *1 rank " same)" = 1 ] && grep -q "8 x 16  *2 ranks  *[0-9]" same || fail "a square that was measured before: $(cat same)"

# a grid of fewer rows than ranks: the row says so, and the next one is measured
ranks 9 bench scaling size=8,16 each=no seconds=0.001 --threads 1 case=diffusion >few 2>&1 || fail "exit code $?: $(cat few)"
grep -q "8 x 8  *9 ranks  *9 parts of a grid of 8 rows: each has at least one, so --parts 8 at most (ria_context_desc.parts)$" few ||
  fail "nine ranks and eight rows: $(cat few)"
grep -q "16 x 16  *9 ranks  *[0-9]" few || fail "nothing comes after a row that failed: $(cat few)"

# ranks that share one core have a thread each, and their threads do not fit into one process there
if command -v taskset >/dev/null; then
  timeout 300 taskset -c 0 mpirun -q --oversubscribe -n 2 "$ria" bench scaling size=8 each=no seconds=0.001 case=diffusion >bound 2>&1 ||
    fail "on one core: exit code $?: $(cat bound)"
  grep -q "8 x 8  *2 ranks  *[0-9]" bound || fail "on one core: $(cat bound)"
  grep -q "1 rank, " bound && fail "two threads on one core: $(cat bound)"
fi

# other benches stay rank 0's alone
ranks 2 bench diffusion case=small n=16 steps=2 --device cpu >one 2>&1 || fail "exit code $?: $(cat one)"
[ "$(grep -c cell/s one)" = 1 ] || fail "a bench by itself: $(cat one)"

exit $failed
