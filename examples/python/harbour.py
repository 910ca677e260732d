"""A harbour from Python, cell by cell as in a notebook: a simulation, its fields as numpy, its results as pandas.

    PYTHONPATH=build/python python3 examples/python/harbour.py

The pictures at the end need matplotlib; without it they are left out.
"""

# %% The ground: a basin of 2 x 1 km, 4 m deep, a mole with a gap, a slope in the east
import numpy as np
import ria

nx, ny, dx = 80, 40, 25.0
x, y = (np.arange(nx) + 0.5) * dx, (np.arange(ny) + 0.5)[:, None] * dx
bed = np.full((ny, nx), -4.0)
bed += np.clip((x - 1500) / 100, 0, None)
bed[(abs(x - 700) < 30) & (abs(y - 500) > 120)] = 3.0

# %% The simulation: a tide in the west, a spill in the basin, a gauge at the pier
sim = ria.Simulation(
    nx=nx, ny=ny, dx=dx, bed=bed, level=0, params={"manning": 0.025},
    tracers={"oil": {"diffusion": "0.5 m2/s"}},
    boundary={"west": {"kind": "level", "level": ria.tide({"M2": (0.8, 0)}, ramp="10 min"), "tracers": {"oil": 0}}},
    out="out/harbour_py", overwrite=True, title="Harbour", start="2026-07-14 06:00", zone="+02:00")
sim.spill(tracer="oil", x=1000, y=400, radius=60, mass="2 t", start="20 min")
sim.gauge(name="pier", x=1400, y=500, every="1 min")
sim.every("10 min", ria.save("level", "u", "v", "oil"))

# %% Step it, and look at the fields on the way: `level` is the same array all along
level = sim.view("level")
for k in range(6):
    sim.advance("10 min")
    print(f"{sim.date()}  mean level {np.nanmean(level):6.3f} m  speed up to {sim.stats('speed')['max']:.2f} m/s")

# %% An event of our own: close the gap when oil comes near it
def watch(sim, t):
    if sim.probe("oil", 760, 500) > 1e-4:
        print(f"{sim.date(t)}  oil at the gap: the run ends")
        return False  # ends the run
sim.every("1 min", watch, start="1 h")
sim.run("2 h")
print("oil in the water: {stored:.0f} of {sources:.0f} kg".format(**sim.budget()["oil"]))
sim.close()

# %% What is on disk: fields by xarray, tables by pandas, as of every run of ria
results = ria.open("out/harbour_py")
print(f"the run ended with '{results.run['status']}' after {results.run['steps']} steps")
try:
    pier = results.gauges["pier"]
    print(f"highest level at the pier {pier['level'].max():.3f} m at {pier['level'].idxmax():%H:%M}")
    print(results.fields)
except ImportError as missing:
    highest = max(float(line.split(",")[2]) for line in open("out/harbour_py/gauges.csv").readlines()[1:])
    print(f"highest level at the pier {highest:.3f} m ({missing})")

# %% Pictures
try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    figure, (above, below) = plt.subplots(2, 1, figsize=(8, 7))
    results["oil"].isel(time=-1).plot(ax=above)
    pier["level"].plot(ax=below, ylabel="level at the pier [m]")
    figure.savefig("out/harbour_py/harbour.png")
    print("out/harbour_py/harbour.png")
except ImportError:
    print("no picture: there is no matplotlib")
