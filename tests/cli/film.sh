#!/bin/sh
# ria render draws what a run saved as the run drew it, and otherwise; ria video makes films of its frames.
#   film.sh PROGRAM SOURCE
ria=$1
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cat >bank.lua <<'LUA'
local ria = require "ria"
local p = ria.params { tide = { 1.2, "amplitude", unit = "m" }, date = { "", "start" }, nx = { 60, "cells" } }
local sim = ria.sim {
  title = "A tide over a bank", crs = "EPSG:25829",
  grid = { nx = p.nx, ny = 40, dx = 3000 / p.nx, dy = 50, x0 = 500000, y0 = 4700000 },
  start = p.date ~= "" and p.date or nil, zone = p.date ~= "" and "+02:00" or nil,
  bed = function(x, y) return -3 + 5 * math.exp(-((x - 501200) ^ 2 + (y - 4701000) ^ 2) / 4e5) end,
  tracers = { dye = { unit = "mg/l" } },
  init = { level = 0, dye = function(x) return x < 501000 and 3 or 0 end },
  boundary = { west = ria.tide { M2 = { p.tide, 0 } }, east = "open" },
}
sim:every("15 min", ria.frame { field = "level" })
sim:every("15 min", ria.frame { field = "speed", arrows = true, graticule = true })
sim:every("15 min", ria.frame { field = "dye", scale = "log", map = "amp" })
sim:at("30 min", ria.frame { field = "depth" })
sim:at("15 min", ria.frame { field = "depth", name = "late" })
sim:every("15 min", ria.save { "level", "depth", "bed", "u", "v", "dye", "speed" })
sim:run "45 min"
LUA
"$ria" run bank.lua --out plain -q || fail "the run failed"
"$ria" run bank.lua --out dated -q "date=2026-07-14 00:00" || fail "the run with dates failed"
"$ria" run bank.lua --out other -q tide=1 nx=50 || fail "the other run failed"

# drawn DIR FIELD NUMBER OPTION...: what ria render draws is the run's own frame, byte for byte
drawn() {
  dir=$1 field=$2 number=$3
  shift 3
  "$ria" render "$dir" --field "$field" --out drawn.png "$@" >said 2>&1 || fail "ria render $dir $field $*: $(cat said)"
  cmp drawn.png "$dir/frames/$field/${field}_00000$number.png" || fail "$dir: $field $* is not as frame $number"
}
for dir in plain dated; do
  drawn $dir level 1 --time "15 min"
  drawn $dir level 3
  drawn $dir level 3 --time last
  drawn $dir speed 2 --time "30 min" --arrows --graticule auto
  drawn $dir dye 0 --time first --map amp
  drawn $dir dye 3 --time "45 min" --map amp
done
drawn dated level 2 --time "2026-07-14 00:30"
drawn dated level 2 --time "2026-07-13T22:30Z"

