#!/usr/bin/env python3
"""A full disk, two runs into one directory, no locks: disk.py PROGRAM SHIM SCRIPT

With a disk of n bytes (shim.c), for many n:

  - the run fails, and says why once
  - run.json says that it failed, and counts what exists; so does the summary, if steps were made
  - or the disk does not even hold the room that is kept for run.json: then nothing is left there

Two runs that start at once into one directory: one of them has it, the other is told who. Without
locks a run goes on and says that nothing keeps others out.

Prints what it counted; exits with 1 when anything failed."""
import json
import os
import re
import shutil
import subprocess
import sys

PROGRAM, SHIM, SCRIPT = sys.argv[1:4]
failures = []


def command(out, args):
    return [PROGRAM, "run", SCRIPT, "--out", out, "--threads", "1", "--device", "cpu"] + args


def environment(env):
    return dict(os.environ, LD_PRELOAD=SHIM, RIA_SHIM_NO_SYNC="1", **env)


def run(out, args=(), **env):
    return subprocess.run(command(out, list(args)), env=environment(env), capture_output=True, text=True)


def check(holds, where, what):
    if not holds:
        failures.append((where, what))
        print("FAILED", where, what)


def rows(path):
    with open(path) as f:
        return sum(1 for _ in f) - 1


def check_counts(where, out, summary):
    """run.json and the summary against what is there."""
    with open(out + "/run.json") as f:
        told = json.load(f)
    check(told["status"] == "output", where, "status " + told["status"])
    check("No space left on device" in told.get("error", ""), where, "error " + told.get("error", ""))
    files = told["files"]
    for strip in files["frames"]:
        name = strip["name"]
        there = sum(n.endswith(".png") for n in os.listdir(out + "/frames/" + name)) \
            if os.path.isdir(out + "/frames/" + name) else 0
        check(strip["count"] == there, where, "frames %s: %s, there are %d" % (name, strip, there))
        check(not summary or "frames/%s/: %d picture" % (name, there) in summary, where, "summary of frames " + name)
    for table in files["gauges"] + files["budget"]:
        there = rows(out + "/" + table["name"]) if table.get("made", True) else 0
        check(table["count"] == there, where, "%s, there are %d rows" % (table, there))
    for store in files["stores"]:
        there = 0
        if store.get("made", True) and os.path.exists(out + "/" + store["name"]):
            with open(out + "/" + store["name"] + "/.zmetadata") as f:
                there = json.load(f)["metadata"]["time/.zarray"]["shape"][0]
        check(store["count"] == there, where, "%s, there are %d times" % (store, there))
        check(not summary or "%s: %d time" % (store["name"], there) in summary, where, "summary of " + store["name"])
    hidden = [n for _, _, names in os.walk(out) for n in names if ".ria-" in n]
    check(not hidden, where, "left: %s" % hidden)


def full_disk():
    started = refused = 0
    for size in list(range(0, 24000, 4000)) + list(range(24000, 150000, 9000)):
        out, where = "full", "a disk of %d bytes" % size
        shutil.rmtree(out, ignore_errors=True)
        done = run(out, RIA_SHIM_FULL=str(size))
        if done.returncode == 0:
            continue
        check(done.returncode == 1, where, "exit code %d" % done.returncode)
        said = done.stderr.strip().split("\n")
        said = [line for line in said if not line.startswith("first frame: ")]
        check(len(said) == 1 and said[0].endswith("No space left on device"), where, "says %s" % said)
        check("No space left" not in done.stdout, where, "says so again: " + done.stdout[-200:])
        if not os.path.exists(out + "/run.json"):
            refused += 1
            check(os.listdir(out) in ([], [".ria-lock"]), where, "left %s" % os.listdir(out))
            continue
        started += 1
        check_counts(where, out, done.stdout)
        again = run(out, ["--overwrite"])
        check(again.returncode == 0, where, "cannot be run into again: " + again.stderr)
    print("full disk: %d runs started and failed, %d did not start" % (started, refused))
    check(started > 8 and refused > 1, "full disk", "too few cases")


def two_at_once():
    # Between getting the lock and writing who has it, and while it is given back, no process is named;
    # unit.results_lock checks that it is named otherwise.
    busy = re.compile(r"small\.lua:\d+: sim:run: directory 'two' is in use by another run( \(process \d+ on "
                      r"\S+\))?: wait for its end, or choose another directory\n")
    for k in range(16):
        over = ["--overwrite"] if k % 2 else []
        if not over:
            shutil.rmtree("two", ignore_errors=True)
        env = environment({"RIA_SHIM_WAIT": "200"} if k % 4 < 2 else {})
        both = [subprocess.Popen(command("two", over + ["n=%d" % n, "-q"]), env=env, text=True,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE) for n in (12, 17)]
        said = [p.communicate()[1] for p in both]
        codes = [p.returncode for p in both]
        where = "two at once, %d" % k
        for code, text in zip(codes, said):
            later = "holds the results of an earlier run" in text and not over
            check(code == 0 or busy.search(text) or later, where, "%d %s" % (code, text))
        check(0 in codes, where, "neither has it: %s" % said)
        won = [n for n, code in zip((12, 17), codes) if code == 0]
        with open("two/run.json") as f:
            told = json.load(f)
        check(told["status"] == "ok" and told["grid"]["nx"] in won, where, told["status"])
        with open("two/fields.zarr/level/.zarray") as f:
            check(json.load(f)["shape"][1] == told["grid"]["nx"], where, "a store of the other")
        check(rows("two/budget.csv") == told["files"]["budget"][0]["count"] > 2, where, "rows of the budget")
    print("two at once: 16")


def no_locks():
    shutil.rmtree("unlocked", ignore_errors=True)
    done = run("unlocked", RIA_SHIM_NO_LOCKS="1")
    check(done.returncode == 0, "no locks", done.stderr)
    check("'unlocked' lies on a file system without locks: nothing keeps runs of other machines out of it"
          in done.stdout, "no locks", done.stdout[:300])


full_disk()
two_at_once()
no_locks()
print("%d failures" % len(failures))
sys.exit(1 if failures else 0)
