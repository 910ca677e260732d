#!/bin/sh
# Runs the test programs of the GPU without CMake or CTest: on a machine that has the GPU and little else.
#
#   run.sh [-v] [-o PART] [-a ARGUMENTS] [-s TOOL] [-t SECONDS] [-j JOBS] [-l DIR] PROGRAMS
#
#   PROGRAMS     a directory that holds them: <build>/tests/solver, or what pack.sh packed
#   -v           with what each says (compare: a line a scene)
#   -o PART      only those with PART in their names
#   -a ARGUMENTS to each of them: -o compare -a "1000 1100" takes scenes of these seeds
#   -s TOOL      the small ones, cut short, under compute-sanitizer: memcheck, racecheck, initcheck,
#                synccheck; options may follow the name: -s "memcheck --leak-check full"
#   -t SECONDS   a program may take (600)
#   -j JOBS      so many programs side by side: tools spend most of their time on the host
#   -l DIR       keep what each says in DIR/<name>.log
#
# Tests of solvers that have two orders run at both: the second as <name>@2.
# A line a program: ok, FAIL or skipped, seconds, name. Ends with 0; 1 when one failed; 77 when all were skipped.
# RIA_TEST_DEVICE names the device ("cuda").
verbose='' only='' arguments='' tool='' limit=600 logs='' jobs=1
while getopts vo:a:s:t:j:l: option; do
  case $option in
  v) verbose=-v ;;
  o) only=$OPTARG ;;
  a) arguments=$OPTARG ;;
  s) tool=$OPTARG ;;
  t) limit=$OPTARG ;;
  j) jobs=$OPTARG ;;
  l) logs=$OPTARG ;;
  *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
programs=${1:-}
# shellcheck source=tests/gpu/common.sh
. "$(dirname "$0")/common.sh"

if [ -n "$tool" ]; then
  find_sanitizer
  case $tool in racecheck*) RIA_TEST_SHORT=trace ;; *) RIA_TEST_SHORT=1 ;; esac
  export RIA_TEST_SHORT
fi

# Few steps and all features; the others differ in how long they run.
small() {
  case $1 in
  solver.gpu.repeat) return 1 ;;  # graphs against their absence
  solver.gpu.forcing) return 1 ;; # fills the memory; memcheck counts a refusal as a fault
  solver.gpu.* | *.failure | *.many_tracers | *.rest | *.tracer) return 0 ;;
  esac
  return 1
}

here=$(mktemp -d) || exit 2
trap 'rm -rf "$here"' EXIT
[ -z "$logs" ] || mkdir -p "$logs"

# one NAME PROGRAM: what it says goes to its log, what is said of it to <name>.line, all at once.
one() {
  name=$1 program=$2
  case $name in *@2) export RIA_TEST_ORDER=2 ;; esac
  log=${logs:-$here}/$name.log
  began=$(date +%s.%N)
  # shellcheck disable=SC2086  # words of their own: a tool with options, arguments
  if [ -n "$tool" ]; then
    timeout "$limit" "$sanitizer" --error-exitcode 9 --tool $tool "$program" $verbose $arguments >"$log" 2>&1
  else
    timeout "$limit" "$program" $verbose $arguments >"$log" 2>&1
  fi
  status=$?
  seconds=$(echo "$began $(date +%s.%N)" | awk '{ printf "%7.1f", $2 - $1 }')
  case $status in
  0) word=ok ;;
  77) word=skipped ;;
  *) word=FAIL ;;
  esac
  {
    echo "$(printf '%-7s' $word) $seconds s  ${name#solver.}"
    case $word in
    FAIL)
      [ $status = 124 ] && echo "        took longer than $limit s"
      if [ -n "$verbose" ]; then sed 's/^/        /' "$log"; else tail -n 20 "$log" | sed 's/^/        /'; fi
      ;;
    skipped) grep '^skipped:' "$log" | sed 's/^/        /' ;;
    ok) [ -n "$verbose" ] && sed 's/^/        /' "$log" ;;
    esac
  } >"$here/$name.line"
  cat "$here/$name.line"
}

# A token for each program that may run: taken before it begins, given back when it has ended.
mkfifo "$here/tokens" && exec 3<>"$here/tokens" || exit 2
k=0
while [ $k -lt "$jobs" ]; do echo >&3 && k=$((k + 1)); done
# turn ALONE: those that can run side by side, or (yes) those that cannot
turn() {
  for program in "$programs"/solver.*; do
    name=${program##*/} again=
    { [ -f "$program" ] && [ -x "$program" ]; } || continue
    [ -z "$tool" ] || small "$name" || continue
    case $name in
    solver.gpu.forcing) [ "$1" = yes ] || continue ;; # fills the memory: there is none for others
    *) [ "$1" = no ] || continue ;;
    esac
    case $name in
    solver.gpu.*) ;; # draw the order
    *) ! grep -q RIA_TEST_ORDER "$program" || again=$name@2 ;;
    esac
    for name in $name $again; do
      case $name in *"$only"*) ;; *) continue ;; esac
      read -r _ <&3
      {
        one "$name" "$program"
        echo >&3
      } &
    done
  done
  wait
}
turn no
turn yes
count() { cat "$here"/*.line 2>/dev/null | grep -c "^$1 "; }
ok=$(count ok) failed=$(count FAIL) skipped=$(count skipped)
echo "$ok ok, $failed failed, $skipped skipped"
[ "$failed" = 0 ] || exit 1
[ "$ok" != 0 ] || exit 77
