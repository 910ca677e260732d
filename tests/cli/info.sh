#!/bin/sh
# ria info: what files are, and nothing in them that moves a terminal or makes the program wait.
#   info.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

# says CODE FILE TEXT: `ria info FILE` exits with CODE and says TEXT, no more and no less
says() {
  said=$("$ria" info "$2" 2>&1 </dev/null)
  code=$?
  [ $code = "$1" ] || fail "info $2: exit code $code, not $1"
  [ "$said" = "$3" ] || fail "info $2: expected '$3', said '$said'"
}

export RIA_GDAL=none

scratch
printf 'II*\000rest' >bed.tif
printf 'MM\000*rest' >motorola.tiff
printf 'CDF\001rest' >sea.nc
printf '\211HDF\r\n\032\nrest' >sea4.nc
printf '\211PNG\r\n\032\nrest' >picture.png
printf '\037\213rest' >bed.gz
printf 'PK\003\004rest' >bed.zip
printf '\033Lua\124' >compiled
printf 'a\000b' >noise.bin
printf '{}' >run.json
printf 't,level [m]\n0,1\n10,2\n' >gauge.csv
printf 'NCOLS 2\nNROWS 1\nXLLCORNER 0\nYLLCORNER 0\nCELLSIZE 5\n1 2\n' >grid.txt
says 3 bed.tif 'bed.tif: the directory of tags lies outside the file: is it cut short?'
says 3 motorola.tiff 'motorola.tiff: the directory of tags lies outside the file: is it cut short?'
says 3 sea.nc 'sea.nc: a netCDF file, which GDAL reads, and RIA_GDAL is none; gdal_translate sea.nc sea.tif makes one that is read'
says 3 sea4.nc 'sea4.nc: an HDF5 or netCDF-4 file, which GDAL reads, and RIA_GDAL is none; gdal_translate sea4.nc sea4.tif makes one that is read'
says 3 'NETCDF:"sea.nc":h' "NETCDF:\"sea.nc\":h: a name of GDAL's, which GDAL reads, and RIA_GDAL is none; gdal_translate 'NETCDF:\"sea.nc\":h' out.tif makes one that is read"
says 0 picture.png 'picture.png: a PNG picture'
says 0 bed.gz 'bed.gz: a gzip file'
says 0 bed.zip 'bed.zip: a ZIP archive'
says 0 compiled 'compiled: compiled Lua: ria runs scripts as text'
says 0 noise.bin 'noise.bin: no text, of a kind that ria does not know'
says 0 run.json 'run.json: JSON'
says 0 gauge.csv 'gauge.csv: a table of 2 rows (ria.csv, or ria.series for a value in time)
  columns   t, level [m]'
printf 't,level\ns,m\n0,1.5\n' >units.csv
says 0 units.csv 'units.csv: a table of 1 row (ria.csv, or ria.series for a value in time, with units = true)
  columns   t [s], level [m]'
says 0 grid.txt 'grid.txt
  grid      2 x 1 cells of 5 x 5 m, x 0 .. 10, y 0 .. 5 m
  values    1 .. 2, 0 of 2 cells without data
  crs       none'

# a store by itself
mkdir -p fields.zarr array.zarr empty
echo '{}' >fields.zarr/.zgroup
echo '{}' >array.zarr/.zarray
says 0 fields.zarr 'fields.zarr: a Zarr store: in Python, xarray.open_zarr("fields.zarr")'
says 0 array.zarr 'array.zarr: a Zarr store, of one array: in Python, xarray.open_zarr("array.zarr")'
says 3 empty 'ria: empty/run.json: No such file or directory: not a directory of results'

# a script, whatever it is called
printf 'require("ria").sim { grid = { nx = 3, ny = 2, dx = 1 }, bed = -1, out = false }:run(1)' >bay
"$ria" info bay | grep -q "3 x 2 cells" || fail "a script without .lua is no script"

# what is no regular file is not opened; a link to one is
mkfifo fifo
mkdir piped endless linked
mkfifo piped/run.json
ln -s /dev/zero endless/run.json
ln -s /dev/zero zero.lua
echo '{"ria": 1}' >real.json
ln -s ../real.json linked/run.json
says 3 fifo 'ria: cannot open fifo: not a regular file'
says 3 zero.lua 'ria: cannot open zero.lua: not a regular file'
says 3 piped 'ria: piped/run.json: not a regular file: not a directory of results'
says 3 endless 'ria: endless/run.json: not a regular file: not a directory of results'
says 0 linked 'results in linked: run.json
{"ria": 1}'
says 3 missing.lua 'ria: cannot open missing.lua: No such file or directory'

