"""What the trials share: a small run (scene.lua) under libraries that are preloaded (cli/crash/shim.c,
record.c), what it leaves, and a count of what was tried and what failed.

  TRIAL.py PROGRAM SHIM [N]

N is how many points of each kind are tried, "all" for every one; a few by default. RIA_UNTIL: seconds of `date +%s`
after which no point begins."""
import os
import random
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "cli", "crash"))
from left import files_of, is_no_checkpoint

PROGRAM, SHIM = (os.path.abspath(path) for path in sys.argv[1:3])
COUNT = sys.argv[3] if len(sys.argv) > 3 else "8"
SCENE = os.environ.get("RIA_TRIAL_SCENE", "cells=16 parts=1").split()
LONGEST = 120  # s that a run may take
UNTIL = float(os.environ.get("RIA_UNTIL", "inf"))
tried = {}
failures = []
left_over = []  # points for which there was no time
to_come = [1]


def environment(**env):
    return dict(os.environ, LD_PRELOAD=env.pop("preload", SHIM), RIA_SHIM_NO_SYNC="1", **env)


def command(out, args=()):
    return [PROGRAM, "run", os.path.join(HERE, "scene.lua"), "--threads", "1", "--device", "cpu",
            "--out", out] + SCENE + list(args)


def run(out, args=(), **env):
    """A run to its end, or to where it is killed; one that hangs is a failure."""
    try:
        return subprocess.run(command(out, args), env=environment(**env), capture_output=True, text=True,
                              timeout=LONGEST)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(e.cmd, 124, "", "does not end")


def tree(out):
    """Every file but the checkpoints; parts are cut by the clock."""
    return files_of(out, ("written", "wall_s", "cell_steps_per_s", "run", "threads", "continued", "parts", "cuts"), is_no_checkpoint)


def differing(left, whole):
    return (sorted(set(left) ^ set(whole)) or [n for n in left if left[n] != whole[n]])[:5]


def checkpoints(out):
    folder = os.path.join(out, "checkpoints")
    return sorted(n for n in os.listdir(folder) if n[0] != ".") if os.path.isdir(folder) else []


def fresh(out, of=None):
    shutil.rmtree(out, ignore_errors=True)
    if of:
        shutil.copytree(of, out, symlinks=True)
    return out


def fail(kind, where, what):
    failures.append(kind)
    print("FAILED %s, %s: %s" % (kind, where, what), flush=True)


def count(kind):
    tried[kind] = tried.get(kind, 0) + 1


def last_words(done):
    return (done.stderr or done.stdout).strip()[-300:]


def check_end(kind, where, out, whole, args=()):
    """The run goes on to its end; afterwards all files are those of a run that was not ended. What it
    said, or None."""
    done = run(out, ["--continue"] + list(args))
    if done.returncode != 0:
        fail(kind, where, "does not go on (%d): %s" % (done.returncode, last_words(done)))
        return None
    left = tree(out)
    if left != whole:
        fail(kind, where, "other files than of a run that was not ended: %s" % differing(left, whole))
    return done.stderr + done.stdout


def undisturbed():
    done = run(fresh("whole"))
    if done.returncode != 0:
        sys.exit("the run fails under the shim: " + last_words(done))
    return tree("whole")


def count_calls(out, args=()):
    """Of a run that comes to its end."""
    done = run(out, args, RIA_SHIM_COUNT=os.path.abspath("count"))
    if done.returncode != 0:
        sys.exit("the run fails under the shim: " + last_words(done))
    with open("count") as f:
        return int(f.read())


def expect(kinds):
    """So many kinds of points are to come: what time there is, is theirs in equal parts."""
    to_come[:] = [kinds]


def share_of_time():
    """When the next kind is out of time."""
    end = time.time() + (UNTIL - time.time()) / max(to_come[0], 1)
    to_come[0] -= 1
    return end


def chosen(n, of=None):
    """Some of 0 .. n-1, evenly, the first and the last among them; or all. Of several processes that share
    them (RIA_TRIAL_SHARE=i/n) those of this one."""
    of = of or COUNT
    every = of == "all" or int(of) >= n
    some = range(n) if every else sorted({round(k * (n - 1) / max(int(of) - 1, 1)) for k in range(int(of))})
    share, all_of_us = (int(v) for v in os.environ.get("RIA_TRIAL_SHARE", "0/1").split("/"))
    return list(some)[share::all_of_us]


def points(n, of=None):
    """The chosen ones, one after the other; in a random order where there may not be time for all."""
    mine = chosen(n, of)
    if UNTIL < float("inf"):
        random.Random(1).shuffle(mine)
    end = share_of_time()
    for done, k in enumerate(mine):
        if time.time() >= end:
            left_over.extend(mine[done:])
            return
        yield k


def half_way():
    """A run in `ended` that was killed past its middle, with two checkpoints."""
    calls = count_calls(fresh("counted"))
    for k in range(2 * calls // 3, calls):
        run(fresh("ended"), RIA_SHIM_KILL=str(k))
        if len(checkpoints("ended")) > 1:
            return
    sys.exit("too few checkpoints: %s" % checkpoints("ended"))


def end():
    for kind in tried:
        print("%s: tried %d, failed %d" % (kind, tried[kind], failures.count(kind)))
    if left_over:
        print("out of time: %d points were not tried" % len(left_over))
    sys.exit(1 if failures else 0)
