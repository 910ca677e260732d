"""The page of two runs in a browser: compare.py PROGRAM BROWSER

Runs of this folder: ok; other (the same cells, what it was given differs); fine (cells of half the
size, other times), later (it starts later), bare (no fields). Every control is used; values are checked against the chunks of both stores.
"""
import atexit
import math
import os
import signal
import subprocess
import sys
import time

import chromium
from looking import INK, SET, check, chunk, failed, keep, quiet, serve

ria, program = sys.argv[1:]
browser = chromium.Browser(program)
atexit.register(browser.end)
NX, NY = 24, 16
WAIT = "new Promise(r => setTimeout(r, 150, 1))"


def close_to(a, b, least=1e-6):
    return a is not None and (math.isnan(b) if a == "NaN" else abs(a - b) <= least + 1e-6 * abs(b))


def view(a, b):
    server, place = serve(ria, "view", a, b)
    page = chromium.Page(browser, place)
    check(page.wait("both.shown && both.shown.every(s => s.map) && player.times.length && document.getElementById('contents').childElementCount"),
          f"{a} and {b}: the page does not come: {page.value('document.body.textContent')[:500]}")
    return server, place, page


def end(server):
    server.send_signal(signal.SIGINT)
    check(server.wait(20) == 0, f"Ctrl-C: exit code {server.returncode}")


def show(page, t):
    page.value(f"timeline.show({t})")
    check(page.wait("!both.busy && both.shown"), f"the maps at {t} s do not come")


def point(page, panel, i, j, kind="mouseMoved", nx=NX, ny=NY):
    x, y, w, h = page.box(f"#viewer figure:nth-child({panel + 1}) canvas")
    page.pointer(kind, x + (i + 0.5) / nx * w, y + (1 - (j + 0.5) / ny) * h)


def numbers(page, expression):
    """Numbers of the page, NaN as "NaN": JSON has none."""
    return page.value(f"({expression}).map(v => Number.isNaN(v) ? 'NaN' : v)")


def told(page):
    return page.value("both.panels.map(p => p.value.textContent)")


def canvases(page):
    return page.value("both.panels.map(p => [...p.canvas.getContext('2d').getImageData(0, 0, p.canvas.width, p.canvas.height).data].join())")


def look_at_values(page):
    a, b = chunk("ok", "level", 1), chunk("other", "level", 1)
    for panel, i, j in [(0, 3, 2), (1, 10, 7), (2, 15, 12)]:
        point(page, panel, i, j)
        check(page.wait(f"both.told.textContent.includes('at x {50 * i + 25}, y {50 * j + 25} (cell {i}, {j})')"),
              f"panel {panel}: {page.value('both.told.textContent')}")
        k = j * NX + i
        values = [float(text.split()[0]) for text in told(page)]
        check(all(abs(v - w) <= 1e-5 * max(1, abs(w)) for v, w in zip(values, [a[k], b[k], b[k] - a[k]])), f"cell {i}, {j}: {told(page)}, not {a[k]}, {b[k]}")
    point(page, 0, 22, 5)
    page.wait("both.told.textContent.includes('cell 22, 5')")
    check(all("no value" in text for text in told(page)), f"on land: {told(page)}")
    difference = [q - p for p, q in zip(a, b)]
    there = [d for d in difference if not math.isnan(d)]
    most = max(map(abs, there))
    words = page.value("both.panels[2].when.textContent")
    check(words.startswith(f"greatest {most:.4g} m") and f"; {len(there)} cells." in words, f"the difference: {words}, not {most} of {len(there)}")
    check(abs(float(page.value("both.most.value")) - most) < 1e-5 * most, "the range of the difference is not what is shown")
    values = numbers(page, "[...both.difference.values]")
    check(all(close_to(v, w) for v, w in zip(values, difference)), "the map of the difference is another")
    # orange where B is above A, blue where it is below
    for sign in (1, -1):
        k = max(range(len(difference)), key=lambda n: sign * difference[n] if not math.isnan(difference[n]) else -1)
        i, j = k % NX, NY - 1 - k // NX
        red, green, blue = page.value(f"[...both.panels[2].canvas.getContext('2d').getImageData({i}, {j}, 1, 1).data]")[:3]
        if sign * difference[k] > 0.1 * most:
            check((red > blue) == (sign > 0), f"B - A = {difference[k]:.3g}: colour {red}, {green}, {blue}")


