#!/bin/sh
# The long suite: all that is too long for CI, side by side, on a machine with many cores, for as long as there is time.
#
#   tests/long/run.sh [-j CORES] [-m MINUTES] [-p "PART PART=CORES ..."] [-c FOLDER] [-o FOLDER]
#
#   -j CORES     in all: those of the machine, unless given; everything runs at the lowest priority
#   -m MINUTES   by the clock, building included: 60
#   -p PARTS     fuzz scenes threads coverage mutations soak trials: all of these; PART=CORES: with so many
#   -c FOLDER    what pack.sh gathered for a machine without clang and Lua
#   -o FOLDER    for builds and results: build-long
#
# Results: summary.txt (a line a part and a table of the fuzzers), PART.txt (what each said), found.tar.xz (inputs that fuzzers
# found, logs of scenes that failed), corpus.tar.xz (of the fuzzers; a folder `corpus` in -c FOLDER is their beginning).
# Exit status 1: a part failed. In the environment: RIA_LONG_SEED=1 (of scenes and mutations), RIA_LONG_SCENES=500 a solver,
# RIA_LONG_MUTATIONS="--seed 1 --count 100 --limit 120", RIA_LONG_TRIALS=all points of a kind, RIA_LONG_TESTS=. for coverage.
all_parts='fuzz scenes threads coverage mutations soak trials'

# prepare OPTION ...: what all parts know, from the environment
prepare() {
  tree=$(cd "$(dirname "$0")/../.." && pwd)
  cores=$(nproc) minutes=60 parts=$all_parts carried='' out=$tree/build-long
  while getopts j:m:p:c:o: letter; do
    case $letter in
    j) cores=$OPTARG ;;
    m) minutes=$OPTARG ;;
    p) parts=$OPTARG ;;
    c) carried=$(cd "$OPTARG" && pwd) || exit 2 ;;
    o) out=$OPTARG ;;
    *) sed -n '2,18s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    esac
  done
  mkdir -p "$out" && out=$(cd "$out" && pwd) || exit 2
  began=$(date +%s)
  # What is begun must end, and be told: a fifth of the time, a minute and a half at most.
  RIA_UNTIL=$(awk -v b="$began" -v m="$minutes" 'BEGIN { s = 60 * m; g = s / 5; if (g > 90) g = 90; printf "%d", b + s - g }')
  end=$(awk -v b="$began" -v m="$minutes" 'BEGIN { printf "%d", b + 60 * m }')
  seed=${RIA_LONG_SEED:-1}
  for word in $parts; do
    case " $all_parts " in
    *" ${word%%=*} "*) ;;
    *) echo "run.sh: no part '$word': $all_parts" >&2; exit 2 ;;
    esac
  done

  # Warnings of another compiler are no findings.
  export CFLAGS="-w $CFLAGS"
  RIA_CMAKE_ARGS="-DRIA_CUDA=OFF -DRIA_TESTS=ON $RIA_CMAKE_ARGS"
  if [ "$carried" ]; then
    RIA_CMAKE_ARGS="$RIA_CMAKE_ARGS -DRIA_MPI=OFF -DLUA_INCLUDE_DIR=$carried/include/lua5.4 -DLUA_LIBRARY=$carried/lib/liblua5.4.so
      -DRIA_LUA_ARCHIVE=$carried/lib/liblua5.4.a -DPNG_PNG_INCLUDE_DIR=$carried/include -DPNG_LIBRARY=$carried/lib/libpng16.so
      -DZLIB_INCLUDE_DIR=$carried/include -DZLIB_LIBRARY=$carried/lib/libz.so"
    [ ! -e "$carried/lib/libdeflate.so" ] || RIA_CMAKE_ARGS="$RIA_CMAKE_ARGS
      -DRIA_LIBDEFLATE=$carried/lib/libdeflate.so -DRIA_LIBDEFLATE_INCLUDE=$carried/include"
    # For tests that include zlib.h or lua.h without a word to CMake, and for programs that are loaded by others.
    export C_INCLUDE_PATH="$carried/include:$carried/include/lua5.4${C_INCLUDE_PATH:+:$C_INCLUDE_PATH}"
    export LIBRARY_PATH="$carried/lib${LIBRARY_PATH:+:$LIBRARY_PATH}" LD_LIBRARY_PATH="$carried/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  fi
  # In memory, where there is much of it: trials write small files by the thousand.
  room=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")/ria-long.XXXXXX") || exit 2
  trap 'rm -rf "$room"' EXIT
  # Builds come first, while there is little else to do.
  RIA_BUILD_JOBS=$(((cores + 1) / 2))
  export RIA_UNTIL RIA_BUILD_JOBS RIA_CMAKE_ARGS tree cores parts carried out seed room
}
[ "$1" = --part ] || prepare "$@"

# left: seconds until nothing begins any more
left() { echo $((RIA_UNTIL - $(date +%s) > 1 ? RIA_UNTIL - $(date +%s) : 1)); }

# cores_of PART: those given, or by weight
cores_of() {
  for word in $parts; do
    case $word in "$1="*) echo "${word#*=}"; return ;; esac
  done
  echo "$parts" | tr ' ' '\n' | awk -F= -v p="$1" -v n="$cores" '
    function w(x) { return x == "fuzz" ? 12 : x == "mutations" || x == "trials" ? 6 : x == "soak" ? 2 : 4 }
    NF == 2 { n -= $2 } NF == 1 { sum += w($1) } END { k = int(n * w(p) / sum); print k < 1 ? 1 : k }'
}

