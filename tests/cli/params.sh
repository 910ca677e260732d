#!/bin/sh
# What overrides do: types, units, groups, the last one wins.
#   params.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch

cat >p.lua <<'LUA'
local p = params {
  n = 300,
  days = {2, unit = "d", max = 30},
  every = {60, "between frames", unit = "min"},
  fast = false,
  dem = "",
  tide = { m2 = {1.5, unit = "m"}, phase = 0 },
}
print(p.n, math.type(p.n), p.days, p.every, p.fast, p.dem, p.tide.m2, p.tide.phase)
LUA

# expect VALUES ARGUMENTS...
expect() {
  expected=$1
  shift
  said=$("$ria" run -q p.lua "$@" 2>&1 | tr '\t' ' ')
  if [ "$said" != "$expected" ]; then
    printf 'ria run p.lua %s\n  expected %s\n  said     %s\n' "$*" "$expected" "$said"
    failed=1
  fi
}

expect "300 integer 172800.0 3600.0 false  1.5 0"
expect "50 integer 43200.0 3600.0 true  1.5 0" n=50 "days=12 h" fast=yes
expect "50.5 float 259200.0 1800.0 false bay.asc 1.5 0" n=50.5 days=3 "every=0.5 h" dem=bay.asc
expect "300 integer 172800.0 3600.0 false a=b 2.0 90" dem=a=b "tide.m2=200 cm" tide.phase=90
expect "2 integer 172800.0 3600.0 false  1.5 0" n=1 --set n=2
expect "days=31: days = 31 is out of range: <= 30 d" days=31
expect "days=5 m: 'm' in '5 m' is a unit of length: expected a time (ms, s, min, h, d, week, yr)" \
  "days=5 m"
expect "fast=perhaps: expected true or false" fast=perhaps
expect "unknown parameter 'tide.m3': did you mean 'tide.m2'?" tide.m3=1
expect "unknown parameter 'threads': did you mean the option --threads?" threads=2

exit $failed
