#!/bin/sh
# The page of a run in a headless Chromium: each control, from the disk and served by ria view.
# RIA_PAGE_PICTURES=DIR keeps pictures of it, to be looked at.
#   browser.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
for browser in chromium chromium-browser google-chrome google-chrome-stable none; do
  command -v $browser >/dev/null && break
done
[ $browser = none ] && { echo "skipped: no chromium"; exit 77; }
scratch
cp "$source/tests/cli/page/hostile.lua" .
"$ria" run hostile.lua --quiet --device cpu --out ok >said 2>&1 || fail "the run: $(cat said)"
"$ria" run hostile.lua --quiet --device cpu --out bad fail=yes >said 2>&1 && fail "the run did not fail"
python3 "$source/tests/cli/page/browser.py" "$ria" $browser || failed=1

exit $failed
