"""What the tests of the module ria share: the program, a script, a lake, whole messages."""

import os
import sys
import unittest

import numpy as np
import ria

PROGRAM = sys.argv[1]

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


class Case(unittest.TestCase):
    def fails(self, status, message, call, *args, **kwargs):
        """The call fails with this status and this whole message."""
        with self.assertRaises(ria.Error) as caught:
            call(*args, **kwargs)
        self.assertEqual((caught.exception.status, str(caught.exception)), (status, message))
