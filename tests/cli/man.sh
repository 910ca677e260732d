#!/bin/sh
# Manual pages: of ria and of each command, in roff that has no fault, with all that help has.
#   man.sh PROGRAM SOURCE BUILD
ria=$1 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch

# faultless PAGE: no warning; in PAGE.txt as it is read, without line breaks and emphasis
faultless() {
  if command -v groff >/dev/null; then
    groff -ww -man -Tascii -P-cbou -rLL=2000n "$1" >"$1.txt" 2>said || fail "$1: groff ends with $?"
    [ ! -s said ] || fail "$1: $(cat said)"
  else # escapes that stand for signs
    sed 's/\\f[BIR]//g; s/\\&//g; s/\\-/-/g; s/\\(rs/\\/g; s/\\(ga/`/g; s/\\(ha/^/g; s/\\(ti/~/g' "$1" | sed "s/\\\\(aq/'/g" >"$1.txt"
  fi
  tr -s ' \n' '  ' <"$1.txt" >words
}
# names PAGE TEXT: the page has the text
names() { tr -s ' ' <<TEXT | grep -qF -f - words || fail "$1 lacks '$2'"; }
$2
TEXT

commands=$("$ria" help | sed -n 's/^  ria \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -ge 7 ] || fail "commands: $commands"
"$ria" help --man >ria.1 || fail "ria help --man: exit code $?"
faultless ria.1
for command in $commands; do names ria.1 "ria-$command(1)"; done
"$ria" help | sed -n '/^solvers/,/^the language/s/^  \([a-z_0-9]*\) *\(.*\)/\1 \2/p' >items
[ "$(wc -l <items)" -ge 6 ] || fail "solvers and topics: $(cat items)"
while read -r line; do names ria.1 "$line"; done <items

for command in $commands; do
  page=ria-$command.1
  "$ria" help --man "$command" >"$page" || fail "ria help --man $command: exit code $?"
  faultless "$page"
  names "$page" "ria-$command - "
  names "$page" "ria(1)"
  # each line of help: options and notes
  "$ria" help "$command" | sed 's/^ *//; /^$/d' >lines
  [ "$(wc -l <lines)" -ge 3 ] || fail "ria help $command: $(cat lines)"
  while read -r line; do names "$page" "$line"; done <lines
done

"$ria" help --man nothing >said 2>&1 && fail "a page of nothing"
grep -q "manual pages are of commands" said || fail "a page of nothing: $(cat said)"

# those that the build made are these
if [ -d "$build/share/man/man1" ]; then
  for page in ria.1 ria-*.1; do
    cmp "$page" "$build/share/man/man1/$page" || fail "the build has another $page"
  done
fi

exit $failed
