"""The Basic Model Interface 2.0 (CSDMS) over a scenario: what coupling frameworks ask of a model.

    model = ria.Bmi()
    model.initialize("bay.lua")              # or bay.json: {"script": "bay.lua", "params": {"days": 2}, ...}
    while model.get_current_time() < model.get_end_time():
        model.update()
    model.finalize()

Variables have the names of the CSDMS Standard Names, version 2.0.0, where there is one, else ria's own ("manning",
"oil"); the functions take ria's own names as well. Values lie at the cells' centres, which are the nodes of grid 0.
"""

import json
import os
import re

from ._need import error, need
from ._script import Script

try:  # the specification's abstract class, where it is installed
    from bmipy import Bmi as _Base
except ImportError:
    _Base = object

_WATER = "land_surface_water_flowing__"
_OF_WATER = {
    "bed": "land_surface__elevation",
    "depth": "land_surface_water__depth",
    "level": "land_surface_water_surface__elevation",
    "qx": _WATER + "x_component_of_z_integral_of_velocity",
    "qy": _WATER + "y_component_of_z_integral_of_velocity",
    "u": _WATER + "x_component_of_velocity",
    "v": _WATER + "y_component_of_velocity",
    "speed": _WATER + "speed",
    "u_east": _WATER + "east_component_of_velocity",
    "v_north": _WATER + "north_component_of_velocity",
}
_OF_GROUND = {"height": "land_surface__elevation", "sea_level": "sea_surface__elevation"}

_KEYS = ("script", "params", "out", "overwrite", "device", "threads", "parts", "time_step")


def _udunits(unit):
    """ "m^2/s" and "m2 s-1" alike as "m2 s-1". """
    over, *under = re.split(r"/(?![0-9])", unit.replace("^", ""))
    words = [over] if over != "1" or not under else []
    for word in under:
        base = word.rstrip("0123456789")
        words.append(f"{base}-{word[len(base):] or 1}")
    return " ".join(words) or "1"


