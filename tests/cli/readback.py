#!/usr/bin/env python3
"""Compare stores value by value through zarr and xarray, two readers that share no code with ria.

usage: readback.py DIR      DIR as dump_store left it

Exit status: 0 all the same, 1 something differs (it says what), 77 zarr or xarray is missing.
"""

import sys

import known

try:
    import numpy
    import xarray
    import zarr
except ImportError as missing:
    print(f"skipped: no python3-{missing.name}")
    sys.exit(known.SKIPPED)


def check_zarr(store, verdict):
    """The arrays themselves: shape, type, values; by consolidated metadata and without."""
    for group in (zarr.open_consolidated(store.path, mode="r"), zarr.open_group(store.path, mode="r")):
        for field in store.fields:
            found = group[field.name]
            verdict.same(f"{store.path} {field.name} shape", tuple(found.shape), field.shape)
            verdict.same(f"{store.path} {field.name} dtype", found.dtype.str, store.dtype)
            values = numpy.asarray(found[...], dtype="f8").reshape((-1,) + field.shape[-2:])
            verdict.field(field, values.tolist())
    names = {"x", "y", "time"} | {f.name for f in store.fields} | ({"crs"} if store.crs else set())
    verdict.same(f"{store.path} arrays", set(group.array_keys()), names)


def check_axis(store, data, name, expected, unit, verdict):
    axis = data[name]
    verdict.same(f"{store.path} {name}", axis.values.tolist(), expected)
    verdict.same(f"{store.path} {name} units", axis.attrs.get("units"), unit)
    kind = {"x": "longitude", "y": "latitude"} if store.geographic else {
        "x": "projection_x_coordinate", "y": "projection_y_coordinate"}
    verdict.same(f"{store.path} {name} standard_name", axis.attrs.get("standard_name"), kind[name])
    verdict.same(f"{store.path} {name} axis", axis.attrs.get("axis"), name.upper())


def check_attributes(field, found, verdict):
    where = f"{field.store.path} {field.name}"
    verdict.same(f"{where} dimensions", found.dims, ("time", "y", "x")[-len(field.shape):])
    for key, expected in (("units", field.unit), ("long_name", field.long_name),
                          ("standard_name", field.standard_name)):
        verdict.same(f"{where} {key}", found.attrs.get(key), expected)
    # xarray moves what names a grid mapping from the attributes to the encoding.
    mapping = found.attrs.get("grid_mapping", found.encoding.get("grid_mapping"))
    verdict.same(f"{where} grid_mapping", mapping, "crs" if field.store.crs else None)
    if field.store.crs:
        code = found.attrs["_CRS"]["url"].rsplit("/", 1)[-1]
        verdict.same(f"{where} _CRS", int(code), field.store.epsg)


def check_crs(store, data, verdict):
    attrs = data["crs"].attrs
    name = "latitude_longitude" if store.geographic else "transverse_mercator"
    verdict.same(f"{store.path} grid_mapping_name", attrs.get("grid_mapping_name"), name)
    verdict.same(f"{store.path} spatial_ref", attrs.get("spatial_ref"), attrs.get("crs_wkt"))
    verdict.same(f"{store.path} crs_wkt names its code", str(store.epsg) in attrs["crs_wkt"], True)


def check_xarray(store, verdict):
    """The store as CF data: coordinates, decoded times, units, CRS, values."""
    with xarray.open_zarr(store.path, consolidated=True) as data:
        if store.epoch:
            moments = numpy.array(store.moments(), dtype="datetime64[ns]")
            verdict.same(f"{store.path} time", data["time"].values.tolist(), moments.tolist())
        else:  # no date is made up: plain numbers, in seconds
            verdict.same(f"{store.path} time type", data["time"].dtype.str, "<f8")
            verdict.same(f"{store.path} time", data["time"].values.tolist(), store.times)
            verdict.same(f"{store.path} time units", data["time"].attrs.get("units"), "s")
        check_axis(store, data, "x", store.x, store.axis_unit[0], verdict)
        check_axis(store, data, "y", store.y, store.axis_unit[1], verdict)
        if store.crs:
            check_crs(store, data, verdict)
        for field in store.fields:
            found = data[field.name]
            check_attributes(field, found, verdict)
            values = found.values.astype("f8").reshape((-1,) + field.shape[-2:])
            verdict.field(field, values.tolist())
    with xarray.open_zarr(store.path, consolidated=True, decode_times=False) as data:
        verdict.same(f"{store.path} seconds", data["time"].values.tolist(), store.times)


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    verdict = known.Verdict()
    for store in known.stores(sys.argv[1]):
        check_zarr(store, verdict)
        check_xarray(store, verdict)
    return verdict.code()


if __name__ == "__main__":
    sys.exit(main())
