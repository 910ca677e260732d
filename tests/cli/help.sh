#!/bin/sh
# What `ria help` says of topics, and the stubs for editors.
#   help.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch

# says TOPIC TEXT...: `ria help TOPIC` holds each text
says() {
  topic=$1
  shift
  said=$("$ria" help "$topic" 2>&1) || fail "ria help $topic: exit code $?"
  for text in "$@"; do
    case $said in
    *"$text"*) ;;
    *) fail "ria help $topic: expected '$text' in: $said" ;;
    esac
  done
}

says animation "ffmpeg -framerate 12" "level_%06d.png" "libx264" "palettegen"
says dates 'start = "2026-07-14 00:00", zone = "+02:00"' "UTC" "1 h 30 min" '--until "2026-07-15 12:00"'
says units "a time (ms, s, min, h, d, week, yr)" "a mass (ug, mg, g, kg, t)" \
  "a mass rate (kg/s, or any mass over any time)" "a Manning coefficient" "a plain number or %"
says tides "tides.between(a, b" 'phases = "local"' "XTide's M1" "ria tide harbour.csv"
# a word that is no function: each place that has it, with unit and meaning; else what speaks of it
says zone "zone: a key of \`ria help ria.sim\`" "zone: a key of \`ria help ria.series\`"
says nodal 'choice: "daily" | "mid" | "none"'
says greenwich "phases: a key of \`ria help ria.tide\`"
says rating "rating: a kind of boundary of \`ria help shallow_water\`" "curve        m, required"
says radiate "u            m/s, 0 if left out" "level        m, required"
says curve "rating: a kind of boundary of \`ria help adi\`"
says manning "manning: a parameter of \`ria help shallow_water\`" "s/m^(1/3)"
says sponge "sim:relax"
# in letters of any case: a page, a key, a word that is spoken of; and near to one
says Ria.FRAME "a picture of a field"
says UNITS "a time (ms, s, min, h, d, week, yr)"
says Shallow_Water "elevation of the bed, z up"
says Manning "manning: a parameter of \`ria help shallow_water\`"
says SPONGE "sim:relax"
"$ria" help Maning >said 2>&1 && fail "ria help finds a misspelt word"
grep -q "^ria: no help on 'Maning': did you mean 'manning'?" said || fail "a misspelt word: $(cat said)"
"$ria" help "" >said 2>&1 && fail "ria help of no word: $(cat said)"
"$ria" help zzqzqz >said 2>&1 && fail "ria help finds a word that is nowhere"
grep -q "no help on 'zzqzqz': \`ria help\` lists all topics" said || fail "a word that is nowhere: $(cat said)"
says shallow_water "elevation of the bed, z up; not after the start of the run"
overview=$("$ria" help)
for topic in animation dates tides units; do
  echo "$overview" | grep -q "^  $topic " || fail "ria help does not list the topic $topic"
  "$ria" help $topic | awk 'length > 90 { exit 1 }' || fail "ria help $topic: a line of over 90 characters"
done
"$ria" help animatoin 2>&1 | grep -q "did you mean 'animation'?" || fail "a misspelt topic is not recognised"

# what `ria help howto` says can be typed
"$ria" help howto >said || fail "ria help howto fails"
for word in --minus --continue --checkpoint-every --store --out; do grep -q -- "$word" said || fail "ria help howto: no $word"; done

# docs/vocabulary.md is every word of the tables; a build without some solver has fewer
all=yes
for solver in $(sed -n 's/^### `solver = "\(.*\)"`$/\1/p' "$source/docs/vocabulary.md"); do
  echo "$overview" | grep -q "^  $solver " || all=no
done
if [ $all = yes ]; then
  "$ria" help --vocabulary >vocabulary.md
  cmp -s vocabulary.md "$source/docs/vocabulary.md" || fail "docs/vocabulary.md is behind the tables:
$(diff "$source/docs/vocabulary.md" vocabulary.md)
make it anew: ria help --vocabulary > docs/vocabulary.md"
fi

# keys that an editor may underline: each once in its class, those of tides and inflows typed
"$ria" help --stubs >ria.d.lua
awk '/^---@class/ { class = $0 }
     /^---@field/ { name = $2; sub(/[?]$/, "", name)
       if (seen[class, name]++) { print class ": " name " twice"; bad = 1 } }
     END { exit bad }' ria.d.lua || fail "the stubs name a key twice"
# class NAME FIELD...
class() {
  body=$(awk -v name="$1" '$1 == "---@class" { on = $NF == name } on' ria.d.lua)
  shift
  for field in "$@"; do
    echo "$body" | grep -qF -e "---@field $field " || fail "the stubs lack '$field' in: $body"
  done
}
class ria.tide.Keys "z0? number|string" "ramp? number|string" "M2? (number|string)[]" "[integer] ria.tide.Constituent"
class ria.tide.Constituent "speed number|string" "amp number|string" "phase? number|string"
class ria.inflow.Keys "from? (number|string)[]|ria.Place" "q? number|string|ria.Series|number[][]" "level? number|string|ria.Series|number[][]"
grep -qF -e "---@param keys ria.inflow.Keys" ria.d.lua || fail "ria.inflow takes any table in the stubs"

exit $failed
