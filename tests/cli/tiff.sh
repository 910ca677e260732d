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
sources.alpha = sources.bed

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
# an alpha band, between the values or apart
gdalwarp -q -dstalpha -te 500000 4600000 501500 4602000 -ts 150 100 bed.tif alpha.tif
for pack in NONE "LZW -co PREDICTOR=2" "DEFLATE -co PREDICTOR=3" PACKBITS; do
  for place in "-co INTERLEAVE=PIXEL" "-co INTERLEAVE=BAND -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=32"; do
    # shellcheck disable=SC2086
    flavour alpha $place -co COMPRESS=$pack
  done
done
flavour alpha -ot Float64 -co INTERLEAVE=BAND -co BIGTIFF=YES
flavour bed -of COG -co COMPRESS=DEFLATE -co PREDICTOR=YES -co BLOCKSIZE=128 -co OVERVIEWS=AUTO
gdalinfo "made$((made - 1)).tif" | grep -q Overviews || fail "a COG without overviews"
flavour bed -of COG
flavour bed -of COG -co COMPRESS=LZW -co BIGTIFF=YES -co BLOCKSIZE=128
flavour bed -mo AREA_OR_POINT=Point
flavour bed -a_nodata -9999
flavour bed -co GEOTIFF_VERSION=1.1
flavour bed -co SPARSE_OK=TRUE
[ $made -gt 90 ] || fail "GDAL made only $made files"

# what GDAL keeps in a file beside them
flavour bed -co PROFILE=GeoTIFF --config GDAL_PAM_ENABLED YES
gdal_translate -q -co PROFILE=BASELINE --config GDAL_PAM_ENABLED YES bed.tif baseline.tif
echo 'baseline.tif bed PROJCS["WGS of GDAL beside it' >>list
[ -f baseline.tif.aux.xml ] && [ -f "made$((made - 1)).tif.aux.xml" ] || fail "GDAL made no file beside them"
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

# --- what is refused ------------------------------------------------------------------------------

# refuse OPTIONS: what gdal_translate makes with these is refused by a message whose command makes one that is read
refused=0
refuse() {
  gdal_translate -q "$@" bed.tif kind.tif >made.out 2>&1 || return 0 # GDAL lacks it
  said=$(RIA_GDAL=none "$ria" info kind.tif 2>&1) && fail "gdal_translate $* is read: $said"
  command=$(echo "$said" | sed -n 's/.*; \(gdal_translate .*\) kind\.tif out\.tif makes one that is read.*/\1/p')
  rm -f out.tif
  # shellcheck disable=SC2086 # several words
  if [ -n "$command" ] && $command -q kind.tif out.tif && RIA_GDAL=none "$ria" info out.tif >made.out 2>&1; then
    refused=$((refused + 1))
  else
    fail "gdal_translate $*: $said; what its command makes: $(cat made.out)"
  fi
}
for pack in ZSTD LERC LZMA; do refuse -co COMPRESS=$pack; done
refuse -b 1 -b 1 -b 1
refuse -b 1 -b 1 -co INTERLEAVE=BAND
refuse -ot UInt16 -a_nodata none -co NBITS=12
refuse -ot CFloat32 -a_nodata none
[ $refused -ge 4 ] || fail "GDAL made only $refused files that are refused"

# a mask, in the file or in one beside it: read; where it is packed in a way that is not read, refused with a command, or read by GDAL
for inside in "YES -ot Byte" NO; do
  # shellcheck disable=SC2086 # several words
  gdal_translate -q -b 1 -mask 1 -scale 0 96 96 0 --config GDAL_TIFF_INTERNAL_MASK $inside -a_nodata none whole.tif masked.tif
  cat >masked.lua <<'LUA'
local ria = require "ria"
local whole, masked = ria.dem "whole.asc", ria.dem(ria.params { file = "masked.tif" }.file)
assert(masked.nx == whole.nx and masked.ny == whole.ny)
for j = 0, whole.ny - 1 do
  for i = 0, whole.nx - 1 do
    local v, w = whole:get(i, j), masked:get(i, j)
    local right = w == 96 - v -- 0 is a value here
    if v == 0 then right = w ~= w elseif v ~= v then right = w == 0 or w == 96 - 101 end
    assert(right, ("cell (%d, %d): %s, not %s"):format(i, j, w, v))
  end
