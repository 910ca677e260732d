"""Sums what gcov says of each object: coverage.py TOP BUILD. A line of a header counts once, whatever includes it."""
import collections
import concurrent.futures
import gzip
import json
import os
import subprocess
import sys
import tempfile


def told_by(note):
    """What gcov says of one object's sources."""
    with tempfile.TemporaryDirectory() as room:
        subprocess.run(["gcov", "-b", "-j", note], cwd=room, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return [f for name in os.listdir(room) for f in json.load(gzip.open(os.path.join(room, name)))["files"]]


def read(build, top):
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    objects = [os.path.join(d, f) for d, _, files in os.walk(build) for f in files if f.endswith(".gcno") and "/tests/" not in d]
    pool = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("RIA_COVERAGE_JOBS", "2")))
    for f in (f for files in pool.map(told_by, objects) for f in files):
        path = os.path.relpath(os.path.join(build, f["file"]), top)
        if path.split("/")[0] not in ("engine", "bindings"):
            continue
        for line in f["lines"]:
            n = line["line_number"]
            lines[path][n] = lines[path].get(n, 0) + line["count"]
            for k, b in enumerate(line["branches"]):
                branches[path][n, k] = branches[path].get((n, k), 0) + b["count"]
    return lines, branches


def spans(numbers):
    out = []
    for n in sorted(numbers):
        if out and n == out[-1][1] + 1:
            out[-1][1] = n
        else:
            out.append([n, n])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in out)


def part(values):
    return sum(1 for v in values if v), len(list(values))


def told(what, have, of):
    return f"{what} {have} of {of}, {100 * have / max(of, 1):.1f} %"


def main():
    top, build = (os.path.abspath(x) for x in sys.argv[1:3])
    lines, branches = read(build, top)
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path in sorted(lines):
        l, b = part(lines[path].values()), part(branches[path].values())
        print(f"{path}: {told('lines', *l)}; {told('branches', *b)}")
        missed = [n for n, c in lines[path].items() if not c]
        if missed:
            print("    not reached: " + spans(missed))
        for key in ("/".join(path.split("/")[:2]), "all"):
            for k, v in enumerate((*l, *b)):
                sums[key][k] += v
    print()
    for key, (a, b, c, d) in sorted(sums.items(), key=lambda x: x[0] == "all"):
        print(f"{key}: {told('lines', a, b)}; {told('branches', c, d)}")


if __name__ == "__main__":
    main()
