#!/usr/bin/env python3
"""The disk fails in mid-run: it is full or a quota is used up after some bytes, or from some call on; it
takes nothing more (read-only), or all of it fails (EIO), or one call does. The run says so and ends with
exit code 1, run.json does not say that all is well, every picture is whole. Then there is room again, and
the run goes on to the files of a run that was not disturbed.
  disk.py PROGRAM SHIM [N | all]"""
import errno
import json
import os

from common import (check_end, count, count_calls, end, expect, fail, fresh, half_way, last_words, points, run, tree,
                    undisturbed)

whole = undisturbed()
calls = count_calls(fresh("counted"))
size = 50000  # bytes that are written in all
while run(fresh("failed"), RIA_SHIM_FULL=str(size)).returncode != 0:
    size = size * 5 // 4


def is_untouched():
    """Is run.json that of the run before? Where one goes on it lists it before it changes anything."""
    with open("failed/run.json") as f:
        return "continued" not in json.load(f)


def check_left(kind, where, code, goes_on):
    """What the run left that failed."""
    left = tree("failed") if os.path.isdir("failed") else {}
    for name, data in left.items():
        if not name.endswith(".png") or "/." in name:
            continue
        if not (data == whole.get(name) if name.startswith("frames") else data.endswith(b"IEND\xaeB`\x82")):
            fail(kind, where, name + " is not whole")
    status = left.get("run.json", {}).get("status", "none")
    if status == "ok" and left["run.json"]["time_s"] == whole["run.json"]["time_s"]:
        fail(kind, where, "run.json says ok")
    elif status == "ok":
        pass  # the first of its two calls of sim:run came to its end, the second did not begin
    elif status not in ("none", "running", "output"):
        fail(kind, where, "run.json says " + status)
    if status == "running" and code in (errno.ENOSPC, errno.EDQUOT) and not (goes_on and is_untouched()):
        fail(kind, where, "run.json does not say that it failed")


def disturb(kind, where, code, begin=None, **env):
    done = run(fresh("failed", begin), ["--continue"] if begin else [], RIA_SHIM_ERRNO=str(code), **env)
    count(kind)
    if done.returncode == 0:
        left = tree("failed")
        left.pop(".ria-lock", None)  # removing it may fail: the next run finds that nobody holds it
        if left != whole:
            fail(kind, where, "ends well, and files are missing or other ones")
        return 0
    if done.returncode != 1 or os.strerror(code) not in done.stderr:
        fail(kind, where, "ends with %d: %s" % (done.returncode, last_words(done)))
    check_left(kind, where, code, begin is not None)
    check_end(kind, where, "failed", whole)
    return 1


def by_calls(name, code, once=False, begin=None, some=None):
    failed = sum(disturb(name, "call %d" % k, code, begin, RIA_SHIM_FAIL=str(k), RIA_SHIM_ONCE=str(int(once)))
                 for k in some or points(calls))
    print("%s: %d runs failed" % (name, failed))


half_way()
expect(10)
by_calls("disk full as the directory is taken", errno.ENOSPC, some=points(16, 8))
for name, code in (("disk full", errno.ENOSPC), ("quota", errno.EDQUOT)):
    failed = sum(disturb("%s, by bytes" % name, "%d bytes" % n, code, RIA_SHIM_FULL=str(n))
                 for n in points(size // 97 + 1) for n in [n * 97])
    print("%s, by bytes: %d runs failed, which write %d bytes" % (name, failed, size))
    by_calls("%s, from a call on" % name, code)
for name, code in (("disk full", errno.ENOSPC), ("EIO", errno.EIO)):
    by_calls("%s from a call on, of a run that goes on" % name, code, begin="ended")
by_calls("read-only from a call on", errno.EROFS)
by_calls("EIO from a call on", errno.EIO)
by_calls("EIO once", errno.EIO, once=True)
end()
