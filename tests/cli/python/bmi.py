"""BMI 2.0, function by function."""

import inspect
import json
import math
import os
import unittest

import numpy as np
import ria

from common import address

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
