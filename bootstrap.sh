#!/usr/bin/env bash
# bootstrap.sh - the two commands of the README.
#
#   ./bootstrap.sh run [key=value ...]   build the program, run the main scenario (scenarios/ria_spill.lua)
#   ./bootstrap.sh test                  build and run all tests, again under ASan and UBSan, some with clang
#                                        and under ThreadSanitizer
#   ./bootstrap.sh build                 build everything, run nothing
#
# On Debian and its kin, missing packages are installed with apt-get (as root, or through sudo).
# Elsewhere the script says what is missing and goes on. `run` compiles CUDA code where a GPU is visible, `test`
# and `build` wherever nvcc is found; all three do without.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

say() { printf '%s\n' "$*" >&2; }
die() {
  say "bootstrap.sh: $*"
  exit 1
}

# Debian package -> how to tell that it is there.
have() {
  case $1 in
  gcc | cmake | ninja-build | pkg-config) command -v "${1%-build}" >/dev/null ;;
  lua5.4) command -v lua5.4 >/dev/null ;;
  zlib1g-dev) [ -e /usr/include/zlib.h ] ;;
  libpng-dev) [ -e /usr/include/png.h ] ;;
  libdeflate-dev) [ -e /usr/include/libdeflate.h ] ;;
  liblua5.4-dev) [ -e /usr/include/lua5.4/lua.h ] ;;
  python3-zarr) /usr/bin/python3 -c 'import zarr' 2>/dev/null ;;
  python3-xarray) /usr/bin/python3 -c 'import xarray' 2>/dev/null ;;
  python3-netcdf4) /usr/bin/python3 -c 'import netCDF4' 2>/dev/null ;;
  python3-numpy) /usr/bin/python3 -c 'import numpy' 2>/dev/null ;;
  python3-scipy) /usr/bin/python3 -c 'import scipy' 2>/dev/null ;;
  python3-vtk9) /usr/bin/python3 -c 'import vtkmodules' 2>/dev/null ;;
  gdal-bin) command -v gdalinfo >/dev/null ;;
  lua-check) command -v luacheck >/dev/null ;;
  libopenmpi-dev) command -v mpicc >/dev/null ;;
  openmpi-bin) command -v mpirun >/dev/null ;;
  libpython3-dev) compgen -G '/usr/include/python3.*/Python.h' >/dev/null ;;
  libomp-dev) compgen -G '/usr/lib/llvm-*/lib/libomp.so' >/dev/null ;;
  libc6-dev) [ -e /usr/include/stdio.h ] ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

