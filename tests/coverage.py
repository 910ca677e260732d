"""Sums what gcov says of each object: coverage.py TOP BUILD. A line of a header counts once, whatever includes it.
What it sums is kept in BUILD/coverage.json; RIA_COVERAGE_MORE names such a file of another build, which is added.

Branches are those of the source, two for each condition of a line. Left out is what the compiler adds (as gcovr
does): a line of OpenMP, or one that only closes a block. Most of what is not taken hands a failure on that another
function told, RIA_TRY(...) or `s == RIA_OK`, which C++ would do by exceptions; a last line counts all without these, as
gcovr's --exclude-throw-branches does there."""
import collections
import concurrent.futures
import gzip
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile


def told_by(note, build, top):
    """What gcov says of one object's sources: [(path, line, its count, counts of its branches)]."""
    out = []
    with tempfile.TemporaryDirectory() as room:
        subprocess.run([os.environ.get("GCOV", "gcov"), "-b", "-j", note], cwd=room, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        for f in (f for name in os.listdir(room) for f in json.load(gzip.open(os.path.join(room, name)))["files"]):
            path = os.path.relpath(os.path.join(build, f["file"]), top)
            if path.split("/")[0] in ("engine", "bindings"):
                out += [(path, x["line_number"], x["count"], [b["count"] for b in x["branches"]]) for x in f["lines"]]
    return out


def read(build, top):
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    objects = [os.path.join(d, f) for d, _, files in os.walk(build) for f in files if f.endswith(".gcno") and "/tests/" not in d]
    with concurrent.futures.ProcessPoolExecutor(int(os.environ.get("RIA_COVERAGE_JOBS", "2"))) as pool:
        for told_of in pool.map(told_by, objects, itertools.repeat(build), itertools.repeat(top), chunksize=4):
            for path, n, times, ways in told_of:
                lines[path][n] = lines[path].get(n, 0) + times
                for k, c in enumerate(ways):
                    branches[path][n, k] = branches[path].get((n, k), 0) + c
    return lines, branches


def keep(path, lines, branches):
    with open(path, "w") as f:
        json.dump({p: [list(lines[p].items()), [[*k, c] for k, c in branches[p].items()]] for p in lines}, f)


def add(path, lines, branches):
    """A line counts where it was reached by either; of files that only the other build has, all."""
    for p, (more_lines, more_branches) in json.load(open(path)).items():
        alone = p not in lines
        for n, c in more_lines:
            if alone or n in lines[p]:
                lines[p][n] = lines[p].get(n, 0) + c
        for n, k, c in more_branches:
            if alone or (n, k) in branches[p]:
                branches[p][n, k] = branches[p].get((n, k), 0) + c


MADE = re.compile(r"^\s*(#\s*pragma omp\b.*|_Pragma.*|[{}]*)$")
HANDS_ON = re.compile(r"\bRIA_TRY\(|[!=]= RIA_OK\b|\bria_fail_memory\(|\bRIA_ERR_MEMORY\b")


def text_of(top, path):
    with open(os.path.join(top, path), errors="replace") as f:
        return [""] + f.read().split("\n")


def ways(text, lines, branches):
    """Of a file: {(line, way): count} of the source, how many of those not taken lie on lines that were not reached,
    and how many hand a failure on."""
    own = {k: c for k, c in branches.items() if not MADE.match(text[k[0]] if k[0] < len(text) else "")}
    missed = [n for (n, _), c in own.items() if not c]
    on = [n for n in missed if lines.get(n) and HANDS_ON.search(text[n] if n < len(text) else "")]
    return own, sum(1 for n in missed if not lines.get(n)), len(on)


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
    keep(os.path.join(build, "coverage.json"), lines, branches)
    if os.environ.get("RIA_COVERAGE_MORE"):
        add(os.environ["RIA_COVERAGE_MORE"], lines, branches)
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    not_reached = handed_on = 0
    for path in sorted(lines):
        own, beside, on = ways(text_of(top, path), lines[path], branches[path])
        not_reached += beside
        handed_on += on
        l, b = part(lines[path].values()), part(own.values())
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
    taken, of = sums["all"][2:]
    print(f"of {of - taken} branches not taken {not_reached} are on lines not reached, {handed_on} hand a failure on; "
          f"{told('without the latter', taken, of - handed_on)}")


if __name__ == "__main__":
    main()
