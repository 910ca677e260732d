"""Scripts in Lua that pause for Python."""

import os
import subprocess
import unittest

import ria

from common import PROGRAM


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
