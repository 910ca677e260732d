#!/bin/sh
# Gathers what run.sh needs on a machine that has gcc, CMake, Ninja and python3 and nothing else of ours: the fuzzers
# (built with clang here, stripped, packed as one), headers and libraries of Lua, libpng, zlib and libdeflate.
#
#   pack.sh FOLDER     then, there, in a copy of the tree:  tests/long/run.sh -c FOLDER
#
# BUILD: of the fuzzers, build-fuzz. Their unstripped programs stay there, to look at findings with.
set -eu
folder=${1:?usage: tests/long/pack.sh FOLDER}
tree=$(cd "$(dirname "$0")/../.." && pwd)
build=${BUILD:-$tree/build-fuzz}
nice -n 19 cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_C_COMPILER=clang -DRIA_FUZZ=ON -DRIA_TESTS=ON -DRIA_CUDA=OFF -DRIA_MPI=OFF \
  -DRIA_NATIVE=OFF -DRIA_SANITIZE=address,undefined -DCMAKE_BUILD_TYPE=RelWithDebInfo >/dev/null
nice -n 19 cmake --build "$build" -j "${JOBS:-2}" --target fuzzers >/dev/null

rm -rf "$folder"
mkdir -p "$folder/include" "$folder/lib"
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
mkdir -p "$here/fuzzers/lib"
for program in "$build"/tests/fuzz/fuzz.*; do
  strip -o "$here/fuzzers/${program##*/}" "$program"
  ldd "$program" | awk '$3 ~ /^\// { print $3 }'
done | sort -u | grep -vE '/(libc|libm|libdl|librt|libpthread|libgcc_s|libresolv)\.so' | while read -r library; do
  cp -L "$library" "$here/fuzzers/lib/"
done
# A window wide enough to find one program's engine in the next.
tar -C "$here" --sort=name --owner=0 --group=0 -cf - fuzzers | nice -n 19 xz -T1 --lzma2=preset=1,dict=64MiB >"$folder/fuzzers.tar.xz"

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
