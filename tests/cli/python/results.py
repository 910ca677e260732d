"""What a run has left: stores, tables, frames."""

import sys
import unittest

import numpy as np
import ria


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
