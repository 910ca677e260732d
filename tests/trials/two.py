#!/usr/bin/env python3
"""Two runs into one directory, which start at once or one in the middle of the other, anew or going on;
with locks and on file systems without: flock fails with ENOLCK or ENOSYS, or succeeds for everybody. One
has the directory and its results are whole; the other is refused and says why. Where locks fail the log
says that nothing keeps others out.
  two.py PROGRAM SHIM [N]"""
import re
import subprocess
import time

from common import COUNT, command, count, end, environment, fail, fresh, half_way, points, run, tree, undisturbed

BUSY = re.compile(r"directory 'two' is in use by another run|holds the results of an earlier run")
whole = undisturbed()
half_way()


def start(args, **env):
    return subprocess.Popen(command("two", args), env=environment(**env), text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def finish(p):
    try:
        out, err = p.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        p.kill()
        return 124, "does not end"
    return p.returncode, out + err


def two(kind, where, begin, args, late, **env):
    fresh("two", begin)
    first = start(args, **env)
    time.sleep(late)
    second = start(args, **env)
    both = [finish(first), finish(second)]
    count(kind)
    for code, said in both:
        if code != 0 and not BUSY.search(said):
            fail(kind, where, "ends with %d: %s" % (code, said[-300:]))
    if 0 not in [code for code, _ in both]:
        fail(kind, where, "neither has it: %s" % [said[-200:] for _, said in both])
    if tree("two") != whole:
        fail(kind, where, "the results are not those of one run")


for k in points(100 if COUNT == "all" else int(COUNT)):
    slow = {"RIA_SHIM_WAIT": "200"} if k % 2 else {}
    two("two runs at once", "try %d" % k, None, ["--continue"], 0.03 * (k % 5), **slow)
    two("two that go on at once", "try %d" % k, "ended", ["--continue"], 0.03 * (k % 5), **slow)
    for locks, name in ((1, "ENOLCK"), (2, "ENOSYS"), (3, "locks for everybody")):
        two("two runs at once, " + name, "try %d" % k, None, ["--continue"], 0.03 * (k % 5),
            RIA_SHIM_NO_LOCKS=str(locks), **slow)
for locks in ("1", "2"):
    done = run(fresh("unlocked"), RIA_SHIM_NO_LOCKS=locks)
    count("no locks is said")
    if done.returncode != 0 or "file system without locks: nothing keeps runs of other machines out of it" not in done.stdout:
        fail("no locks is said", locks, done.stdout[:300])
end()