# control characters are shown, not obeyed: in run.json, in names of files and of columns
mkdir -p hostile/frames
esc=$(printf '\033') c1=$(printf '\302\233')
printf '{"title": "%s[2J%s31m caf\303\251 \001"}\n' "$esc" "$c1" >hostile/run.json
: >"hostile/${esc}[31mred"
mkdir "hostile/frames/${c1}5m"
says 0 hostile 'results in hostile: frames/\u009b5m (0), \u001b[31mred, run.json
{"title": "\u001b[2J\u009b31m café \u0001"}'
printf 't,%s[5mx\n0,1\n' "$esc" >hostile.csv
says 3 hostile.csv 'hostile.csv:1: not a text file (byte 0x1b)'
# also where a control character of two bytes lies across two reads
mkdir long
{ head -c 4095 /dev/zero | tr '\0' x; printf '%s' "$c1"; } >long/run.json
"$ria" info long | LC_ALL=C grep -q "$c1" && fail "a control character gets through between two reads"
# and no more is read than a run writes
mkdir huge
head -c 20000000 /dev/zero | tr '\0' x >huge/run.json
"$ria" info huge >said 2>&1
[ $? = 3 ] && [ "$(wc -c <said)" -lt 17000000 ] || fail "all of a huge run.json is shown"

# --picture: a raster, and the bed of a scenario
printf 'NCOLS 20\nNROWS 10\nXLLCORNER 0\nYLLCORNER 0\nCELLSIZE 5\n' >bay.asc
i=0
while [ $i -lt 200 ]; do echo $((i % 20 - 12 + i / 40)) >>bay.asc; i=$((i + 1)); done
cat >bay.lua <<'LUA'
local ria = require "ria"
ria.sim { grid = ria.dem { "bay.asc", dx = 10 }, init = { level = 0 } }:run(10)
LUA
ground='ground    bay.asc: 20 x 10 cells of 5 m, to 10 m by means
            lowest -11.5 m, highest 10.5 m'
"$ria" info bay.lua >said 2>&1 || fail "info of a script with a ground: $(cat said)"
case $(cat said) in *"
  $ground
"*) ;; *) fail "info tells nothing of the ground: $(cat said)" ;; esac
"$ria" run --out bayout bay.lua >said 2>&1 || fail "a run with a ground: $(cat said)"
case $(cat said) in *'
  ground         bay.asc: 20 x 10 cells of 5 m, to 10 m by means
                 lowest -11.5 m, highest 10.5 m
'*) ;; *) fail "the summary tells nothing of the ground: $(cat said)" ;; esac
is_png() { [ "$(head -c 4 "$1" | tail -c 3)" = PNG ] || fail "$1 is no picture"; }
said=$("$ria" info --picture bay.png bay.asc 2>&1) || fail "info --picture: $said"
[ "$said" = 'bay.asc
  grid      20 x 10 cells of 5 x 5 m, x 0 .. 100, y 0 .. 50 m
  values    -12 .. 11, 0 of 200 cells without data
  crs       none
  picture   bay.png' ] || fail "info --picture said '$said'"
is_png bay.png
printf 'ncols 2\nnrows 1\nxllcorner 6\nyllcorner 42\ncellsize 0.5\n-9999 -9999\n' >empty.asc
echo EPSG:4326 >empty.prj
said=$("$ria" info empty.asc 2>&1)
[ "$said" = 'empty.asc
  grid      2 x 1 cells of 0.5 x 0.5 deg, x 6 .. 7, y 42 .. 42.5 deg
  values    none, 2 of 2 cells without data
  crs       EPSG:4326' ] || fail "info of an empty raster in degrees said '$said'"
said=$("$ria" info --picture=bed.png bay.lua 2>&1) || fail "info --picture of a script: $said"
case $said in *'
  picture   bed.png'*) ;; *) fail "info --picture of a script said '$said'" ;; esac
is_png bed.png
# with its boundaries, and longitudes and latitudes where it has a place
for how in plain cut placed; do
  mkdir "$how"
  case $how in
  plain) more='' ;;
  cut) more='boundary = { south = { kind = "level", level = 0 } },' ;;
  placed) more='crs = "EPSG:25829",' ;;
  esac
  sed "s/ria.sim {/ria.sim { $more/" bay.lua >"$how/bay.lua"
  sed "s/LLCORNER 0/LLCORNER 500000/" bay.asc >"$how/bay.asc"
  (cd "$how" && "$ria" info --picture bay.png bay.lua >said) || fail "info --picture, $how: $(cat "$how/said")"
done
cmp -s plain/bay.png cut/bay.png && fail "info --picture shows no boundary"
cmp -s plain/bay.png placed/bay.png && fail "info --picture shows no longitudes"
said=$("$ria" info --picture none/bay.png bay.asc 2>&1 >listed)
code=$?
[ $code = 1 ] && [ "$said" = "ria: cannot write 'none/bay.png': No such file or directory" ] ||
  fail "info --picture to nowhere: $code, '$said'"

exit $failed
