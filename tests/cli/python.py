#!/usr/bin/env python3
"""The module ria: simulations, scripts, results, BMI 2.0. Silent when right.

    python.py PROGRAM SOURCE      in a folder of its own; PYTHONPATH names the module
"""

import gc
import inspect
import json
import math
import os
import subprocess
import sys
import threading
import unittest
import weakref

import numpy as np
import ria

PROGRAM, SOURCE = sys.argv[1:3]

SEA = """
local ria = require "ria"
local synth = require "ria.synth"
local p = ria.params { n = { 30, "cells" }, t = { 600, "time", unit = "s" }, runs = { 1, "runs" } }
for k = 1, p.runs do
  local sim = ria.sim { grid = { nx = p.n, ny = 20, dx = 50, x0 = 500000, y0 = 4600000 }, crs = "EPSG:25829",
    start = "2026-07-14 00:00", zone = "+02:00", out = p.runs > 1 and "out/many" .. k or nil,
    bed = function(x, y) return -5 + (x - 500000) / 1000 end, tracers = { dye = { unit = "mg/l" } },
    init = { level = function(x, y) return (x - 500000) / 2000 end, dye = 1 }, maxima = { "level" } }
  sim:every("5 min", ria.save { "level", "depth", "dye" })
  sim:every("10 min", ria.frame { field = "level", width = 200 })
  sim:gauge { name = "pier", x = 500500, y = 4600500, every = "1 min" }
  sim:gauge { name = "quay", x = 501000, y = 4600500, every = "2 min", fields = { "level" } }
  sim:section { name = "mouth", line = { { 501000, 4600000 }, { 501000, 4601000 } }, every = "1 min" }
  sim:at("4 min", function(s) io.open("half", "w"):close() end)
  sim:run(p.t)
  io.open("done" .. k, "w"):close()
end
"""


def lake(**more):
    """A lake with a hump of water in it, and an island."""
    y, x = np.mgrid[0:24, 0:40] * 10.0 + 5.0
    options = dict(nx=40, ny=24, dx=10, bed=-3 + 4 * np.exp(-((x - 300) ** 2 + (y - 120) ** 2) / 2e3),
                   level=np.where(x < 100, 0.5, 0.0), params={"manning": 0.03}, threads=1, device="cpu",
                   tracers={"oil": {"diffusion": "1 m2/s"}})
    options.update(more)
    return ria.Simulation(**options)


def address(array):
    return array.ctypes.data


def memory():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


