#!/bin/sh
# Gathers what run.sh needs on a machine that has gcc, CMake, Ninja and python3 and nothing else of ours: the fuzzers
# (built with clang here, stripped, packed as one), headers and libraries of Lua, libpng, zlib and libdeflate.
#
#   pack.sh FOLDER [all|fuzz|rest]     then, there, in a copy of the tree:  tests/long/run.sh -c FOLDER
#
# fuzz: the fuzzers alone; rest: all but these, for the other parts of the suite (2 MB).
# BUILD: of the fuzzers, build-fuzz. Their unstripped programs stay there, to look at findings with.
set -eu
folder=${1:?usage: tests/long/pack.sh FOLDER [all|fuzz|rest]} what=${2:-all}
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$tree/build-fuzz}
rm -rf "$folder"
mkdir -p "$folder/include" "$folder/lib"

# One program that holds all fuzzers, and the libraries that it needs.
fuzzers() {
  nice -n 19 cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DRIA_FUZZ=ON -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_MPI=OFF \
    -DRIA_NATIVE=OFF -DRIA_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
  nice -n 19 cmake --build "$build" -j "${JOBS:-2}" --target fuzz.all >/dev/null
  here=$(mktemp -d)
  trap 'rm -rf "$here"' EXIT
  mkdir -p "$here/fuzzers/lib"
  strip -o "$here/fuzzers/fuzz.all" "$build/tests/fuzz/fuzz.all"
  ldd "$here/fuzzers/fuzz.all" | awk '$3 ~ /^\// { print $3 }' |
    grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libresolv)\.so' | while read -r library; do
    cp -L "$library" "$here/fuzzers/lib/"
  done
  for source in "$tree"/tests/fuzz/*.c; do
    name=$(basename "$source" .c)
    grep -q '^int LLVMFuzzerTestOneInput.*{' "$source" && [ "$name" != all ] && ln -s fuzz.all "$here/fuzzers/fuzz.$name"
  done
  tar -C "$here" --sort=name --owner=0 --group=0 -cf - fuzzers | nice -n 19 xz -T1 -6 >"$folder/fuzzers.tar.xz"
}
[ "$what" = rest ] || fuzzers
[ "$what" != fuzz ] || { du -sh "$folder"; exit; }

cp -rL /usr/include/lua5.4 /usr/include/png.h /usr/include/pngconf.h /usr/include/pnglibconf.h /usr/include/zlib.h "$folder/include/"
find /usr/include -name zconf.h -exec cp {} "$folder/include/" \;
find /usr/include -name 'lua5.4-*.h' -exec cp {} "$folder/include/lua5.4/" \; # Debian's luaconf.h needs one
cp /usr/include/libdeflate.h "$folder/include/" 2>/dev/null || true
cc=$(command -v cc)
for name in liblua5.4.so liblua5.4.a libpng16.so libz.so libdeflate.so; do
  file=$($cc -print-file-name="$name")
  [ -e "$file" ] || continue
  cp -L "$file" "$folder/lib/$name"
  case $name in *.so) soname=$(objdump -p "$file" | awk '$1 == "SONAME" { print $2 }'); [ "$soname" = "$name" ] || cp -L "$file" "$folder/lib/$soname" ;; esac
done
du -sh "$folder"