end
LUA
  RIA_GDAL=none "$ria" run -q masked.lua || fail "a mask ($inside)"
  # shellcheck disable=SC2086
  for more in "-co COMPRESS=LZW -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=32" "-co BIGTIFF=YES" "-of COG -co BLOCKSIZE=128"; do
    gdal_translate -q --config GDAL_TIFF_INTERNAL_MASK ${inside%% *} $more masked.tif packed.tif
    RIA_GDAL=none "$ria" run -q masked.lua file=packed.tif || fail "a mask ($inside, $more)"
    rm -f packed.tif packed.tif.msk
  done
done
mv masked.tif.msk plain.msk
for type in "" "-ot Byte"; do
  # shellcheck disable=SC2086
  gdal_translate -q -mask none $type masked.tif other.tif && mv other.tif masked.tif
  gdal_translate -q -co COMPRESS=ZSTD plain.msk masked.tif.msk >made.out 2>&1 || break # GDAL lacks it
  said=$(RIA_GDAL=none "$ria" info masked.tif 2>&1) && fail "a mask is not seen: $said"
  command=$(echo "$said" | sed -n 's/.*count; \(gdalwarp .*\) masked\.tif out\.tif makes one that is read.*/\1/p')
  rm -f out.tif
  # shellcheck disable=SC2086 # several words
  [ -n "$command" ] && $command -q masked.tif out.tif || fail "a mask: $said"
  RIA_GDAL=none "$ria" run -q masked.lua file=out.tif || fail "a mask, by the command"
  "$ria" run -q masked.lua || fail "a mask, by GDAL"
done
rm -f masked.tif masked.tif.msk plain.msk
# a world file beside a file that does not say where it lies
gdal_translate -q -co PROFILE=BASELINE -co TFW=YES bed.asc world.tif
cat >world.lua <<'LUA'
local ria = require "ria"
local a, b = ria.dem "bed.asc", ria.dem "world.tif"
assert(b.x0 == a.x0 and b.y0 == a.y0 and b.dx == a.dx and b.dy == a.dy and b:get(60, 3) == a:get(60, 3) and b:get(60, 3) == b:get(60, 3))
LUA
RIA_GDAL=none "$ria" run -q world.lua || fail "a world file"