def look_at_charts(page):
    point(page, 1, 10, 7, "mousePressed")
    point(page, 1, 10, 7, "mouseReleased")
    check(page.wait("both.chart && !both.chart.along"), "no history")
    k = 7 * NX + 10
    want = [[chunk(out, "level", n)[k] for n in range(4)] for out in ("ok", "other")]
    want.append([b - a for a, b in zip(*want)])
    lines = page.value("both.chart.lines.map(l => [l.name, l.values, l.shown])")
    check([n for n, _, _ in lines] == ["A", "B", "B - A"] and [s for _, _, s in lines] == [True, True, False], f"lines {[n for n, _, _ in lines]}")
    for (name, values, _), w in zip(lines, want):
        check(len(values) == 4 and all(close_to(v, x) for v, x in zip(values, w)), f"the history of {name}: {values}, not {w}")
    check(page.value(f"{INK}(both.chart.canvas)") > 3, "the history is not drawn")
    point(page, 2, 2, 4, "mousePressed")
    point(page, 2, 5, 4)
    point(page, 2, 14, 4)
    point(page, 2, 14, 4, "mouseReleased")
    check(page.wait("both.chart.along"), "no profile")
    at, lines = page.value("[both.chart.time, both.chart.lines.map(l => l.values)]")
    cells = range(4 * NX + 2, 4 * NX + 15)
    a, b = ([chunk(out, "level", 1)[c] for c in cells] for out in ("ok", "other"))
    check(at == [50.0 * n for n in range(13)] and all(close_to(v, w) for line, want in zip(lines, [a, b, [y - x for x, y in zip(a, b)]]) for v, w in zip(line, want)),
          f"profile {lines}, not {a}, {b}")


def changes(page, what, act, which):
    before = canvases(page)
    page.value(act)
    page.value(WAIT)
    page.wait("!both.busy && both.shown")
    changed = [n for n, (p, q) in enumerate(zip(before, canvases(page))) if p != q]
    check(changed == which, f"{what} changes the maps {changed}, not {which}")


def look_at_controls(page):
    ends = "both.panels.slice(0, 2).map(p => p.ends.textContent)"
    a, b = page.value(ends)
    check(a == b, f"not one range for both: {a}, {b}")
    page.value("both.common.click()")
    a, b = page.value(ends)
    check(a != b, "each with a range of its own: they are the same")
    page.value("both.common.click()")
    changes(page, "another colour map", f"({SET})(both.colours, 'cividis')", [0, 1])
    changes(page, "a range", f"({SET})(both.high, '5')", [0, 1])
    check(page.value("both.auto.checked") is False, "a range of one's own is not kept")
    changes(page, "the range of what is shown", "both.auto.click()", [0, 1])
    changes(page, "a range of the difference", f"({SET})(both.most, '3')", [2])
    changes(page, "as great as what is shown", "both.fit.click()", [2])
    for wrong, box in [("-1", "most"), ("9", "low")]:
        page.value(f"both.high.value = 1; ({SET})(both.{box}, '{wrong}')")
        check(page.value(f"both.{box}.getAttribute('aria-invalid')") == "true", f"{box} {wrong} is taken")
    page.value("both.auto.checked = both.fit.checked = true; drawBoth()")
    changes(page, "another field", f"({SET})(both.names, 'dye')", [0, 1, 2])
    changes(page, "a log scale", "both.log.click()", [0, 1])
    page.value("both.log.click()")
    page.value(f"({SET})(both.names, 'fields: level')")
    page.wait("!both.busy && both.shown")


def look_at_keys(page):
    page.value("document.activeElement.blur()")
    check(page.value("player.times") == [300 * k for k in range(7)], f"times {page.value('player.times')}")
    for key, at in [("Home", 0), ("ArrowRight", 300), ("ArrowRight", 600), ("ArrowLeft", 300), ("End", 1800)]:
        page.key(key)
        check(page.value("timeline.t") == at, f"{key}: at {page.value('timeline.t')}, not {at}")
    check(page.wait("!both.busy && both.shown.every(s => s.k === 3)"), "the maps do not go along")
    page.click("#scrub", 0.5)
    check(page.value("timeline.t") == 900 and page.wait("!both.busy && both.shown.every(s => s.t === 600)"), f"the slider: {page.value('timeline.t')}")
    for button, at in [("first", 0), ("on", 300), ("back", 0), ("last", 1800)]:
        page.click("#" + button)
        check(page.value("timeline.t") == at, f"{button}: at {page.value('timeline.t')}")
    page.value(f"({SET})(document.getElementById('speed'), '24'); document.activeElement.blur()")
    page.key(" ")
    check(page.wait("player.timer !== null && timeline.t < 1800") and page.wait("player.timer === null && timeline.t === 1800"), "space does not play to the end")
    page.value("both.panels[1].canvas.focus(); both.at = null")
    page.key("ArrowUp")
    check(page.wait("both.told.textContent.includes('(cell 12, 9)')"), f"by keyboard: {page.value('both.told.textContent')}")
    page.key("Enter")
    check(page.wait("both.chart && !both.chart.along"), "no history by keyboard")
    page.value("document.activeElement.blur(); window.scrollTo(0, 0)")
    reached = set()
    for _ in range(100):
        page.key("Tab")
        reached.add(page.value("(e => e.id || (both.panels.some(p => p.canvas === e) ? 'map' : Object.keys(both).find(k => both[k] === e)))(document.activeElement)"))
    missing = {"first", "back", "play", "on", "last", "scrub", "speed", "names", "colours", "low", "high", "auto", "common", "log", "most", "fit", "map"} - reached
    check(not missing, f"Tab does not come to {missing}")


