#!/bin/sh
# Shapes: a run that takes all there is of them leaves the same bytes whole, in parts and by ranks; files that GDAL
# reads are what the GeoJSON they are made from is.
#   shapes.sh PROGRAM SOURCE BUILD
ria=$1
# shellcheck disable=SC2034 # scratch and ranks.sh take both
source=$2
# shellcheck disable=SC2034
build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >town.geojson <<'JSON'
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::32631"}}, "features": [
{"type": "Feature", "properties": {"what": "house", "height": 6.5}, "geometry": {"type": "MultiPolygon", "coordinates":
 [[[[500130,70],[500181,75],[500175,118],[500133,110],[500130,70]],[[500140,80],[500140,90],[500150,90],[500140,80]]],[[[500210,30],[500243.25,30],[500243.25,51],[500210,30]]]]}},
{"type": "Feature", "properties": {"what": "park", "height": 0.1}, "geometry": {"type": "Polygon", "coordinates":
 [[[500000,100],[500120,120],[500090,200],[500000,200],[500000,100]]]}},
{"type": "Feature", "properties": {"what": "gr\u00fcn", "height": null}, "geometry": {"type": "Polygon", "coordinates":
 [[[500300,0],[500310,0],[500310,10],[500300,0]]]}}]}
JSON
cat >dikes.geojson <<'JSON'
{"type": "FeatureCollection", "crs": null, "features": [{"type": "Feature", "properties": {"crest": 3}, "geometry":
 {"type": "LineString", "coordinates": [[500250,-5],[500262,88],[500240,130],[500280,205]]}}]}
JSON
printf 'name,lon,lat\nwest,3.0005,0.0009\neast,3.0022,0.0009\n' >posts.csv
cat >town.lua <<'LUA'
local ria = require "ria"
local p = ria.params { town = "town.geojson", solver = "shallow_water" }
local town, dikes, posts = ria.shapes(p.town), ria.shapes "dikes.geojson", ria.shapes "posts.csv"
local bed = ria.field { nx = 32, ny = 20, dx = 10, x0 = 500000, value = function(x) return (x - 500000) / 300 end }
bed:raise(dikes, { crest = "crest" })
local sim = ria.sim { grid = bed, crs = "EPSG:32631", solver = p.solver, tracers = { "dye" },
  init = { level = function(x) return x < 500080 and 2 or 0.5 end, manning = 0.03 }, boundary = { east = "open" } }
sim:set("manning", town, { by = "what", table = { house = 0.2, park = 0.08 }, default = 0.05 })
sim:set("dye", town:where { what = "park" }, { value = 2 })
sim:at(20, ria.spill { tracer = "dye", at = town:where { what = "park" }, mass = 100 })
sim:at(30, ria.spill { at = posts, flow = 3, tracer = "dye", conc = 1, duration = 40 })
sim:gauge { at = posts, name = "name", every = 10 }
sim:every(60, ria.save { "level", "dye", "manning", "bed" })
sim:run(120)
LUA

# leaves DIR ARGUMENT...: what a run leaves, but for what it says of itself
leaves() {
  dir=$1
  shift
  RIA_MPI=none "$ria" run -q town.lua --device cpu --out "$dir" "$@" >said 2>&1 || fail "$*: exit code $?: $(cat said)"
  rm -f "$dir/run.json" "$dir/index.js"
}
# as_whole DIR WORDS: the same bytes as in whole/
as_whole() {
  diff -r whole "$1" >said 2>&1 || fail "$2: $(head -3 said)"
  rm -r "$1"
}
for solver in shallow_water adi; do
  rm -rf whole
  leaves whole solver=$solver
  [ -d whole/fields.zarr ] || fail "no fields"
  leaves cut solver=$solver --parts 3
  as_whole cut "$solver in 3 parts"
done
rm -rf whole
leaves whole

# --- the scenario: a dike is tight but for its breach ----------------------------------------------

town() { "$ria" run -q "$source/scenarios/town.lua" time=60 "$@" >said 2>&1 || fail "town.lua $*: exit code $?: $(cat said)"; }
for solver in shallow_water adi; do
  town solver=$solver breach=0 --out dry_$solver
  tail -1 dry_$solver/gauges.csv | grep -qx '60,*' || fail "$solver: the dike leaks: $(tail -1 dry_$solver/gauges.csv)"
  town solver=$solver --out wet_$solver
  tail -1 wet_$solver/gauges.csv | grep -q '^60,[0-9]' || fail "$solver: no water behind the breach: $(tail -1 wet_$solver/gauges.csv)"