# fails CODE TEXT ARGUMENT...: exit code, and what is said
fails() {
  code=$1 text=$2
  shift 2
  said=$("$ria" "$@" 2>&1)
  got=$?
  [ $got -eq "$code" ] || fail "ria $*: exit code $got, expected $code"
  case $said in
  *"$text"*) ;;
  *) fail "ria $*: expected '$text' in: $said" ;;
  esac
}
fails 2 "ria render needs the results of a run: ria render out/bay" render
fails 2 "which field? store plain/fields.zarr has depth, dye, level, speed, u, v" render plain
fails 2 "unknown field 'dey': did you mean 'dye'?" render plain --field dey
fails 2 "has nothing at '20 min'; the nearest of its 4 times is \"900 s\"" render plain --field dye --time "20 min"
fails 2 "has nothing at '2026-07-15'; the nearest of its 4 times is \"2026-07-14 00:45\"" render dated --field dye --time 2026-07-15
fails 2 "--time is one, --times are several" render plain --field dye --time last --times first,last
fails 2 "--times first,,last: one of them is empty" render plain --field dye --times first,,last
fails 2 "--range 1: expected two numbers" render plain --field dye --range 1
fails 2 "--range 2,1: the first must be below the second" render plain --field dye --range 2,1
fails 2 "--scale lin: expected linear or log" render plain --field dye --scale lin
fails 2 "--box 1,2,3: expected four numbers" render plain --field dye --box 1,2,3
fails 2 "the box 0,0,1,1 has no cell of store" render plain --field dye --box 0,0,1,1
fails 2 "--size 0: expected pixels" render plain --field dye --size 0
fails 2 "--size 100x: expected pixels" render plain --field dye --size 100x
fails 2 "--dpi 3: 30 .. 2400" render plain --field dye --dpi 3
fails 2 "--dpi x: expected a number, 300" render plain --field dye --dpi x
fails 2 "--threshold x: expected a number" render plain --field dye --threshold x
fails 2 "--graticule x: expected" render dated --field dye --graticule x
fails 2 "--times first,,,,,: one of them is empty" render plain --field dye --times first,,,,,
fails 2 "--traces 2.5: 1 .. 10000 particles are possible" render plain --field level --traces 2.5
fails 2 "--contours 0: a step is above 0" render plain --field dye --contours 0
fails 2 "unknown colour map 'viridus': did you mean 'viridis'?" render plain --field dye --map viridus
fails 2 "--thinnest" render plain --field dye --thinnest "2 kg"
fails 3 "there is no store: name the results of a run that saved fields" render . --field dye
fails 3 "cannot open" render plain --field dye --overlay none.geojson
fails 2 "unknown colour map 'topoo': did you mean 'topo'?" render plain --field dye --ground topoo
[ -e dye.png ] && fail "a picture was drawn of what was refused"

# another run: on its own cells, and on others
"$ria" render plain --field level --minus plain --out zero.png | grep -q "values    0 to 0," || fail "a run minus itself is not 0"
"$ria" render plain --field level --minus other --time "45 min" --contours 0.05 --out minus.png >said || fail "no difference to other cells"
awk '/values/ { exit !($2 > 0 || $4 > 0.01) }' said || fail "runs with other tides are the same: $(cat said)"
fails 2 "a difference has values below 0" render plain --field level --minus other --scale log

# lines over it, several times, parts, numbers for printers
cat >coast.geojson <<'JSON'
{"type": "FeatureCollection", "features": [
 {"type": "Feature", "properties": {"name": "weir"}, "geometry": {"type": "LineString", "coordinates": [[-9.0, 42.445], [-8.96, 42.46]]}},
 {"type": "Feature", "properties": {"name": "mast"}, "geometry": {"type": "Point", "coordinates": [-8.98, 42.455]}}]}
JSON
"$ria" render dated --field dye --times "first,15 min,2026-07-14 00:30, last" --overlay coast.geojson --box 500500,4700200,502500,4701800 \
  --size 1200x1000 --dpi 300 --map deep --range=0,3 --scale linear --contours 1,2 --title "Dye" --json --out sheet.png >said || fail "no sheet"
grep -q '"width":1200,"height":1000,"pictures":4,"first":"2026-07-14 00:00 +02:00","last":"2026-07-14 00:45 +02:00","min":0,"max":3' said || fail "the sheet: $(cat said)"
"$ria" render plain --field dye >/dev/null && [ -s dye.png ] || fail "<field>.png is not where it is drawn by default"

# traces: evenly, at points of a file in degrees, on a sheet; and what to type where something is missing
"$ria" render plain --field level --traces 40 --out evenly.png >said || fail "no traces"
grep -Eq "traces    (3[0-9]|4[0-9]) particles from 00:00:00 to 00:45:00; [0-9]+ got to dry ground, [0-9]+ left the domain" said || fail "traces evenly: $(cat said)"
cmp -s evenly.png plain/frames/level/level_000003.png && fail "the picture has no traces"
grep -v weir coast.geojson >mast.geojson
"$ria" render dated --field dye --times "30 min,45 min" --traces mast.geojson --traces-over "20 min" --json --out moving.png >said || fail "no traces from a file"
grep -q '"traces":{"particles":1,"aground":0,"left":[01],"first":"2026-07-14 00:25 +02:00","last":"2026-07-14 00:45 +02:00"}' said || fail "traces from a file: $(cat said)"
fails 2 "--traces 0: 1 .. 10000 particles are possible" render plain --field level --traces 0
fails 2 "--traces-over: of which particles? --traces 200, or --traces points.geojson" render plain --field level --traces-over "1 h"
fails 2 "--traces-over 0 s: expected a time above 0" render plain --field level --traces 9 --traces-over "0 s"
fails 2 "has the flow from 00:00:00 to 00:45:00" render plain --field level --traces 9 --traces-from "30 min" --traces-over "1 h"
fails 2 "they must begin before they end" render plain --field level --traces 9 --time first
fails 2 "particles set out at points, and these are lines" render dated --field dye --traces coast.geojson
fails 3 "cannot open" render plain --field level --traces none.csv

