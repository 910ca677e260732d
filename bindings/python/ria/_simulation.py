"""A simulation from Python over the C API, with fields as numpy arrays.

Fields are copies. The engine's state has ghost cells around it, may be in single precision or on a GPU, and changes
places from step to step, so there is no array of its own to show. But there is one copy only: `get(name, out=array)`
and `view` are filled by the engine itself, and `set` reads an array of float64 where it lies.
"""

import weakref

from ._need import error, need
from ._ria import Sim


def series(t, v, **options):
    """A table in time: t (s), v; interp ("linear", "step"), hold, ramp, scale, offset, dates, local."""
    return ("table", dict(options, t=_list(t), v=_list(v)))


def tide(constituents, **options):
    """A tide: {"M2": (amplitude in m, phase in degrees)}; z0, ramp, phases, nodal."""
    return ("tide", dict(options, constituents=constituents))


def csv(path, **options):
    """A column of a CSV file in time: column, epoch, zone, unit, fill_gaps, time_unit, interp, hold, ramp, ..."""
    return ("csv", dict(options, path=str(path)))


def frame(field, **options):
    """A picture for `at` and `every`: name, map, scale, range=(min, max), arrows, width, height, title, ..."""
    return ("frame", dict(options, field=field))


def save(*fields, **options):
    """Fields into a Zarr store, for `at` and `every`: name, precision, level, tile."""
    return ("save", dict(options, fields=list(fields)))


def _list(values):
    return values.tolist() if hasattr(values, "tolist") else list(values)


_SIDES = ("west", "east", "south", "north")


