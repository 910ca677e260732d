#!/bin/sh
# GeoTIFF in every flavour that GDAL writes is read as it was; GDAL reads what ria writes.
#   tiff.sh PROGRAM
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"
command -v gdal_translate >/dev/null && command -v gdalinfo >/dev/null && command -v gdaltransform >/dev/null || {
  echo "skipped: no gdal"
  exit 77
}
# GDAL's files beside rasters would speak for them
export GDAL_PAM_ENABLED=NO

scratch
# grid NAME MARK EXPRESSION: of 150 x 100 cells; MARK is no data
grid() {
  awk "BEGIN {
    print \"ncols 150\nnrows 100\nxllcorner 500000\nyllcorner 4600000\ndx 10\ndy 20\nNODATA_value $2\"
    for (j = 0; j < 100; j++)
      for (i = 0; i < 150; i++)
        print (i + 3 * j) % 70 < 10 ? $2 : $3
  }" >"$1"
}
grid bed.asc -9999 "(i * j) % 997 / 4"
grid whole.asc 101 "(i * j) % 97"
grid signed.asc 101 "(i * j) % 97 - 50"
sed 's/^yll.*/yllcorner 42/; s/^xll.*/xllcorner -9/; s/^dx.*/dx 0.01/; s/^dy.*/dy 0.005/' bed.asc >degrees.asc
# the lines of `list`: FILE SOURCE CRS; each file is read as its source is, and says CRS at least
cat >compare.lua <<'LUA'
local ria = require "ria"
local sources = {}
for _, name in ipairs { "bed", "whole", "signed" } do sources[name] = ria.dem(name .. ".asc") end

