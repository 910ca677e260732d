#!/usr/bin/env python3
"""Power cuts. record.c writes down what a run does to files, in order; here a disk is made from that as
power cuts may leave it: of all that was not synced

  names lost   nothing is there: neither names nor bytes
  bytes lost   names are new, removed, exchanged, but files have the bytes of their last sync
  zeros        files are as long as they were, with zeros where bytes were not synced
  some         names up to some moment, of the bytes a part of each write or nothing
  by chance    the same, but each directory has names up to a moment of its own

A file's sync makes its bytes last, not its name: that is the directory's. Then the run goes on in what is
left. It must come to the files of a run that was not ended, from a checkpoint at least as new as the
newest whose name and bytes were synced.
  power.py PROGRAM RECORD [N | all]: N moments, each in all five ways; all: after each call"""
import os
import random
import re
import sys
import time

from common import (check_end, checkpoints, chosen, count, differing, end, expect, fail, fresh, last_words, left_over, run,
                    share_of_time, tree)

WAYS = ("names lost", "bytes lost", "zeros", "some", "by chance")


class File:
    def __init__(self, data=b""):
        self.disk = bytearray(data)
        self.waits = []  # (at, bytes), (None, length), (None, -length): at least as long

    def sync(self):
        self.disk = self.made(lambda op: op)
        self.waits = []

    def made(self, of):
        """Its bytes with what `of` makes of each thing that waits."""
        data = bytearray(self.disk)
        for op in self.waits:
            op = of(op)
            if op is None:
                continue
            at, what = op
            if at is None:
                length = max(len(data), -what) if what < 0 else what
                del data[length:]
                data.extend(bytes(length - len(data)))
            else:
                data.extend(bytes(max(0, at - len(data))))
                data[at:at + len(what)] = what
        return data


class Folder:
    def __init__(self):
        self.live, self.disk = {}, {}


class Disk:
    """Directories and files below a folder."""

    def __init__(self, root, of=None):
        self.root, self.top, self.fds = os.path.abspath(root), Folder(), {}
        self.waits = []  # (folder, name, node or None): names that are not synced, in order
        if of:
            self.load(of, self.top)

    def load(self, path, folder):
        for name in os.listdir(path):
            inner = os.path.join(path, name)
            if os.path.isdir(inner):
                node = Folder()
                self.load(inner, node)
            else:
                with open(inner, "rb") as f:
                    node = File(f.read())
            folder.live[name] = folder.disk[name] = node

    def find(self, path):
        """The folder and the name of a path below the root, or None."""
        path = os.path.normpath(path)
        if not path.startswith(self.root + "/"):
            return None
        folder, parts = self.top, path[len(self.root) + 1:].split("/")
        for name in parts[:-1]:
            folder = folder.live[name]
        return folder, parts[-1]

    def name(self, place, node):
        folder, name = place
        if node is None:
            folder.live.pop(name)
        else:
            folder.live[name] = node
        self.waits.append((folder, name, node))

    def opened(self, fd, flags, path):
        self.fds.pop(fd, None)
        if os.path.normpath(path) == self.root:
            self.fds[fd] = self.top
        place = self.find(path)
        if not place:
            return
        node = place[0].live.get(place[1])
        if node is None and flags & os.O_CREAT:
            node = File()
            self.name(place, node)
        if node is not None:
            self.fds[fd] = node

    def renamed(self, a, b):
        a, b = self.find(a), self.find(b)
        if not a:
            return
        node = a[0].live[a[1]]
        assert a[0] is b[0]  # else both names would have to change at once
        a[0].live.pop(a[1])
        b[0].live[b[1]] = node
        self.waits.append((a[0], (a[1], b[1]), node))

    @staticmethod
    def lay(names, folder, name, node):
        if isinstance(name, tuple):
            names(folder).pop(name[0], None)
            names(folder)[name[1]] = node
        elif node is None:
            names(folder).pop(name, None)
        else:
            names(folder)[name] = node

    def sync(self, node):
        if isinstance(node, File):
            node.sync()
            return
        for folder, name, to in self.waits:
            if folder is node:
                self.lay(lambda f: f.disk, folder, name, to)
        self.waits = [w for w in self.waits if w[0] is not node]

    def sync_all(self):
        for w in list(self.waits):
            self.sync(w[0])
        todo = [self.top]
        while todo:
            for node in todo.pop().live.values():
                if isinstance(node, File):
                    node.sync()
                else:
                    todo.append(node)

    def cut(self, out, way, rng):
        """Power is cut: what is left, in the folder `out`."""
        seen = {}

        def names(folder):
            return seen.setdefault(id(folder), dict(folder.disk))

        moment = {"names lost": 0, "some": rng.randint(0, len(self.waits))}.get(way, len(self.waits))
        moments = {}
        for k, (folder, name, node) in enumerate(self.waits):
            if way == "by chance":
                moment = moments.setdefault(id(folder), rng.randint(0, len(self.waits)))
            if k < moment:
                self.lay(names, folder, name, node)

        def left_of(op):
            at, what = op
            if way in ("names lost", "bytes lost"):
                return None
            if way == "zeros":
                return op if at is None else (at, bytes(len(what)))
            if at is None or rng.random() < 0.3:
                return op
            return None if rng.random() < 0.4 else (at, what[:rng.randint(0, len(what))])

        def put(path, folder):
            os.mkdir(path)
            for name, node in names(folder).items():
                inner = os.path.join(path, name)
                if isinstance(node, Folder):
                    put(inner, node)
                else:
                    with open(inner, "wb") as f:
                        f.write(node.made(left_of))

        put(fresh(out), self.top)

    def newest(self):
        """The number of the newest checkpoint whose name and bytes are on the disk."""
        folder = self.top.disk.get("checkpoints")
        numbers = [int(n[:6]) for n, node in (folder.disk if folder else {}).items()
                   if re.fullmatch(r"[0-9]{6}\.ria", n) and not node.waits and node.disk]
        return max(numbers, default=0)


