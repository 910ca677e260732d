#!/usr/bin/env python3
"""The newest checkpoint has a bit flipped, or is cut off, anywhere: the one before is used, and the log
says so. Where both are damaged the run says what to do and changes nothing.
  damage.py PROGRAM SHIM [N | all]: of each kind; all: each byte's bit, each length"""
import os

from common import (check_end, checkpoints, count, differing, end, expect, fail, fresh, half_way,
                    last_words, points, run, tree, undisturbed)

whole = undisturbed()
half_way()
there = checkpoints("ended")
newest = "killed/checkpoints/" + there[-1]
size = os.path.getsize("ended/checkpoints/" + there[-1])


def change(path, at, cut):
    with open(path, "rb") as f:
        data = bytearray(f.read())
    if cut:
        del data[at:]
    else:
        data[at] ^= 1 << (at + at // 8) % 8
    with open(path, "wb") as f:
        f.write(data)


def damage(kind, at, cut):
    change(fresh("killed", "ended") and newest, at, cut)
    count(kind)
    said = check_end(kind, "byte %d of %d" % (at, size), "killed", whole)
    if said is None:
        return
    if "checkpoint passed over" not in said:
        fail(kind, "byte %d" % at, "does not say so")
    if there[-2] not in said:
        fail(kind, "byte %d" % at, "goes on from another: " + said[:300])


def both(at, cut):
    fresh("killed", "ended")
    for name in there:
        path = "killed/checkpoints/" + name
        change(path, at % os.path.getsize(path), cut)
    before = tree("killed")
    count("all checkpoints damaged")
    done = run("killed", ["--continue"])
    if done.returncode != 3 or "--overwrite" not in done.stderr:
        fail("all checkpoints damaged", "byte %d" % at, last_words(done))
    if tree("killed") != before:
        fail("all checkpoints damaged", "byte %d" % at, "has changed %s" % differing(tree("killed"), before))


for at in points(size, "4"):
    both(at, at % 2 == 0)
for at in points(size):
    damage("a bit flipped", at, False)
    damage("cut off", at, True)
end()