class Simulation(Sim):
    """Simulation(nx=, ny=, dx=, ..., bed=array, level=0, params={}, tracers={}, boundary={}, init={}).

    nx, ny, dx, dy, x0, y0, angle: the grid. solver, precision ("double", "single"), params {name: value}, tracers
    {name: {unit, decay, diffusion}}, boundary {side: kind or {kind=, values ...}}, and on
    stretches {name: {from_=, to=, kind= ...}}, which come after the sides; crs, start, zone, out (the results
    directory), overwrite, title, outside ("wall": cells without a bed), device, threads, parts, log (a function of a
    line). All other names are fields, set in the solver's order: a number or an array [ny][nx].
    """

    _OWN = ("solver nx ny dx dy x0 y0 angle precision title crs out overwrite outside units_row start zone clock "
            "no_page params tracers device threads parts log").split()

    def __init__(self, *, boundary=None, **options):
        fields = {name: options.pop(name) for name in list(options) if name not in self._OWN}
        if options.get("out") is not None:
            options["out"] = str(options["out"])
        super().__init__(**options)
        known = self.fields()
        for name in sorted(fields, key=lambda n: list(known).index(n) if n in known else -1):
            self.set(name, fields[name])  # the engine's message where there is no such field
        all_of = {name: {"kind": what} if isinstance(what, str) else what for name, what in (boundary or {}).items()}
        stretches = {name: what for name, what in all_of.items() if "from_" in what and name not in _SIDES}
        for name, what in all_of.items():
            if name not in stretches:
                self.boundary(name, **what)
        for name, what in stretches.items():
            self.boundary(name=name, **what)

    # --- fields

    def get(self, name, out=None, maximum=False):
        """A field as an array [ny][nx] of float64; into `out`, which is returned, if given."""
        if out is None:
            grid = self.grid
            out = need("numpy", "a field as an array").empty((grid["ny"], grid["nx"]))
        self.get_into(name, out, maximum)
        return out

    def set(self, name, values):
        """Set a field to a number, or to an array [ny][nx]."""
        numpy = None if isinstance(values, (int, float)) else need("numpy", "an array as a field")
        if numpy is None or numpy.ndim(values) == 0:
            return self._moved(self.set_from, name, float(values))
        array = numpy.ascontiguousarray(values, dtype=numpy.float64)
        grid = self.grid
        if array.shape not in ((grid["ny"], grid["nx"]), (grid["ny"] * grid["nx"],)):
            raise error(f"{name}: an array of {array.shape}, expected {(grid['ny'], grid['nx'])}")
        return self._moved(self.set_from, name, array)

    __getitem__ = get
    __setitem__ = set

    def view(self, name):
        """An array over memory that stays: the field as it is now, and after every run, advance, step and set.

        It cannot be written to (`set` does that). It belongs to whoever holds it, or a part of it: it outlives the
        simulation, with the last values. Where somebody holds one, the same name gives the same memory.
        """
        views = self.__dict__.setdefault("_views", weakref.WeakValueDictionary())
        memory = views.get(name)
        if memory is None:
            views[name] = memory = self.get(name)
        array = memory.view()
        array.flags.writeable = False
        return array

    def _refresh(self):
        for name, memory in list(self.__dict__.get("_views", {}).items()):
            self.get_into(name, memory)

    def _moved(self, move, *args):
        try:
            return move(*args)
        finally:
            if not self.closed:
                self._refresh()

    # --- moving on

    def run(self, t):
        """To time t (s, "6 h", or a date), with closing outputs. Returns the time."""
        return self._moved(self._run, t)

    def advance(self, dt):
        """On by dt (s, "10 min"), landing exactly. Returns the time."""
        return self._moved(super().advance, dt)

    def step(self, n=1):
        """Take n steps. Returns the time."""
        return self._moved(super().step, n)

    # --- what drives it

    def boundary(self, side=None, *, kind=None, name=None, from_=None, to=None, tracers=None, change=None, **values):
        """A boundary at a side, or from one place of it to another; values as its kind has them.

        boundary("south", kind="level", level=ria.tide({"M2": (1.1, 78)}), tracers={"oil": 0}). A value may differ
        along it: level=[(0.0, "0.5 m"), (1.0, 0.7)], at shares of its length or at (x, y). change=NAME: the one of
        that name gets another kind or other values.
        """
        return self._boundary(side=side, kind=kind, name=name, from_=from_, to=to, tracers=tracers, change=change,
                              values=values)

    # --- events and outputs

    def at(self, t, what):
        """Once at time t: a function of (sim, t), ria.frame or ria.save. Returns a handle."""
        return self._at(t, self._with_views(what))

    def every(self, period, what, start=None, stop=None):
        """At start, start + period, ...: a function of (sim, t), ria.frame or ria.save. Returns a handle.

        A function that returns False ends the run there.
        """
        return self._every(period, self._with_views(what), start, stop)

    @staticmethod
    def _with_views(what):
        if not callable(what):
            return what

        def call(sim, t):
            sim._refresh()
            return what(sim, t)
        return call

    def gauge_history(self, gauge, field):
        """What a gauge, or a section ("discharge" or a tracer), has seen so far: times and values."""
        numpy = need("numpy", "a history as arrays")
        return tuple(numpy.frombuffer(column) for column in self._gauge_history(gauge, field))

    # --- places

    def xy(self):
        """x and y of the cells' centres on the map, each [ny][nx]."""
        numpy = need("numpy", "coordinates as arrays")
        g = self.grid
        along = (numpy.arange(g["nx"]) + 0.5) * g["dx"]
        across = (numpy.arange(g["ny"]) + 0.5) * g["dy"]
        a, b = numpy.meshgrid(along, across)
        turn = numpy.deg2rad(g["angle"])
        if g["angle"] == 0:
            return g["x0"] + a, g["y0"] + b
        return (g["x0"] + a * numpy.cos(turn) - b * numpy.sin(turn),
                g["y0"] + a * numpy.sin(turn) + b * numpy.cos(turn))

    def __enter__(self):
        return self

    def __exit__(self, kind, thrown, trace):
        if self.t_end is None:  # a script's is closed with the script
            self.close()
