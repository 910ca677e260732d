#!/usr/bin/env python3
"""The module ria: simulations, scripts, results, BMI 2.0. Silent when right.

    run.py PROGRAM      in a folder of its own; PYTHONPATH names the module
"""

import os
import sys
import unittest

import bmi
import refused
import results
import script
import simulation
from common import SEA

with open("sea.lua", "w", encoding="utf-8") as sea:
    sea.write(SEA)
load = unittest.defaultTestLoader.loadTestsFromModule
tests = unittest.TestSuite(load(module) for module in (bmi, results, script, simulation, refused))
result = unittest.TextTestRunner(stream=open(os.devnull, "w", encoding="utf-8")).run(tests)
for test, trace in result.failures + result.errors:
    print(f"{test}:\n{trace}")
sys.exit(not result.wasSuccessful())
