#!/bin/sh
# tests/lint/files.sh - is each path that the engine opens asked of io/access.c? A limited context
# (ria/limit.h) holds no longer than this.
#
#   tests/lint/files.sh [SOURCE]    report what is wrong; exit code 1 if anything is
cd "${1:-$(dirname "$0")/../..}" || exit 2

# Files that open something by themselves, and what.
known() {
  case $1 in
  engine/io/access.*) ;;                               # the way itself
  engine/base/memory.c | engine/base/ranks_places.c) ;; # /proc, /sys
  engine/io/file.c | engine/io/tree.c) ;;              # beside and below what was asked for
  engine/io/target.c) ;;                               # after ria_may_write
  engine/io/csv.c | engine/io/zarr.c | engine/io/zarr_take_up.c) ;; # in the directory of results
  engine/outputs/results_*.c) ;;                       # in it, after ria_may_write
  engine/io/pieces.c | engine/io/zarr_read.c | engine/io/text_file.c | engine/forcing/otis.c | engine/io/raster_asc_write.c) ;; # fdopen and the like
  engine/io/raster_tiff.c | engine/io/gdal_kind.c) ;;  # first bytes, after ria_may_read
  engine/io/gdal.c | engine/io/proj.c | engine/backend/nccl.c | engine/run/launch*.c) ;; # libraries by their own names; /proc; a mark in the folder of an MPI job
  engine/run/bench_output.c) ;;                        # a directory of its own
  *) return 1 ;;
  esac
}

# What opens a path; those that take a descriptor are harmless, but few.
opens='(^|[^a-zA-Z0-9_>.])(fopen|freopen|open|openat|creat|opendir|fdopen|fdopendir|gzopen|gzdopen|scandir|nftw|popen|system|dlopen|mkstemp|mkdtemp|mkfifo|symlink|link)\('
found=$(find engine gpu \( -name '*.[ch]' -o -name '*.cu' \) -exec grep -lE "$opens" {} +)
failed=0
for file in $found; do
  known "$file" && continue
  grep -nE "$opens" "$file" | sed "s,^,$file:,"
  echo "$file opens a path by itself: ask ria_read_open, or ria_may_write (engine/io/access.h)"
  failed=1
done

# of those, none but these may take a path of a script without asking first
for file in engine/io/text_file.c engine/forcing/otis.c engine/io/tiff_file.c engine/io/zarr_read.c engine/io/pieces.c; do
  grep -q 'ria_read_\(open\|must\)(' "$file" || { echo "$file does not ask ria_read_open"; failed=1; }
  grep -nE '(^|[^a-zA-Z0-9_>.])(fopen|open|opendir|gzopen)\(' "$file" && { echo "$file opens a path by itself"; failed=1; }
done
for file in engine/io/target.c engine/io/raster.c engine/outputs/output.c engine/outputs/picture.c engine/outputs/results_dir.c engine/run/checkpoint.c; do
  grep -q 'ria_may_write(' "$file" || { echo "$file does not ask ria_may_write"; failed=1; }
done
for file in engine/io/gdal.c engine/shapes/ogr.c; do
  grep -q 'ria_is_limited(' "$file" || { echo "$file takes limited contexts to GDAL"; failed=1; }
done
exit $failed