class Simulations(unittest.TestCase):
    def fails(self, status, message, call, *args, **kwargs):
        """The call fails with this status and this whole message."""
        with self.assertRaises(ria.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual((caught.exception.status, str(caught.exception)), (status, message))

    def test_as_lua_has_it(self):
        """The same lake made from Python and from Lua has the same bits."""
        with open("lake.lua", "w", encoding="utf-8") as file:
            file.write("""local ria = require "ria"
local sim = ria.sim { grid = { nx = 40, ny = 24, dx = 10 }, params = { manning = 0.03 }, precision = "double",
  bed = -3, init = { level = function(x) return x < 100 and 0.5 or 0 end }, tracers = { oil = { diffusion = "1 m2/s" } },
  boundary = { south = ria.tide { M2 = { 0.5, 78 } }, east = "open" } }
sim:spill { tracer = "oil", x = 100, y = 100, radius = 30, mass = "0.5 t", start = 30 }
sim:every(60, ria.save { "level", "u", "oil" })
sim:run(120)
""")
        subprocess.run([PROGRAM, "run", "-q", "lake.lua", "--device", "cpu"], check=True)
        with lake(bed=-3.0, boundary={"south": {"kind": "level", "level": ria.tide({"M2": (0.5, 78)})},
                                      "east": "open"}) as sim:
            handle = sim.spill(tracer="oil", x=100, y=100, radius=30, mass="0.5 t", start=30)
            sim.every("1 min", lambda sim, t: None)  # steps land there, as for the store
            self.assertEqual(sim.run("2 min"), 120.0)
            self.assertEqual(sim.released(handle), 500.0)
            other = ria.Script("lake.lua", out="out/lake2", device="cpu", threads=1)
            other.next()
            other.run()
            for field in ("level", "u", "oil"):
                np.testing.assert_array_equal(sim[field], other.sim[field])
            other.close()
        try:
            data = ria.open("out/lake")
            np.testing.assert_array_equal(data["level"][-1], ria.open("out/lake2")["level"][-1])
        except ImportError as missing:
            print("not looked at: stores:", missing)

    def test_memory_of_fields(self):
        """One copy, straight into the caller's memory; a view stays where it is, and outlives the simulation."""
        sim = lake()
        mine = np.full((24, 40), -7.0)
        self.assertIs(sim.get("level", out=mine), mine)
        np.testing.assert_array_equal(mine, sim["level"])
        part = np.zeros((3, 24, 40))
        at = address(part[1])
        sim.get("level", out=part[1])
        self.assertEqual((address(part[1]), part[0].any(), part[2].any()), (at, False, False))
        np.testing.assert_array_equal(part[1], mine)
        self.assertNotEqual(address(sim["level"]), address(mine))

        view = sim.view("level")
        at = address(view)
        self.assertEqual(address(sim.view("level")), at)
        self.assertFalse(view.flags.writeable)
        with self.assertRaises(ValueError):
            view[0, 0] = 1
        corner = view[:3, :4]  # a part of it keeps it alive
        del view
        before = corner.copy()
        inside = []
        sim.every(1, lambda sim, t: inside.append((corner == sim["level"][:3, :4]).all()))
        sim.advance(5)
        self.assertEqual((address(sim.view("level")), address(corner)), (at, at))
        self.assertTrue((corner != before).any() and all(inside) and len(inside) > 1)
        np.testing.assert_array_equal(corner, sim["level"][:3, :4])
        sim["level"] = 0.25
        self.assertTrue((corner == 0.25).all())
        last = corner.copy()
        sim.close()
        del sim
        gc.collect()
        np.testing.assert_array_equal(corner, last)

    def test_arrays_of_all_kinds(self):
        with lake() as sim:
            values = np.arange(24 * 40, dtype=np.float64).reshape(24, 40) / 1e4 + 1
            for given in (values, np.asfortranarray(values), values[::-1][::-1], values.astype(np.float32), values.ravel()):
                sim["level"] = 0
                sim["level"] = given
                np.testing.assert_allclose(sim["level"], values, rtol=1e-6)
            self.fails("argument", "level: an array of (40, 24), expected (24, 40)", sim.set, "level", values.T)
            small = np.empty((24, 40), dtype=np.float32)
            self.fails("argument", "expected 24 x 40 doubles (float64), row by row from the south, got 3840 bytes of 'f'",
                       sim.get, "level", out=small)
            with self.assertRaises(ValueError):  # it cannot be written
                sim.get("level", out=sim.view("level"))

    def test_errors(self):
        with lake() as sim:
            with self.assertRaises(ria.Error) as caught:
                sim.get("levle")
            self.assertTrue(str(caught.exception).startswith("unknown field 'levle': did you mean 'level'? known are bed,"))
            self.fails("argument", "spill: unknown key 'radus': did you mean 'radius'?", sim.spill, radus=1)
            self.fails("argument", "spill: x is missing", sim.spill, tracer="oil")
            self.fails("argument", "gauge: every: expected a number, or text with a unit, got [1]", sim.gauge, name="a", x=1, y=1, every=[1])
            self.fails("argument", "boundary: side: 'nort' is not one of west, east, south, north: did you mean 'north'?",
                       sim.boundary, "nort", kind="open")
            self.fails("argument", "expected a function of (sim, t), or ria.frame or ria.save", sim.at, 1, 5)
            with self.assertRaisesRegex(ria.Error, "^run: t: .*'10 mn'.*min"):
                sim.run("10 mn")
            sim.run(1)
            self.fails("argument", "'bed' cannot change once the run has started", sim.set, "bed", 0)
        self.fails("argument", "the simulation is closed, or was not made", sim.get, "level")
        with self.assertRaisesRegex(ria.Error, "^Simulation: unknown key 'nz'|unknown field 'nz'"):
            lake(nz=3)
        self.fails("argument", "Simulation: dx is missing", ria.Simulation, nx=3, ny=4)
        with self.assertRaises(ria.Error) as caught:
            lake(device="cuda:99")
        self.assertIn(caught.exception.status, ("device", "argument"))
        with self.assertRaises(ria.Error) as caught:
            lake(bed=np.full((24, 40), np.nan))
        self.assertEqual(caught.exception.status, "argument")

    # Methods of the module's own class, and arguments that they take.
    CALLS = {"start": (), "_run": (1,), "_seconds": (1,), "advance": (1,), "step": (1,), "finish": (), "stop": (),
             "get_into": ("level", np.zeros((24, 40))), "set_from": ("level", 1.0), "track_maximum": ("level",),
             "probe": ("level", 1, 1), "stats": ("level",), "fields": (), "budget": (), "summary": (), "report": (),
             "param": ("manning",), "date": (0.0,), "_boundary": (), "boundary_flux": ("east",), "spill": (),
             "released": (1,), "vary": ("wind_speed", 1), "_at": (1, print), "_every": (1, print, None, None),
             "cancel": (1,), "gauge": (), "section": (), "_gauge_history": ("a", "b")}

    def test_closed(self):
        """Closed, or never made: each method and property says so, whatever it is called with."""
        sim = lake()
        sim.close()
        sim.close()
        for closed in (sim, ria.Simulation.__new__(ria.Simulation)):
            for name, given in self.CALLS.items():
                self.fails("argument", "the simulation is closed, or was not made", getattr(closed, name), *given)
            for name in ("time", "steps", "grid", "crs", "out", "device"):
                self.fails("argument", "the simulation is closed, or was not made", getattr, closed, name)
            self.assertEqual((closed.closed, closed.t_end, closed.progress), (True, None, None))
            self.assertIsNone(closed.interrupt())

    def test_arguments(self):
        """Too many, of another type, out of range, misspelt: of each method, and of what a simulation is made from."""
        with lake() as sim:
            for name, given in self.CALLS.items():
                with self.assertRaises(TypeError, msg=name):
                    getattr(sim, name)(*given, *range(9))
            self.fails("argument", "the simulation is made already", sim.__init__, nx=3, ny=3, dx=1)
            for message, call, *given in (
                    ("advance: dt: 'x' has no number: expected a time (ms, s, min, h, d, week, yr)", sim.advance, "x"),
                    ("-1 steps: they must be 0 or more", sim.step, -1),
                    ("run: t: expected a number, or text with a unit, got []", sim.run, []),
                    ("at: t: 'x' has no number: expected a time (ms, s, min, h, d, week, yr)", sim.at, "x", print),
                    ("expected a function of (sim, t), or ria.frame or ria.save", sim.at, 1, ("film", {})),
                    ("frame: its keys: expected a dict, got 5", sim.at, 1, ("frame", 5)),
                    ("frame: unknown key 'wdth': did you mean 'width'?", sim.at, 1, ria.frame("level", wdth=3)),
                    ("save: unknown key 'prec'", sim.at, 1, ria.save("level", prec=3)),
                    ("every: start: 'x' has no number: expected a time (ms, s, min, h, d, week, yr)", sim.every, 1, print, "x"),
                    ("every: stop: 'x' has no number: expected a time (ms, s, min, h, d, week, yr)", sim.every, 1, print, 1, "x"),
                    ("handle 99 is not that of a spill", sim.released, 99),
                    ("nothing to cancel: handle 99 is unknown, finished or cancelled already", sim.cancel, 99),
                    ("no boundary is named 'nowhere'", sim.boundary_flux, "nowhere"),
                    ("no gauge is named 'nope'", sim.gauge_history, "nope", "level"),
                    ("unknown parameter 'maning' of shallow_water: did you mean 'manning'?", sim.param, "maning"),
                    ("no maximum of 'level' is kept: ask for it before the run", sim.get, "level", None, True),
                    ("expected 24 x 40 doubles (float64), row by row from the south, got 3 bytes of 'B'", sim.set_from, "level", b"abc")):
                self.fails("argument", message, call, *given)
            for message, keys in (
                    ("title: expected text", {"title": 5}), ("title: expected text", {"title": "a\0b"}),
                    ("nx: expected a whole number, got 'a'", {"nx": "a"}), ("nx: expected a whole number, got 2.5", {"nx": 2.5}),
                    ("nx: expected a whole number, got True", {"nx": True}), ("nx: expected a whole number, got 1099511627776", {"nx": 2**40}),
                    ("dx: expected a number, got 1j", {"dx": 1j}), ("dx is missing", {"dx": None}),
                    ("precision: 'half' is not one of double, single", {"precision": "half"})):
                self.fails("argument", "Simulation: " + message, lake, **keys)
            for message, keys in (
                    ("params: expected a dict", {"params": [1]}), ("params: a name: expected text", {"params": {5: 1}}),
                    ("params: manning: expected a number, or text with a unit, got []", {"params": {"manning": []}}),
                    ("parameter 'upwind' of adi is 'no': the choices are froude, off", {"solver": "adi", "params": {"upwind": "no", "dt": 1}}),
                    ("tracers: expected a dict of dicts", {"tracers": ["oil"]}), ("tracers: a name: expected text", {"tracers": {5: {}}}),
                    ("oil: its keys: expected a dict, got 5", {"tracers": {"oil": 5}}),
                    ("oil: unknown key 'unt': did you mean 'unit'?", {"tracers": {"oil": {"unt": 5}}})):
                self.fails("argument", message, lake, **keys)
            self.fails("argument", "Simulation: all arguments have names: nx = 100, ...", type(sim).__base__, 5)

    def test_forcing(self):
        """Boundaries, series, releases, gauges and sections: what they refuse, and what they take."""
        with lake() as sim:
            def north(**keys):
                return sim.boundary("north", kind="level", **keys)
            for message, keys in (
                    ("side is missing, or from_ and to", {"kind": "open"}), ("from_ and to go together", {"kind": "open", "from_": (0, 0)}),
                    ("from_: expected (x, y), got 5", {"kind": "open", "from_": 5, "to": (0, 20)}),
                    ("change: expected text", {"change": 5}), ("tracers: expected a dict", {"side": "east", "tracers": [5]}),
                    ("a tracer: expected text", {"side": "east", "tracers": {5: 1}}), ("there is no tracer 'oli'", {"side": "east", "tracers": {"oli": 5}}),
                    ("oil: 'x' has no number: expected one and a unit, '5 kg/m^3'", {"side": "east", "tracers": {"oil": "x"}}),
                    ("no kind takes as many values", {"side": "east", **{"v%d" % k: k for k in range(9)}})):
                self.fails("argument", "boundary: " + message, sim.boundary, **keys)
            for message, level in (
                    ("'x' has no number: expected a length (mm, cm, m, km, ft, nmi, mi)", "x"),
                    ("expected a list of (at, value)", [5]), ("expected (x, y), got 'x'", [("x", 1)]),
                    ("expected a number, text with a unit, or a series, got (5, {})", (5, {})),
                    ("expected a number, text with a unit, or a series, got ('tabel', {})", ("tabel", {})),
                    ("tide: unknown constituent 'M22': did you mean 'M2'?", ria.tide({"M22": (0.5, 10)})),
                    ("expected constituents {name: (amplitude, phase)}, got 5", ria.tide(5)),
                    ("expected (amplitude, phase) of each constituent, got 5", ria.tide({"M2": 5})),
                    ("expected a number, or text with a unit, got ()", ria.tide({(): (1, 2)})),
                    ("2 times and 1 values", ria.series([0, 1], [1]))):
                self.fails("argument", "boundary: level: " + message, north, level=level)
            self.fails("argument", "boundary: phases: 'moon' is not one of auto, greenwich, local, relative",
                       north, level=ria.tide({"M2": (1, 2)}, phases="moon"))
            self.fails("argument", "boundary: unknown key 'z': did you mean 'z0'?", north, level=ria.tide({"M2": (1, 2)}, z=5))
            north(level=[((0, 240), 0.1), ((400, 240), 0.3)])
            sim.boundary("west", kind="level", level=ria.tide({360.0: (0.25, 0)}))  # deg/h: its own speed
            with open("wind.csv", "w", encoding="utf-8") as file:
                file.write("time,speed\n0,1\n10,2\n")
            sim.vary("wind_speed", ria.csv("wind.csv", column="speed"))
            sim.run(5)
            self.assertEqual(sim.param("wind_speed"), 1.5)
            self.fails("input", "vary: wind_speed: cannot open no.csv: No such file or directory", sim.vary, "wind_speed", ria.csv("no.csv"))
            self.fails("argument", "vary: interp: 'cubic' is not one of linear, step", sim.vary, "wind_speed", ria.series([0, 9], [1, 2], interp="cubic"))
            self.fails("argument", "spill: flow: expected a number, text with a unit, or a series, got (1, 2)",
                       sim.spill, tracer="oil", x=100, y=100, flow=(1, 2))
            self.fails("argument", "spill: tracer: expected text", sim.spill, tracer=5, x=1, y=1, mass=1)
            self.fails("argument", "unknown tracer 'oli': did you mean 'oil'?", sim.spill, tracer="oli", x=1, y=1, mass=1)
            self.fails("argument", "gauge: fields: expected a list of text, got 'level'", sim.gauge, name="a", x=5, y=5, every=1, fields="level")
            for message, line in (("section: line: expected a list of (x, y)", 5), ("section: line: expected (x, y), got 5", [5]),
                                  ("shape 1: a line needs at least 2 positions", [(1, 1)])):
                self.fails("argument", message, sim.section, name="c", every=1, line=line)

    def test_covered(self):
        """A boundary that later ones cover wholly is an error when the run starts, with the words that Lua has."""
        with lake() as sim:
            sim.boundary(name="river", kind="discharge", from_=(0, 50), to=(0, 100), q=5)
            sim.boundary(name="sea", kind="level", from_=(0, 0), to=(0, 200), level=0)
            for run in (sim.start, lambda: sim.step(1), lambda: sim.run(10)):
                with self.assertRaisesRegex(ria.Error, "^boundary 'river' lets nothing through: others cover all of its edges .5., 'sea' .5.: of two"):
                    run()

    def test_stretches(self):
        """A stretch comes after the sides, wherever it stands; a side that is misspelt is one."""
        river = {"kind": "discharge", "from_": (0, 50), "to": (0, 100), "q": 5}
        with lake(boundary={"river": river, "west": "open"}) as sim:
            sim.run(5)
            self.assertAlmostEqual(sim.boundary_flux("river")[0], 25, 9)
        self.fails("argument", "boundary: side: 'wets' is not one of west, east, south, north: did you mean 'west'?",
                   lake, boundary={"wets": "open"})

    def test_module(self):
        """What is there, and dates; a run that a callback or another thread ends, and its report."""
        self.assertEqual(list(ria.devices())[0], "cpu")
        self.assertIs(ria.devices()["cpu"]["there"], True)
        self.assertIn("shallow water", ria.solvers()["shallow_water"])
        self.assertEqual((ria.date("1970-01-02"), ria.date("1970-01-01 02:00", "+02:00")), (86400.0, 0.0))
        self.fails("argument", "date 'yesterday': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it", ria.date, "yesterday")
        self.assertRaises(TypeError, ria.date, 5)
        lines = []
        with lake(log=lines.append) as sim:
            self.assertEqual((sim.device, sim.crs, sim.out, sim.date()), ("cpu", None, None, None))
            sim.progress = print
            self.assertIs(sim.progress, print)
            del sim.progress
            self.assertIsNone(sim.progress)
            sim.at(2, lambda sim, t: sim.stop())
            self.assertEqual(sim.run(10), 2.0)
            sim.at(3, lambda sim, t: sim.interrupt())
            with self.assertRaises(ria.Error) as caught:
                sim.run(10)
            self.assertEqual((caught.exception.status, sim.time < 4), ("interrupted", True))
            sim.finish()
            sim.report()
        self.assertTrue(any("water [m^3]" in line for line in lines), lines)

        def full(line):
            raise BufferError(line)
        with self.assertRaises(BufferError):  # a log's, by way of the call in which it wrote
            with lake(log=full) as sim:
                sim.report()

    def test_thrown_as_it_was(self):
        """What a callback throws is what the caller catches; the simulation goes on after it."""
        with lake() as sim:
            thrown = ZeroDivisionError("mine")

            def fails(sim, t):
                raise thrown
            handle = sim.every(1, fails, start=2)
            with self.assertRaises(ZeroDivisionError) as caught:
                sim.run(10)
            self.assertIs(caught.exception, thrown)
            self.assertEqual(sim.time, 2.0)
            sim.cancel(handle)
            self.assertEqual(sim.run(3), 3.0)
            sim.at(4, lambda sim, t: sim.close())
            self.fails("argument", "the simulation cannot be closed while it is at work", sim.run, 10)
            handle = sim.every(0.5, lambda sim, t: t < 5, start=4.5)
            self.assertEqual(sim.run(10), 5.0)
            sim.cancel(handle)
            sim.progress = lambda info: 1 / 0
            with self.assertRaises(ZeroDivisionError):
                sim.run("10 d")

    def test_two_at_once(self):
        """Interleaved, with one thread each, they have the bits that they have alone; a third thread is refused."""
        alone = lake()
        alone.run(20)
        a, b = lake(), lake(level=0.1)
        for k in range(1, 21):
            a.advance(k - a.time)
            b.advance(k - b.time)
        threads = [threading.Thread(target=sim.run, args=(40,)) for sim in (a, b)]
        for sim in (alone, a):
            sim.every(1, lambda sim, t: None, start=0 if sim.time == 0 else None)
        refused = []

        def intrude(sim, t):
            def other():
                try:
                    sim.get("level")
                except ria.Error as error:
                    refused.append(str(error))
            thread = threading.Thread(target=other)
            thread.start()
            thread.join()
        b.at(30, intrude)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(refused, ["another thread is at work with this simulation"])
        exact = lake()
        for k in range(1, 41):
            exact.advance(k - exact.time)
        np.testing.assert_array_equal(a["level"], exact["level"])
        self.assertTrue((b["level"] != a["level"]).any())

    def test_lives(self):
        """Objects die in any order, also in circles, and leave no memory behind."""
        def circle():
            sim = lake(nx=200, ny=200, bed=-1, level=0)
            sim.own = sim
            sim.at(1, lambda s, t: sim)
            sim.progress = sim.step
            return weakref.ref(sim)

        def script(order):
            script = ria.Script("sea.lua", n=200, out="out/lives", overwrite=True, threads=1, device="cpu")
            sim = script.next()
            sim.every(10, lambda s, t: (script, sim))
            sim.step()
            view = sim.view("level")
            mean = np.nanmean(view)
            things = [script, sim]
            dead = [weakref.ref(thing) for thing in things]
            del script, sim
            for k in order:
                things[k] = None
            del things
            gc.collect()
            assert all(ref() is None for ref in dead), dead
            assert np.nanmean(view) == mean

        for k in range(8):
            dead = circle()
            gc.collect()
            self.assertIsNone(dead())
            script([k % 2, (k + 1) % 2])
            if k == 3:
                before = memory()
        if "libasan" not in os.environ.get("LD_PRELOAD", ""):  # which keeps what was given back for a while
            self.assertLess(memory() - before, 8)  # a simulation has 20 MB

    def test_what_happened(self):
        with lake(out="out/what", overwrite=True, tracers={"oil": {"unit": "mg/l"}}, title="What") as sim:
            sim.track_maximum("level")
            sim.gauge(name="pier", x=55, y=55, every=1, fields=["level"])
            sim.section(name="gap", line=[(200, 0), (200, 240)], every="2 s")
            sim.every(5, ria.save("level", "oil", name="fields"))
            sim.at(10, ria.frame("level", range=(-0.5, 0.5), width=200))
            sim.boundary("east", kind="level", level=[(0, 0.0), (1, "5 cm")], tracers={"oil": "2 mg/l"})
            sim.vary("wind_speed", ria.series([0, 100], [0, 10], hold=True))
            sim.run(20)
            self.assertAlmostEqual(sim.param("wind_speed"), 2.0)
            t, level = sim.gauge_history("pier", "level")
            self.assertEqual(list(t), list(range(21)))
            self.assertEqual(level[0], 0.5)
            self.assertEqual(level[-1], sim.probe("level", 55, 55))
            self.assertEqual(len(sim.gauge_history("gap", "discharge")[0]), 11)
            self.assertGreaterEqual(sim.get("level", maximum=True)[0, 0], np.nanmax(level[0]))
            stats = sim.stats("level")
            self.assertEqual(stats["max"], np.nanmax(sim["level"]))
            self.assertEqual(stats["max"], sim["level"][stats["max_cell"]])
            budget = sim.budget()
            into, out = sim.boundary_flux("east")
            self.assertTrue(into > 0 and abs(budget["water"]["inflow"] - into) < 1e-9 * into and out >= 0)
            self.assertLess(abs(budget["water"]["relative"]), 1e-12)
            self.assertGreater(sim.boundary_flux("east", "oil")[0], 0)
            self.assertEqual(sim.summary()["steps"], sim.steps)
            self.assertEqual(sim.fields()["oil"]["cf_unit"], "mg/l")
            sim.boundary(change="east", kind="wall")
            x, y = sim.xy()
            self.assertEqual((x[2, 3], y[2, 3]), (35.0, 25.0))
        results = ria.open("out/what")
        self.assertEqual((results.run["title"], results.run["status"], results.stores), ("What", "ok", ["fields"]))
        self.assertEqual([os.path.basename(p) for p in results.frames["level"]], ["level_000000.png"])


class Scripts(unittest.TestCase):
    def test_pauses(self):
        """What a script pauses for may be looked at, changed and moved on; let go, it writes what `ria run` writes."""
        subprocess.run([PROGRAM, "run", "-q", "sea.lua", "--out", "out/plain", "--device", "cpu", "n=25"], check=True)
        with ria.Script("sea.lua", out="out/paused", device="cpu", threads=1, n=25) as script:
            sim = script.sim
            self.assertIs(script.sim, sim)
            self.assertEqual(script.params()["n"]["value"], "25")
            self.assertEqual((sim.time, sim.t_end, sim.grid["nx"], sim.crs), (0.0, 600.0, 25, "EPSG:25829"))
            self.assertEqual(sim.date(), "2026-07-14T00:00:00+02:00")
            self.assertIsNone(script.next())
            self.assertTrue(script.over and sim.time == 600.0)
            self.assertIsNone(script.next())
        for name in ("gauges.csv", "fields.zarr/level/0.0.0", "maxima/level.png"):
            with open(f"out/plain/{name}", "rb") as a, open(f"out/paused/{name}", "rb") as b:
                self.assertEqual(a.read(), b.read(), name)
        with self.assertRaisesRegex(ria.Error, "closed"):
            sim.step()

        with ria.Script("sea.lua", out="out/stepped", device="cpu", threads=1) as script:
            sim = script.next()
            at = []
            sim.every("2 min", lambda s, t: at.append(t))
            os.path.exists("half") and os.remove("half")
            sim.step(3)
            self.assertEqual(sim.steps, 3)
            sim.advance("3 min")
            self.assertFalse(os.path.exists("half"))
            sim["level"] = 0.125
            handle = sim.spill(tracer="dye", x=500200, y=4600500, radius=100, amount="5 kg")
            sim.run("2026-07-14 00:05")
            self.assertEqual((sim.time, os.path.exists("half")), (300.0, True))
            script.run()
            self.assertEqual(at, [0.0, 120.0, 240.0, 360.0, 480.0, 600.0])
            self.assertEqual(sim.released(handle), 5.0)

    def test_several(self):
        """A script that runs one after the other; one that Python does not look at runs all the same."""
        for name in ("done1", "done2"):
            os.path.exists(name) and os.remove(name)
        with ria.Script("sea.lua", runs=2, t="2 min", device="cpu", threads=1, overwrite=True) as script:
            seen = [sim.out for sim in script]
            self.assertEqual([os.path.basename(out) for out in seen], ["many1", "many2"])
            self.assertTrue(os.path.exists("done2"))
            self.assertEqual(script.sim.time, 120.0)

    def test_errors(self):
        def write(name, text):
            with open(name, "w", encoding="utf-8") as file:
                file.write(text)
            return ria.Script(name, device="cpu", threads=1)
        with self.assertRaises(ria.Error) as caught:
            write("wrong.lua", 'local ria = require "ria"\n\nria.sim { grd = 1 }').next()
        self.assertEqual(caught.exception.status, "argument")
        self.assertTrue(str(caught.exception).startswith("wrong.lua:3: ria.sim: unknown key 'grd': did you mean 'grid'?"))
        with self.assertRaises(ria.Error) as caught:
            write("wrong.lua", 'local ria = require "ria"\nlocal s = ria.sim { grid = { nx = 3, ny = 3, dx = 1 }, bed = -1 }'
                  '\ns:run "10 mn"').next()
        self.assertTrue(str(caught.exception).startswith("wrong.lua:3: sim:run: "))
        with self.assertRaisesRegex(ria.Error, "^wrong.lua:1: .*expected near") as caught:
            write("wrong.lua", "for for")
        self.assertEqual(caught.exception.status, "callback")
        with self.assertRaisesRegex(ria.Error, "unknown parameter|there is no parameter|'m'"):
            ria.Script("sea.lua", m=3).next()
        with self.assertRaises(ria.Error):
            ria.Script("missing.lua")
        thrown = []
        with ria.Script("sea.lua", out="out/thrown", device="cpu", threads=1) as script:
            script.next().at(60, lambda sim, t: thrown.append(t) or 1 / 0)
            with self.assertRaises(ZeroDivisionError):
                script.run()
        self.assertEqual(thrown, [60.0])
        lines = []
        with ria.Script("sea.lua", out="out/logged", log=lines.append, t="1 min", device="cpu", threads=1) as script:
            script.run()
        self.assertTrue(any("water [m^3]" in line for line in lines), lines)


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name in ("xarray", "zarr", "pandas"):
            try:
                __import__(name)
            except ImportError:
                print(f"not looked at: results, there is no {name}")
                raise unittest.SkipTest(name) from None
        with ria.Script("sea.lua", out="out/results", device="cpu", threads=1) as script:
            sim = script.run()
            cls.level, cls.xy = sim["level"], sim.xy()

    def test_stores(self):
        results = ria.open("out/results")
        data = results.fields
        np.testing.assert_array_equal(data["level"].isel(time=-1), self.level)
        np.testing.assert_array_equal(results["level"][-1], self.level)
        np.testing.assert_array_equal(data["x"], self.xy[0][0])
        self.assertEqual(str(data["time"].values[0])[:19], "2026-07-13T22:00:00")
        self.assertEqual(len(data["time"]), 3)
        self.assertEqual(data.attrs["crs"], "EPSG:25829")
        self.assertIn("25829", data["crs"].attrs["crs_wkt"])
        self.assertIn("crs", data["level"].coords)
        self.assertEqual(data["dye"].attrs["units"], "mg/l")
        self.assertGreaterEqual(float(results.maxima["level"].max()), self.level.max())
        with self.assertRaises(ria.Error) as caught:
            results.store("slow")
        self.assertEqual(str(caught.exception), "out/results has no store 'slow' (saved: fields)")

    def test_tables(self):
        results = ria.open("out/results")
        gauges = results.gauges
        self.assertEqual(list(gauges["pier"]), ["level", "speed", "dye"])
        self.assertEqual(list(gauges["quay"].dropna().index.minute), [0, 2, 4, 6, 8, 10])
        self.assertEqual(gauges.index[1].isoformat(), "2026-07-14T00:01:00+02:00")
        self.assertEqual(gauges.attrs["units"]["pier", "dye"], "mg/l")
        self.assertEqual(gauges["pier"]["level"].iloc[-1], self.level[10, 10])
        self.assertEqual(list(results.sections["mouth"]), ["discharge", "dye"])
        self.assertEqual(results.sections.attrs["units"]["mouth", "discharge"], "m3 s-1")
        budget = results.budget
        self.assertEqual(budget["water_stored"].iloc[0], results.run["budget"][0]["initial"])
        self.assertEqual(budget.attrs["units"]["dye_stored"], "kg")

    def test_without_packages(self):
        for name, look in (("xarray", lambda r: r.fields), ("pandas", lambda r: r.gauges)):
            kept, sys.modules[name] = sys.modules.get(name), None
            try:
                with self.assertRaises(ImportError) as caught:
                    look(ria.open("out/results"))
                self.assertIn(f"`apt install python3-{name}` or `pip install {name}`", str(caught.exception))
            finally:
                sys.modules[name] = kept

    def test_what_is_no_run(self):
        with self.assertRaises(ria.Error) as caught:
            ria.open("nowhere")
        self.assertEqual((caught.exception.status, str(caught.exception)),
                         ("input", "nowhere holds no results of a run: run.json: No such file or directory"))


# The functions of BMI 2.0 and how many arguments each takes, as the specification lists them.
BMI = {
    "initialize": 1, "update": 0, "update_until": 1, "finalize": 0, "get_component_name": 0, "get_input_item_count": 0,
    "get_output_item_count": 0, "get_input_var_names": 0, "get_output_var_names": 0, "get_var_grid": 1,
    "get_var_type": 1, "get_var_units": 1, "get_var_itemsize": 1, "get_var_nbytes": 1, "get_var_location": 1,
    "get_current_time": 0, "get_start_time": 0, "get_end_time": 0, "get_time_units": 0, "get_time_step": 0,
    "get_value": 2, "get_value_ptr": 1, "get_value_at_indices": 3, "set_value": 2, "set_value_at_indices": 3,
    "get_grid_rank": 1, "get_grid_size": 1, "get_grid_type": 1, "get_grid_shape": 2, "get_grid_spacing": 2,
    "get_grid_origin": 2, "get_grid_x": 2, "get_grid_y": 2, "get_grid_z": 2, "get_grid_node_count": 1,
    "get_grid_edge_count": 1, "get_grid_face_count": 1, "get_grid_edge_nodes": 2, "get_grid_face_edges": 2,
    "get_grid_face_nodes": 2, "get_grid_nodes_per_face": 2}


class Conformance(unittest.TestCase):
    def model(self, **config):
        with open("model.json", "w", encoding="utf-8") as file:
            json.dump(dict({"script": "sea.lua", "out": "out/bmi", "overwrite": True, "device": "cpu", "threads": 1},
                           **config), file)
        model = ria.Bmi()
        model.initialize("model.json")
        self.addCleanup(model.finalize)
        return model

    def test_functions(self):
        for name, n in BMI.items():
            self.assertEqual(len(inspect.signature(getattr(ria.Bmi(), name)).parameters), n, name)
        self.assertEqual(len(BMI), 41)
        with self.assertRaisesRegex(ria.Error, "^the model is not initialized$"):
            ria.Bmi().update()

    def test_variables(self):
        m = self.model()
        self.assertEqual(m.get_component_name(), "ria")
        outputs, inputs = m.get_output_var_names(), m.get_input_var_names()
        self.assertIsInstance(outputs, tuple)
        self.assertEqual((len(outputs), len(inputs)), (m.get_output_item_count(), m.get_input_item_count()))
        self.assertEqual(len(set(outputs)), len(outputs))
        self.assertTrue(set(inputs) <= set(outputs))
        for name in ("land_surface__elevation", "land_surface_water__depth", "land_surface_water_surface__elevation",
                     "land_surface_water_flowing__x_component_of_velocity", "dye"):
            self.assertIn(name, outputs)
        self.assertNotIn("land_surface__elevation", inputs)
        for name in outputs:
            self.assertEqual((m.get_var_grid(name), m.get_var_type(name), m.get_var_location(name)), (0, "float64", "node"))
            dtype = np.dtype(m.get_var_type(name))
            self.assertEqual(m.get_var_itemsize(name), dtype.itemsize)
            self.assertEqual(m.get_var_nbytes(name), dtype.itemsize * m.get_grid_size(0))
            self.assertRegex(m.get_var_units(name), r"^(1|[A-Za-z]+[0-9]*( [A-Za-z]+(-?[0-9]+(/[0-9])?)?)*)$")
        units = {"u": "m s-1", "qx": "m2 s-1", "depth": "m", "dye": "mg l-1", "froude": "1"}
        self.assertEqual({name: m.get_var_units(name) for name in units}, units)
        with self.assertRaisesRegex(ria.Error, "^there is no variable 'levl'"):
            m.get_var_grid("levl")

    def test_time(self):
        m = self.model()
        self.assertEqual((m.get_start_time(), m.get_current_time(), m.get_end_time()), (0.0, 0.0, 600.0))
        self.assertEqual(m.get_time_units(), "s")
        for value in (m.get_start_time(), m.get_time_step()):
            self.assertIsInstance(value, float)
        m.update()
        self.assertEqual(m.get_time_step(), m.get_current_time())
        self.assertTrue(0 < m.get_time_step() < 20)
        m.update_until(300.0)
        self.assertEqual(m.get_current_time(), 300.0)
        with self.assertRaisesRegex(ria.Error, "^update_until: 200.0 s is not between now"):
            m.update_until(200.0)
        while m.get_current_time() < m.get_end_time():
            m.update()
        self.assertEqual(m.get_current_time(), 600.0)
        os.path.exists("done1") and os.remove("done1")
        m.finalize()
        self.assertTrue(os.path.exists("done1"))
        self.assertEqual(ria.open("out/bmi").run["status"], "ok")
        m.initialize("model.json")
        self.assertEqual(m.get_current_time(), 0.0)
        m = self.model(time_step="45 s", out="out/bmi45")
        self.assertEqual(m.get_time_step(), 45.0)
        m.update()
        m.update()
        self.assertEqual(m.get_current_time(), 90.0)

    def test_values(self):
        m = self.model()
        name = "land_surface_water_surface__elevation"
        dest = np.empty(m.get_grid_size(0))
        self.assertIs(m.get_value(name, dest), dest)
        there = m.get_value_ptr(name)
        np.testing.assert_array_equal(there, dest)
        at = address(there)
        m.update()
        self.assertTrue((there != dest).any())
        self.assertEqual(address(m.get_value_ptr(name)), at)
        np.testing.assert_array_equal(m.get_value(name, dest), there)
        three = np.empty(3)
        self.assertIs(m.get_value_at_indices(name, three, [0, 31, 599]), three)
        np.testing.assert_array_equal(three, dest[[0, 31, 599]])
        m.set_value(name, np.full(600, 0.5))
        np.testing.assert_allclose(there, 0.5, rtol=1e-14)
        m.set_value_at_indices(name, np.array([3, 50]), np.array([0.75, 1.0]))
        np.testing.assert_allclose(there[[3, 50, 4]], (0.75, 1.0, 0.5), rtol=1e-14)
        self.assertEqual(m.get_value_at_indices("level", np.empty(1), [50])[0], there[50])
        with self.assertRaises(ria.Error):
            m.set_value("land_surface_water_flowing__speed", np.zeros(600))

    def test_grid(self):
        m = self.model()
        self.assertEqual((m.get_grid_rank(0), m.get_grid_size(0), m.get_grid_type(0)), (2, 600, "uniform_rectilinear"))
        shape = np.empty(2, dtype=int)
        self.assertIs(m.get_grid_shape(0, shape), shape)
        self.assertEqual(list(shape), [20, 30])
        self.assertEqual(list(m.get_grid_spacing(0, np.empty(2))), [50.0, 50.0])
        self.assertEqual(list(m.get_grid_origin(0, np.empty(2))), [4600025.0, 500025.0])
        x, y = m.get_grid_x(0, np.empty(30)), m.get_grid_y(0, np.empty(20))
        self.assertEqual((x[0], x[-1], y[1]), (500025.0, 501475.0, 4600075.0))
        self.assertRaises(NotImplementedError, m.get_grid_z, 0, np.empty(1))
        nodes, edges, faces = m.get_grid_node_count(0), m.get_grid_edge_count(0), m.get_grid_face_count(0)
        self.assertEqual((nodes, nodes - edges + faces), (600, 1))  # Euler
        e = m.get_grid_edge_nodes(0, np.empty(2 * edges, dtype=int)).reshape(-1, 2)
        f = m.get_grid_face_nodes(0, np.empty(4 * faces, dtype=int)).reshape(-1, 4)
        fe = m.get_grid_face_edges(0, np.empty(4 * faces, dtype=int)).reshape(-1, 4)
        self.assertTrue((m.get_grid_nodes_per_face(0, np.empty(faces, dtype=int)) == 4).all())
        for k in (0, 28, 29, faces - 1):
            around = {frozenset(pair) for pair in zip(f[k], np.roll(f[k], -1))}
            self.assertEqual({frozenset(pair) for pair in e[fe[k]]}, around)
            px, py = f[k] % 30, f[k] // 30
            area = sum(px * np.roll(py, -1) - np.roll(px, -1) * py) / 2
            self.assertEqual(area, 1.0)  # counter-clockwise
        with self.assertRaisesRegex(ria.Error, "^there is no grid 1"):
            m.get_grid_rank(1)

    def test_turned(self):
        with open("turned.lua", "w", encoding="utf-8") as file:
            file.write('local ria = require "ria"\nlocal sim = ria.sim { grid = { nx = 4, ny = 3, dx = 10, x0 = 5, angle = 90 }, bed = -1 }\nsim:run(1)\n')
        m = self.model(script="turned.lua", out="out/turned")
        self.assertEqual(m.get_grid_type(0), "structured_quadrilateral")
        x, y = m.get_grid_x(0, np.empty(12)), m.get_grid_y(0, np.empty(12))
        np.testing.assert_allclose([x[0], y[0], x[1], y[1], x[4], y[4]], [0, 5, 0, 15, -10, 5], atol=1e-9)

    def test_config(self):
        for config, message in (({"script": "sea.lua", "stp": 1}, "unknown key 'stp'"), ({}, "script is missing")):
            with open("wrong.json", "w", encoding="utf-8") as file:
                json.dump(config, file)
            with self.assertRaisesRegex(ria.Error, f"^wrong.json: {message}"):
                ria.Bmi().initialize("wrong.json")
        self.assertTrue(math.isnan(self.model().get_time_step()))


with open("sea.lua", "w", encoding="utf-8") as sea:
    sea.write(SEA)
result = unittest.TextTestRunner(stream=open(os.devnull, "w", encoding="utf-8")).run(
    unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"]))
for test, trace in result.failures + result.errors:
    print(f"{test}:\n{trace}")
sys.exit(not result.wasSuccessful())
