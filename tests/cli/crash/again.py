#!/usr/bin/env python3
"""Runs that are killed and go on in the same directory: again.py HOST SHIM

HOST (host.c) goes on from the newest checkpoint in a directory, or begins there. However often and
wherever it is killed (before a call that changes files, by shim.c, with the last write whole or half
done; or at random moments, by the clock), once it comes to its end every file must have the bytes
that a run which was never ended gives it; run.json may differ in wall times and where it went on.

Then checkpoints are damaged: the one before is used, or the error says so and nothing has changed.
So is a directory that lacks a frame, a file of a store, a store.

RIA_CRASH_POINTS is how many calls are tried (6, or all), RIA_CRASH_KILLS how many chains of kills by
the clock (2). Prints what it counted; exits with 1 when anything failed."""
import os
import random
import shutil
import subprocess
import sys
import time

from left import files_of, is_no_checkpoint

HOST, SHIM = sys.argv[1:3]
POINTS = os.environ.get("RIA_CRASH_POINTS", "6")
KILLS = int(os.environ.get("RIA_CRASH_KILLS", "2"))
failures = []


def run(out, args=(), **env):
    return subprocess.run([HOST, out] + list(args), capture_output=True, text=True,
                          env=dict(os.environ, LD_PRELOAD=SHIM, RIA_SHIM_NO_SYNC="1", **env))


def tree(out):
    """Every file but the checkpoints."""
    return files_of(out, ("written", "wall_s", "cell_steps_per_s", "continued"), is_no_checkpoint)


def fail(where, what):
    failures.append((where, what))
    print("FAILED", where, what)


def fresh(out):
    shutil.rmtree(out, ignore_errors=True)


def check_end(where, out, whole, args=()):
    """The run goes on, this time to its end."""
    done = run(out, args)
    if done.returncode != 0:
        fail(where, "does not go on: " + done.stderr.strip()[-300:])
        return None
    left = tree(out)
    if left != whole:
        names = sorted(set(left) ^ set(whole)) or [n for n in left if left[n] != whole[n]]
        fail(where, "from '%s': other files than of a run that was not ended: %s" % (done.stdout.strip(), names[:5]))
    return done.stdout.strip()


def checkpoints(out):
    folder = os.path.join(out, "checkpoints")
    return sorted(n for n in os.listdir(folder) if n[0] != ".") if os.path.isdir(folder) else []


def count_calls(out, args):
    fresh(out)
    count = os.path.abspath("count")
    done = run(out, args, RIA_SHIM_COUNT=count)
    if done.returncode != 0:
        sys.exit("the run fails under the shim: " + done.stderr)
    with open(count) as f:
        return int(f.read())


def kill_at_calls(whole, half, args):
    """Killed before a call, then once more on the way on, then to its end."""
    calls = count_calls("counted", args)
    n = calls if POINTS == "all" else int(POINTS)
    points = sorted({round((i + 0.5) * calls / n) for i in range(n)} | {1, 2, calls - 1})
    went_on = 0
    for k in points:
        where = "call %d of %d%s" % (k, calls, ", half" if half else "")
        fresh("killed")
        run("killed", args, RIA_SHIM_KILL=str(k), RIA_SHIM_HALF="1" if half else "0")
        if k % 2:
            run("killed", args, RIA_SHIM_KILL=str((7 * k) % 140), RIA_SHIM_HALF="1" if half else "0")
        went_on += bool(check_end(where, "killed", whole, args))
    print("killed%s: at %d of %d calls, %d went on from a checkpoint" % (", half written" if half else "", len(points), calls, went_on))
    if 2 * went_on < len(points):
        fail("all", "too few went on")


def kill_chains(whole, args):
    """By the clock, again and again."""
    rng = random.Random(2026)
    killed = 0
    for k in range(KILLS):
        fresh("killed")
        for _ in range(20):
            process = subprocess.Popen([HOST, "killed"] + list(args), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.002, 0.12))
            process.kill()
            killed += process.wait() == -9
        check_end("chain %d" % k, "killed", whole, args)
    print("by the clock: %d kills in %d chains" % (killed, KILLS))


def change(path, at, cut):
    with open(path, "rb") as f:
        data = bytearray(f.read())
    if cut:
        del data[at:]
    else:
        data[at] ^= 1 << at % 8
    with open(path, "wb") as f:
        f.write(data)


def half_way(args):
    """A run that was killed past the middle."""
    calls = count_calls("counted", args)
    fresh("ended")
    run("ended", args, RIA_SHIM_KILL=str(2 * calls // 3))
    if len(checkpoints("ended")) < 2:
        sys.exit("too few checkpoints: %s" % checkpoints("ended"))


def damage(whole):
    half_way([])
    there = checkpoints("ended")
    size = os.path.getsize("ended/checkpoints/" + there[-1])
    tried = 12 if POINTS != "all" else 400
    for k in range(tried):
        at, cut = k * (size - 1) // (tried - 1), k % 3 == 2
        fresh("killed")
        shutil.copytree("ended", "killed")
        change("killed/checkpoints/" + there[-1], at, cut)
        where = "%s at %d" % ("cut" if cut else "flipped", at)
        used = check_end(where, "killed", whole)
        if used is not None and os.path.basename(used) != there[-2]:
            fail(where, "went on from '%s'" % used)
    fresh("killed")
    shutil.copytree("ended", "killed")
    for name in there:
        change("killed/checkpoints/" + name, 1000, False)
    before = tree("killed")
    done = run("killed")
    if done.returncode != 1 or "is whole" not in done.stderr:
        fail("all damaged", "says " + done.stderr)
    if tree("killed") != before:
        fail("all damaged", "has changed what was there")
    print("damaged: %d checkpoints" % tried)


def missing():
    for what in ("frames/dye/dye_000001.png", "fields.zarr/level/2.0.0", "fields.zarr/bed/0.0",
                 "fields.zarr/level/.zarray", "fields.zarr", "fields.zarr/time/0"):
        fresh("killed")
        shutil.copytree("ended", "killed")
        path = "killed/" + what
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        before = tree("killed")
        done = run("killed")
        if done.returncode != 1 or "--overwrite" not in done.stderr:
            fail("without " + what, "%d, %s" % (done.returncode, done.stderr))
        after = tree("killed")
        for files in (before, after):
            files.pop("run.json")
            files.pop(".ria-lock", None)
        if before != after:
            fail("without " + what, "has changed what was there: %s" % [n for n in set(before) | set(after) if before.get(n) != after.get(n)][:4])
    # a table can be written again
    fresh("killed")
    shutil.copytree("ended", "killed")
    os.remove("killed/gauges.csv")
    change("killed/budget.csv", 2000, True)
    check_end("without a table", "killed", tree("whole"))


def main():
    for out in ("whole", "killed", "counted", "ended"):
        fresh(out)
    done = run("whole")
    if done.returncode != 0:
        sys.exit(done.stderr)
    whole = tree("whole")
    check_end("a run that had come to its end", "whole", whole)
    for half in (False, True):
        kill_at_calls(whole, half, [])
    kill_chains(whole, [])
    damage(whole)
    missing()
    fresh("whole")
    if run("whole", ["single", "wall"]).returncode != 0:
        fail("single", "fails")
    kill_chains(tree("whole"), ["single", "wall"])
    print("%d failures" % len(failures))
    sys.exit(1 if failures else 0)


main()
