"""The page of a run in a browser: browser.py PROGRAM BROWSER

Runs of this folder: ok, bad (it failed), turned (on a turned grid). Every control is used, from the disk and served; nothing
may be complained of, and nothing of the run's text may act. RIA_PAGE_PICTURES=DIR keeps pictures.
"""
import atexit
import json
import math
import os
import signal
import subprocess
import sys
import time
import urllib.request

import chromium
import looking
from looking import INK, SET, check, failed, keep, quiet, serve

ria, program = sys.argv[1:]

with open("ok/index.js", encoding="utf-8") as f:
    run = json.loads(f.read()[len("ria_page("):-len(");\n")])
browser = chromium.Browser(program)
atexit.register(browser.end)  # also where a check below raises

LONG = 120  # s, to end what hangs; nothing is to take that long


def comes(true):
    """Whether it comes true. A server that does not answer yet is no answer yet."""
    until = time.time() + LONG
    while time.time() < until:
        try:
            if true():
                return True
        except OSError:
            pass
        time.sleep(0.05)
    return False


def index(page):
    return page.value("player.at")


def look_at_head(page):
    check(page.value("document.title") == run["title"] == page.value("document.querySelector('h1').textContent"),
          f"the title is {page.value('document.title')!r}")
    check(page.value("[...document.querySelectorAll('script')].every(s => ['', 'index.js', 'fields.js'].includes(s.getAttribute('src') || ''))"), "scripts have come in by the run's text")
    check(page.value("document.querySelectorAll('b, img[onerror]').length") == 0, "elements have come in by the run's text")
    check("<b>spill</b>" in page.value("document.getElementById('tables').textContent"), "the spill is not named")
    check(page.value("document.querySelector('#listing pre:last-child').textContent") == run["script"]["text"], "the script is another")
    check(page.value("document.querySelectorAll('#listing .word').length") > 5, "the script is not highlighted")


