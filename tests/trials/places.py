#!/usr/bin/env python3
"""Memory is refused once, at each place of the program that asks for it (cli/refuse.c tells places by the calls
that lead there): the first request from there. What runs are the scripts of tests/lua, the scene of the trials and
what the program does with its results; a place is refused where it is met soonest. Whatever runs says so and ends
with exit code 1, or comes through; it never ends otherwise.
  RIA_REFUSE=LIBRARY places.py PROGRAM SHIM [N | all]"""
import glob
import os
import subprocess
import sys
import time

from common import COUNT, HERE, LONGEST, PROGRAM, count, end, expect, fail, last_words, points

REFUSE = os.environ.get("RIA_REFUSE", "")
if not os.path.exists(REFUSE):
    print("skipped: there is no library that refuses memory")
    sys.exit(77)
LUA = os.path.join(HERE, "..", "lua")
SCENE = os.path.join(HERE, "scene.lua")
# Of a short form, a second in all; with all points every script, and the commands.
QUICK = os.environ.get("RIA_TRIAL_SCRIPTS", "dem field3 forcing points_units soundings surplus").split()
SLOW = 20  # s: a command that takes longer is left out


def scene(solver, *args):
    return ["run", "-q", SCENE, "solver=" + solver, "cells=16", "parts=1", "--out", "out/" + solver, *args]


def commands():
    """[(its name, arguments)]: the later ones read what the earlier ones wrote."""
    scripts = sorted(glob.glob(os.path.join(LUA, "*.lua")))
    if COUNT != "all":
        scripts = [s for s in scripts if os.path.basename(s)[:-4] in QUICK]
    out = [(os.path.basename(s), ["run", "-q", s]) for s in scripts]
    if COUNT == "all":
        out += [("scene, " + s, scene(s, "--overwrite")) for s in ("shallow_water", "adi", "diffusion", "sediment")]
        store = os.path.abspath("scene, shallow_water/out/shallow_water")
        ends = (["info", store], ["info", SCENE], ["check", SCENE], ["params", SCENE], ["help", "ria.sim"],
                ["render", store, "--field", "level", "--contours", "0.1"],
                ["render", store, "--field", "level", "--times", "first,last", "--minus", store],
                *(["export", store, "--to", kind] for kind in ("netcdf", "vti", "xdmf", "geotiff", "csv")))
        out += [(" ".join(a for a in args if a not in (store, SCENE)), args) for args in ends]
    return out


def run(name, args, longest=LONGEST, **env):
    os.makedirs(name, exist_ok=True)
    env = dict(os.environ, LD_PRELOAD=REFUSE, RIA_TEST_SHORT="1", OMP_THREAD_LIMIT="1", **env)
    try:
        return subprocess.run([PROGRAM, *args], cwd=name, env=env, capture_output=True, text=True, errors="replace",
                              timeout=longest)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(e.cmd, 124, "", "does not end")


def known_places():
    """{place: (s that the command takes, its name, its arguments)}"""
    of = {}
    for name, args in commands():
        began = time.time()
        done = run(name, args, SLOW, REFUSE_PLACES=os.path.abspath("places.txt"))
        took = time.time() - began
        if done.returncode == 124:
            print("%s takes more than %d s and is left out" % (name, SLOW))
            continue
        if done.returncode != 0:
            sys.exit("%s fails: %s" % (name, last_words(done)))
        with open("places.txt") as f:
            for place in f.read().split():
                of[place] = min(of.get(place, (took, name, args)), (took, name, args))
    return of


def wrong(args, done):
    """None: it said so, or came through."""
    limited = args[0] in ("info", "check", "params")  # their own exit code for memory
    if "libgomp" in done.stderr or "PANIC" in done.stderr:
        return "is ended"
    if done.returncode not in (0, 1) and not (limited and done.returncode == 23):
        return "ends with %d" % done.returncode
    checks = any(a.startswith(LUA) for a in args)  # of its own, which then fail
    return None if done.returncode == 0 or checks or "memory" in done.stderr else "does not say why"


of = known_places()
if not of:
    sys.exit("no command came to its end in time")
expect(1)
# Shared by the place itself: another process may leave out a command that took it too long.
share, shares = (int(v) for v in os.environ.pop("RIA_TRIAL_SHARE", "0/1").split("/"))
order = sorted(p for p in of if int(p) % shares == share)
some = COUNT if COUNT == "all" else -(-int(COUNT) // shares)
through = 0
for k in points(len(order), some):
    name, args = of[order[k]][1:]
    done = run(name, args, REFUSE_PLACE=order[k])
    count("a place refused")
    through += done.returncode == 0
    objection = wrong(args, done)
    if objection:
        fail("a place refused", "%s, place %s" % (name, order[k]), "%s: %s" % (objection, last_words(done)))
print("%d places, %d runs came through" % (len(order), through))
end()
