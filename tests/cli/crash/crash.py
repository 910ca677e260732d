#!/usr/bin/env python3
"""Runs that are killed, and what is left: crash.py PROGRAM SHIM SCRIPT

RIA_CRASH_POINTS is how many calls of each kind are tried (8, or all), RIA_CRASH_KILLS how many runs
are killed at random moments (4).

A run is killed just before its k-th call that changes files (shim.c), into a fresh directory and
onto the results of another run, with the last write whole or half done; then at random moments. Each
time:

  - no picture is half one: each has the bytes that a run which came to its end gives it
  - run.json is whole, and says "ok" only over the results of a run that came to its end
  - the same run with --overwrite succeeds and leaves what it leaves in a fresh directory, to the
    byte, and nothing else; files of the user's that lie beside stay as they are

Prints what it counted; exits with 1 when anything failed."""
import os
import random
import shutil
import subprocess
import sys
import time

from left import files_of

PROGRAM, SHIM, SCRIPT = sys.argv[1:4]
POINTS = os.environ.get("RIA_CRASH_POINTS", "8")
KILLS = int(os.environ.get("RIA_CRASH_KILLS", "4"))
NEW, OLD = [], ["n=14", "T=40", "more=true"]
USERS = {"notes.txt": b"mine", "frames/oil/old.mp4": b"mine", "obs.zarr/.zgroup": b"{}",
         "gauges_observed.csv": b"t,v\n", "maxima/mine.png": b"mine", "fields.csv": b"mine"}
failures = []


def run(out, args, **env):
    return subprocess.run([PROGRAM, "run", SCRIPT, "--out", out, "--overwrite", "-q", "--threads", "1",
                           "--device", "cpu"] + args,
                          env=dict(os.environ, LD_PRELOAD=SHIM, RIA_SHIM_NO_SYNC="1", **env),
                          capture_output=True, text=True)


def tree(out):
    """Every file but the user's."""
    return files_of(out, ("written", "wall_s", "cell_steps_per_s", "run", "threads"), lambda name: name not in USERS)


def plant(out):
    for name, data in USERS.items():
        path = os.path.join(out, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as f:
            f.write(data)


def fail(where, what):
    failures.append((where, what))
    print("FAILED", where, what)


def check_killed(where, out, whole):
    """What a killed run left."""
    try:
        left = tree(out)
    except (OSError, ValueError) as e:
        fail(where, "cannot be read: %r" % e)
        return
    for name, data in left.items():
        if name.endswith(".png") and "/." not in name and not any(data == w.get(name) for w in whole):
            fail(where, name + " is not whole")
    if left.get("run.json", {}).get("status") == "ok":
        seen = {n: d for n, d in left.items() if n != ".ria-lock" and ".ria-" not in n}
        if seen not in whole:
            fail(where, "run.json says ok")


def check_again(where, out, whole):
    """The run once more, over it."""
    again = run(out, NEW)
    if again.returncode != 0:
        fail(where, "cannot be run into again: " + again.stderr.strip()[-300:])
        return
    left = tree(out)
    if left != whole:
        names = sorted(set(left) ^ set(whole)) or [n for n in left if left[n] != whole[n]]
        fail(where, "other files than of a run into a fresh directory: %s" % names[:5])


def check_users(where, out):
    for name, data in USERS.items():
        try:
            with open(os.path.join(out, name), "rb") as f:
                if f.read() != data:
                    fail(where, name + " is not what it was")
        except OSError:
            fail(where, name + " is gone")


def kill_at(k, onto_old, half, old, new):
    out = "killed"
    where = "call %d, %s%s" % (k, "onto old results" if onto_old else "fresh", ", half" if half else "")
    shutil.rmtree(out, ignore_errors=True)
    if onto_old:
        shutil.copytree("old", out)
        plant(out)
    killed = run(out, NEW, RIA_SHIM_KILL=str(k), RIA_SHIM_HALF="1" if half else "0")
    if killed.returncode != -9:
        return False
    if os.path.isdir(out):
        check_killed(where, out, [old, new])
    check_again(where, out, new)
    if onto_old:
        check_users(where, out)
    return True


def count_calls(onto_old):
    out = "counted"
    shutil.rmtree(out, ignore_errors=True)
    if onto_old:
        shutil.copytree("old", out)
    count = os.path.abspath("count")
    done = run(out, NEW, RIA_SHIM_COUNT=count)
    if done.returncode != 0:
        sys.exit("the run fails under the shim: " + done.stderr)
    with open(count) as f:
        return int(f.read())


def kill_some(onto_old, half, old, new):
    calls = count_calls(onto_old)
    # the first ones and the last one; what is between is sampled evenly
    points = range(calls) if POINTS == "all" else sorted(
        {round(i * (calls - 1) / (int(POINTS) - 1)) for i in range(int(POINTS))})
    killed = sum(kill_at(k, onto_old, half, old, new) for k in points)
    print("%s%s: %d of %d calls" % ("onto old results" if onto_old else "fresh",
                                    ", half written" if half else "", killed, calls))
    if 2 * killed < len(points):
        fail("all", "too few runs were killed")


def kill_at_random(old, new):
    """By the clock, with all threads."""
    random.seed(2026)
    killed = 0
    for k in range(KILLS):
        out = "killed"
        where = "random kill %d" % k
        shutil.rmtree(out, ignore_errors=True)
        if k % 2:
            shutil.copytree("old", out)
            plant(out)
        process = subprocess.Popen([PROGRAM, "run", SCRIPT, "--out", out, "--overwrite", "-q",
                                    "--device", "cpu"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.005, 0.15))
        process.kill()
        killed += process.wait() == -9
        if os.path.isdir(out):
            check_killed(where, out, [old, new])
        check_again(where, out, new)
        if k % 2:
            check_users(where, out)
    print("at random: %d of %d were killed" % (killed, KILLS))


def main():
    for out in ("old", "new", "killed", "counted"):
        shutil.rmtree(out, ignore_errors=True)
    for out, args in (("old", OLD), ("new", NEW)):
        done = run(out, args)
        if done.returncode != 0:
            sys.exit("%s: %s" % (out, done.stderr))
    old, new = tree("old"), tree("new")
    for half in (False, True):
        for onto_old in (False, True):
            kill_some(onto_old, half, old, new)
    kill_at_random(old, new)
    print("%d failures" % len(failures))
    sys.exit(1 if failures else 0)


main()
