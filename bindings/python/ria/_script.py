"""A scenario in Lua, run from Python: up to each sim:run, and on."""

import os

from . import _ria
from ._simulation import Simulation
from ._where import MODULES


def _text(value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class Script(_ria.Script):
    """Script("bay.lua", out=, overwrite=, until=, device=, threads=, parts=, log=, params={}, **params).

    `next` runs the script up to where it says sim:run and returns that simulation, a ria.Simulation to look at, to
    change, to run as far as its t_end; the following `next` lets it go to its end, and the script on. `run` goes all the
    way. The script's parameters (ria.params) are given by name. `log=print` shows what `ria run` prints.
    """

    _OWN = "out overwrite until device threads parts log".split()

    def __init__(self, script, params=None, **options):
        parameters = {name: options.pop(name) for name in list(options) if name not in self._OWN}
        parameters.update(params or {})
        if options.get("out") is not None:
            options["out"] = str(options["out"])
        until = options.pop("until", None)
        if isinstance(until, str) and until[4:5] == "-":
            options["until_date"] = until
        elif until is not None:
            options["until"] = until
        modules = os.path.join(os.path.dirname(os.path.abspath(__file__)), MODULES)
        super().__init__(script=os.fspath(script), overrides=[f"{k}={_text(v)}" for k, v in parameters.items()],
                         modules=os.path.normpath(modules), type=Simulation, **options)

    def next(self):
        before = self.last
        try:
            return super().next()
        finally:
            if before is not None and not before.closed:
                before._refresh()

    next.__doc__ = _ria.Script.next.__doc__

    @property
    def sim(self):
        """The simulation that is about to run, or ran last; the first one is looked for. None where there is none."""
        if self.last is None and not self.over:
            self.next()
        return self.last

    def run(self):
        """To the end of the script. Returns the last simulation that it ran."""
        while not self.over:
            self.next()
        return self.last

    def __iter__(self):
        return self

    def __next__(self):
        sim = self.next()
        if sim is None:
            raise StopIteration
        return sim

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.close()