# --- films ----------------------------------------------------------------------------------------

fails 2 "ria video needs the results of a run" video
fails 3 "does not hold the results of a run" video .
fails 2 "unknown series of frames 'levle': did you mean 'level'?" video plain --field levle
fails 2 "a film is an .mp4 or .webm (by ffmpeg), or an animated .png or .apng" video plain --out film.gif
fails 2 "--fps 0: expected frames a second" video plain --fps 0
fails 3 "there are 4 of 'level' and 1 of 'depth'" video plain --field level,depth --out film.png
fails 3 "'plain/frames/late/late_000000.png' is of 900 s, 'plain/frames/depth/depth_000000.png' of 1800 s" \
  video plain --field depth,late --out film.png
[ -e film.png ] && fail "a film was made of what was refused"

mkdir none && PATH=$PWD/none "$ria" video plain >said || fail "no film without ffmpeg"
[ -s plain/level.png ] || fail "plain/level.png is not the film"
grep -q "film      plain/level.png (960 x [0-9]*, an animated PNG)" said || fail "said: $(cat said)"
said=$(PATH=$PWD/none "$ria" video plain --out film.mp4 2>&1) && fail "an mp4 without ffmpeg"
echo "$said" | grep -q "needs ffmpeg, which is not on PATH: install it" || fail "said: $said"
"$ria" video plain --field level,dye --fps 4 --out both.png --json | grep -q '"frames":4,.*"seconds":1,"by":"ria"' || fail "no mosaic"
# what the film left is not the run's: overwriting leaves it
"$ria" run bank.lua --out plain -q --overwrite && [ -s plain/level.png ] || fail "the film went with the results"

if command -v python3 >/dev/null && python3 -c "from PIL import Image" 2>/dev/null; then
  python3 - <<'PY' || fail "Pillow reads other pictures than the frames"
from PIL import Image
def frame(name, k):
    return Image.open(f"plain/frames/{name}/{name}_{k:06d}.png").convert("RGB")
film, both = Image.open("plain/level.png"), Image.open("both.png")
assert film.n_frames == 4 and both.n_frames == 4 and both.info["duration"] == 250
for k in range(4):
    film.seek(k), both.seek(k)
    a, b = frame("level", k), frame("dye", k)
    assert film.convert("RGB").tobytes() == a.tobytes(), k
    sheet = Image.new("RGB", both.size, "white")
    sheet.paste(a, (0, 0)), sheet.paste(b, (max(a.width, b.width), 0))
    assert both.convert("RGB").tobytes() == sheet.tobytes(), k
PY
fi
if command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null; then
  for kind in mp4 webm; do
    "$ria" video plain --field level,dye --size 240 --fps 5 --out "film.$kind" >said || fail "no $kind: $(cat said)"
    ffprobe -v error -count_frames -show_entries stream=height,r_frame_rate,nb_read_frames -of csv=p=0 "film.$kind" | grep -q "^240,5/1,4" ||
      fail "$kind: not 4 frames, 5 a second, 240 high"
  done
fi

# --- films at the end of a run --------------------------------------------------------------------

"$ria" video plain --field level,dye --fps 4 --title "Level and dye" --out both.png >/dev/null || fail "no film with a title"
cat >ends.lua <<'LUA'
local ria = require "ria"
local p = ria.params { ends = { false, "in mid-run" }, when = { 0, "of the first frame", unit = "s" }, word = "depth" }
local sim = ria.sim { grid = { nx = 20, ny = 20, dx = 10 }, bed = -2,
  init = { level = function(x) return x < 100 and 1 or 0 end } }
