#!/bin/sh
# Packs the test programs that run on a GPU, to carry them to a machine that has one.
#
#   pack.sh BUILD ARCHIVE.tar.xz        then, there:  tar xf ARCHIVE.tar.xz && ria-gpu-tests/run.sh ria-gpu-tests
#
# The engine is linked into each program; stripped and packed as one they take little more than one of them. What
# else they need and a bare machine may lack (libpng, zlib, libdeflate, OpenMP) lies in lib/. Build with
# -DRIA_NATIVE=OFF when the other machine has another processor.
set -eu
build=${1:-} archive=${2:-}
if [ ! -d "$build/tests/solver" ] || [ -z "$archive" ]; then
  echo "pack.sh: pack.sh BUILD ARCHIVE.tar.xz: BUILD must hold built tests" >&2
  exit 2
fi
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
root=$here/ria-gpu-tests
mkdir -p "$root/lib"
cp "$(dirname "$0")/run.sh" "$(dirname "$0")/sanitize.sh" "$(dirname "$0")/common.sh" "$root/"
for program in "$build"/tests/solver/solver.*; do
  strip -o "$root/${program##*/}" "$program"
  ldd "$program" | awk '$3 ~ /^\// { print $3 }'
done | sort -u | grep -vE '/(libc|libm|libdl|librt|libpthread|libcuda)\.so' | while read -r library; do
  cp -L "$library" "$root/lib/"
done
# A window wide enough to find one program's engine in the next.
tar -C "$here" --sort=name --owner=0 --group=0 -cf - ria-gpu-tests |
  xz -T1 --lzma2=preset=1,dict=64MiB >"$archive"
echo "$archive: $(du -h "$archive" | cut -f1), unpacked $(du -sh "$root" | cut -f1)"
