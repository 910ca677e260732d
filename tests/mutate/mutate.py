#!/usr/bin/env python3
"""Makes single changes to the engine's arithmetic and core, one at a time, and counts those that the tests notice."""
import argparse
import concurrent.futures
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

import sites as S

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
KINDS = ("sign", "bound", "index", "constant", "condition")
# Too long, many processes, or about the sources rather than what they do.
LEFT_OUT = r"^(cli\.(crash|disk|oom|install|left_out|bootstrap|scaling|ranks|readback|own_solver|shapes)|validation|gpu|lint|fuzz|soak)"


def arguments():
    p = argparse.ArgumentParser(prog="tests/mutate/run.sh", description=__doc__)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=10, help="changes: seven of ten in *_k.h, the others in engine/core")
    p.add_argument("--only", type=int, nargs="*", help="numbers of changes of that draw to try")
    p.add_argument("--folder", default=os.path.join(TOP, "build-mutate"), help="where the copy and its build go")
    p.add_argument("--files", help="changes in files that match this regular expression alone")
    p.add_argument("--tests", default=".", help="tests whose name matches this alone")
    p.add_argument("--limit", type=float, default=240, help="seconds of tests for a change; 0: all that reach it")
    p.add_argument("--longest", type=float, default=120, help="seconds: a test that takes longer without a change is left out")
    p.add_argument("--jobs", type=int, default=1, help="so many tests at a time")
    p.add_argument("--only-build", action="store_true", help="end when all changes are compiled")
    p.add_argument("--built", action="store_true", help="--folder has all changes compiled, by --only-build, maybe on another machine at the same path")
    p.add_argument("--list", action="store_true", help="print the changes and end")
    return p.parse_args()


def late():
    """Past RIA_UNTIL (seconds of `date +%s`) no test begins."""
    return time.time() >= float(os.environ.get("RIA_UNTIL", "inf"))


