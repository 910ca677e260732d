"""Pages of scenarios in a browser: scenes.py PROGRAM BROWSER RUN...

Each is opened from the disk and served, and its controls are stepped through; nothing may be
complained of. The field viewer's colours are those of the pictures "seen", which the engine drew of
the same field with the same map and range: cell by cell, so no picture is kept to compare with.
"""
import atexit
import json
import os
import re
import signal
import subprocess
import sys

import chromium
from looking import INK, SET, check, failed, keep, quiet

ria, program, *runs = sys.argv[1:]
browser = chromium.Browser(program)
atexit.register(browser.end)
WAIT = "new Promise(r => setTimeout(r, 100, 1))"
NEAR = 16  # of 255: the page's maps have 11 points, the engine's 256, and it dithers


def told(name):
    """The run as index.js has it, and the range of its pictures "seen"."""
    with open(f"{name}/index.js", encoding="utf-8") as f:
        run = json.loads(f.read()[len("ria_page("):-len(");\n")])
    with open(f"{name}.lua", encoding="utf-8") as f:
        low, high = re.search(r'name = "seen".*range = \{ (\S+), (\S+) \}', f.read()).groups()
    return run, float(low), float(high)


def step_through(page, run, where):
    """Every control once: those of the time, of the series, of the fields."""
    times = page.value("player.times")
    for key, at in [("End", len(times) - 1), ("ArrowLeft", len(times) - 2), ("ArrowRight", len(times) - 1), ("Home", 0)]:
        page.key(key)
        check(page.value("player.at") == at, f"{where}: {key} leads to {page.value('player.at')}, not {at}")
    page.click("#scrub", 0.5)
    check(0 < page.value("player.at") < len(times) - 1, f"{where}: the slider's middle is {page.value('player.at')} of {len(times)}")
    page.value(f"({SET})(document.getElementById('speed'), '24'); go(Math.max(0, player.times.length - 4)); document.activeElement.blur()")
    page.key(" ")
    check(page.wait("player.timer === null && player.at === player.times.length - 1"), f"{where}: it does not play to its end")
    check(page.wait("player.series.every(s => s.figure.hidden || (s.image.complete && s.image.naturalWidth))"), f"{where}: pictures do not come")
    for k in range(page.value("document.querySelectorAll('#which input').length")):
        page.value(f"document.querySelectorAll('#which input')[{k}].click()")
        check(page.value(f"player.series[{k}].figure.hidden"), f"{where}: series {k} is not hidden")
        page.value(f"document.querySelectorAll('#which input')[{k}].click()")
    for k in range(page.value("charts.length")):
        check(page.value(f"{INK}(charts[{k}].canvas)") > 2, f"{where}: chart {k} is empty")
    fields = page.value("[...viewer.names.options].map(o => o.value)")
    for name in fields:
        page.value(f"({SET})(viewer.names, {json.dumps(name)})")
        check(page.wait(f"viewer.map && viewer.field.name === {json.dumps(name)}"), f"{where}: {name} does not come")
    for colours in page.value("[...viewer.colours.options].map(o => o.value)"):
        page.value(f"({SET})(viewer.colours, {json.dumps(colours)})")
        check(page.value(f"{INK}(viewer.canvas)") > 0, f"{where}: nothing in {colours}")
    page.value("viewer.log.click()")
    page.value("viewer.log.click()")
    page.click("#viewer .layers canvas", 0.3, 0.5)
    check(page.wait("viewer.line"), f"{where}: no history")
    x, y, w, h = page.box("#viewer .layers canvas")
    for kind, at in [("mousePressed", 0.2), ("mouseMoved", 0.5), ("mouseMoved", 0.8), ("mouseReleased", 0.8)]:
        page.pointer(kind, x + at * w, y + 0.5 * h)
    check(page.wait("viewer.line && viewer.line.along"), f"{where}: no profile")
    page.look(360, 740, dark=True)
    page.wait("innerWidth === 360")
    check(page.value("document.documentElement.scrollWidth") <= 360, f"{where}: on a phone it is {page.value('document.documentElement.scrollWidth')} wide")
    page.look(1280, 900)
    page.wait("innerWidth === 1280")


