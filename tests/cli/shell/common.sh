# shellcheck shell=sh
# common.sh - what the scripts of this folder share. Each sets failed=0, sources this and ends with
# exit $failed.

# fail WORDS: say what is wrong and go on
fail() {
  echo "$*"
  # shellcheck disable=SC2034 # the script's exit status
  failed=1
}

# scratch: from here on in an empty directory, so that nothing is removed where somebody calls a
# script by hand
scratch() {
  rm -rf scratch
  mkdir scratch && cd scratch || exit 1
}

# shellcheck disable=SC2154 # pid is the script's
# await FILE: until the program in the background, $pid, has made it, or has ended: a busy machine
# may take its time
await() {
  while [ ! -f "$1" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
}