def calls(log):
    """The lines of a record: a letter and what follows it."""
    with open(log, "rb") as f:
        while line := f.readline():
            what, rest = chr(line[0]), line[2:-1].decode()
            if what == "W":
                fd, at, n = (int(v) for v in rest.split())
                yield what, (fd, at, f.read(n))
                f.read(1)
            elif what == "R":
                yield what, (rest, f.readline()[:-1].decode())
            elif what == "O":
                fd, flags, path = rest.split(" ", 2)
                yield what, (int(fd), int(flags), path)
            elif what in "MU":
                yield what, (rest,)
            else:
                yield what, tuple(int(v) for v in rest.split())


def do(disk, what, of):
    node = disk.fds.get(of[0])
    if what == "O":
        disk.opened(*of)
    elif what in "MU":
        place = disk.find(of[0])
        if place:
            disk.name(place, Folder() if what == "M" else None)
    elif what == "R":
        disk.renamed(*of)
    elif what == "F" and node is not None:
        disk.sync_all()
    elif what == "S" and node is not None:
        disk.sync(node)
    elif isinstance(node, File):
        node.waits.append({"W": lambda: (of[1], of[2]), "T": lambda: (None, of[1]),
                           "A": lambda: (None, -(of[1] + of[2]))}[what]())


def check(kind, where, disk, whole):
    """Goes on from what is left, from a checkpoint that is new enough."""
    had = disk.newest()
    count(kind)
    said = check_end(kind, where, "cut", whole)
    if said is None:
        return False
    from_one = re.search(r"goes on at .*checkpoints/([0-9]{6})\.ria", said)
    if had and (not from_one or int(from_one.group(1)) < had):
        fail(kind, where, "checkpoint %d was on the disk: %s" % (had, said[:200]))
    return bool(from_one)


def cut_power(what, begin, args, whole):
    """A run is recorded, and power is cut at some of its calls; what is left past its middle is in `ended`."""
    log = os.path.abspath("record")
    recorded = run(fresh("recorded", begin), args, RIA_RECORD=log)
    if recorded.returncode != 0:
        sys.exit("the run fails while it is recorded: " + last_words(recorded))
    steps = list(calls(log))
    disk, went_on, rng = Disk("recorded", begin), 0, random.Random(2026)
    changes = [k for k, (letter, _) in enumerate(steps) if letter != "O"]
    wanted = {changes[k] for k in chosen(len(changes))}
    until, tried = share_of_time(), 0
    middle = changes[3 * len(changes) // 4]
    for k, (letter, of) in enumerate(steps):
        do(disk, letter, of)
        if k == middle and not begin:
            disk.cut("ended", "some", rng)
        if k not in wanted:
            continue
        if time.time() >= until:
            left_over.append(k)
            continue
        tried += 1
        for way in WAYS:
            disk.cut("cut", way, rng)
            went_on += check("power cut%s, %s" % (what, way), "after call %d (%s)" % (k, letter), disk, whole)
    print("power cut%s: at %d of %d calls, %d went on from a checkpoint" % (what, tried, len(changes), went_on))
    check_closed(what, disk, whole, rng)


def check_closed(what, disk, whole, rng):
    """A run that has come to its end is on the disk, but for what the script wrote by itself."""
    disk.cut("cut", "names lost", rng)
    left = {n: d for n, d in tree("cut").items() if n != ".ria-lock"}
    there = {n: d for n, d in whole.items() if n != "turns.txt"}
    count("power cut%s, after the end" % what)
    if left != there:
        fail("power cut%s, after the end" % what, "after all", "not on the disk: %s" % differing(left, there))


done = run(fresh("whole"))
if done.returncode != 0:
    sys.exit("the run fails: " + last_words(done))
files = tree("whole")
expect(2)
cut_power("", None, [], files)
if not checkpoints("ended"):
    sys.exit("too few checkpoints")
cut_power(" of a run that goes on", "ended", ["--continue"], files)
end()
