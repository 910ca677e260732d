"""What dump_store has put into its stores: descriptions and values, for the readers to compare."""

import array
import datetime
import glob
import json
import math
import os

SKIPPED = 77  # ctest's SKIP_RETURN_CODE


class Field:
    """One field: its description and a function value(frame, j, i)."""

    def __init__(self, store, about, values):
        self.__dict__.update(about)
        self.store = store
        self.values = values

    @property
    def shape(self):
        frame = (self.store.ny, self.store.nx)
        return frame if self.fixed else (len(self.store.times),) + frame

    def frame(self, k):
        """Rows of frame k (0 for a fixed field), the southernmost first."""
        nx, ny = self.store.nx, self.store.ny
        at = self.offset + k * nx * ny
        return [self.values[at + j * nx:at + (j + 1) * nx] for j in range(ny)]

    def frames(self):
        return [self.frame(k) for k in range(1 if self.fixed else len(self.store.times))]

    def close(self, got, expected):
        """Equal bit by bit (NaN to NaN), or within the precision the store was asked for."""
        if math.isnan(got) or math.isnan(expected):
            return math.isnan(got) and math.isnan(expected)
        return abs(got - expected) <= self.precision


class Store:
    def __init__(self, description):
        folder = os.path.dirname(description)
        with open(description, encoding="utf-8") as f:
            about = json.load(f)
        values = array.array("d")
        binary = description[:-len(".json")] + ".bin"
        with open(binary, "rb") as f:
            values.fromfile(f, os.path.getsize(binary) // 8)
        self.__dict__.update(about)
        self.path = os.path.join(folder, about["store"])
        self.fields = [Field(self, f, values) for f in about["fields"]]
        self.x = [self.x0 + (i + 0.5) * self.dx for i in range(self.nx)]
        self.y = [self.y0 + (j + 0.5) * self.dy for j in range(self.ny)]
        self.epsg = int(self.crs.split(":")[1]) if self.crs else None
        self.axis_unit = ("degrees_east", "degrees_north") if self.geographic else ("m", "m")

    def moments(self):
        """The calendar times of the frames; without an epoch, None."""
        if self.epoch is None:
            return None
        start = datetime.datetime.fromisoformat(self.epoch)
        return [start + datetime.timedelta(seconds=t) for t in self.times]


def stores(folder):
    found = [Store(path) for path in sorted(glob.glob(os.path.join(folder, "*.json")))]
    if not found:
        raise SystemExit(f"{folder}: no store to compare; run dump_store first")
    return found


class Verdict:
    """Counts what differs and says where, the first few of each kind."""

    def __init__(self):
        self.wrong = 0
        self.compared = 0

    def same(self, what, got, expected):
        self.compared += 1
        if got != expected:
            self.wrong += 1
            print(f"{what}\n  got      {got!r}\n  expected {expected!r}")

    def near(self, what, got, expected, tolerance):
        self.compared += 1
        if not abs(got - expected) <= tolerance:
            self.wrong += 1
            print(f"{what}\n  got      {got!r}\n  expected {expected!r} within {tolerance!r}")

    def field(self, field, frames):
        """frames[k][j][i] of a reader against what the field holds."""
        off = 0
        for k, (got_rows, rows) in enumerate(zip(frames, field.frames(), strict=True)):
            for j, (got_row, row) in enumerate(zip(got_rows, rows, strict=True)):
                for i, (got, expected) in enumerate(zip(got_row, row, strict=True)):
                    self.compared += 1
                    if field.close(got, expected):
                        continue
                    off += 1
                    if off <= 3:
                        where = f"{field.store.path} {field.name}[frame {k}][{j}][{i}]"
                        print(f"{where}: got {got!r}, expected {expected!r}")
        if off:
            print(f"{field.store.path} {field.name}: {off} values differ")
        self.wrong += off

    def code(self):
        return 1 if self.wrong or not self.compared else 0
