"""ria for Python: results as xarray and pandas, simulations as numpy, BMI 2.0.

    results = ria.open("out/bay")               # fields, gauges, sections, budget, run
    sim = ria.Simulation(nx=120, ny=60, dx=10, bed=bed, level=0)
    script = ria.Script("bay.lua", days=2)      # a scenario in Lua
    model = ria.Bmi()                           # for coupling frameworks

Numbers are SI and text carries its unit ("10 min", "500 t"); a field is [ny][nx], row 0 in the
south. What goes wrong is ria.Error with the engine's whole message and a `status`.
"""

from ._ria import Error, date, devices, solvers
from ._ria import version as __version__
from ._bmi import Bmi
from ._results import Results, open
from ._script import Script
from ._simulation import Simulation, csv, frame, save, series, tide

__all__ = ["Bmi", "Error", "Results", "Script", "Simulation", "csv", "date", "devices", "frame", "open", "save",
           "series", "solvers", "tide"]
