"""What simulations refuse, each with its whole message."""

import numpy as np
import ria

from common import Case, lake


class Refused(Case):
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
