#!/bin/sh
# One scenario, two solvers: scenarios/ria_spill.lua runs with solver=adi as with shallow_water, and at its gauges
# they agree within the band that engine/solvers/adi/README.md states: levels 0.12 m and speeds 0.15 m/s (root
# mean square, of some 4 m and 0.8 m/s).
#   two_solvers.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
for solver in shallow_water adi; do
  if ! "$ria" run -q "$source/scenarios/ria_spill.lua" solver=$solver grid=80 days=0.5 every=600 \
    --device cpu --out out_$solver --overwrite; then
    echo "ria_spill.lua does not run with solver=$solver"
    exit 1
  fi
done

# A parameter that only the other solver has is an error still.
cat >wrong.lua <<'LUA'
require('ria').sim { solver = "adi", grid = { nx = 4, ny = 4, dx = 1 }, bed = -1, params = { cfl = 0.5 } }
LUA
if "$ria" run -q wrong.lua >said.txt 2>&1 || ! grep -q cfl said.txt; then
  echo "solver=adi takes a cfl"
  failed=1
fi

paste -d, out_shallow_water/gauges.csv out_adi/gauges.csv | awk -F, '
  NR == 1 { n = NF / 2; for (k = 1; k <= n; k++) name[k] = $k }
  NR > 1 {
    for (k = 2; k <= n; k++)
      if ($k != "" && $(k + n) != "" && $k != "nan" && $(k + n) != "nan") {
        d = $k - $(k + n); sum[k] += d * d; rows[k]++
        if (name[k] ~ /level/ && ($k > most || rows[k] == 1)) most = $k
      }
  }
  END {
    for (k = 2; k <= n; k++) {
      if (name[k] !~ /level|speed/) continue
      off = sqrt(sum[k] / rows[k]); band = name[k] ~ /level/ ? 0.12 : 0.15; seen++
      printf "%s: %.4f\n", name[k], off
      if (!(off < band) || rows[k] < 140) { printf "  outside the band of %g (%d rows)\n", band, rows[k]; bad = 1 }
    }
    if (seen != 6 || most < 0.8) { print "too little to compare"; bad = 1 }
    exit bad
  }' || failed=1
exit $failed