def files_of_tree():
    """What git knows or would take, or (a tree without git) all but what was built."""
    got = subprocess.run(["git", "-C", TOP, "ls-files", "-co", "--exclude-standard"], text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if got.returncode == 0 and got.stdout:
        return sorted(got.stdout.split("\n"))
    names = []
    for folder, below, files in os.walk(TOP):
        below[:] = [b for b in below if folder != TOP or not re.match(r"build|\.git$|out$|shared$|Testing$", b)]
        names += [os.path.relpath(os.path.join(folder, f), TOP) for f in files]
    return sorted(names)


def draw(opt):
    """[(number, site)]: a longer draw of the same seed begins with the shorter one."""
    names = [n for n in files_of_tree() if n.startswith("engine/")]
    pools = ([n for n in names if n.endswith("_k.h")], [n for n in names if re.match(r"engine/core/\w+\.c$", n)])
    chosen = []
    for k, pool in enumerate(pools):
        dice, by_kind = random.Random(f"{opt.seed} {k}"), {kind: [] for kind in KINDS}
        for name in pool:
            if not opt.files or re.search(opt.files, name):
                for s in S.sites(name, open(os.path.join(TOP, name)).read()):
                    by_kind[s.kind].append(s)
        want = round(0.7 * opt.count) if k == 0 else opt.count - round(0.7 * opt.count)
        for turn in range(want):
            left = by_kind[KINDS[turn % len(KINDS)]]
            if left:
                chosen.append(left.pop(dice.randrange(len(left))))
    return list(enumerate(chosen, 1))


def in_words(s):
    line = open(os.path.join(TOP, s.path)).read().split("\n")[s.line]
    return line.strip(), s.changed(line).strip()


def known():
    """What was looked at and shown to change nothing: {(path, old, new): why}."""
    out = {}
    for part in open(os.path.join(HERE, "same.txt")).read().split("\n\n"):
        lines = [x for x in part.split("\n") if x and not x.startswith("#")]
        if len(lines) >= 4:
            out[lines[0], lines[1][2:], lines[2][2:]] = " ".join(lines[3:])
    return out


def copy(opt, chosen):
    tree = os.path.join(opt.folder, "tree")
    os.makedirs(tree, exist_ok=True)
    by_path = {}
    for number, s in chosen:
        by_path.setdefault(s.path, []).append((number, s))
    for name in filter(None, files_of_tree()):
        source, target = os.path.join(TOP, name), os.path.join(tree, name)
        if not os.path.isfile(source):
            continue
        data = open(source, "rb").read()
        if name in by_path:
            data = S.with_changes(data.decode(), by_path[name]).encode()
        put(target, data, source)
    for name, to in (("mutant.c", "engine/base/mutant.c"), ("mutant.h", "engine/base/mutant.h")):
        put(os.path.join(tree, to), open(os.path.join(HERE, name), "rb").read(), os.path.join(HERE, name))
    return tree


def put(target, data, source):
    if os.path.isfile(target) and open(target, "rb").read() == data:
        return
    os.makedirs(os.path.dirname(target), exist_ok=True)
    open(target, "wb").write(data)
    shutil.copymode(source, target)


def built(opt, chosen):
    """As build() left it. -> build, chosen."""
    kept = json.load(open(os.path.join(opt.folder, "built.json")))
    if kept["of"] != [list(in_words(s)) for _, s in chosen]:
        sys.exit(f"{opt.folder} was built of other changes, or of another tree: build it once more")
    return os.path.join(opt.folder, "tree", "build"), [(n, s) for n, s in chosen if n in kept["numbers"]]


def build(opt, chosen):
    """Builds all changes into one copy; those that do not compile are left out. -> build, chosen."""
    drawn = chosen
    while True:
        tree = copy(opt, chosen)
        out = os.path.join(tree, "build")
        env = dict(os.environ, CCACHE_BASEDIR=tree, CCACHE_NOHASHDIR="1")
        flags = f"-O1 -DNDEBUG -w -include {tree}/engine/base/mutant.h"
        subprocess.run(["cmake", "-S", tree, "-B", out, "-G", "Ninja", "-DRIA_TESTS=ON", "-DRIA_CUDA=OFF", "-DCMAKE_BUILD_TYPE=Mutate",
                        f"-DCMAKE_C_FLAGS={flags}", *os.environ.get("RIA_CMAKE_ARGS", "").split()], check=True, stdout=subprocess.DEVNULL, env=env)
        got = subprocess.run(["ninja", "-C", out, "-j", os.environ.get("RIA_BUILD_JOBS", str(max(2, opt.jobs))), "-k", "0"], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
        if got.returncode == 0:
            with open(os.path.join(opt.folder, "built.json"), "w") as f:
                json.dump({"of": [in_words(s) for _, s in drawn], "numbers": [n for n, _ in chosen]}, f)
            return out, chosen
        bad = set()
        for path, line in re.findall(r"([\w./-]+\.[ch]):(\d+):\d+: error", got.stdout):
            full = os.path.join(out, path)
            text = open(full).read().split("\n")[: int(line)] if os.path.isfile(full) else []
            marks = [int(m.group(1)) for m in (re.search(r"/\* change (\d+) \*/", x) for x in text) if m]
            bad.update(marks[-1:])
        if not bad:
            sys.exit("the copy does not build:\n" + got.stdout[-3000:])
        print(f"not compiled, left out: {sorted(bad)}", flush=True)
        chosen = [(n, s) for n, s in chosen if n not in bad]


def listed(out, opt):
    tests = json.loads(subprocess.check_output(["ctest", "--test-dir", out, "--show-only=json-v1"]))["tests"]
    for t in tests:
        p = {x["name"]: x["value"] for x in t.get("properties", [])}
        if not re.search(LEFT_OUT, t["name"]) and re.search(opt.tests, t["name"]) and "command" in t:
            yield {"name": t["name"], "command": t["command"], "cwd": p.get("WORKING_DIRECTORY", out),
                   "env": dict(x.split("=", 1) for x in p.get("ENVIRONMENT", [])), "skip": p.get("SKIP_RETURN_CODE"),
                   "fails": p.get("WILL_FAIL", False)}


def bounds():
    """A change may make a program ask for all there is."""
    resource.setrlimit(resource.RLIMIT_DATA, (6 << 30, 6 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


running = set()


def run(test, extra, limit):
    """-> passed (None: skipped), seconds."""
    # one thread each: what tests tell does not depend on it, and two would wait for each other on a busy machine
    env = {**os.environ, "RIA_TEST_SHORT": "1", "OMP_THREAD_LIMIT": "1", **test["env"], **extra}
    begin = time.monotonic()
    p = subprocess.Popen(test["command"], cwd=test["cwd"], env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=bounds)
    running.add(p)
    try:
        code = p.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.wait()
        code = -9
    running.discard(p)
    seconds = time.monotonic() - begin
    if code == test["skip"] and code:
        return None, seconds
    return (code != 0) == bool(test["fails"]), seconds


def reached(opt, t):
    """One test without a change -> [passed, seconds, the changes whose functions it calls]; None: out of time."""
    if late():
        return None
    log = os.path.join(opt.folder, "reached." + t["name"])
    if os.path.exists(log):
        os.remove(log)
    passed, seconds = run(t, {"RIA_MUTANT": "-1", "RIA_MUTANT_LOG": log}, opt.longest)
    return [passed, seconds, sorted({int(x) for x in open(log).read().split()}) if os.path.exists(log) else []]


def reach(opt, out, tests, chosen, pool):
    """Each test once without a change: seconds, and the changes whose functions it calls. Kept for the same changes."""
    kept = os.path.join(opt.folder, "reached.json")
    key, table = [in_words(s) for _, s in chosen], []
    known_before = json.load(open(kept)) if os.path.exists(kept) else {}
    if known_before.get("of") != json.loads(json.dumps(key)):
        known_before = {"of": key, "tests": {}}
    coming = {pool.submit(reached, opt, t): t["name"] for t in tests if t["name"] not in known_before["tests"]}
    for one in concurrent.futures.as_completed(coming):
        if one.result() is None:
            print(f"out of time, left out: {coming[one]}", flush=True)
            continue
        known_before["tests"][coming[one]] = one.result()
        with open(kept + ".new", "w") as f:
            json.dump(known_before, f)
        os.replace(kept + ".new", kept)
        if one.result()[0] is False:
            print(f"left out, fails or takes over {opt.longest:.0f} s without a change: {coming[one]}", flush=True)
    for t in tests:
        passed, seconds, numbers = known_before["tests"].get(t["name"], (None, 0, []))
        if passed:
            table.append((seconds, set(numbers), t))
    return sorted(table, key=lambda x: x[0])


def judge(opt, number, table):
    """-> the test that noticed (or None), how many were run, whether all that reach it were (None: out of time)."""
    spent, ran = 0, 0
    if late():  # some tests may not even be known to reach it
        return None, ran, None
    for seconds, numbers, t in table:
        if number not in numbers:
            continue
        if opt.limit and spent + seconds > opt.limit:
            return None, ran, False
        longest = 10 + 5 * seconds
        left = float(os.environ.get("RIA_UNTIL", "inf")) - time.time()
        if left < 1:
            return None, ran, None
        passed, took = run(t, {"RIA_MUTANT": str(number)}, min(longest, left))
        spent, ran = spent + took, ran + 1
        if passed is False and left < longest and late():
            return None, ran, None
        if passed is False:
            return t["name"], ran, True
    return None, ran, True


class Sums:
    """What became of the changes, told as it comes: whoever ends this early has what was found by then."""

    def __init__(self, same):
        self.same, self.noticed, self.nothing, self.survivors = same, 0, 0, []

    def tell(self, number, s, verdict):
        by, ran, all_of_them = verdict
        old, new = in_words(s)
        where = f"{number}: {s.path}:{s.line + 1}: {s.kind}"
        if by:
            self.noticed += 1
            print(f"{where}: noticed by {by}, test {ran}", flush=True)
            return
        why = self.same.get((s.path, old, new))
        if all_of_them is None:
            told = f"out of time after {ran} tests"
        elif why:
            self.nothing += 1
            told = f"changes nothing: {why}"
        else:
            self.survivors.append(where)
            told = "SURVIVES " + (f"all {ran} tests that reach it" if all_of_them else f"{ran} tests")
        print(f"{where}: {told}\n  - {old}\n  + {new}", flush=True)

    def end(self, of):
        tried = self.noticed + self.nothing + len(self.survivors)
        left = of - tried
        print(f"{tried} tried, {self.noticed} noticed, {self.nothing} change nothing, {len(self.survivors)} survive"
              + (f", {left} out of time" if left else ""))
        for where in self.survivors:
            print("  " + where)
        sys.stdout.flush()


def stopped(*_):
    raise KeyboardInterrupt


def main():
    opt = arguments()
    opt.folder = os.path.abspath(opt.folder)
    chosen = draw(opt)
    if opt.list:
        for number, s in chosen:
            print(f"{number}: {s.path}:{s.line + 1}: {s.kind}\n  - {in_words(s)[0]}\n  + {in_words(s)[1]}")
        return 0
    os.nice(19 - os.nice(0))
    signal.signal(signal.SIGTERM, stopped)
    sums, wanted = Sums(known()), [number for number, _ in chosen if not opt.only or number in opt.only]
    try:
        print(f"{len(wanted)} changes: all are compiled", flush=True)
        out, chosen = (built if opt.built else build)(opt, chosen)
        if opt.only_build:
            return 0
        wanted = [number for number, _ in chosen if number in wanted]
        pool = concurrent.futures.ThreadPoolExecutor(opt.jobs)
        tests = list(listed(out, opt))
        print(f"{len(tests)} tests, first without a change", flush=True)
        table = reach(opt, out, tests, chosen, pool)
        print(f"{len(table)} tests, {sum(x[0] for x in table):.0f} s", flush=True)
        coming = {pool.submit(judge, opt, number, table): (number, s) for number, s in chosen if number in wanted}
        for one in concurrent.futures.as_completed(coming):
            sums.tell(*coming[one], one.result())
    except KeyboardInterrupt:
        print("stopped", flush=True)
        sums.end(len(wanted))
        for p in list(running):
            if p.poll() is None:
                os.killpg(p.pid, signal.SIGKILL)
        os._exit(1)  # threads would begin the next test
    sums.end(len(wanted))
    return 1 if sums.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
