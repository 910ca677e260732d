"""Simulations: as Lua has them, their fields in memory, callbacks, threads, lives, what happened."""

import gc
import os
import subprocess
import threading
import weakref

import numpy as np
import ria

from common import PROGRAM, Case, address, lake, memory


class Simulations(Case):
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
