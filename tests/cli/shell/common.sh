# shellcheck shell=sh
# common.sh - what the scripts of this folder share. Each sets failed=0, sources this and ends with
# exit $failed.

# fail WORDS: say what is wrong and go on
fail() {
  echo "$*"
  # shellcheck disable=SC2034 # the script's exit status
  failed=1
}

# absolute PATH: PATH as it is from any folder
absolute() {
  case $1 in
  '' | /*) echo "$1" ;;
  *) echo "$PWD/$1" ;;
  esac
}

# scratch: from here on in a new folder below the current one, which goes when the script ends. Where
# somebody calls a script by hand nothing of theirs is in it. The script's arguments stay valid.
# shellcheck disable=SC2154 # ria, source and build are the script's, where it has them
scratch() {
  ria=$(absolute "$ria") source=$(absolute "$source") build=$(absolute "$build")
  scratch_folder=$(mktemp -d "$PWD/ria-test.XXXXXX") && cd "$scratch_folder" || exit 1
  case $PWD in
  /*/ria-test.??????) ;;
  *) echo "scratch: not in a folder of its own: $PWD" && exit 1 ;;
  esac
  trap 'cd / && rm -rf "$scratch_folder"' EXIT
  # a shell that a signal ends does not come by EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# shellcheck disable=SC2154 # pid is the script's
# await FILE: until the program in the background, $pid, has made it, or has ended: a busy machine
# may take its time
await() {
  while [ ! -f "$1" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.05; done
}