def look_at_pictures(page):
    show(page, 300)
    sources = page.value("[...document.querySelectorAll('#pictures img')].map(i => i.getAttribute('src'))")
    check(sources == [f"{s}/frames/{name}" for name in ("level/level_000001.png", "dye/dye_000000.png") for s in "ab"], f"at 5 min: {sources}")
    check(page.wait("[...document.querySelectorAll('#pictures img')].every(i => i.complete && i.naturalWidth > 100)"), "pictures do not come")
    captions = page.value("[...document.querySelectorAll('#pictures .when')].map(e => e.textContent)")
    check(captions[0] == captions[1] == "2026-07-14 00:05:00 +02:00 (5 min)" and captions[2].endswith("(0 s)"), f"captions {captions}")


def look_at_tables(page):
    rows = page.value("[...document.querySelectorAll('#tables tr')].map(r => [...r.children].map(c => c.textContent))")
    table = {row[0]: row[1:] for row in rows}
    for key, want in [("parameters / manning", ["0", "0.03", "0.03"]), ("boundaries / north / kind", ["open", "wall", ""]),
                      ("spills / <b>spill</b> / given / amount", ["250", "300", "50 (+20 %)"]), ("spills / <b>spill</b> / released_kg", ["250", "300", "50 (+20 %)"]), ("arguments", ["none", "note=abc", ""])]:
        check(table.get(key) == want, f"{key}: {table.get(key)}, not {want}")
    check(not any("grid" in key or key == "solver" or "residual" in key for key in table), f"what is the same is listed: {list(table)}")
    script = page.value("[...document.querySelectorAll('#listing pre span')].map(s => s.className + s.textContent)")
    check(any(line.startswith("less\u2212   boundary = { north = \"open\" }") for line in script) and any(line.startswith("more+   boundary = { north = \"wall\" }") for line in script)
          and sum(line.startswith(("less", "more")) for line in script) == 7, f"lines of the script: {script}")
    check(page.value("charts.length") >= 5 and page.value("[...document.querySelectorAll('#charts .legend')][0].textContent").startswith("A jetty.level"), "no curves of both")
    n = page.value("charts.length")
    for k in range(n):
        check(page.value(f"charts[{k}] === both.chart || {INK}(charts[{k}].canvas) > 3"), f"chart {k} is empty")
    check(page.value("document.title") == "ok and other" and page.value("document.querySelectorAll('img[onerror], #tables b, #listing b').length") == 0,
          "elements have come in by the run's text")


def look_at_shape(page, name):
    page.look(360, 740)
    page.wait("innerWidth === 360")
    width = page.value("document.documentElement.scrollWidth")
    check(width <= 360, f"on a phone it is {width} wide")
    keep(page, name + "-phone")
    page.look(1280, 900, dark=True)
    page.value(WAIT)
    keep(page, name + "-dark")
    page.look(1280, 900)
    page.value(WAIT)
    keep(page, name)


# --- the same cells, at the same times
server, place, page = view("ok", "other")
show(page, 600)
look_at_values(page)
look_at_charts(page)
look_at_controls(page)
look_at_keys(page)
look_at_pictures(page)
look_at_tables(page)
look_at_shape(page, "compare")
# all of the run; and the pages of each
page.value(f"({SET})(both.names, 'maxima: level')")
check(page.wait("!both.busy && both.shown && both.panels[0].when.textContent === 'all of the run'"), "the maxima are not compared")
quiet(page, "two runs", place)
page.close()
page = chromium.Page(browser, place + "b/")
check(page.wait("player.times.length === 7 && viewer.map"), "the page of B alone does not come")
quiet(page, "B alone", place)
page.close()
end(server)

