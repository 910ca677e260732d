#!/bin/sh
# scenarios/real_coast.lua: from a raster in degrees to files that lie where they should, as GDAL reads them.
#   real_coast.sh PROGRAM SOURCE
ria=$1
source=$2
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
said=$("$ria" run -q "$source/scenarios/real_coast.lua" dx=400 hours=0.5 2>&1) || fail "real_coast.lua fails: $said"
case $said in
"pier at -8.80833, 42.26667: high water "*) ;;
*) fail "real_coast.lua says $said" ;;
esac
for file in highest.tif bay_degrees.tif fields.zarr/.zmetadata run.json frames/level/level_000000.pgw; do
  [ -e "out/real_coast/$file" ] || fail "no $file"
done
grep -q '"crs": "EPSG:25829"' out/real_coast/run.json || fail "run.json lacks the crs"
if [ "$failed" = 0 ] && command -v gdaltransform >/dev/null 2>&1 && command -v gdalinfo >/dev/null 2>&1; then
  info=$(gdalinfo out/real_coast/highest.tif)
  echo "$info" | grep -q 'ID\["EPSG",25829\]' || fail "highest.tif: $info"
  echo "$info" | grep -q '^Origin = (5[0-9]*\.0*,46[0-9]*\.0*)$' || fail "highest.tif: $info"
  # its corner on the earth lies within the raster in degrees, by less than two cells of the model
  corner=$(echo 0 0 | gdaltransform -t_srs EPSG:4326 out/real_coast/highest.tif)
  echo "$corner" | awk '{ exit !($1 > -8.870 && $1 < -8.860 && $2 < 42.325 && $2 > 42.317) }' ||
    fail "the north-western corner lies at $corner"
  # what is deep in degrees is wet on the map, what is high is dry
  for lon in 868 862 856 850 844 838 832 826 820; do
    for lat in 230 240 250 260 270 280 290 300; do echo "-8.$lon 42.$lat"; done
  done >places
  gdallocationinfo -valonly -wgs84 out/real_coast/bay_degrees.tif <places >heights
  gdallocationinfo -valonly -wgs84 out/real_coast/highest.tif <places >levels
  paste -d" " heights levels | awk '$1 < -4 { n++; wet++; bad += $2 == "nan" || $2 == "" }
    $1 > 6 { n++; bad += $2 != "nan" } END { print n, wet, bad; exit !(n > 50 && wet > 15 && !bad) }' >places.txt ||
    fail "places, wet ones and wrong ones: $(cat places.txt)"
else
  echo "skipped: where files lie, as GDAL reads them: no gdalinfo"
fi
exit $failed