def colours_of(page, run, low, high, k):
    """The viewer's colours of the cells of "seen" at its k-th time: [[red, green, blue, alpha] or none, ...], row 0 in the north."""
    series = next(s for s in run["series"] if s["name"] == "seen")
    page.value("pickStore('seen.zarr'); "
               f"({SET})(viewer.names, {json.dumps(series['field'])}); ({SET})(viewer.colours, 'viridis');"
               f"viewer.low.value = {low}; viewer.high.value = {high}; viewer.auto.checked = false; viewer.map = null; timeline.show({series['times_s'][k]}); reload()")
    check(page.wait(f"viewer.map && viewer.k === {k}"), f"{run['title']}: the map at {series['times_s'][k]} s does not come")
    page.value(WAIT)
    data = page.value("[...viewer.canvas.getContext('2d').getImageData(0, 0, viewer.canvas.width, viewer.canvas.height).data]")
    return [data[n:n + 4] for n in range(0, len(data), 4)]


def pixels_of(page, k, nx, ny):
    """Colours of the engine's picture at the centres of cells."""
    data = page.value(f"""(async () => {{
        const i = new Image(); i.src = "frames/seen/seen_{k:06d}.png"; await i.decode();
        const c = document.createElement("canvas"), g = c.getContext("2d"), out = [];
        [c.width, c.height] = [i.naturalWidth, i.naturalHeight];
        g.drawImage(i, 0, 0);
        for (let j = 0; j < {ny}; j++) for (let n = 0; n < {nx}; n++)
          out.push(...g.getImageData(Math.floor((n + 0.5) / {nx} * c.width), Math.floor((j + 0.5) / {ny} * c.height), 1, 1).data);
        return out; }})()""")
    return [data[n:n + 4] for n in range(0, len(data), 4)]


def inside(shown, nx, ny, i, j):
    """Whether the cell and those about it have values: the engine's picture is smooth, also over shores."""
    return all(shown[q * nx + p][3] for q in range(max(0, j - 1), min(ny, j + 2)) for p in range(max(0, i - 1), min(nx, i + 2)))


def compare_colours(shown, drawn, nx, ny, where):
    cells = [(i, j) for j in range(ny) for i in range(nx) if inside(shown, nx, ny, i, j)]
    check(len(cells) > nx * ny / 20, f"{where}: {len(cells)} cells to compare")
    off = [(max(abs(shown[j * nx + i][c] - drawn[j * nx + i][c]) for c in range(3)), i, j) for i, j in cells]
    wrong = [o for o in off if o[0] > NEAR]
    check(not wrong, f"{where}: {len(wrong)} of {len(cells)} cells have another colour than the picture, at the worst by {max(off)}")
    return {tuple(shown[j * nx + i][:3]) for i, j in cells}


def same_colours(a, b, where):
    off = max((abs(p - q) for m, n in zip(a, b) for p, q in zip(m, n)), default=0)
    check(len(a) == len(b) and off <= 2, f"{where}: from the disk colours differ by {off}")  # there values are single


def look_at(name):
    run, low, high = told(name)
    nx, ny, last = run["grid"]["nx"], run["grid"]["ny"], len(next(s for s in run["series"] if s["name"] == "seen")["times_s"]) - 1
    seen, many = {}, set()
    server = subprocess.Popen([ria, "view", name], stdout=subprocess.PIPE, text=True)
    atexit.register(server.kill)
    for place in (server.stdout.readline().strip(), "file://" + os.path.abspath(name) + "/"):
        served = place.startswith("http")
        where = f"{name}, {'served' if served else 'from the disk'}"
        page = chromium.Page(browser, place + ("" if served else "index.html"))
        check(page.wait("player.times.length && viewer.map"), f"{where}: the page does not come")
        for k in (1, last) if served else (last,):
            shown = colours_of(page, run, low, high, k)
            if not served:
                same_colours(seen[k], shown, where)
                continue
            seen[k] = shown
            if run["solver"] == "sediment":  # the engine shades its ground, the page does not
                many |= {tuple(c[:3]) for c in shown}
                continue
            many |= compare_colours(shown, pixels_of(page, k, nx, ny), nx, ny, f"{where}, time {k}")
        step_through(page, run, where)
        keep(page, name + ("" if served else "-disk"))
        quiet(page, where, place)
        page.close()
    check(len(many) > 10, f"{name}: {len(many)} colours tell little")
    server.send_signal(signal.SIGINT)
    check(server.wait(20) == 0, f"{name}: exit code {server.returncode}")


for one in runs:
    look_at(one)
sys.exit(bool(failed))
