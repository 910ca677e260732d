#!/bin/sh
# tests/gpu/sanitize.sh - random scenes of every solver on a GPU under compute-sanitizer, a process each.
#
#   sanitize.sh [-s TOOL] [-j JOBS] [-t SECONDS] [-o PART] [-n COUNT] [-l DIR] PROGRAMS
#
#   PROGRAMS    a directory that holds the tests: <build>/tests/solver, or what pack.sh packed
#   -s TOOL     memcheck, racecheck, initcheck, synccheck; several: -s "memcheck racecheck" (the default)
#   -j JOBS     so many at a time (4): much of what a tool does is work of the host
#   -t SECONDS  a scene may take (600)
#   -o PART     only programs with PART in their names
#   -n COUNT    scenes a program, at most: the first of its list
#   -l DIR      keep what each scene says in DIR (a scene that fails: always shown)
#
# Short scenes (20 steps), each compared with the CPU, too. A line a program and tool. Ends with 0; 1 when a scene failed; 77 when no program was there; 3 when
# some had no time. In the environment: RIA_UNTIL, seconds of `date +%s` at which all end; RIA_TEST_DEVICE ("cuda").

# Every kind of scene.h: rare and usual, springs, rivers, periodic sides, ratings; any seven in a row have all sizes.
# shellcheck disable=SC2034  # by name
{
  compare='1 2 3 4 5 6 7 8 9 127 128 129 130 504000 504002 756000 756002 882000 882001 882002 945000 945002'
  adi_compare='1 2 3 4 5 6 7 8 9 10 11 12 13 14 504000 504002 756000 756002 882000 882001 882002'
  diffusion_compare='0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20'
  sediment='0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19'
}

# one TOOL PROGRAM SEED LOGS SECONDS: a word, the tool, the program's name, the seed, seconds
one() {
  tool=$1 program=$2 seed=$3 log=$4/${2##*/}.$3.$1.log limit=$5 name=${2##*/}
  began=$(date +%s)
  left=$((${RIA_UNTIL:-9999999999} - began))
  [ $left -gt 0 ] || { echo "late $tool $name $seed 0"; return; }
  [ $left -gt "$limit" ] || limit=$left
  timeout "$limit" "$sanitizer" --error-exitcode 9 --tool "$tool" "$program" "$seed" "$seed" >"$log" 2>&1
  status=$?
  # A tool that loses its program ends with 0, too.
  [ $status != 0 ] || grep -q '^========= \(ERROR\|RACECHECK\) SUMMARY' "$log" || status=1
  case $status in
  0) word=passed ;;
  124 | 137) word='cut' ;;
  *) word=failed ;;
  esac
  echo "$word $tool $name $seed $(($(date +%s) - began))"
}
if [ "$1" = --one ]; then
  shift
  one "$@"
  exit
fi

tools='memcheck racecheck' jobs=4 limit=600 only='' count=1000 logs=''
while getopts s:j:t:o:n:l: option; do
  case $option in
  s) tools=$OPTARG ;;
  j) jobs=$OPTARG ;;
  t) limit=$OPTARG ;;
  o) only=$OPTARG ;;
  n) count=$OPTARG ;;
  l) logs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
programs=${1:-}
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"
find_sanitizer
here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
logs=${logs:-$here}
mkdir -p "$logs"
export sanitizer RIA_TEST_SHORT=trace

for tool in $tools; do
  for name in gpu.compare gpu.adi_compare diffusion.compare gpu.sediment; do
    case $name in *"$only"*) ;; *) continue ;; esac
    [ -x "$programs/solver.$name" ] || continue
    k=0
    eval "seeds=\$$(echo "${name#gpu.}" | tr . _)"
    # shellcheck disable=SC2154  # by eval
    for seed in $seeds; do
      k=$((k + 1))
      [ $k -gt "$count" ] || echo "$tool $programs/solver.$name $seed $logs $limit"
    done
  done
done >"$here/list"
[ -s "$here/list" ] || { echo "skipped: no programs of scenes in $programs"; exit 77; }
xargs -P "$jobs" -n 5 sh "$0" --one <"$here/list" >"$here/done"
grep '^failed' "$here/done" | while read -r _ tool name seed _; do
  echo "$name $seed under $tool: FAILED"
  tail -n 30 "$logs/$name.$seed.$tool.log"
done
cut -d' ' -f1,2 "$here/list" | sort -u | while read -r tool program; do
  awk -v t="$tool" -v n="${program##*/}" '$2 == t && $3 == n { k[$1]++; if ($5 > most) most = $5 }
    END { printf "%s under %s: %d scenes, %d failed, the longest %d s", substr(n, 8), t, k["passed"] + k["failed"], k["failed"], most
          if (k["cut"]) printf "; %d cut off by time", k["cut"]
          if (k["late"]) printf "; %d not begun, out of time", k["late"]
          print "" }' "$here/done"
done
! grep -q '^failed' "$here/done" || exit 1
! grep -q '^cut\|^late' "$here/done" || exit 3