local function compare(a, b, crs)
  assert(b.nx == a.nx and b.ny == a.ny and b.dx == a.dx and b.dy == a.dy and b.x0 == a.x0 and b.y0 == a.y0, "another grid")
  assert(b.crs and b.crs:sub(1, #crs) == crs, b.crs)
  for j = 0, a.ny - 1 do
    for i = 0, a.nx - 1 do
      local v, w = a:get(i, j), b:get(i, j)
      if v ~= w and (v == v or w == w) then error(("cell (%d, %d): %s, not %s"):format(i, j, w, v)) end
    end
  end
end

local failed = false
for line in io.lines "list" do
  local file, source, crs, options = line:match "^(%S+) (%S+) (%S+)(.*)"
  local ok, why = pcall(function() compare(sources[source], ria.dem(file), crs) end)
  if not ok then print(options, why) end
  failed = failed or not ok
end
assert(not failed, "some files are read wrong")
LUA

# --- what ria writes ------------------------------------------------------------------------------

# says FILE TEXT ...: gdalinfo tells each text
says() {
  file=$1
  shift
  said=$(gdalinfo -stats "$file" 2>&1)
  for text; do
    echo "$said" | grep -qF -e "$text" || fail "gdalinfo $file: expected '$text' in: $said"
  done
}
# place FILE COLUMN ROW X Y: where that corner of a cell lies, counted from the north-west
place() {
  said=$(echo "$2 $3" | gdaltransform -output_xy "$1")
  [ "$said" = "$4 $5" ] || fail "gdaltransform $1: cell $2 $3 lies at $said, not at $4 $5"
}

cat >make.lua <<'LUA'
-- the values of the palette: 0 = none, else 1 .. 255
local ria = require "ria"
ria.dem "bed.asc":write "bed.tif"
local sim = ria.sim { crs = "EPSG:32629", out = false, bed = function(x, y) return (x - 500000) / 8 + (y - 4600000) / 1024 end,
  grid = { nx = 600, ny = 520, dx = 10, dy = 20, x0 = 500000, y0 = 4600000 } }
sim:field "bed":write "run.tif"
local rising = sim:field "bed":map(function(_, x) return x > 500100 and (x - 500005) / 1000 or nil end)
rising:write { "colours.tif", map = "deep", range = { 0, 2 } }
rising:write { "logs.tif", map = "viridis", scale = "log" }
LUA
"$ria" run -q make.lua || fail "make.lua fails"
says bed.tif "Size is 150, 100" "Origin = (500000.000000000000000,4602000.000000000000000)" "NoData Value=nan" \
  "Pixel Size = (10.000000000000000,-20.000000000000000)" "Type=Float32" "Minimum=0.000, Maximum=249.000" "COMPRESSION=DEFLATE"
says run.tif "Size is 600, 520" 'ID["EPSG",32629]' "Origin = (500000.000000000000000,4610400.000000000000000)" \
  "Block=256x256" "Minimum=0.635, Maximum=759.521" "PREDICTOR=3"
place run.tif 0 0 500000 4610400
place run.tif 600 520 506000 4600000
said=$(gdallocationinfo -valonly -geoloc run.tif 505995 4600010)
[ "$said" = 749.384765625 ] || fail "the south-eastern cell has $said"
says colours.tif 'ID["EPSG",32629]' "Type=Byte, ColorInterp=Palette" "NoData Value=0" "ria:range=0 2 linear" "Block=256x256" \
  "Minimum=14.000, Maximum=255.000" "Color Table (RGB with 256 entries)"
says logs.tif "ria:range=0.000599 5.99 log"
# the ends of the colour map `deep`, and what lies between
# shellcheck disable=SC2046,SC2086 # blanks are to become one
said=$(gdalinfo colours.tif | grep -E "^ *(1|128|255): ")
[ "$(echo $said)" = "1: 253,254,204,255 128: 72,142,158,255 255: 40,26,44,255" ] || fail "colours: $said"
for cell in "5 0" "10 14" "11 15" "100 128" "200 255" "599 255"; do
  said=$(gdallocationinfo -valonly colours.tif "${cell% *}" 7)
  [ "$said" = "${cell#* }" ] || fail "cell ${cell% *} of the palette has $said"
done

# --- what GDAL writes -----------------------------------------------------------------------------

for source in bed whole signed; do gdal_translate -q -a_srs EPSG:32629 $source.asc $source.tif; done
made=0
# flavour SOURCE OPTIONS: what gdal_translate makes of SOURCE.tif with these is to be read
flavour() {
  source=$1
  shift
  gdal_translate -q "$@" "$source.tif" "made$made.tif" >made.out 2>&1 || return 0 # GDAL lacks it
  echo "made$made.tif $source EPSG:32629 $*" >>list
  made=$((made + 1))
}

for place in "-co TILED=NO" "-co TILED=YES" "-co BLOCKYSIZE=1" "-co BLOCKYSIZE=100"; do
  for size in "-co BIGTIFF=NO" "-co BIGTIFF=YES" "-co ENDIANNESS=BIG"; do
    for pack in NONE "LZW -co PREDICTOR=2" DEFLATE PACKBITS; do
      # shellcheck disable=SC2086 # several words each
      flavour bed $place $size -co COMPRESS=$pack
    done
  done
  # not with ENDIANNESS=BIG: GDAL 3.6 cannot read what it writes there
  # shellcheck disable=SC2086
  flavour bed $place -co COMPRESS=DEFLATE -co PREDICTOR=3
  # shellcheck disable=SC2086
  flavour bed $place -ot Float64 -co COMPRESS=LZW -co PREDICTOR=3
done
for pack in "LZW -co PREDICTOR=1" "DEFLATE -co PREDICTOR=2"; do
  for size in "-co BIGTIFF=YES" "-co ENDIANNESS=BIG"; do
    for type in Byte "Byte -co PIXELTYPE=SIGNEDBYTE" UInt16 UInt32 UInt64; do
      # shellcheck disable=SC2086
      flavour whole -a_nodata 101 -ot $type -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=32 $size -co COMPRESS=$pack
    done
    for type in Int8 Int16 Int32 Int64 Float32 Float64 "Float32 -co NBITS=16"; do
      # shellcheck disable=SC2086
      flavour signed -a_nodata 101 -ot $type $size -co COMPRESS=$pack
    done
  done
done
flavour bed -of COG -co COMPRESS=DEFLATE -co PREDICTOR=YES -co BLOCKSIZE=128 -co OVERVIEWS=AUTO
gdalinfo "made$((made - 1)).tif" | grep -q Overviews || fail "a COG without overviews"
flavour bed -of COG
flavour bed -of COG -co COMPRESS=LZW -co BIGTIFF=YES -co BLOCKSIZE=128
flavour bed -mo AREA_OR_POINT=Point
flavour bed -a_nodata -9999
flavour bed -co GEOTIFF_VERSION=1.1
flavour bed -co SPARSE_OK=TRUE
[ $made -gt 80 ] || fail "GDAL made only $made files"

# systems: what each says, and what ria says it is
gdal_translate -q -co GEOTIFF_KEYS_FLAVOR=ESRI_PE bed.tif esri.tif
echo 'esri.tif bed PROJCS["WGS_1984_UTM_Zone_29N", of Esri' >>list
for crs in 27700 3857 2154 25832 5514; do
  gdal_translate -q -a_srs EPSG:$crs bed.asc crs$crs.tif
  echo "crs$crs.tif bed EPSG:$crs of another system" >>list
done
# a grid of one's own, by its parameters
gdal_translate -q -a_srs "+proj=tmerc +lat_0=41 +lon_0=-8.25 +k=0.9999 +x_0=1000 +y_0=0 +datum=WGS84 +units=m +no_defs" bed.asc own.tif
echo 'own.tif bed PROJCS["unnamed",GEOGCS["WGS of parameters' >>list
"$ria" run -q compare.lua || fail "what GDAL wrote is not read"
gdal_translate -q -a_srs EPSG:4326 degrees.asc made.tif
said=$("$ria" info made.tif)
for text in "150 x 100 cells of 0.01 x 0.005" "x -9 .. -7.5, y 42 .. 42.5" "crs       EPSG:4326"; do
  echo "$said" | grep -qF "$text" || fail "a map in degrees: expected '$text' in: $said"
done
exit $failed