class Bmi(_Base):
    """ria as a BMI 2.0 component."""

    def __init__(self):
        self._script = self._sim = None

    # --- initialize, run, finalize

    def initialize(self, config_file):
        """Open a scenario, and start the first simulation that it runs.

        config_file is the scenario (.lua), or JSON: script (beside the file), params, out, overwrite, device, threads,
        parts, time_step. time_step (s, or "10 min"): what `update` goes on by; else it takes a step of the solver's.
        """
        need("numpy", "ria.Bmi")
        if self._sim is not None:
            raise error("initialize: the model is initialized already")
        config = self._read(os.fspath(config_file))
        step = config.pop("time_step", None)
        script = Script(config.pop("script"), **config)
        try:
            sim = script.next()
            if sim is None:
                raise error(f"{config_file}: no simulation is run there by sim:run")
            self._take(script, sim, step)
        except BaseException:
            script.close()
            self._script = self._sim = None
            raise

    @staticmethod
    def _read(path):
        if not path.endswith(".json"):
            return {"script": path}
        try:
            with open(path, encoding="utf-8") as file:
                config = json.load(file)
        except ValueError as thrown:
            raise error(f"{path}: {thrown}") from None
        unknown = sorted(set(config) - set(_KEYS))
        if unknown or "script" not in config:
            raise error(f"{path}: unknown key '{unknown[0]}', known are {', '.join(_KEYS)}" if unknown
                          else f"{path}: script is missing")
        config["script"] = os.path.join(os.path.dirname(path), config["script"])
        return config

    def _take(self, script, sim, step):
        self._script, self._sim = script, sim
        self._end = sim.t_end
        self._fixed_step = None if step is None else float(step) if not isinstance(step, str) else sim._seconds(step)
        if self._fixed_step is not None and not self._fixed_step > 0:
            raise error(f"time_step is {step}: expected a time above 0")
        self._last_step = float("nan")
        sim.at(self._end, lambda sim, t: None)  # a step of the solver's must not go beyond
        sim.start()
        fields = sim.fields()
        names = _OF_WATER if "depth" in fields else _OF_GROUND
        self._long = {name: names.get(name, name) for name in fields}
        self._short = {long: name for name, long in self._long.items()}
        self._fields = fields

    def update(self):
        """On by one time step, at most to the end time."""
        sim = self._open()
        before = sim.time
        if before >= self._end:
            raise error("update: the model is at its end time")
        if self._fixed_step is None:
            sim.step()
        else:
            sim.advance(min(self._fixed_step, self._end - before))
        self._last_step = sim.time - before

    def update_until(self, time):
        """On to a time, which is later, and no later than the end time."""
        sim = self._open()
        if not sim.time <= time <= self._end:
            raise error(f"update_until: {time} s is not between now, {sim.time} s, and the end time, {self._end} s")
        if time > sim.time:
            sim.advance(time - sim.time)

    def finalize(self):
        """Close outputs and free everything. At the end time the script goes on to its own end before."""
        script, sim = self._script, self._sim
        self._script = self._sim = None
        if script is None:
            return
        try:
            if sim.time >= self._end:
                script.run()
        finally:
            script.close()

    def _open(self):
        if self._sim is None:
            raise error("the model is not initialized")
        return self._sim

    # --- what it is

    def get_component_name(self):
        return "ria"

    def get_input_item_count(self):
        return len(self.get_input_var_names())

    def get_output_item_count(self):
        return len(self.get_output_var_names())

    def get_input_var_names(self):
        """Fields that may be set while the model runs."""
        self._open()
        return tuple(self._long[name] for name, f in self._fields.items() if f["can_set"] and not f["fixed"])

    def get_output_var_names(self):
        self._open()
        return tuple(self._long.values())

    # --- variables

    def _name(self, name):
        """ria's own name of a variable."""
        self._open()
        if name in self._short:
            return self._short[name]
        if name in self._fields:
            return name
        raise error(f"there is no variable '{name}': known are {', '.join(self._short)}")

    def get_var_grid(self, name):
        self._name(name)
        return 0

    def get_var_type(self, name):
        self._name(name)
        return "float64"

    def get_var_units(self, name):
        return _udunits(self._fields[self._name(name)]["cf_unit"])

    def get_var_itemsize(self, name):
        self._name(name)
        return 8

    def get_var_nbytes(self, name):
        return self.get_var_itemsize(name) * self.get_grid_size(0)

    def get_var_location(self, name):
        self._name(name)
        return "node"

    # --- time

    def get_current_time(self):
        return self._open().time

    def get_start_time(self):
        self._open()
        return 0.0

    def get_end_time(self):
        self._open()
        return self._end

    def get_time_units(self):
        return "s"

    def get_time_step(self):
        """The step that was asked for (time_step); else the solver's last one, NaN before the first."""
        self._open()
        return self._last_step if self._fixed_step is None else self._fixed_step

    # --- values

    def get_value(self, name, dest):
        """Copy a variable into dest, flat."""
        values = self._open().get(self._name(name))
        dest.reshape(-1)[:] = values.reshape(-1)
        return dest

    def get_value_ptr(self, name):
        """An array that has the present values after every update, flat. It cannot be written: set_value does that."""
        return self._open().view(self._name(name)).reshape(-1)

    def get_value_at_indices(self, name, dest, inds):
        values = self._open().get(self._name(name))
        dest.reshape(-1)[:] = values.reshape(-1)[inds]
        return dest

    def set_value(self, name, src):
        sim = self._open()
        grid = sim.grid
        sim.set(self._name(name), _array(src).reshape(grid["ny"], grid["nx"]))

    def set_value_at_indices(self, name, inds, src):
        sim = self._open()
        name = self._name(name)
        values = sim.get(name)
        values.reshape(-1)[inds] = _array(src).reshape(-1)
        sim.set(name, values)

    # --- the grid: the cells' centres

    def _grid(self, grid):
        if grid != 0:
            raise error(f"there is no grid {grid}: all variables are on grid 0")
        return self._open().grid

    def get_grid_rank(self, grid):
        self._grid(grid)
        return 2

    def get_grid_size(self, grid):
        g = self._grid(grid)
        return g["nx"] * g["ny"]

    def get_grid_type(self, grid):
        """uniform_rectilinear; structured_quadrilateral where the grid is turned against the map."""
        return "structured_quadrilateral" if self._grid(grid)["angle"] else "uniform_rectilinear"

    def get_grid_shape(self, grid, shape):
        g = self._grid(grid)
        shape[:] = (g["ny"], g["nx"])
        return shape

    def get_grid_spacing(self, grid, spacing):
        g = self._grid(grid)
        spacing[:] = (g["dy"], g["dx"])
        return spacing

    def get_grid_origin(self, grid, origin):
        """y and x of the first node."""
        self._grid(grid)
        x, y = self._open().xy()
        origin[:] = (y[0, 0], x[0, 0])
        return origin

    def get_grid_x(self, grid, x):
        """Of the columns of nodes; of each node where the grid is turned."""
        turned = self._grid(grid)["angle"]
        xs = self._open().xy()[0]
        x[:] = xs.reshape(-1) if turned else xs[0]
        return x

    def get_grid_y(self, grid, y):
        turned = self._grid(grid)["angle"]
        ys = self._open().xy()[1]
        y[:] = ys.reshape(-1) if turned else ys[:, 0]
        return y

    def get_grid_z(self, grid, z):
        self._grid(grid)
        raise NotImplementedError("get_grid_z: the grid has two dimensions")

    def get_grid_node_count(self, grid):
        return self.get_grid_size(grid)

    def get_grid_edge_count(self, grid):
        g = self._grid(grid)
        return (g["nx"] - 1) * g["ny"] + g["nx"] * (g["ny"] - 1)

    def get_grid_face_count(self, grid):
        g = self._grid(grid)
        return (g["nx"] - 1) * (g["ny"] - 1)

    # Edges: those along x, row by row, then those along y. Faces: row by row, counter-clockwise from the first node.

    def _nodes(self, grid):
        g = self._grid(grid)
        numpy = need("numpy", "ria.Bmi")
        return numpy.arange(g["nx"] * g["ny"]).reshape(g["ny"], g["nx"])

    def get_grid_edge_nodes(self, grid, edge_nodes):
        n = self._nodes(grid)
        pairs = [(n[:, :-1], n[:, 1:]), (n[:-1], n[1:])]
        numpy = need("numpy", "ria.Bmi")
        edge_nodes[:] = numpy.concatenate([numpy.stack([a.ravel(), b.ravel()], 1).ravel() for a, b in pairs])
        return edge_nodes

    def get_grid_face_edges(self, grid, face_edges):
        g = self._grid(grid)
        numpy = need("numpy", "ria.Bmi")
        along = numpy.arange((g["nx"] - 1) * g["ny"]).reshape(g["ny"], g["nx"] - 1)
        up = along.size + numpy.arange(g["nx"] * (g["ny"] - 1)).reshape(g["ny"] - 1, g["nx"])
        face_edges[:] = numpy.stack([along[:-1], up[:, 1:], along[1:], up[:, :-1]], -1).ravel()
        return face_edges

    def get_grid_face_nodes(self, grid, face_nodes):
        n = self._nodes(grid)
        numpy = need("numpy", "ria.Bmi")
        face_nodes[:] = numpy.stack([n[:-1, :-1], n[:-1, 1:], n[1:, 1:], n[1:, :-1]], -1).ravel()
        return face_nodes

    def get_grid_nodes_per_face(self, grid, nodes_per_face):
        self._grid(grid)
        nodes_per_face[:] = 4
        return nodes_per_face


def _array(values):
    numpy = need("numpy", "ria.Bmi")
    return numpy.asarray(values, dtype=numpy.float64)
