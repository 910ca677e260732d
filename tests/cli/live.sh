#!/bin/sh
# ria run --view: a run that is watched, paused, changed and stopped from its page.
#   live.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
scratch
# long enough to be met under way, and few events: batches of steps end between them
sed -e 's/"5 min", ria.frame/"5 h", ria.frame/; s/"10 min", ria.frame/"5 h", ria.frame/; s/"10 min", ria.save/"7 h", ria.save/' \
  -e 's/every = "1 min"/every = "1 h"/; s/sim:run "30 min"/sim:run "24 h"/' "$source/tests/cli/page/hostile.lua" >slow.lua

refused() {
  text=$1
  shift
  "$ria" run slow.lua "$@" >said 2>&1 && fail "run $*: it runs"
  [ "$(cat said)" = "ria: $text" ] || fail "run $*: $(cat said)"
}
refused "--allow-change goes with --view" --allow-change
refused "--port goes with --view" --port 8080
refused "--allow-change goes without --continue and --changes" --view --allow-change --continue

python3 "$source/tests/cli/page/live.py" "$ria" || failed=1
exit $failed
