"""ria run --view, spoken to as its page does: live.py PROGRAM

A run of hostile.lua, slowed down by pausing it, is changed; the log of changes makes another run the
same, byte by byte. What may not be done is refused.
"""
import filecmp
import json
import os
import pty
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from looking import check, failed, serve

ria = sys.argv[1]


def start(*options):
    return serve(ria, "run", "slow.lua", "--quiet", "--device", "cpu", "--view", *options)


def served(place):
    with urllib.request.urlopen(place + "served.json", timeout=20) as answer:
        return json.load(answer)


def act(place, what, origin=None, **values):
    request = urllib.request.Request(place + "act/" + what + "?" + urllib.parse.urlencode(values), method="POST",
                                     headers={"Origin": origin} if origin else {})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return {"http": error.code}


def until(place, test, seconds=30):
    end = time.time() + seconds
    while not test(told := served(place)):
        if time.time() > end:
            check(False, f"it does not come to it: {told}")
            break
        time.sleep(0.02)
    return told


process, place = start("--out", "live", "--allow-change")
check(act(place, "pause") == {"ok": 1}, "it does not pause")
told = until(place, lambda t: t["live"]["paused"] and "stands" in t)
at = told["stands"]["time_s"]
time.sleep(0.3)
check(served(place)["stands"]["time_s"] == at < 200000, f"it goes on while it is paused: {at}")
spill = {"tracer": "dye", "x": 425, "y": 425, "radius": 120, "amount": 50}
host = place[:place.index("/", 8)]
check(act(place, "spill", "http://evil.example", **spill) == {"http": 403}, "another site may spill")
check(act(place.replace(place[-10:-1], "000000000"), "spill", **spill) == {"http": 404}, "it goes without the token")
for wrong, why in [({"x": 1150}, "no level given reaches"), ({"tracer": 'dye"'}, "unknown"), ({"amount": -1}, "amount"), ({"x": "nan"}, "place"), ({"y": 1e9}, "outside")]:
    answer = act(place, "spill", **{**spill, **wrong})
    check(not answer["ok"] and why in answer["why"], f"{wrong}: {answer}")
check(act(place, "spill", host, **spill) == {"ok": 1}, "it does not spill")
for name, kind, why in [("nrth", "wall", "north"), ("north", "level", "open or wall"), ('x")os.exit(9)--', "wall", "")]:
    answer = act(place, "boundary", name=name, kind=kind)
    check(not answer["ok"] and why in answer["why"], f"{name}, {kind}: {answer}")
check(act(place, "boundary", name="north", kind="wall") == {"ok": 1}, "the boundary does not change")
told = served(place)
check(len(told["stands"]["changes"]) == 2, f"changes {told['stands'].get('changes')}")
check(act(place, "nothing")["ok"] == 0, "anything may be asked")
act(place, "resume")
told = until(place, lambda t: t["live"]["over"], 120)
check(told["live"]["code"] == 0, f"it ends with {told['live']['code']}")
with urllib.request.urlopen(place, timeout=20) as answer:
    check(answer.read() == open("live/index.html", "rb").read(), "the page is not served after the run")
process.send_signal(signal.SIGINT)
check(process.wait(20) == 0, f"exit code {process.returncode}: {process.stderr.read()}")

# the log repeats it
done = subprocess.run([ria, "run", "slow.lua", "--quiet", "--device", "cpu", "--out", "again", "--changes", "live/changes.lua"],
                      capture_output=True, text=True)
check(done.returncode == 0, f"the repeated run: {done.stderr}")
subprocess.run([ria, "run", "slow.lua", "--quiet", "--device", "cpu", "--out", "plain"], check=True)
files = sorted(os.path.relpath(os.path.join(d, f), "live") for d, _, names in os.walk("live") for f in names if f not in ("run.json", ".ria-lock"))
other = [f for f in files if not os.path.exists("again/" + f) or not filecmp.cmp("live/" + f, "again/" + f, False)]
check(not other and "changes.lua" in files, f"the repeated run differs in {other} of {len(files)} files")
check(not filecmp.cmp("live/budget.csv", "plain/budget.csv", False), "the changes have changed nothing")

# at a terminal of a desktop the browser comes by itself; nowhere else, and not where it is not wanted
with open("xdg-open", "w", encoding="utf-8") as f:
    f.write("#!/bin/sh\necho $1 >opened.part && mv opened.part opened\n")
os.chmod("xdg-open", 0o755)
for terminal, display, options, wanted in [(True, ":9", [], True), (True, "", [], False), (False, ":9", [], False), (True, ":9", ["--no-open"], False), (False, "", ["--open"], True)]:
    far, near = pty.openpty() if terminal else os.pipe()
    env = {**os.environ, "PATH": os.getcwd() + ":" + os.environ["PATH"], "DISPLAY": display, "WAYLAND_DISPLAY": ""}
    process = subprocess.Popen([ria, "view", "live", *options], stdout=near, env=env)
    os.close(near)
    place = os.read(far, 200).decode().strip()
    end = time.time() + (20 if wanted else 0.5)
    while not os.path.exists("opened") and time.time() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    process.wait(20)
    if not wanted:
        time.sleep(0.5)  # a shell that was begun would have told by now
    there = os.path.exists("opened")
    check(there == wanted, f"terminal {terminal}, DISPLAY '{display}', {options}: a browser is {'' if there else 'not '}opened")
    if there:
        with open("opened", encoding="utf-8") as f:
            check(f.read().strip() == place, "another address is opened")
        os.remove("opened")
    os.close(far)

# without leave nothing is changed; stop ends it as Ctrl-C does
process, place = start("--out", "bare")
act(place, "pause")
until(place, lambda t: "stands" in t)
answer = act(place, "spill", **spill)
check(not answer["ok"] and "--allow-change" in answer["why"], f"it spills: {answer}")
check(act(place, "stop") == {"ok": 1}, "it does not stop")
check(process.wait(30) == 130, f"stopped, it exits with {process.returncode}")
check(json.load(open("bare/run.json"))["status"] != "running", "run.json of the stopped run")
sys.exit(bool(failed))
