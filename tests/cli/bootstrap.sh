#!/bin/sh
# What bootstrap.sh asks CMake for and tells the user. CMake, the program and what finds GPUs and
# packages are stand-ins: nothing is installed or compiled here.
#   bootstrap.sh PROGRAM SOURCE
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
here=$PWD
mkdir tree bin
# libdeflate is missing, wherever this runs
sed 's|/usr/include/libdeflate\.h|/nowhere/libdeflate.h|' "$source/bootstrap.sh" >tree/bootstrap.sh
chmod +x tree/bootstrap.sh

# stand_in NAME: a program that does what standard input says
stand_in() {
  { echo '#!/bin/sh'; cat; } >"bin/$1"
  chmod +x "bin/$1"
}
stand_in cmake <<STAND_IN
echo "\$*" >>"$here/asked"
[ "\$1" = --build ] || { mkdir -p "\$4" && touch "\$4/CMakeCache.txt"; exit; }
mkdir -p "\$2/bin"
printf '#!/bin/sh\necho "ria \$*"\nexit \${RIA_EXIT:-0}\n' >"\$2/bin/ria"
chmod +x "\$2/bin/ria"
STAND_IN
for name in apt-get sudo; do printf 'echo "$*" >>"%s/installed"\nexit 1\n' "$here" | stand_in $name; done
for name in gcc ninja pkg-config lua5.4; do echo 'exit 0' | stand_in $name; done
stand_in ctest <<STAND_IN
echo "\$*" >>"$here/tested"
STAND_IN
gpu() { echo "exit $1" | stand_in nvidia-smi; } # 0: one is visible

# bootstrap ARGUMENT...: in the tree of stand-ins; what it says and asks for
bootstrap() {
  rm -f asked installed tested
  PATH="$here/bin:$PATH" tree/bootstrap.sh "$@" >stdout 2>stderr
}
asked() { grep -qx -- "$1" asked || fail "$2: asked CMake for $(cat asked)"; }
said() { grep -qxF -- "$1" stderr || fail "'$1' is not in $(cat stderr)"; }

program="--build build --target ria_program"
run="ria run scenarios/ria_spill.lua --overwrite"

gpu 1
bootstrap run || {
  grep -q "these packages are needed" stderr && exit 77
  fail "run fails: $(cat stderr)"
}
if ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
  asked "-S . -B build -G Ninja -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF -DRIA_TESTS=OFF" "run with a GPU"
else
  asked "-S . -B build -G Ninja -DRIA_CUDA=OFF -DRIA_TESTS=OFF" "run without a GPU"
  said "no GPU is visible: CUDA code is left out"
fi
asked "$program" "run"
said "without libdeflate: zlib packs the stores"
said "building build/bin/ria: half a minute or less, the first time (log: build.log)"
said "running scenarios/ria_spill.lua"
[ "$(cat stdout)" = "$run" ] || fail "run: $(cat stdout)"
[ "$(tail -n 1 stderr)" = \
  "finer and longer: ./bootstrap.sh run grid=400 days=7   (on a GPU: grid=1000 days=7)" ] ||
  fail "run ends with $(tail -n 1 stderr)"

# again: nothing is installed, what the folder was made with stays; parameters go to the scenario
if ! ls /dev/nvidia[0-9]* >/dev/null 2>&1; then
  bootstrap run grid=80 || fail "the second run fails"
  [ ! -e installed ] || fail "the second run installs: $(cat installed)"
  asked "-S . -B build -G Ninja" "the second run"
  said "bringing build/bin/ria up to date"
  [ "$(cat stdout)" = "$run grid=80" ] || fail "run grid=80: $(cat stdout)"
  [ "$(tail -n 1 stderr)" = "running scenarios/ria_spill.lua" ] || fail "run grid=80: $(cat stderr)"
fi

gpu 0
bootstrap run || fail "run with a GPU fails"
asked "-S . -B build -G Ninja -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF" "run with a GPU"
said "a GPU is visible: its code is compiled too where nvcc is found (minutes, the first time)"

# everything is built, though the folder is that of `run`: the tests, and CUDA wherever there is a compiler for it
gpu 1
bootstrap build || fail "build fails"
asked "-S . -B build -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF" "build"
asked "--build build" "build"
[ ! -e tested ] || fail "build tests: $(cat tested)"
bootstrap test || fail "test fails: $(cat stderr)"
quick=ON
if ls /dev/nvidia[0-9]* >/dev/null 2>&1; then quick=OFF; fi
asked "-S . -B build -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=$quick" "test"
asked "--build build" "test"
grep -q -- "^--test-dir build -j [0-9]* --output-on-failure\$" tested || fail "test runs: $(cat tested)"

# where there is a GPU the tests run what users run, and what `test` made without one does not stay
gpu 0
bootstrap test || fail "test with a GPU fails: $(cat stderr)"
asked "-S . -B build -G Ninja -DRIA_TESTS=ON -DRIA_CUDA=AUTO -DRIA_CUDA_QUICK=OFF" "test with a GPU"
gpu 1

RIA_EXIT=4
export RIA_EXIT
bootstrap run
[ $? = 4 ] || fail "the program's exit code is lost"

unset RIA_EXIT

# elsewhere than on Debian: what seems missing is named, CMake decides
mkdir elsewhere
for name in bash cat cp dirname env id mkdir nproc printf rm sed sh tail touch chmod; do
  ln -s "$(command -v $name || echo /bin/$name)" elsewhere/
done
for name in cmake gcc pkg-config nvidia-smi; do ln -s ../bin/$name elsewhere/; done
rm -rf tree/build asked
PATH="$here/elsewhere" tree/bootstrap.sh run >stdout 2>stderr || fail "run without apt-get fails: $(cat stderr)"
grep -q "^missing, by Debian's names: .*ninja-build" stderr || fail "ninja is not said to be missing: $(cat stderr)"
said "there is no apt-get to install them with: CMake looks for what they hold, and says what it lacks"
asked "$program" "run without apt-get"
[ "$(cat stdout)" = "$run" ] || fail "run without apt-get: $(cat stdout)"

exit $failed