install() { # packages by Debian's names; false when some could not be had
  local missing=() root=()
  for p in "$@"; do have "$p" || missing+=("$p"); done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then root=(sudo); fi
  if ! command -v apt-get >/dev/null || { [ ${#root[@]} -gt 0 ] && ! command -v sudo >/dev/null; }; then
    say "missing, by Debian's names: ${missing[*]}"
    return 1
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  "${root[@]}" apt-get update -qq >"$log" 2>&1 || true
  if ! DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >>"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    return 1
  fi
  rm -f "$log"
  say "installed"
}

targets=() # what to build; all when empty

build() { # directory, cmake options
  local dir=$1
  shift
  cmake -S . -B "$dir" -G Ninja "$@" >"$dir.log" 2>&1 || {
    cat "$dir.log" >&2
    die "configuring failed"
  }
  sed -n '/RIA_CUDA is OFF/!s/^-- ria: \(with.* CUDA\)/  \1/p' "$dir.log" >&2
  cmake --build "$dir" ${targets[@]+--target "${targets[@]}"} >>"$dir.log" 2>&1 || {
    tail -n 60 "$dir.log" >&2
    die "the build failed; the whole log is in $dir.log"
  }
}

# What no build does without. Where apt-get is missing packages have other names and places: CMake finds
# what is there, and says what is not.
need() {
  install "$@" && return
  command -v apt-get >/dev/null && die "these packages are needed"
  say "there is no apt-get to install them with: CMake looks for what they hold, and says what it lacks"
}

# Not needed: libdeflate packs stores three times as fast; nvcc calls a C++ compiler.
want_libdeflate() { install libdeflate-dev || say "without libdeflate: zlib packs the stores"; }
want_cuda() {
  if command -v "${CUDACXX:-nvcc}" /usr/local/cuda/bin/nvcc >/dev/null; then
    install g++ || say "without a C++ compiler: CUDA is left out"
  fi
}

gpu_visible() { compgen -G '/dev/nvidia[0-9]*' >/dev/null || nvidia-smi -L >/dev/null 2>&1; }

# Build the program alone, in build/. A folder that `build` or `test` configured keeps its options.
build_program() {
  local options=()
  if gpu_visible; then
    say "a GPU is visible: its code is compiled too where nvcc is found (minutes, the first time)"
    want_cuda
    options+=(-DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF) # `test` may have left it hardly optimised
  elif [ ! -e build/CMakeCache.txt ]; then
    say "no GPU is visible: CUDA code is left out"
    options+=(-DRIA_CUDA=OFF)
  fi
  [ -e build/CMakeCache.txt ] || options+=(-DRIA_TESTS=OFF)
  if [ -x build/bin/ria ]; then
    say "bringing build/bin/ria up to date"
  else
    say "building build/bin/ria: half a minute or less, the first time (log: build.log)"
  fi
  targets=(ria_program)
  build build ${options[@]+"${options[@]}"}
}

# Run the main scenario; without parameters, end with the way to more.
run_scenario() {
  local scenario=scenarios/ria_spill.lua
  say "running $scenario"
  build/bin/ria run "$scenario" --overwrite "$@"
  [ $# -gt 0 ] || say "finer and longer: ./bootstrap.sh run grid=400 days=7   (on a GPU: grid=1000 days=7)"
}

needs=(gcc libc6-dev cmake ninja-build pkg-config zlib1g-dev libpng-dev liblua5.4-dev)

case ${1:-} in
run)
  shift
  need "${needs[@]}"
  [ -e build/CMakeCache.txt ] || want_libdeflate # asked for once: a run needs neither a password nor the network
  build_program
  run_scenario "$@"
  ;;
build)
  need "${needs[@]}"
  want_libdeflate
  want_cuda
  say "building everything (log: build.log)"
  build build -DRIA_TESTS=ON -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF # `run` may have left the first two out
  ;;
test)
  need "${needs[@]}" lua5.4
  want_libdeflate
  want_cuda
  # Readers of our stores that are not ours: their tests say "skipped" where these cannot be had.
  install python3-zarr python3-xarray gdal-bin || say "without zarr, xarray or GDAL: their tests are skipped"
  install python3-netcdf4 python3-scipy python3-vtk9 || say "without netCDF, scipy or VTK for Python: cli.export checks less"
  install libpython3-dev python3-numpy || say "without Python's headers or numpy: the Python module is not tested"
  install libopenmpi-dev openmpi-bin || say "without MPI: ranks are not tested"
  install clang-format lua-check shellcheck || say "without clang-format, luacheck or shellcheck: lint checks less"
  # Where no GPU will run it, CUDA code is compiled, checked and linked, and not optimised: that takes ten times as long.
  quick=ON
  if gpu_visible; then quick=OFF; fi
  say "building"
  build build -DRIA_TESTS=ON -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=$quick
  say "building with ASan and UBSan"
  # Sanitizers do not look into CUDA code: it is compiled once, above.
  build build-sanitize -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo
  clang=()
  if install clang libomp-dev; then
    clang=(yes)
    say "building with clang"
    build build-clang -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_SOLVER_TESTS=OFF -DCMAKE_C_COMPILER=clang
  else
    say "without clang: not built with it"
  fi
  # OpenMP's own synchronisation is unknown to ThreadSanitizer: these tests make their threads themselves.
  say "building with ThreadSanitizer, without OpenMP"
  threaded=(unit.threads unit.writer unit.snapshot unit.output)
  targets=("${threaded[@]}")
  build build-thread -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_LUA=OFF -DCMAKE_DISABLE_FIND_PACKAGE_OpenMP=ON \
    -DRIA_SANITIZE=thread -DCMAKE_BUILD_TYPE=RelWithDebInfo
  targets=()
  jobs=$(($(nproc) + 1)) # some tests wait: for ranks, for a signal
  status=0
  if [ ${#clang[@]} -gt 0 ]; then
    say "testing what clang built"
    ctest --test-dir build-clang -j "$jobs" --output-on-failure -L '^(unit|lua)$' || status=1
  fi
  say "testing under ThreadSanitizer"
  ctest --test-dir build-thread -j "$jobs" --output-on-failure \
    -R "^($(IFS='|'; printf '%s' "${threaded[*]}"))\$" || status=1
  # Without validation: flows of many steps, for figures, by code that the other groups go through.
  say "testing under ASan and UBSan"
  ctest --test-dir build-sanitize -j "$jobs" --output-on-failure -LE '^validation$' || status=1
  say "testing"
  ctest --test-dir build -j "$jobs" --output-on-failure || status=1
  exit $status
  ;;
*)
  sed -n '2,10s/^# \{0,1\}//p' "$0"
  exit 2
  ;;
esac
