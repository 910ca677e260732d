#!/bin/sh
# scenarios/nested.lua: a bay within ria_spill.lua's run, small: with and without the larger run.
#   nested.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
if said=$("$ria" run -q "$source/scenarios/nested.lua" hours=1 2>&1); then
  fail "nested.lua runs without a larger run"
fi
case $said in
*"ria.nest: out/ria_spill: there is no store: name the results of a run that saved fields"*) ;;
*) fail "nested.lua without a larger run says $said" ;;
esac
"$ria" run -q "$source/scenarios/ria_spill.lua" grid=80 days=0.3 save=20 every=600 order=1 >said 2>&1 ||
  fail "ria_spill.lua fails: $(cat said)"
"$ria" run "$source/scenarios/nested.lua" finer=1 hours=6.9 every=200 >said 2>&1 || fail "nested.lua fails: $(cat said)"
grep -q warning said && fail "nested.lua warns: $(cat said)"
grep -q '^narrows: level 0.0' said || fail "nested.lua says $(cat said)"
grep -q "^  layer          layer 'ria': [0-9]* cells, drawn to level, u, v, effluent, oil of out/ria_spill/fields.zarr$" said ||
  fail "the summary does not say what the layer reads: $(cat said)"
for file in frames/oil/oil_000002.png fields.zarr/.zmetadata gauges.csv; do
  [ -e "out/nested/$file" ] || fail "no $file"
done
"$ria" run -q --overwrite "$source/scenarios/nested.lua" finer=1 hours=5 every=300 how=sides >said 2>&1 ||
  fail "nested.lua how=sides fails: $(cat said)"
grep -q '^narrows: level 0.0' said || fail "nested.lua how=sides says $(cat said)"
if said=$("$ria" run -q --overwrite "$source/scenarios/nested.lua" finer=1 hours=9 2>&1); then
  fail "nested.lua runs beyond the larger run"
fi
case $said in
*"layer 'ria': store out/ria_spill/fields.zarr has frames from 0 s to"*"and the run needs them at 32400 s"*) ;;
*) fail "beyond the larger run it says $said" ;;
esac
exit $failed
