#!/usr/bin/env python3
"""Memory runs out in a run that takes checkpoints, and in one that goes on: request k is refused, or all
from k on (cli/refuse.c, named by RIA_REFUSE), with one thread and with two. The run says so and ends with
exit code 1, or comes through unharmed; it never aborts. Then it goes on to the files of a run that was
not disturbed.
  RIA_REFUSE=LIBRARY memory.py PROGRAM SHIM [N | all]"""
import os
import sys

from common import (check_end, count, differing, end, expect, fail, fresh, half_way, last_words, points, run, tree,
                    undisturbed)

REFUSE = os.environ.get("RIA_REFUSE", "")
if not os.path.exists(REFUSE):
    print("skipped: there is no library that refuses memory")
    sys.exit(77)
whole = undisturbed()
half_way()


def refuse(kind, k, begin, args, **env):
    where = "request %d" % k
    done = run(fresh("refused", begin), args, preload=REFUSE, REFUSE_AT=str(k), **env)
    count(kind)
    left = tree("refused") if os.path.isdir("refused") else {}
    if "libgomp" in done.stderr or "PANIC" in done.stderr or done.returncode not in (0, 1):
        fail(kind, where, "ends with %d: %s" % (done.returncode, last_words(done)))
    elif done.returncode == 1 and "memory" not in done.stderr:
        fail(kind, where, "says " + last_words(done))
    elif done.returncode == 0 and left != whole:
        fail(kind, where, "ends well, with other files than a run that was not disturbed")
    told = left.get("run.json", {})
    closed = told.get("status") == "ok" and told["time_s"] == whole["run.json"]["time_s"]
    if done.returncode == 1 and closed and [n for n in differing(left, whole) if n != "turns.txt"]:
        fail(kind, where, "run.json says ok")  # else the script failed once the run was closed
    check_end(kind, where, "refused", whole)
    return done.returncode


def refuse_all(kind, begin, args):
    counted = os.path.abspath("requests")
    run(fresh("refused", begin), args, preload=REFUSE, REFUSE_COUNT=counted)
    with open(counted) as f:
        requests = int(f.read())
    for threads in ("1", "2"):
        more = args + ["--threads", threads]
        for how, env in (("request k refused", {"REFUSE_ONE": "1"}), ("all from k on refused", {})):
            name = "%s, %s, %s thread%s" % (kind, how, threads, "" if threads == "1" else "s")
            failed = sum(refuse(name, k, begin, more, **env) for k in points(requests))
            print("%s: of %d requests, %d runs failed" % (name, requests, failed))


expect(8)
refuse_all("run with checkpoints", None, [])
refuse_all("run that goes on", "ended", ["--continue"])
end()
