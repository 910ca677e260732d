#!/bin/sh
# The page of a run: there from the begin, the same for every run, on the list of results; what the
# run says stands in index.js alone, as JSON.
#   page.sh PROGRAM SOURCE BUILD
ria=$1 source=$2 build=$3
failed=0
# shellcheck source=tests/cli/shell/common.sh
. "$(dirname "$0")/shell/common.sh"

scratch
cp "$source/tests/cli/page/hostile.lua" .

run() { "$ria" run hostile.lua --quiet --device cpu --out "$@" >said 2>&1; }

# data DIRECTORY: index.js without its call, which must be JSON with nothing else beside it
data() {
  sed -e '1s/^ria_page(//' -e '$s/^});$/}/' "$1/index.js" >data.json
  command -v python3 >/dev/null || return 0
  python3 - "$1" <<'PY' || fail "$1/index.js is not as it should be"
import json, sys
run = json.load(open("data.json", encoding="utf-8"))
told = json.load(open(sys.argv[1] + "/run.json", encoding="utf-8"))
for key in run:
    if key not in ("series", "csv", "script", "packed", "earth") and run[key] != told[key]:
        sys.exit(f"{key} differs from run.json's")
for key in ("wall_s", "device", "threads", "written", "run"):
    if key in run:
        sys.exit(f"it has {key}")
for series in run["series"]:
    count = [f["count"] for f in told["files"]["frames"] if f["name"] == series["name"]][0]
    if len(series["times_s"]) != count:
        sys.exit(f"{len(series['times_s'])} times of {count} frames of {series['name']}")
if run["status"] == "ok":
    if run["series"][0]["times_s"] != [300.0 * k for k in range(7)]:
        sys.exit(f"times {run['series'][0]['times_s']}")
for name, csv in run["csv"].items():
    if csv["text"] != open(sys.argv[1] + "/" + name, encoding="utf-8").read() or csv["every"] != 1:
        sys.exit(f"{name} is another")
if run["script"]["text"] != open("hostile.lua", encoding="utf-8").read():
    sys.exit("the script is another")
PY
}

run ok || fail "the run: $(cat said)"
data ok
grep -q 'onerror=' ok/index.js || fail "index.js does not have the title"
for text in taken hostile jetty; do
  grep -q "$text" ok/index.html && fail "index.html has '$text', which is the run's"
done
grep -q '<script src="index.js"></script>' ok/index.html || fail "index.html does not ask for index.js"
grep -qE "https?://|innerHTML|document.write|eval\(" ok/index.html && fail "index.html: $(grep -oE 'https?://.{20}|innerHTML|document.write|eval\(' ok/index.html)"
grep -q '"page": \[' ok/run.json || fail "run.json does not list the page"

# other arguments, the same page; they are told, and how to repeat the run
run other note=abc || fail "the run with a note: $(cat said)"
cmp ok/index.html other/index.html || fail "the page differs from run to run"
sed -n '/"arguments"/,/]/p' other/index.js | grep -q '"note=abc"' || fail "arguments: $(sed -n '/"arguments"/,/]/p' other/index.js)"

# parts leave the same bytes
run parts --parts 3 || fail "the run in parts: $(cat said)"
cmp ok/index.js parts/index.js || fail "index.js of three parts differs"
cmp ok/fields.js parts/fields.js || fail "fields.js of three parts differs"

# fields.js has what the stores have, as floats, and as much of it as is asked for
packed() {
  command -v python3 >/dev/null || return 0
  python3 - "$@" <<'PY' || fail "$1/fields.js is not as it should be"
import base64, json, os, struct, sys, zlib
out, step, every = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
text = open(out + "/fields.js", encoding="utf-8").read()
told = json.loads(text[len("ria_fields("):-len(");\n")])
if (told["step"], told["every"]) != (step, every):
    sys.exit(f"every {told['step']}th cell, every {told['every']}th time, not {step}, {every}")
if [s["name"] for s in told["stores"]] != ["fields.zarr", "maxima.zarr"]:
    sys.exit(f"stores {[s['name'] for s in told['stores']]}")
for store in told["stores"]:
    times = [600 * k for k in range(0, 4, every)] if store["name"] == "fields.zarr" else []
    if store["times_s"] != times:
        sys.exit(f"times {store['times_s']}")
    for field in store["fields"]:
        where = f"{out}/{store['name']}/{field['name']}"
        ks = range(0, 4, every) if field["timed"] else [None]
        if len(field["values"]) != len(ks):
            sys.exit(f"{where}: {len(field['values'])} times")
        for k, value in zip(ks, field["values"]):
            chunk = where + ("/0.0" if k is None else f"/{k}.0.0")
            nx, ny = store["nx"], store["ny"]
            data = zlib.decompress(open(chunk, "rb").read()) if os.path.exists(chunk) else b"\0\0\0\0\0\0\xf8\x7f" * nx * ny
            here = struct.unpack(f"<{nx * ny}d", data)
            want = [struct.unpack("<f", struct.pack("<f", here[j * nx + i]))[0] for j in range(0, ny, step) for i in range(0, nx, step)]
            raw = zlib.decompress(base64.b64decode(value))
            if repr(list(struct.unpack(f"<{len(raw) // 4}f", raw))) != repr(want):
                sys.exit(f"{chunk}: other values")
PY
}
packed ok 1 1
[ "$(wc -c <other/fields.js)" -gt 4300 ] || fail "fields.js is small: $(wc -c <other/fields.js)"
thin() {
  sed "s/  maxima = /  page_fields = $1,\n  maxima = /" hostile.lua >thin.lua
  rm -rf thin
  "$ria" run thin.lua --quiet --device cpu --out thin >said 2>&1 || fail "page_fields = $1: $(cat said)"
}
thin 0.0043
packed thin 2 1
thin 0.0027
packed thin 4 2
[ "$(wc -c <thin/fields.js)" -le 2700 ] || fail "fields.js has $(wc -c <thin/fields.js) bytes, more than asked for"
for none in 0 0.0005; do
  thin $none
  [ -e thin/fields.js ] && fail "page_fields = $none: there is a fields.js"
  grep -q packed thin/index.js && fail "page_fields = $none: index.js names fields.js"
done

# a run that fails has one that says why, with what there is
run bad fail=yes && fail "the run did not fail"
data bad
grep -q '"status": "\(error\|callback\|script\)' bad/index.js || fail "the failed run: $(grep '"status"' bad/index.js)"
grep -q 'stopped by </script><b>hand</b>' bad/index.js || fail "index.js does not say why: $(grep '"error"' bad/index.js)"

# overwriting removes and makes it anew; page = false leaves none behind
run ok --overwrite || fail "overwriting: $(cat said)"
[ -s ok/index.js ] && [ -s ok/index.html ] || fail "no page after overwriting"
sed 's/  maxima = /  page = false,\n  maxima = /' hostile.lua >none.lua
"$ria" run none.lua --quiet --device cpu --out ok --overwrite >said 2>&1 || fail "page = false: $(cat said)"
[ -e ok/index.html ] || [ -e ok/index.js ] || [ -e ok/fields.js ] && fail "page = false: there is one"
grep -q '"page"' ok/run.json && fail "page = false: run.json lists one"

# somebody else's stays
mkdir theirs
echo mine >theirs/index.html
run theirs && fail "a foreign index.html is written over"
grep -q "'index.html'" said || fail "the foreign index.html is not named: $(cat said)"
[ "$(cat theirs/index.html)" = mine ] || fail "the foreign index.html has gone"

exit $failed
