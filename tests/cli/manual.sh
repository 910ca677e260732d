#!/bin/sh
# docs/manual works as printed: every block of it runs, and prints what stands below it.
#   manual.sh PROGRAM SOURCE BUILD      (CC, SANITIZE from the environment)
#
# ```lua NAME            the file NAME
# ```lua first NAME      lines put below the first of it
# ```lua before NAME     lines put before its sim:run; then it runs
# ```lua after NAME      lines put at its end; then it runs
# ```lua wrong [NAME]    ria check refuses these lines (below those of NAME)
# ```sh                  commands, all of which succeed
# ```c NAME              a program, which is built and runs
# ```text                each line stands in what the block before it printed
#
# With sanitizers the tutorial and the how-tos are left out: long runs of what other tests have there.
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
scratch
PATH=$(dirname "$ria"):$PATH
blocks=0

run_script() { "$ria" run "$1" -q --overwrite >said 2>&1 || fail "$where does not run: $(cat said)"; }

build_and_run() {
  $CC ${SANITIZE:+"-fsanitize=$SANITIZE"} -Wall -Wextra -Werror -o program "$1" "-I$source/engine/include" "-L$build" -lria \
    "-Wl,-rpath,$build" >said 2>&1 && ./program >said 2>&1 || fail "$where: $(cat said)"
}

compare() {
  while IFS= read -r line; do
    grep -qF -- "$line" said || fail "$where: '$line' is not what it prints: $(cat said)"
  done <"$1"
}

# block KIND FILE
block() {
  # shellcheck disable=SC2086 # words
  set -- "$2" $1
  case "$2 $3" in
  "lua first") sed -i "1r $1" "$4" ;;
  "lua before")
    awk -v lines="$1" '/^sim:run/ { while ((getline l <lines) > 0) print l } { print }' "$4" >longer.lua
    mv longer.lua "$4"
    run_script "$4"
    ;;
  "lua after") cat "$1" >>"$4" && run_script "$4" ;;
  "lua wrong")
    cat ${4:+"$4"} "$1" >wrong.lua
    "$ria" check --no-forecast wrong.lua >said 2>&1 && fail "$where: nothing is wrong with it"
    ;;
  "lua "*.lua) cp "$1" "$3" ;;
  "sh ") sh -e "$1" >said 2>&1 || fail "$where: exit code $?: $(cat said)" ;;
  "c "*.c) cp "$1" "$3" && build_and_run "$3" ;;
  "text ") compare "$1" ;;
  *) fail "$where: unknown kind of block '$2 $3'" ;;
  esac
}

for page in "$source"/docs/manual/[0-9]-*.md; do
  name=$(basename "$page" .md)
  case $SANITIZE$name in ?*1-tutorial | ?*2-howto) continue ;; esac
  mkdir -p "${name#*-}/blocks" && cd "${name#*-}" || exit 1
  awk '/^```/ { if (on) on = 0; else { out = sprintf("blocks/%03d", ++n); print substr($0, 4) >out; print NR >(out ".line"); on = 1 } next }
    on { print >out }' "$page"
  for file in blocks/???; do
    blocks=$((blocks + 1))
    where="$name.md, line $(cat "$file.line")"
    tail -n +2 "$file" >body
    block "$(head -1 "$file")" body
  done
  # pictures that it shows are there
  sed -n 's/^!\[.*\](\(.*\))$/\1/p' "$page" >shown
  while IFS= read -r picture; do
    [ -s "$source/docs/manual/$picture" ] || fail "$name.md shows $picture, which is not there"
  done <shown
  cd ..
done
# and as one page, without a link that leads nowhere, with its pictures, whole
"$ria" run -q "$source/docs/manual/make.lua" "source=$source" to=manual.html >said 2>&1 || fail "the page of it cannot be made: $(cat said)"
grep -o 'href="#[^"]*' manual.html | sed 's/href="#//' | sort -u >leads
grep -o ' id="[^"]*' manual.html | sed 's/ id="//' | sort >there
uniq -d there | grep . && fail "headings of one page have one name"
[ "$(wc -l <leads)" -gt 12 ] || fail "the page has only $(wc -l <leads) links"
sort -u there | comm -23 leads - | grep . && fail "links that lead nowhere"
[ "$(grep -o 'src="data:image/png;base64,iVBOR' manual.html | wc -l)" -ge 4 ] || fail "the page lacks pictures"
for tag in table ul ol li pre code p h2 tr td a; do
  [ "$(grep -o "<${tag}[ >]" manual.html | wc -l)" = "$(grep -o "</$tag>" manual.html | wc -l)" ] || fail "<$tag> is not closed as often as it is opened"
done
[ -n "$SANITIZE" ] || [ $blocks -gt 60 ] || fail "only $blocks blocks in the manual"
exit $failed
