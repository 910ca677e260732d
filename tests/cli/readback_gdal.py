#!/usr/bin/env python3
"""Compare stores value by value through GDAL's programs: gdalmdiminfo, gdalinfo, gdallocationinfo.

usage: readback_gdal.py DIR      DIR as dump_store left it

Exit status: 0 all the same, 1 something differs (it says what), 77 GDAL or its Zarr driver is
missing.
"""

import json
import math
import shutil
import struct
import subprocess
import sys

import known


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\nfailed: {done.stderr.strip()}")
    return done.stdout


def array(store, name):
    return json.loads(output_of("gdalmdiminfo", "-detailed", "-array", "/" + name, store.path))


def number(value):
    return math.nan if value == "NaN" else float(value)


def check_field(store, field, verdict):
    """The multidimensional view. GDAL prints as many digits as the type has, float32 as nine."""
    about = array(store, field.name)
    where = f"{store.path} {field.name}"
    verdict.same(f"{where} dimensions", [d["name"] for d in about["dimensions"]],
                 ["time", "y", "x"][-len(field.shape):])
    verdict.same(f"{where} sizes", tuple(about["dimension_size"]), field.shape)
    verdict.same(f"{where} type", about["datatype"],
                 "Float32" if store.dtype == "<f4" else "Float64")
    verdict.same(f"{where} unit", about.get("unit"), field.unit)
    attributes = {k: v["value"] for k, v in about["attributes"].items()}
    verdict.same(f"{where} long_name", attributes.get("long_name"), field.long_name)
    verdict.same(f"{where} standard_name", attributes.get("standard_name"), field.standard_name)
    frames = [about["values"]] if field.fixed else about["values"]
    verdict.field(field, [[[printed(store, v) for v in row] for row in rows] for rows in frames])


def printed(store, value):
    """A value as printed, brought back to the type of the store."""
    v = number(value)
    if store.dtype == "<f4" and not math.isnan(v):
        v = struct.unpack("<f", struct.pack("<f", v))[0]
    return v


def check_coordinates(store, verdict):
    for name, expected in (("time", store.times), ("x", store.x), ("y", store.y)):
        found = array(store, name)
        verdict.same(f"{store.path} {name}", [number(v) for v in found["values"]], expected)
        kind = {"time": "TEMPORAL", "x": "HORIZONTAL_X", "y": "HORIZONTAL_Y"}[name]
        verdict.same(f"{store.path} {name} kind", found["dimensions"][0].get("type"), kind)
    verdict.same(f"{store.path} time unit", array(store, "time")["unit"],
                 "seconds since " + store.epoch if store.epoch else "s")


def raster(store, field, frame):
    """GDAL's name of one frame as a classic raster."""
    return f'ZARR:"{store.path}":/{field.name}' + ("" if field.fixed else f":{frame}")


def check_place(store, field, verdict):
    """The raster lies where it should, row 0 in the south, with the right reference system."""
    about = json.loads(output_of("gdalinfo", "-json", raster(store, field, 0)))
    where = f"{store.path} {field.name}"
    verdict.same(f"{where} size", about["size"], [store.nx, store.ny])
    expected = [store.x0, store.dx, 0.0, store.y0, 0.0, store.dy]
    for got, wanted in zip(about["geoTransform"], expected, strict=True):
        verdict.near(f"{where} geotransform", got, wanted, 1e-9 * max(1.0, abs(wanted)))
    wkt = about.get("coordinateSystem", {}).get("wkt", "")
    if store.crs:
        code = f'ID["EPSG",{store.epsg}]'
        verdict.same(f"{where} ends in {code}", wkt.replace("\n", "").rstrip("]").endswith(
            code.rstrip("]")), True)


def check_points(store, field, verdict):
    """A few values by their place on the map."""
    frame = 0 if field.fixed else len(store.times) - 1
    rows = field.frame(frame)
    for j in range(1, store.ny, 7):
        i = (3 * j) % store.nx
        value = output_of("gdallocationinfo", "-valonly", "-geoloc", raster(store, field, frame),
                          repr(store.x[i]), repr(store.y[j])).strip()
        where = f"{store.path} {field.name} at ({store.x[i]}, {store.y[j]})"
        got = float(value)
        if math.isnan(rows[j][i]):
            verdict.same(where, math.isnan(got), True)
        else:
            verdict.near(where, got, rows[j][i], field.precision + 1e-6 * abs(rows[j][i]))


def missing():
    for program in ("gdalmdiminfo", "gdalinfo", "gdallocationinfo"):
        if shutil.which(program) is None:
            return f"no {program}"
    return None if "Zarr" in output_of("gdalinfo", "--formats") else "GDAL without Zarr"


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    lacking = missing()
    if lacking:
        print(f"skipped: {lacking}")
        return known.SKIPPED
    verdict = known.Verdict()
    for store in known.stores(sys.argv[1]):
        check_coordinates(store, verdict)
        for field in store.fields:
            check_field(store, field, verdict)
            check_place(store, field, verdict)
            check_points(store, field, verdict)
    return verdict.code()


if __name__ == "__main__":
    sys.exit(main())
