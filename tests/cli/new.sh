#!/bin/sh
# With "shallow_water": ria new: a scenario that runs, under its own name; what is there already stays.
#   new.sh PROGRAM SOURCE
ria=$1 source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
mkdir scripts
"$ria" new lagoon >said 2>&1 || fail "ria new lagoon: $(cat said)"
grep -q '^lagoon.lua: .*`ria run lagoon.lua`' said || fail "ria new lagoon says $(cat said)"
head -1 lagoon.lua | grep -q '^-- lagoon.lua - ' || fail "its head: $(head -1 lagoon.lua)"
# its comments name it alone; all else is that of the model
grep -n 'bay\.lua\|scenarios/\|out/bay' lagoon.lua && fail "lagoon.lua names its model"
sed 's|scenarios/bay\.lua|bay.lua|g; s|bay\.lua|lagoon.lua|g; s|out/bay|out/lagoon|g' "$source/scenarios/bay.lua" |
  cmp - lagoon.lua || fail "lagoon.lua is more than its model with another name"
if command -v luac5.4 >/dev/null; then luac5.4 -p lagoon.lua || fail "lagoon.lua is no Lua"; fi

# it runs as it is, with all that its comments promise
"$ria" check --no-forecast lagoon.lua >said 2>&1 || fail "ria check lagoon.lua: $(cat said)"
[ "$(cat said)" = "lagoon.lua: ok" ] || fail "ria check lagoon.lua: $(cat said)"
"$ria" run -q lagoon.lua cells=40 >said 2>&1 || fail "ria run lagoon.lua: $(cat said)"
grep -q "^oil in the harbour after " said || fail "its condition: $(cat said)"
for made in frames/oil/oil_000048.png frames/level/level_000048.png fields.zarr/oil gauges.csv budget.csv maxima.zarr; do
  [ -e "out/lagoon/$made" ] || fail "the run made no $made"
done

# never over what is there, a file or a link that leads nowhere
cp lagoon.lua kept.lua
ln -s nowhere.lua link.lua
for name in lagoon lagoon.lua link; do
  "$ria" new "$name" --like heat >said 2>&1 && fail "ria new $name wrote over another"
  grep -q "is there already, and is left as it is" said || fail "ria new $name: $(cat said)"
done
cmp -s lagoon.lua kept.lua || fail "lagoon.lua was changed"
[ ! -e nowhere.lua ] || fail "a link was followed"

# like others, in a folder, with or without .lua
"$ria" new scripts/estuary.lua --like ria_spill >said 2>&1 || fail "like ria_spill: $(cat said)"
grep -q '^--   ria run estuary.lua grid=1000 days=7' scripts/estuary.lua || fail "comments of scripts/estuary.lua"
grep -q "nested.lua" scripts/estuary.lua || fail "another's name was changed"
for model in "$source"/scenarios/*.lua; do
  model=$(basename "$model" .lua)
  "$ria" new "copy-$model" --like "$model" >said 2>&1 || fail "like $model: $(cat said)"
  [ "$(wc -l <"copy-$model.lua")" = "$(wc -l <"$source/scenarios/$model.lua")" ] || fail "lines of copy-$model.lua"
  "$ria" params "copy-$model.lua" --trusted >said 2>&1 || fail "ria params copy-$model.lua: $(cat said)"
done

# refuses TEXT ARGUMENT...: the command line is wrong
refuses() {
  text=$1
  shift
  "$ria" new "$@" >said 2>&1
  code=$?
  [ $code = 2 ] || fail "ria new $*: exit code $code"
  grep -qF "$text" said || fail "ria new $*: $(cat said)"
}
refuses "needs a name"
refuses "did you mean 'heat'" x --like haet
refuses "there is no scenario '../scripts/estuary'" x --like ../scripts/estuary
refuses "expected a name of letters" "two words"
refuses "expected a name of letters" "two
lines"
refuses "expected a name of letters" ""
refuses "expected a name of letters" scripts/
refuses "expected a name of letters" ..
refuses "one argument too many" one two
"$ria" new missing/x >said 2>&1 && fail "in a folder that is not there"
grep -q "missing/x.lua cannot be written: No such file" said || fail "in a folder that is not there: $(cat said)"
[ ! -e x.lua ] || fail "what was refused was written"

exit $failed
