#!/bin/sh
# The long forms of all trials, and how many were tried and failed.
#   run.sh [-j JOBS] [-n N] [-o "OPTION ..."] BUILD [TRIAL ...]
# N of each kind of point: all (the default; hours on two cores; of damage and memory 1000), or a number. TRIAL: kills rows calls damage disk
# two power memory places. OPTION: of `ria run`, for kills and rows: --device cuda. Exit status 0: none failed.
# RIA_UNTIL: seconds of `date +%s` after which no point begins; how many were left out is said.
jobs=2 n=all options="" here=$(cd "$(dirname "$0")" && pwd)
while getopts j:n:o: letter; do
  case $letter in
  j) jobs=$OPTARG ;;
  n) n=$OPTARG ;;
  o) options=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 2; }
build=$(cd "$1" && pwd) || exit 2
shift
[ $# -gt 0 ] || set -- kills rows calls damage disk two power memory places
export RIA="$build/bin/ria" RIA_REFUSE="$build/tests/cli/refuse.so"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/ria-trials.XXXXXX") || exit 2
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT
failed=0

# shared TRIAL: by JOBS processes, a share each; their counts as one
shared() {
  library=$build/tests/cli/libria_crash_shim.so
  [ "$1" = power ] && library=$build/tests/trials/record.so
  points=$n
  case $1:$n in damage:all | memory:all) points=1000 ;; esac
  share=0
  while [ $share -lt "$jobs" ]; do
    mkdir -p "$scratch/$1.$share"
    (cd "$scratch/$1.$share" && RIA_TRIAL_SHARE=$share/$jobs python3 "$here/$1.py" "$RIA" "$library" "$points" >said 2>&1
      echo $? >code) &
    share=$((share + 1))
  done
  wait
  grep -h '^FAILED' "$scratch/$1".*/said
  cat "$scratch/$1".*/said | awk -F': tried |, failed ' 'NF == 3 { t[$1] += $2; f[$1] += $3 }
    /^out of time/ { late += $4 }
    END { if (late) printf "out of time: %d points were not tried\n", late; for (k in t) printf "%s: tried %d, failed %d\n", k, t[k], f[k] }' | sort
  for code in "$scratch/$1".*/code; do
    [ "$(cat "$code")" = 0 ] || { failed=1; tail -n 3 "${code%code}said"; }
  done
}

for trial in "$@"; do
  echo "--- $trial, $(date -u +%Y-%m-%d)"
  [ "$n" = all ] && of=200 || of=$n
  # shellcheck disable=SC2086 # words
  case $trial in
  kills) sh "$here/kills.sh" "$of" "$jobs" $options || failed=1 ;;
  rows) RIA_TRIAL_TIMES=20 sh "$here/kills.sh" "$((of / 5 + 1))" "$jobs" $options || failed=1 ;;
  *) shared "$trial" ;;
  esac
  rm -rf "${scratch:?}"/*
done
exit $failed
