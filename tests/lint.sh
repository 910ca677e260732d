#!/bin/sh
# tests/lint.sh - how the sources look: what the test `lint` and the targets `lint` and `format` run.
#
#   tests/lint.sh [SOURCE]          report what is wrong; exit code 1 if anything is
#   tests/lint.sh --format [SOURCE] rewrite C and CUDA files as clang-format wants them
#
# clang-format of one major version is asked, since others break lines elsewhere. What is not
# installed is not checked, and said so.
format=no
[ "$1" = --format ] && { format=yes; shift; }
cd "${1:-$(dirname "$0")/..}" || exit 2
clang_major=14
readme_lines=100
failed=0
fail() {
  echo "$*"
  failed=1
}
skip() { echo "not checked: $*"; }

sources() { find engine gpu bindings examples tests -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh'; }
scripts() { find tests .ci -name '*.sh' -o -path '.ci/run'; echo bootstrap.sh; }
readmes() { find engine gpu bindings examples packaging scenarios tests -name README.md; }
documents() { find README.md CONTRIBUTING.md CHANGELOG.md docs engine gpu bindings scenarios tests -name '*.md'; }
# all that people write here, but for files made by programs
texts() {
  find . -path './build*' -prune -o -path ./.git -prune -o -path ./out -prune -o -type f \
    \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.lua' -o -name '*.sh' -o -name '*.md' -o -name '*.py' \
    -o -name '*.html' -o -name '*.css' -o -name '*.js' -o -name '*.cmake' -o -name CMakeLists.txt -o -name '*.json' -o -name .editorconfig \) -print
}

clang_format() {
  for name in clang-format-$clang_major clang-format; do
    "$name" --version 2>/dev/null | grep -q "version $clang_major\." && echo "$name" && return
  done
}
tool=$(clang_format)
if [ $format = yes ]; then
  [ "$tool" ] || { echo "clang-format $clang_major is needed"; exit 2; }
  sources | xargs "$tool" -i
  exit
fi

if [ "$tool" ]; then
  sources | xargs "$tool" --dry-run -Werror || fail "clang-format: \`cmake --build build -t format\` mends these"
else
  skip "C and CUDA, clang-format $clang_major is not installed"
fi

if command -v luacheck >/dev/null; then
  said=$(luacheck -q --no-color --codes scripts scenarios examples tests/lua tests/validation) || fail "$said"
else
  skip "Lua, luacheck is not installed"
fi

if command -v shellcheck >/dev/null; then
  scripts | xargs shellcheck -S warning || fail "shellcheck: see above"
else
  skip "shell scripts, shellcheck is not installed"
fi

# a test that is called by hand must not remove its caller's files
for file in tests/cli/*.sh; do
  grep -q '^scratch$' "$file" || fail "$file: does not call \`scratch\`"
done
for file in tests/cli/*.sh tests/cli/shell/*.sh; do
  said=$(awk '/^scratch$/ { exit } /(^|[^a-z])rm (-[a-zA-Z]+ )*"?[^"$\/-]/ { print FNR ": " $0 }' "$file")
  [ -z "$said" ] || fail "$file:$said: removes in its caller's folder: call \`scratch\` before"
done

for file in $(texts); do
  grep -n "[[:blank:]]\$" "$file" /dev/null && fail "$file: blanks at the end of a line"
  grep -n "$(printf '\t')" "$file" /dev/null && fail "$file: tabs"
  [ -z "$(tail -c 1 "$file")" ] || fail "$file: no newline at the end"
done

# by these words ranks are told from those at another agreement (gpu/machine/agree.cuh)
said=$(find gpu -name '*.cu' -exec grep -h -A1 'ria_gpu_agree(' {} + | grep -o '"[^"]*"' | sort | uniq -d)
[ -z "$said" ] || fail "gpu: ranks agree about two things in the same words: $said"

for file in $(documents); do
  # shellcheck disable=SC2013  # names without blanks
  for link in $(grep -o ']([^)]*)' "$file" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '://'); do
    [ -e "$(dirname "$file")/$link" ] || fail "$file: the link to $link leads nowhere"
  done
done

# paths in back quotes: those that begin with a folder of the repository, without X for a name to choose
# shellcheck disable=SC2013,SC2016  # names without blanks; back quotes that are meant
for path in $(grep -o '`[a-z]*/[^` ]*`' CONTRIBUTING.md | tr -d '`'); do
  case $path in
  */x/* | */x.* | */x_* | *SOLVER* | *\**) continue ;;
  base/* | core/* | forcing/* | io/* | outputs/* | run/*) path=engine/$path ;;
  ria/*) path=engine/include/$path ;;
  esac
  [ -e "$path" ] || fail "CONTRIBUTING.md: there is no $path"
done

for file in $(readmes); do
  lines=$(wc -l <"$file")
  [ "$lines" -le $readme_lines ] ||
    fail "$file: $lines lines, of $readme_lines: measurements go to tests/bench/log, long reference to docs"
done

exit $failed
