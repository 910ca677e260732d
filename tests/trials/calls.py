#!/usr/bin/env python3
"""A kill before each call that changes files, also with the first half of a write done: of a run, and
of one that goes on. Then --continue leaves what a run leaves that was not ended.
  calls.py PROGRAM SHIM [N | all]"""
from common import check_end, checkpoints, count, count_calls, end, expect, fail, fresh, half_way, points, run, undisturbed

whole = undisturbed()
check_end("calls", "a run that had come to its end", "whole", whole)


def kill_at(kind, k, half, begin, args):
    """Before the k-th call."""
    where = "call %d" % k
    killed = run(fresh("killed", begin), args, RIA_SHIM_KILL=str(k), RIA_SHIM_HALF=str(int(half)))
    if killed.returncode not in (-9, 0):  # workers write: how many calls there are may differ by some
        fail(kind, where, "ends with %d before the kill" % killed.returncode)
    count(kind)
    went_on = check_end(kind, where, "killed", whole)
    return went_on is not None and "goes on at" in went_on


def kill_all(kind, begin, args):
    calls = count_calls(fresh("counted", begin), args)
    for half in (False, True):
        name = "%s%s" % (kind, ", half written" if half else "")
        on = sum(kill_at(name, k, half, begin, args) for k in points(calls))
        print("%s: %d calls, %d went on from a checkpoint" % (name, calls, on))


expect(4)
kill_all("kill before a call", None, [])
half_way()
print("then from %s" % checkpoints("ended")[-1])
kill_all("kill before a call of a run that goes on", "ended", ["--continue"])
end()