# built TARGET ...: of the usual build, by whoever comes first
built() {
  # shellcheck disable=SC2016  # for the inner shell
  flock "$out/usual.lock" sh -c 'cmake -S "$tree" -B "$1" -G Ninja $RIA_CMAKE_ARGS >/dev/null && cmake --build "$@"' sh \
    "$out/usual" -j "$RIA_BUILD_JOBS" --target "$@" >"$out/built.txt" 2>&1 || { tail -n 20 "$out/built.txt"; return 1; }
}

fuzz() {
  if [ "$carried" ]; then
    tar -C "$out" -xf "$carried/fuzzers.tar.xz" || return 1
    export FUZZERS="$out/fuzzers" LD_LIBRARY_PATH="$out/fuzzers/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
    mkdir -p "$out/fuzz"
    [ ! -d "$carried/corpus" ] || cp -r "$carried/corpus" "$out/fuzz/"
  fi
  BUILD=$out/fuzz sh "$tree/tests/fuzz/run.sh" -j "$(cores_of fuzz)" "$(awk -v s="$(left)" 'BEGIN { print s / 60 }')"
}
scenes() { sh "$tree/tests/scenes.sh" -j "$(cores_of scenes)" "${RIA_LONG_SCENES:-500}" "$seed" "$out/scenes"; }
threads() { sh "$tree/tests/scenes.sh" -j "$(cores_of threads)" -s thread "${RIA_LONG_SCENES:-500}" "$seed" "$out/threads"; }
coverage() { RIA_COVERAGE_JOBS=$(cores_of coverage) sh "$tree/tests/coverage.sh" "$out/coverage" "${RIA_LONG_TESTS:-.}"; }
mutations() {
  # shellcheck disable=SC2086  # words
  sh "$tree/tests/mutate/run.sh" --folder "$out/mutate" --jobs "$(cores_of mutations)" ${RIA_LONG_MUTATIONS:---seed $seed --count 100 --limit 120}
}
soak() {
  built soak.short || return 1
  failed=0
  for of in 'events 1000000 0 0 0' 'frames 0 100000 0 0' 'sims 0 0 1000 0' 'tide 0 0 0 7'; do
    # shellcheck disable=SC2086  # words
    (TMPDIR=$room OMP_WAIT_POLICY=passive timeout "$(left)" "$out/usual/tests/soak/soak.short" ${of#* }
      echo "$?" >"$out/soak.${of%% *}.code") &
  done
  wait
  for code in "$out"/soak.*.code; do
    [ "$(cat "$code")" = 0 ] || { echo "FAILED: ${code##*/}: $(cat "$code") (124: out of time)"; failed=1; }
  done
  return $failed
}
trials() {
  built ria_program ria_crash_shim ria_refuse ria_trial_record || return 1
  each=$((($(cores_of trials) + 3) / 4))
  for name in kills rows calls damage disk two power memory places; do
    (TMPDIR=$room sh "$tree/tests/trials/run.sh" -j $each -n "${RIA_LONG_TRIALS:-all}" "$out/usual" $name >"$out/trial.$name.txt" 2>&1
      echo "$?" >"$out/trial.$name.code") &
  done
  wait
  cat "$out"/trial.*.txt
  ! grep -qv '^0$' "$out"/trial.*.code
}

# one PART: to its end, or to the end of the time
one() {
  part=$1
  "$part" >"$out/$part.txt" 2>&1
  code=$?
  times >"$out/$part.times" # not in a pipe: of this process's children
  awk -F'[ms ]+' -v code=$code 'NR == 2 { printf "%d %.1f\n", code, $1 + $3 + ($2 + $4) / 60 }' "$out/$part.times" >"$out/$part.ended"
}

if [ "$1" = --part ]; then
  one "$2"
  exit
fi
rm -f "$out"/*.ended "$out"/*.code "$out"/trial.*.txt
for word in $parts; do timeout -k 5 "$((end - began))" nice -n 19 sh "$0" --part "${word%%=*}" & done
wait

{
  echo "$(date -u +%Y-%m-%dT%H:%MZ), $cores cores, $((($(date +%s) - began) / 60)) min, $(cc --version 2>/dev/null | head -n 1)"
  for word in $parts; do
    part=${word%%=*}
    if [ ! -e "$out/$part.ended" ]; then
      echo "$part: has not ended: $(tail -n 1 "$out/$part.txt")"
      continue
    fi
    read -r code cpu <"$out/$part.ended"
    echo "$part: $([ "$code" = 0 ] && echo ok || echo "FAILED ($code)"), $cpu min of CPU time"
    case $part in
    fuzz) sed 's/^/    /' "$out/fuzz.txt" ;;
    scenes | threads) grep '^solver' "$out/$part.txt" | sed 's/^/    /' ;;
    coverage) grep -E '^(all|[a-z]+/[a-z_0-9]+): |tests passed|^of [0-9]+ branches|^a place refused' "$out/coverage.txt" | sed 's/^/    /' ;;
    mutations) sed -n '/ tried, /,$p' "$out/mutations.txt" | sed 's/^/    /' ;;
    *) sed 's/^/    /' "$out/$part.txt" ;;
    esac
  done
} >"$out/summary.txt"
cat "$out/summary.txt"
[ ! -d "$out/fuzz/corpus" ] || tar -C "$out/fuzz" -cJf "$out/corpus.tar.xz" corpus
(cd "$out" && find fuzz/found scenes/scenes threads/scenes -type f 2>/dev/null) | tar -C "$out" -cJf "$out/found.tar.xz" -T -
! grep -qE 'FAILED|has not ended' "$out/summary.txt"
