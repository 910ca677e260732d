#!/bin/sh
# ria view: what it serves, to whom, and what it does not.
#   view.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch
"$ria" run "$source/tests/cli/page/hostile.lua" --quiet --device cpu --out out/bay >said 2>&1 || fail "the run: $(cat said)"

# refused CODE TEXT ARGUMENT...
refused() {
  code=$1 text=$2
  shift 2
  "$ria" view "$@" >said 2>&1
  got=$?
  [ $got = "$code" ] && [ "$(cat said)" = "ria: $text" ] || fail "view $*: exit code $got, $(cat said)"
}
refused 2 "ria view needs the directory of a run's results: ria view out/bay; of two: ria view out/bay out/flood"
refused 3 "cannot open the folder 'nowhere': No such file or directory" nowhere
mkdir empty
refused 3 "'empty' has no page (index.html): give the directory of a run's results, as in \`ria view out/bay\`; runs before there were pages, or with page = false, have none" empty
refused 3 "cannot open the folder 'nowhere': No such file or directory" out/bay nowhere
refused 3 "'empty' has no page (index.html): give the directory of a run's results, as in \`ria view out/bay\`; runs before there were pages, or with page = false, have none" out/bay empty
refused 2 "'out/more' is one argument too many: ria view takes the results of one run, or of two to compare: ria view out/bay out/two" out/bay out/two out/more
refused 2 "--open goes without --no-open" out/bay --open --no-open
refused 2 "--port x: expected a whole number, 1 .. 65535" out/bay --port x
refused 2 "--port 70000: expected a whole number, 1 .. 65535" out/bay --port 70000

echo secret >out/secret
echo secret >out/bay/.hidden
ln -s ../secret out/bay/link
ln -s .. out/bay/up
mkfifo out/bay/fifo
cp -R out/bay out/two # links, a pipe and a hidden file included
python3 "$source/tests/cli/page/view.py" "$ria" out/bay out/two || failed=1

exit $failed
