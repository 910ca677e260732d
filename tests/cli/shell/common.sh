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

# await FILE: until a program in the background has made it, 10 s at most
await() {
  n=0
  while [ ! -f "$1" ] && [ $n -lt 200 ]; do
    sleep 0.05
    n=$((n + 1))
  done
}