def look_at_player(page):
    check(page.wait("[...document.querySelectorAll('#pictures img')].every(i => i.complete && i.naturalWidth > 100)"), "pictures do not come")
    check(page.value("player.times") == [300 * k for k in range(7)], f"times {page.value('player.times')}")
    check(index(page) == 0, "it does not begin at the first")
    for key, at in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 6), ("ArrowRight", 6), ("Home", 0), ("ArrowLeft", 0)]:
        page.key(key)
        check(index(page) == at, f"{key}: at {index(page)}, not {at}")
    page.key("ArrowRight")
    sources = page.value("player.series.map(s => s.image.getAttribute('src'))")
    check(sources == ["frames/level/level_000001.png", "frames/dye/dye_000000.png"], f"at 5 min: {sources}")
    check(page.value("document.getElementById('now').textContent") == "2026-07-14 00:05:00 +02:00 (5 min)",
          f"now: {page.value('document.getElementById(`now`).textContent')}")
    for button, at in [("last", 6), ("first", 0), ("on", 1), ("back", 0)]:
        page.click("#" + button)
        check(index(page) == at, f"{button}: at {index(page)}")
    page.value("document.activeElement.blur()")
    page.key("+")
    check(page.value("document.getElementById('speed').value") == "12", "+ does not make it faster")
    for _ in range(2):
        page.key("+")
    page.key(" ")
    check(page.value("player.timer !== null"), "space does not play")
    check(page.wait("player.at === 6 && player.timer === null"), "it does not play to its end")
    page.click("#scrub", 0.5)
    check(index(page) == 3, f"the slider's middle: at {index(page)}")
    page.click("#which input")
    check(page.value("player.series[0].figure.hidden"), "a series is not hidden")
    page.click("#which input")
    check(not page.value("player.series[0].figure.hidden"), "a series does not come back")
    # one alone, as wide as the page, and all again
    both = page.box("#pictures figure:last-child")[2]
    page.click("#pictures figure:last-child button")
    check(page.value("player.series.map(s => [s.figure.hidden, s.box.checked])") == [[True, False], [False, True]] and page.box("#pictures figure:last-child")[2] > 1.8 * both,
          "a series is not shown alone")
    page.click("#pictures figure:last-child button")
    check(page.value("player.series.map(s => [s.figure.hidden, s.box.checked])") == [[False, True], [False, True]], "not all series come back")
    # by keyboard to each control
    page.value("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached = set()
    for _ in range(60):
        page.key("Tab")
        reached.add(page.value("document.activeElement.id"))
    missing = {"first", "back", "play", "on", "last", "scrub", "speed"} - reached
    check(not missing, f"Tab does not come to {missing}")


def look_at_charts(page):
    n = page.value("charts.length")
    check(n >= 4, f"{n} charts")
    for k in range(n):
        check(page.value(f"{INK}(charts[{k}].canvas)") > 3, f"chart {k} is empty")
    page.click("#charts canvas", 0.6)
    t = page.value("timeline.t")
    check(600 < t < 1500 and t not in page.value("player.times"), f"a click on a chart leads to {t}")
    rows = [r.split(",") for r in run["csv"]["gauges.csv"]["text"].split("\n")[1:-1]]
    row = [r for r in rows if float(r[0]) <= t][-1]
    shown = page.value("charts[0].lines[0].value.textContent")
    check(abs(float(shown) - float(row[2])) <= 1e-4 * abs(float(row[2])) + 1e-9, f"the curve says {shown} at {t} s, not {row[2]}")
    page.click("#charts .legend input")
    check(page.value("charts[0].lines[0].shown") is False, "a curve is not hidden")
    page.click("#charts .legend input")


def look_at_shape(page):
    light = page.value("getComputedStyle(document.body).backgroundColor")
    page.look(1280, 900, dark=True)
    dark = page.value("getComputedStyle(document.body).backgroundColor")
    check(light != dark and sum(map(int, dark[4:-1].split(","))) < 150, f"dark: {dark}, light: {light}")
    keep(page, "dark")
    page.look(360, 740)
    page.wait("innerWidth === 360")
    width = page.value("document.documentElement.scrollWidth")
    check(width <= 360, f"on a phone it is {width} wide")
    keep(page, "phone")
    page.look(1280, 900)
    keep(page, "light")


def chunk(name, k):
    return looking.chunk("ok", name, k)


NX, NY = 24, 16


def point(page, i, j, kind="mouseMoved"):
    x, y, w, h = page.box("#viewer .layers canvas")
    page.pointer(kind, x + (i + 0.5) / NX * w, y + (1 - (j + 0.5) / NY) * h)


def point_at(page, i, j):
    """Until the page says so: while pictures come, what lies below them moves."""
    for _ in range(60):
        point(page, i, j)
        if page.wait(f"viewer.told.textContent.includes('cell {i}, {j}')", 0.5):
            return
    check(False, f"pointed at cell {i}, {j} it says '{told(page)}'")


def told(page):
    return page.value("viewer.told.textContent")


def look_at_fields(page):
    """What the pointer says, histories and profiles, in every field and time."""
    check(page.wait("viewer.map && viewer.map.values.length"), f"no fields: {page.value('document.getElementById(`viewer`).textContent')}")
    series = run["series"][0]
    check(series["field"] == "level" and not series["log"] and page.value("[viewer.auto.checked, viewer.log.checked, Number(viewer.low.value), Number(viewer.high.value)]")
          == [False, False, *(float(f"{end:.6g}") for end in series["range"])], f"it does not begin with the range of the pictures: {series.get('range')}")
    page.value("timeline.show(600)")
    check(page.wait("viewer.k === 1 && viewer.when.textContent.includes('(10 min)')"), f"10 min: {page.value('viewer.when.textContent')}")
    for i, j in [(3, 2), (10, 7), (19, 15)]:
        point_at(page, i, j)
        value = chunk("level", 1)[j * NX + i]
        words = told(page).split()
        check(words[:1] == ["level"] and abs(float(words[1]) - value) < 1e-5
              and f"at x {50 * i + 25}, y {50 * j + 25} (cell {i}, {j})" in told(page), f"cell {i}, {j}: {told(page)}, not {value}")
    point_at(page, 22, 5)
    check("no value" in told(page), f"on land: {told(page)}")
    point(page, 10, 7, "mousePressed")
    point(page, 10, 7, "mouseReleased")
    check(page.wait("viewer.line && viewer.line.time.length === 4"), "no history")
    history, want = page.value("viewer.line.lines[0].values"), [chunk("level", k)[7 * NX + 10] for k in range(4)]
    check(all(abs(a - b) < 1e-6 for a, b in zip(history, want)), f"history {history}, not {want}")
    check(page.value(f"{INK}(viewer.line.canvas)") > 3, "the history is not drawn")
    point(page, 2, 4, "mousePressed")
    point(page, 5, 4)
    point(page, 14, 4)
    point(page, 14, 4, "mouseReleased")
    check(page.wait("viewer.line.along"), "no profile")
    at, profile = page.value("[viewer.line.time, viewer.line.lines[0].values]")
    want = chunk("level", 1)[4 * NX + 2:4 * NX + 15]
    check(at == [50.0 * k for k in range(13)] and all(abs(a - b) < 1e-6 for a, b in zip(profile, want)), f"profile {profile}, not {want}")


# --- from the disk
place = "file://" + os.path.abspath("ok") + "/"
page = chromium.Page(browser, place + "index.html")
look_at_head(page)
look_at_player(page)
look_at_charts(page)
look_at_shape(page)
look_at_fields(page)
quiet(page, "from the disk", place)
page.close()

# --- a run that failed
page = chromium.Page(browser, "file://" + os.path.abspath("bad") + "/index.html")
check("stopped by </script><b>hand</b>" in page.value("document.querySelector('.notice.bad').textContent"), "the failed run does not say why")
check(page.wait("[...document.querySelectorAll('#pictures img')].every(i => i.complete && i.naturalWidth > 100)"), "pictures of the failed run")
quiet(page, "the failed run", "file://")
page.close()

# --- on a turned grid, on a map: places in m and degrees, particles, a section
with open("turned/index.js", encoding="utf-8") as f:
    turned = json.loads(f.read()[len("ria_page("):-len(");\n")])
page = chromium.Page(browser, "file://" + os.path.abspath("turned") + "/index.html")
check(page.wait("viewer.map && viewer.map.values.length"), "no fields of the turned run")
gauge, c, s = turned["gauges"][0], math.cos(math.pi / 6), math.sin(math.pi / 6)
east, north = gauge["x"] - 512000, gauge["y"] - 4690000
i, j = (c * east + s * north) / 50, (c * north - s * east) / 25  # the gauge's place, in cells
degrees = page.value(f"degreesAt(viewer.run, {i}, {j})")
check(degrees == f", lon {gauge['lon']:.5f}, lat {gauge['lat']:.5f}", f"at the gauge{degrees}, not {gauge['lon']}, {gauge['lat']}")
point_at(page, 10, 7)
x, y = 512000 + c * 525 - s * 187.5, 4690000 + s * 525 + c * 187.5
want = f"at x {x:.9g}, y {y:.9g}{page.value('degreesAt(viewer.run, 10.5, 7.5)')} (cell 10, 7)"
check(want in told(page), f"{told(page)}, not {want}")
given = {b["name"]: b["given"] for b in turned["boundaries"]}
check(given == {"north": {}, "south": {"curve": "2 points from 0 to 40: -1 to 2, mean 0.5"}, "west": {"level": "3 points from 0 to 120: 0 to 0.3, mean 0.133333"},
                "east": {"level": "tide about 0: amplitudes of 1 constituent 0.5 in all, 0.25 at t = 0"}}, f"boundaries were given {given}")
check("mean 0.133333" in page.value("document.getElementById('tables').textContent"), "what boundaries were given is not shown")
page.value("viewer.particles.click()")
check(page.wait("swarm.n > 20"), "no particles on a turned grid")
# along the axes by their own cells, so on the map turned
moved = page.value("""(() => { const { nx, ny } = swarm.flow.u, all = (x) => ({ nx, ny, step: 1, values: new Float64Array(nx * ny).fill(x) });
    takeFlow({ u: all(0.5), v: all(1) }, "one"); const p = swarm.past[swarm.newest]; p[0] = 9.5; p[1] = 7.5; swarm.left[0] = 9; moveParticles(0.01);
    const q = swarm.past[swarm.newest], a = viewer.affine, di = q[0] - 9.5, dj = q[1] - 7.5, t = 0.01 * swarm.pace;
    return [(a[1] * di + a[2] * dj) / t, (a[4] * di + a[5] * dj) / t]; })()""")
check(abs(moved[0] - (0.5 * c - s)) < 1e-3 and abs(moved[1] - (0.5 * s + c)) < 1e-3, f"on the map they move as in {moved}")
legends = page.value("[...document.querySelectorAll('#charts .legend')].map(e => e.textContent).join()")
check("mouth.discharge" in legends and "pier.level" in legends, f"curves of {legends}")
quiet(page, "a turned grid", "file://")
page.close()

# --- one under way: index.js as it was at its begin; pictures are looked for by number
with open("bad/index.js", encoding="utf-8") as f:
    begun = json.loads(f.read()[len("ria_page("):-len(");\n")])
for key in ("error", "budget", "spills", "boundaries", "csv", "time_s", "steps"):
    begun.pop(key, None)
begun["status"] = "running"
for series in begun["series"]:
    series["times_s"] = []
with open("bad/index.js", "w", encoding="utf-8") as f:
    f.write("ria_page(" + json.dumps(begun) + ");\n")
page = chromium.Page(browser, "file://" + os.path.abspath("bad") + "/index.html")
check(page.wait("player.times.length === 3"), f"frames of a run under way: {page.value('player.times')}")
page.key("End")
check(page.value("document.getElementById('now').textContent") == "picture 2", f"the last one: {page.value('document.getElementById(`now`).textContent')}")
page.close()

# the same served: what it saved is there
server = subprocess.Popen([ria, "view", "bad"], stdout=subprocess.PIPE, text=True)
atexit.register(server.kill)
page = chromium.Page(browser, server.stdout.readline().strip())
check(page.wait("viewer.map && viewer.stores[0].times.length === 2"), "no fields of a run that was killed")
page.close()
server.kill()

# --- served
server, place = serve(ria, "view", "ok")
page = chromium.Page(browser, place)
look_at_head(page)
check(page.wait("[...document.querySelectorAll('#tables h3')].some(h => h.textContent === 'Machine')"), "the machine is not told")


look_at_fields(page)


def drawn():
    return page.value("(c => [...c.getContext('2d').getImageData(0, 0, c.width, c.height).data].join())(viewer.canvas)")


def changes(what, act):
    before = drawn()
    page.value(act)
    check(page.wait("true") and page.value("new Promise(r => setTimeout(r, 200, 1))") and drawn() != before, f"{what} changes nothing")


changes("another colour map", f"({SET})(viewer.colours, 'cividis')")
changes("a range", f"({SET})(viewer.high, '5')")
check(page.value("viewer.auto.checked") is False, "a range of one's own is not kept")
page.value("viewer.auto.click()")
changes("another field", f"({SET})(viewer.names, 'dye')")
pale = page.value("(c => { const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; return [255, 0x90, 0].map(a => d.filter((v, k) => k % 4 === 3 && v === a).length); })(viewer.canvas)")
check(page.value("viewer.log.checked") and min(pale) > 5, f"on a log scale pixels with a colour, of clear water, of land: {pale}")
changes("a linear scale", "viewer.log.click()")
page.value("viewer.log.click()")
page.value("viewer.arrows.click()")
check(page.wait(f"viewer.flow && {INK}(viewer.over) > 3"), "no arrows")
keep(page, "served")


# Pixels that have particles, most of their ink; the rate over a large grid.
INKED = """(() => { drawParticles(true); const c = document.createElement('canvas'), g = c.getContext('2d'); [c.width, c.height] = [swarm.canvas.width, swarm.canvas.height];
  g.drawImage(swarm.canvas, 0, 0); const d = g.getImageData(0, 0, c.width, c.height).data, out = [];
  for (let k = 0; k < d.length; k += 4) if (d[k + 3] > 100) out.push(k / 4); return out; })()"""
RATE = """(() => { const n = 1000, was = swarm.flow, plane = (f) => ({ nx: n, ny: n, step: 1, values: Float64Array.from({ length: n * n }, (_, k) => f(k % n, Math.floor(k / n))) });
  takeFlow({ u: plane((i, j) => 500 - j), v: plane((i, j) => i - 500) }, "round");
  const g = document.createElement('canvas').getContext('2d'), from = performance.now();
  let pictures = 0;
  do { moveParticles(1 / 60); drawParticles(false); g.drawImage(swarm.canvas, 0, 0, 1, 1); g.getImageData(0, 0, 1, 1); pictures++; } while (performance.now() < from + 300);
  const rate = (1000 * pictures) / (performance.now() - from), count = swarm.n;
  takeFlow(was, viewer.store);
  return count + " particles over 1000 x 1000 cells are moved and drawn " + rate.toFixed(1) + " times a second"; })()"""


def look_at_particles(page):
    """They go with the flow of the time that is shown, keep to the water, and stand when they should."""
    page.value("viewer.particles.checked || viewer.particles.click()")
    check(page.wait("swarm.n > 20 && swarm.timer !== null"), f"no particles: {page.value('[swarm.n, swarm.by, swarm.timer]')}")
    check("times as fast" in page.value("viewer.pace.textContent"), "their pace is not told")
    check(page.wait("swarm.past[swarm.newest].some((x, k) => k % 3 === 0 && swarm.past[(swarm.newest + 8) % 17][k] !== x)"), "they do not move")
    page.click("#viewer .choices button")
    check(page.value("swarm.timer === null && viewer.hold.textContent === 'let particles go on'"), "they are not held")
    k = page.value("viewer.k")
    u, v = chunk("u", k), chunk("v", k)
    for i, j in [(3, 2), (10, 7), (14, 12)]:
        moved = page.value(f"""(() => {{ const p = swarm.past[swarm.newest]; p[0] = {i + 0.5}; p[1] = {j + 0.5}; swarm.left[0] = 9; moveParticles(0.001);
            const q = swarm.past[swarm.newest]; flowAt({i + 0.5}, {j + 0.5}); return [...swarm.at, q[0] - {i + 0.5}, q[1] - {j + 0.5}, swarm.pace]; }})()""")
        want = [u[j * NX + i] / 50, v[j * NX + i] / 50]
        check(all(abs(a - b) < 1e-5 * (abs(b) + 1e-4) for a, b in zip(moved[:2], want)), f"the flow in cell {i}, {j}: {moved[:2]}, not {want}")
        # places are floats: 1e-6 of a cell
        far = [w * moved[4] * 0.001 for w in want]
        check(max(map(abs, far)) > 5e-5 and all(abs(a - b) < 0.05 * max(map(abs, far)) for a, b in zip(moved[2:4], far)), f"from cell {i}, {j} by {moved[2:4]}, not {far}")
    part = page.value("""(() => { const { nx, ny } = swarm.flow.u, all = (x) => ({ nx, ny, step: 1, values: new Float64Array(nx * ny).fill(x) });
        takeFlow({ u: all(0.5), v: all(1) }, "north-east"); const p = swarm.past[swarm.newest]; p[0] = 9.5; p[1] = 7.5; swarm.left[0] = 9; moveParticles(0.01);
        const q = swarm.past[swarm.newest], far = (0.01 * swarm.pace) / 50; takeFlow(viewer.flow, viewer.store); return [(q[0] - 9.5) / far, (q[1] - 7.5) / far]; })()""")
    check(abs(part[0] - 0.5) < 1e-3 and abs(part[1] - 1) < 1e-3, f"in a flow of 0.5, 1 m/s they move as in {part}")
    dry = page.value("""(() => { let dry = 0; const { u } = swarm.flow, at = () => { const p = swarm.past[swarm.newest];
        for (let k = 0; k < 3 * swarm.n; k += 3) dry += Number.isNaN(u.values[Math.floor(p[k + 1]) * u.nx + Math.floor(p[k])]); };
        for (let n = 0; n < 300; n++) { moveParticles(1 / 60); at(); } return [dry, u.values.some(Number.isNaN)]; })()""")
    check(dry == [0, True], f"{dry[0]} particles on land")
    check(page.value("swarm.by === 'canvas'"), "WebGL without a GPU is taken")
    plain = page.value(INKED)
    check(len(plain) > 500, f"{len(plain)} pixels of particles")
    if page.value("swarm.slow = true, makePainter(false), swarm.by === 'WebGL 2'"):
        by_gl = page.value(INKED)
        both = len(set(plain) & set(by_gl))
        check(both > 0.8 * len(plain) and both > 0.6 * len(by_gl), f"by WebGL 2 {len(by_gl)} pixels, by the plain canvas {len(plain)}, both {both}")
        keep(page, "particles-webgl")
        print(f"WebGL 2 by SwiftShader: {page.value(RATE)}")
        page.value("swarm.slow = false, makePainter(false)")
    else:
        print("no WebGL 2 in this browser: particles are tested on the plain canvas alone")
    print(f"plain canvas: {page.value(RATE)}")
    page.click("#viewer .choices button")
    check(page.value("swarm.timer !== null"), "they do not go on")
    hide = "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }}); document.dispatchEvent(new Event('visibilitychange')); swarm.timer === null"
    check(page.value(hide.format("true")) is True and page.value(hide.format("false")) is False, "they move on a hidden page, or not on one that is seen")
    calm = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    page.call("Emulation.setEmulatedMedia", features=calm)
    check(page.wait("swarm.timer === null && viewer.hold.hidden"), "they move where less motion is asked for")
    page.call("Emulation.setEmulatedMedia", features=[])
    check(page.wait("swarm.timer !== null"), "they do not move again")
    keep(page, "particles")


look_at_particles(page)
page.value("viewer.particles.click()")
check(page.wait("swarm.timer === null && swarm.canvas.hidden && viewer.hold.hidden"), "particles do not go away")
page.value("viewer.canvas.focus(); viewer.cell = null")
page.key("ArrowUp")
check(page.wait("viewer.told.textContent.includes('(cell 12, 9)')"), f"by keyboard: {told(page)}")
page.key("Enter")
check(page.wait("viewer.line && !viewer.line.along"), "no history by keyboard")
page.value(f"({SET})([...document.querySelectorAll('#viewer select')][0], 'maxima.zarr')")
check(page.wait("viewer.map && viewer.when.textContent === 'all of the run'"), "the maxima are not shown")
quiet(page, "served", place)
rate = page.value("""(async () => { const n = 1000, v = viewer; v.flow = null; v.from = v.to = v.cell = null;
  v.map = { nx: n, ny: n, step: 1, values: Float64Array.from({ length: n * n }, (_, k) => Math.sin(k / 977)) };
  const from = performance.now(); for (let k = 0; k < 20; k++) drawMap(); return 20000 / (performance.now() - from); })()""")
print(f"a field of 1000 x 1000 is drawn {rate:.0f} times a second")
page.close()
server.send_signal(signal.SIGINT)
server.wait(20)

# --- while it goes on
with open("hostile.lua", encoding="utf-8") as f:
    slow = f.read()
for old, new in [('"5 min", ria.frame', '"5 h", ria.frame'), ('"10 min", ria.frame', '"5 h", ria.frame'),
                 ('"10 min", ria.save', '"1 h", ria.save'), ('sim:run "30 min"', 'sim:run "2400 h"')]:
    slow = slow.replace(old, new)
with open("slow.lua", "w", encoding="utf-8") as f:
    f.write(slow)
watched, place = serve(ria, "run", "slow.lua", "--quiet", "--device", "cpu", "--out", "watched", "--view", "--allow-change")
page = chromium.Page(browser, place)
check(page.wait("typeof live !== 'undefined' && live.told && live.told.stands"), "the page does not watch the run")
check(page.wait("player.times.length > 1 && viewer.stores.length === 1 && viewer.map"), "no frames or fields while it goes on")
page.click("#pause")
check(page.wait("live.told.live.paused === 1 && document.getElementById('pause').textContent === 'go on'"), "it does not pause")
check(page.wait("[...document.querySelectorAll('#contents a')].map(a => a.textContent).join().startsWith('Run,Pictures,Fields')"),
      f"sections: {page.value('document.getElementById(`contents`).textContent')}")
check("least" in page.value("document.getElementById('stands').textContent"), f"it stands: {page.value('document.getElementById(`stands`).textContent')}")
frames = page.value("player.times.length")
point(page, 8, 8, "mousePressed")
point(page, 8, 8, "mouseReleased")
check(page.wait("[...document.querySelectorAll('#changes input')][2].value === '425'"), "a click does not choose the place")
page.click("#changes button")
check(page.wait("document.querySelectorAll('#made li').length === 1"), f"no spill: {page.value('document.getElementById(`said`).textContent')}")
page.value("[...document.querySelectorAll('#changes button')][2].click()")
check(page.wait("document.querySelectorAll('#made li').length === 2"), f"no wall: {page.value('document.getElementById(`said`).textContent')}")
check("boundary(\"north\", \"wall\")" in page.value("document.getElementById('made').textContent"), "the changes are not told")
keep(page, "live")
page.click("#pause")
check(page.wait(f"player.times.length > {frames}"), "no new frames")
quiet(page, "while it goes on", place)
page.click("#halt")
check(watched.wait(LONG) == 130, f"stopped, it exits with {watched.returncode}")
check(page.wait("document.getElementById('stands').textContent.includes('does not answer') || document.getElementById('said').textContent.includes('over')", LONG), "the page does not say that it is over")
page.close()

# --- to its end: the page then comes by itself as that of the run, at the time that was looked at. The run is long, and ends
# where it finds a file: it is neither over before it was paused nor goes on for longer than the test
short = slow.replace('"1 h", ria.save', '"5 h", ria.save').replace(
    'sim:run "2400 h"', 'sim:every("1 h", function() local f = io.open "end" if f then f:close() sim:stop() end end)\nsim:run "240000 h"')
with open("short.lua", "w", encoding="utf-8") as f:
    f.write(short)
watched, place = serve(ria, "run", "short.lua", "--quiet", "--device", "cpu", "--out", "short", "--view")


def served():
    with urllib.request.urlopen(place + "served.json", timeout=LONG) as answer:
        return json.load(answer)


check(comes(lambda: os.path.exists("short/index.js") and os.path.exists("short/frames/level/level_000002.png")), "no page or pictures of the run")
check(comes(lambda: served()["live"]["over"] == 0), "the page is not served")
urllib.request.urlopen(urllib.request.Request(place + "act/pause", method="POST"), timeout=LONG).close()
check(comes(lambda: served()["live"]["paused"] == 1 and "stands" in served()), "the run does not pause")
page = chromium.Page(browser, place)
check(page.wait("typeof live !== 'undefined' && live.told && live.told.live.paused && player.times.length > 2", LONG), "the page does not watch the paused run")
check(page.value("charts.length") == 0, "curves of a run that goes on")
page.value("window.stays = true; go(1)")
at = page.value("timeline.t")
check(at > 0, f"it shows {at}")
with open("end", "w", encoding="utf-8"):
    pass
page.click("#pause")
check(page.wait("typeof charts !== 'undefined' && typeof stays === 'undefined' && charts.length > 3 && document.querySelector('.status').textContent === 'finished'", LONG),
      "the page of the run does not come when it ends")
check(page.wait(f"player.times.length > 2 && timeline.t === {at}", LONG), "it does not stay at the time that was shown")
quiet(page, "to its end", place)
page.close()
watched.send_signal(signal.SIGINT)
check(watched.wait(LONG) == 0, f"after Ctrl-C it exits with {watched.returncode}")
sys.exit(bool(failed))