# files of GDAL's, malformed: each is refused, by its name
cat >malform.lua <<'LUA'
local ria = require "ria"
local count = 0
for name in io.lines "whole_ones" do
  local f = assert(io.open(name, "rb"))
  local bytes = f:read "a"
  f:close()
  local e = bytes:sub(1, 1) == "I" and "<" or ">"
  local big = string.unpack(e .. "I2", bytes, 3) == 43
  local word, entry, many = big and "I8" or "I4", big and 20 or 12, big and "I8" or "I2"
  local function put(at, format, value) -- at: from 0
    local packed = string.pack(e .. format, value)
    return bytes:sub(1, at) .. packed .. bytes:sub(at + #packed + 1)
  end
  local directory = string.unpack(e .. word, bytes, big and 9 or 5)
  local tags, n = {}, string.unpack(e .. many, bytes, directory + 1)
  for k = 0, n - 1 do
    local at = directory + (big and 8 or 2) + k * entry
    tags[string.unpack(e .. "I2", bytes, at + 1)] = at
  end
  local value, kind = big and 12 or 8, string.unpack(e .. "I2", bytes, tags[256] + 3) == 3 and "I2" or "I4"
  local blocks = tags[273] or tags[324]
  local malformed = {
    "", bytes:sub(1, 3), bytes:sub(1, 7), bytes:sub(1, directory + 5), bytes:sub(1, #bytes // 2),
    "X" .. bytes:sub(2), put(2, "I2", 41), put(big and 8 or 4, word, big and 1 << 62 or 0xfffffff0),
    put(directory, many, 0), put(directory, many, 0xffff),
    put(tags[256] + value, kind, 0), put(tags[257] + value, kind, 0), put(tags[258] + value, "I2", 0),
    put(tags[259] + value, "I2", 60000), put(tags[256] + 2, "I2", 99), put(tags[258] + 4, word, 0x7fffffff),
    put(blocks + 4, word, 0x10000000), put(blocks + value, word, big and 1 << 61 or 0xffffff00),
    put(tags[33550] + value, word, 0xfffffff0), put(tags[33550], "I2", 33549),
  }
  for k, text in ipairs(malformed) do
    local g = assert(io.open("malformed.tif", "wb"))
    g:write(text)
    g:close()
    local ok, why = pcall(ria.dem, "malformed.tif")
    assert(not ok and tostring(why):find("malformed.tif", 1, true), ("%s, way %d: %s"):format(name, k, why))
    count = count + 1
  end
end
print(("%d malformed files are refused"):format(count))
assert(count >= 30)
LUA
gdal_translate -q -co COMPRESS=DEFLATE -co PREDICTOR=3 bed.tif one.tif
gdal_translate -q -co TILED=YES -co COMPRESS=LZW -co ENDIANNESS=BIG bed.tif two.tif
gdal_translate -q -co BIGTIFF=YES -co TILED=YES -co BLOCKXSIZE=64 -co BLOCKYSIZE=64 bed.tif three.tif
gdal_translate -q -of COG bed.tif four.tif
printf '%s\n' one.tif two.tif three.tif four.tif >whole_ones
RIA_GDAL=none "$ria" run -q malform.lua || fail "a malformed file is not refused"
# a large one is cloud-optimized: overviews, means of the cells that have a value, in the order that GDAL checks
cat >large.lua <<'LUA'
local ria = require "ria"
local function value(x, y) return math.floor(x / 10) % 7 + (y / 5000) ^ 2 end
local large = ria.field { nx = 701, ny = 530, dx = 10, dy = 20, crs = "EPSG:25829", value = value }
large:mask(ria.shapes { { polygon = { { 1005, 500 }, { 6000, 1700 }, { 2000, 9990 } } } }, { keep = "outside" })
large:write "large.tif"
ria.field({ nx = 1500, ny = 40, dx = 10, dy = 20, value = value }):write "wide.tif"
ria.field({ nx = 512, ny = 512, dx = 10, dy = 20, value = value }):write "plain.tif"
LUA
"$ria" run -q large.lua || fail "large.lua"
python=/usr/bin/python3
[ -x $python ] || python=python3
if $python -c 'import osgeo.gdal, numpy' 2>/dev/null; then
  $python - <<'PY' || fail "overviews"
import sys, warnings
import numpy
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
for name, sizes in (("large.tif", [(701, 530), (351, 265), (176, 133)]), ("wide.tif", [(1500, 40), (750, 20), (375, 10), (188, 5)]), ("plain.tif", [(512, 512)])):
    said, errors, _ = validate(name, full_check=True)
    if errors or said: sys.exit(f"{name}: {errors} {said}")
    data = gdal.Open(name)
    band = data.GetRasterBand(1)
    levels = [band, *(band.GetOverview(k) for k in range(band.GetOverviewCount()))]
    if [(b.XSize, b.YSize) for b in levels] != sizes: sys.exit(f"{name}: {[(b.XSize, b.YSize) for b in levels]}")
    for above, below in zip(levels, levels[1:]):
        a, want = above.ReadAsArray(), below.ReadAsArray()
        a = numpy.pad(a, ((0, a.shape[0] % 2), (0, a.shape[1] % 2)), constant_values=numpy.nan)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mean = numpy.nanmean(a.reshape(want.shape[0], 2, want.shape[1], 2), axis=(1, 3))
        if not numpy.allclose(mean, want, rtol=1e-12, equal_nan=True): sys.exit(f"{name}: an overview is not the means")
PY
else
  echo "not tested: overviews, there is no GDAL for Python"
fi
echo "$(($(wc -l <list) + 1)) files of GDAL's are read, $refused kinds refused with a command that makes one that is read"
exit $failed