sim:every("2 s", ria.frame { field = "level", width = 200 }, { start = p.when })
sim:every("2 s", ria.frame { field = "depth", width = 200 }, { start = p.when })
sim:film { "level", p.word, name = "both.png", fps = 5, title = "Both" }
sim:film { name = "small.apng", size = { 90, 100 } }
if p.ends then sim:at("5 s", function() error("no more", 0) end) end
sim:run "9 s"
LUA
cp plain/level.png kept.png
"$ria" run ends.lua >said || fail "ends.lua fails"
grep -q "both.png: a film of 5 pictures" said && grep -q "small.apng: a film of 5 pictures" said || fail "the summary: $(cat said)"
"$ria" video out/ends --field level,depth --fps 5 --title Both --out same.png >/dev/null
cmp same.png out/ends/both.png || fail "ria video makes another film than the run"
"$ria" run -q ends.lua --overwrite ends=yes 2>/dev/null && fail "ends.lua does not end"
"$ria" video out/ends --field level,depth --fps 5 --title Both --out same.png --json | grep -q '"frames":3' && cmp same.png out/ends/both.png ||
  fail "a run that failed has no film of its frames"
# its films go with its results; without a frame there is none, and no error
"$ria" run -q ends.lua --overwrite when=99 || fail "without frames the run fails"
[ -e out/ends/both.png ] || [ -e out/ends/small.apng ] && fail "a film of no frames, or of an earlier run"
rm -r out && mkdir -p out/ends && cp kept.png out/ends/both.png
"$ria" run -q ends.lua 2>said && fail "a film takes the place of somebody's file"
grep -q "'both.png'" said && cmp kept.png out/ends/both.png || fail "somebody's file: $(cat said)"
rm -r out
fails 1 "ends.lua:10: sim:run: a film of 'dept', of which no frames are asked for: did you mean 'depth'?" run ends.lua word=dept
sed 's/"2 s", ria.frame { field = "depth"/"3 s", ria.frame { field = "depth"/' ends.lua >other.lua
fails 1 "other.lua:10: sim:run: a film of 'level' and 'depth' side by side: frame 1 of 'level' comes at 2 s, that of 'depth' at 3 s: draw both at the same times, or make a film of each" run other.lua
[ -e out/other/frames ] && fail "frames of a run that was refused"
sed 's/{ start = p.when })$/{ start = p.when, stop = "4 s" })/' ends.lua | sed '0,/, stop = "4 s"/s///' >shorter.lua
"$ria" run -q shorter.lua || fail "a series that ends before the other is refused"
"$ria" video out/shorter --field level --out one.png >/dev/null && [ -s out/shorter/both.png ] || fail "no film of the frames that both have"
sed 's/both.png/both.gif/; s/small.apng/both.gif/' ends.lua >gif.lua
fails 1 "gif.lua:7: sim:film: 'both.gif': a film is an .mp4 or .webm (by ffmpeg), or an animated .png or .apng" check gif.lua
fails 1 "gif.lua:8: sim:film: 'both.gif': a film is" check gif.lua
sed 's/small.apng/both.png/; s/90, 100/9/' ends.lua >twice.lua
fails 1 "twice.lua:8: sim:film: size = a table: expected a height, or a pair {width, height}" check twice.lua
sed 's/small.apng/both.png/' ends.lua >twice.lua
fails 1 "twice.lua:8: sim:film: there is a film 'both.png' already: give this one another name" check twice.lua

# --- words ----------------------------------------------------------------------------------------

"$ria" help >said
grep -q "^  ria render DIR --field NAME" said && grep -q "^  ria video " said || fail "ria help lists neither"
for word in --minus --contours --overlay --graticule; do
  "$ria" render --help | grep -q -- "  $word" || fail "ria render --help: no $word"
done
"$ria" help animation | grep -q "ria video" || fail "ria help animation does not name ria video"
exit $failed
