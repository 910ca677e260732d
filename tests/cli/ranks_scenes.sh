#!/bin/sh
# Random scenes of every solver by ranks, in any number of parts, with cuts that move: files and answers of one process,
# byte for byte.
#   ranks_scenes.sh PROGRAM SOURCE BUILD
# RIA_RANKS_SCENES=all: 60 scenes a solver, each by all of the pairs below. Else 20, each by one of them; 10 in short, and
# under a sanitizer, where programs are slow to start, 4.
ria=$1
source=$2
# shellcheck disable=SC2034 # of shell/ranks.sh
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"

scratch
lua=$source/tests/cli/ranks/scenes.lua
pairs='1:1 2:2 3:6 1:3 4:4 2:5 7:7 3:3 4:8 7:9' # ranks:parts, each value of both at least once
scenes=20
[ -z "$RIA_TEST_SHORT$SANITIZE" ] || scenes=10
[ -z "$SANITIZE" ] || pairs='2:2 3:6 4:8 7:9' scenes=4
[ "$RIA_RANKS_SCENES" != all ] || scenes=60

# leaves DIR SOLVER SEEDS COMMAND...: what they leave in DIR, and print
leaves() {
  dir=$1 solver=$2 seeds=$3
  shift 3
  rm -rf "$dir"
  "$@" run -q "$lua" solver="$solver" seeds="$seeds" rows=9 out="$dir" --device cpu --threads 1 ${parts:+--parts "$parts"} >"$dir.said" 2>&1 ||
    fail "$solver, scenes $seeds, $*, parts $parts: exit code $?: $(tail -3 "$dir.said")"
  find "$dir" -name run.json -exec rm {} + # of the page's data all but the command line
  find "$dir" -name index.js -exec sed -i '/^  "script": {/,$d' {} +
}
# same SOLVER RANKS PARTS SEEDS: cuts move at every turn where the first scene is an even one
same() {
  parts=
  leaves whole "$1" "$4" "$ria"
  [ -d "whole/${4%%,*}/fields.zarr" ] || fail "$1, scenes $4 leave nothing"
  parts=$3
  case ${4%%,*} in *[02468]) export RIA_CUTS=often ;; esac
  leaves cut "$1" "$4" ranks "$2"
  unset RIA_CUTS
  diff -r whole cut >said 2>&1 || fail "$1 by $2 ranks in $3 parts, scenes $4: $(head -3 said)"
  cmp -s whole.said cut.said || fail "$1 by $2 ranks in $3 parts, scenes $4: other answers"
}

for solver in shallow_water adi diffusion sediment; do
  [ -d "$source/engine/solvers/$solver" ] || continue
  k=0
  for pair in $pairs; do
    k=$((k + 1))
    seeds=$(seq $k 10 $scenes | paste -sd,)
    [ "$RIA_RANKS_SCENES" = all ] && seeds=$(seq 1 $scenes | paste -sd,)
    same $solver "${pair%:*}" "${pair#*:}" "$seeds"
  done
done
exit $failed