# --- other cells, other times
server, place, page = view("ok", "fine")
show(page, 900)
check(page.wait("both.shown[0].t === 600 && both.shown[1].t === 900"), "the last saved times not after 15 min are others")
words = page.value("both.panels[2].when.textContent")
check("B's saved time is 5 min after A's" in words and "The grids differ" in words, f"the difference: {words}")
a, b = chunk("ok", "level", 1), chunk("fine", "level", 1)
for i, j in [(4, 3), (11, 9)]:
    point(page, 0, i, j)
    check(page.wait(f"both.told.textContent.includes('(cell {i}, {j} of A, cell {2 * i + 1}, {2 * j + 1} of B)')"), f"{i}, {j}: {page.value('both.told.textContent')}")
    mean = sum(b[(2 * j + q) * 2 * NX + 2 * i + p] for p in (0, 1) for q in (0, 1)) / 4
    want = [a[j * NX + i], b[(2 * j + 1) * 2 * NX + 2 * i + 1], mean - a[j * NX + i]]
    values = [float(text.split()[0]) for text in told(page)]
    check(all(abs(v - w) < 1e-5 for v, w in zip(values, want)), f"cell {i}, {j}: {values}, not {want}")
point(page, 0, 4, 3, "mousePressed")
point(page, 0, 4, 3, "mouseReleased")
check(page.wait("both.chart && both.chart.time.length === 5"), "no history at the times of both")
times, values = page.value("[both.chart.lines.map(l => l.time), both.chart.lines[2].values]")
check(times == [[0, 600, 1200, 1800], [0, 900, 1800], [0, 600, 900, 1200, 1800]], f"times {times}")
at = {out: [chunk(out, "level", k)[c] for k in range(n)] for out, n, c in (("ok", 4, 3 * NX + 4), ("fine", 3, 7 * 2 * NX + 9))}
want = [at["fine"][q] - at["ok"][p] for p, q in [(0, 0), (1, 0), (1, 1), (2, 1), (3, 2)]]
check(all(close_to(v, w) for v, w in zip(values, want)), f"the difference in time: {values}, not {want}")
quiet(page, "two grids", place)
page.close()
end(server)

# --- one begins ten minutes later, and has saved no dye: by date it is that much behind
server, place, page = view("ok", "later")
show(page, 600)
check(page.value("both.shown.map(s => s.t)") == [600, 600], "they are not in step by the time since their start")
check("A alone has saved dye" in page.value("document.getElementById('viewer').textContent"), "what A alone has is not told")
page.value(f"({SET})(document.querySelector('#lag select'), 'date')")
show(page, 600)
check(page.wait("both.shown[1].t === 0") and page.value("player.times") == [300 * k for k in range(9)], f"by date: {page.value('both.shown.map(s => s.t)')}, {page.value('player.times')}")
words = page.value("both.panels.map(p => p.when.textContent)")
check(words[:2] == ["2026-07-14 00:10:00 +02:00 (10 min)", "2026-07-14 00:10:00 +02:00 (0 s)"] and "saved time" not in words[2], f"by date: {words}")
check(page.value("charts[0].lines.map(l => l.time[0])") == [0, 600], "curves are not in step by date")
show(page, 300)
words = page.value("both.panels.map(p => p.when.textContent)")
check("nothing saved yet" in words[1] and words[2].startswith("There is no difference to show"), f"before B begins: {words}")
quiet(page, "by date", place)
page.close()
end(server)

# --- one goes on (slow.lua is browser.py's): its new times come, and its page when it ends
going = subprocess.Popen([ria, "run", "slow.lua", "--quiet", "--device", "cpu", "--out", "going"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
atexit.register(going.kill)
while not os.path.exists("going/fields.zarr/.zmetadata") and going.poll() is None:
    time.sleep(0.02)
check(going.poll() is None, "the run has ended too soon")
server, place, page = view("ok", "going")
check("still under way" in page.value("document.getElementById('notices').textContent"), "it is not told that B goes on")
n = page.value("sides[1].stores[0].times.length")
page.value("go(player.times.length - 1)")
check(page.wait(f"sides[1].stores[0].times.length > {n} && timeline.t === player.times[player.times.length - 1] && timeline.t === sides[1].stores[0].times[sides[1].stores[0].times.length - 1]"),
      "new times do not come")
check(page.wait("!both.busy && both.shown[1].t === timeline.t"), "the map does not go along")
going.send_signal(signal.SIGINT)
check(page.wait("typeof sides !== 'undefined' && sides[1].run && sides[1].run.status === 'interrupted' && both.shown"), "the page does not tell that it has ended")
quiet(page, "one goes on", place)
page.close()
end(server)

# --- no fields at all: pictures, curves and figures
server, place = serve(ria, "view", "ok", "bare")
page = chromium.Page(browser, place)
check(page.wait("document.getElementById('contents').childElementCount"), "the page of a run without fields does not come")
check("B has saved no fields" in page.value("document.getElementById('viewer').textContent"), "what is missing is not told")
sources = page.value("timeline.show(600); [...document.querySelectorAll('#pictures img')].map(i => i.getAttribute('src'))")
check(len(sources) == 4 and sources[1] == "b/frames/level/level_000002.png", f"pictures at 10 min: {sources}")
quiet(page, "without fields", place)
page.close()
end(server)
sys.exit(bool(failed))
