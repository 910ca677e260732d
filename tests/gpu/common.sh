# shellcheck shell=sh
# What run.sh and sanitize.sh share, read by both (`. common.sh`); $programs is their directory of tests.
# shellcheck disable=SC2154  # programs: of who reads this
[ -d "$programs" ] || { echo "${0##*/}: a directory of programs is needed: ${0##*/} [options] PROGRAMS" >&2; exit 2; }
export RIA_TEST_DEVICE="${RIA_TEST_DEVICE:-cuda}" OMP_WAIT_POLICY=passive
# Libraries that pack.sh took along, for a machine that lacks them.
[ -d "$programs/lib" ] && export LD_LIBRARY_PATH="$programs/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"

# find_sanitizer: its path in $sanitizer. It does not follow memory through loops in graphs: steps are launched one by one.
find_sanitizer() {
  for sanitizer in compute-sanitizer "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" none; do
    command -v "$sanitizer" >/dev/null && break
  done
  [ "$sanitizer" != none ] || { echo "${0##*/}: compute-sanitizer is not found: PATH or CUDA_HOME must lead to it" >&2; exit 2; }
  export RIA_CUDA_GRAPHS="${RIA_CUDA_GRAPHS:-off}"
}