done

# a file of one's own, on its own map: the house stands on the ground, at (300, 100) from the corner
cat >house.geojson <<'JSON'
{"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": "EPSG:25832"}}, "features": [
{"type": "Feature", "properties": {"what": "house", "height": 5}, "geometry": {"type": "Polygon", "coordinates":
 [[[500300,5900100],[500340,5900100],[500340,5900120],[500300,5900120],[500300,5900100]]]}}]}
JSON
town town=house.geojson crs=EPSG:25832 x0=500000 y0=5900000 time=1 --out own
grep -q 'EPSG:25832' own/run.json || fail "town.lua of a file: no crs: $(cat own/run.json)"
"$ria" run -q "$source/scenarios/town.lua" town=house.geojson crs=EPSG:25832 time=1 --out own >said 2>&1 && fail "a town beside the grid ran"
grep -q "field:raise: house.geojson: no shape meets the grid: they lie in x 500300 .. 500340, y 5900100 .. 5900120, the grid in x 0 .. 800, y 0 .. 400" said ||
  fail "a town beside the grid: $(cat said)"

# what of a spill lies beside the grid is told
cat >cut.lua <<'LUA'
local ria = require "ria"
local sim = ria.sim { grid = { nx = 8, ny = 4, dx = 10 }, bed = -1, init = { level = 0 }, tracers = { "dye" }, out = false }
sim:spill { tracer = "dye", mass = 1, at = ria.shapes { { polygon = { { -60, 0 }, { 20, 0 }, { 20, 9 }, { -60, 9 } } } } }
sim:spill { tracer = "dye", mass = 1, at = ria.shapes { { line = { { 70, 5 }, { 90, 5 } } } } }
sim:spill { tracer = "dye", mass = 1, at = ria.shapes { { line = { { 70, 5 }, { 80, 5 } } } } }
LUA
"$ria" run cut.lua >said 2>&1 || fail "cut.lua: exit code $?"
grep -q "spill 'dye': 75 % of the area of shapes lies outside of the grid: the rest takes all" said || fail "area beside the grid: $(cat said)"
[ "$(grep -c "spill 'dye': 50 % of the length of shapes lies outside of the grid" said)" = 1 ] || fail "length beside the grid: $(cat said)"
[ "$(grep -c "outside of the grid" said)" = 2 ] || fail "said of what lies on the grid: $(cat said)"

# --- GDAL -----------------------------------------------------------------------------------------

RIA_GDAL=none "$ria" run -q town.lua town=town.shp --out cut >said 2>&1 && fail "town.shp without GDAL ran"
grep -q "town.shp: a Shapefile, which GDAL reads, and RIA_GDAL is none; ogr2ogr town.geojson town.shp makes one that is read" said || fail "without GDAL: $(cat said)"
if command -v ogr2ogr >/dev/null; then
  ogr2ogr -lco ENCODING=UTF-8 town.shp town.geojson && ogr2ogr town.gpkg town.geojson || fail "ogr2ogr"
  for file in town.shp town.gpkg; do
    leaves cut town=$file
    as_whole cut "$file"
  done
  ogr2ogr -append -nln other town.gpkg town.geojson
  "$ria" run -q town.lua town=town.gpkg --out cut >said 2>&1
  grep -q "town.gpkg: it has 2 layers: name one, layer = ...: 'town', 'other'" said || fail "two layers: $(cat said)"
  echo 'require "ria".shapes { "town.gpkg", layer = "tow" }' >layer.lua
  "$ria" run -q layer.lua >said 2>&1
  grep -q "town.gpkg: there is no layer 'tow': it has 'town', 'other'" said || fail "no such layer: $(cat said)"
else
  echo "not checked: Shapefile and GeoPackage, ogr2ogr is not installed"
fi

# --- ranks; skips where there are none ------------------------------------------------------------

[ $failed = 0 ] || exit 1
# shellcheck source=tests/cli/shell/ranks.sh
. "$(dirname "$0")/shell/ranks.sh"
ranks 3 run -q town.lua --device cpu --threads 1 --out cut >said 2>&1 || fail "3 ranks: exit code $?: $(cat said)"
rm -f cut/run.json cut/index.js
as_whole cut "3 ranks"
exit $failed
