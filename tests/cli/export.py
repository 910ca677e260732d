#!/usr/bin/env python3
"""What `ria export` made of a run's stores, against the stores, through readers of others.

usage: export.py KIND RUN STORE ...   KIND netcdf, vti, geotiff, csv, xdmf or mdal; in RUN/export
       export.py cdf5 FILE          a file of 64-bit data, by netCDF's own library

Exit status: 0 all the same, 1 something differs (it says what), 77 a reader is missing (it says
which).
"""

import csv
import json
import math
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree

try:
    import numpy
    import zarr
except ImportError as missing:
    print(f"skipped: no python3-{missing.name}")
    sys.exit(77)

BAD = []


def same(what, got, wanted):
    if got != wanted:
        BAD.append(what)
        print(f"{what}: {got!r}, not {wanted!r}")


def same_values(what, got, wanted):
    """Bit by bit, but for the kind of nan."""
    got, wanted = numpy.asarray(got), numpy.asarray(wanted)
    same(f"{what} type", got.dtype.newbyteorder("="), wanted.dtype)
    same(f"{what} shape", got.shape, wanted.shape)
    if got.shape == wanted.shape and not numpy.array_equal(got, wanted, equal_nan=True):
        BAD.append(what)
        print(f"{what}: values differ")


class Store:
    """Fields of a store, as zarr reads them."""

    def __init__(self, run, name):
        self.run, self.name = run, name
        self.group = zarr.open_group(f"{run}/{name}.zarr", mode="r")
        self.attrs = dict(self.group.attrs)
        keys = set(self.group.array_keys())
        self.fields = sorted(keys - {"x", "y", "time", "crs"})
        self.x, self.y = self.group["x"][...], self.group["y"][...]
        self.time = self.group["time"][...] if "time" in keys else None
        self.crs = "crs" in keys
        with open(f"{run}/run.json", encoding="utf-8") as file:
            self.grid = json.load(file)["grid"]

    def timed(self, field):
        return self.group[field].ndim == 3

    def frame(self, field, k):
        values = self.group[field][...]
        return values[k] if values.ndim == 3 else values

    def frames(self):
        return 1 if self.time is None else len(self.time)

    def place(self, i, j):
        """The centre of a cell on the map."""
        c, s = math.cos(math.radians(self.grid["angle"])), math.sin(math.radians(self.grid["angle"]))
        x, y = (i + 0.5) * self.grid["dx"], (j + 0.5) * self.grid["dy"]
        return self.grid["x0"] + c * x - s * y, self.grid["y0"] + s * x + c * y

    def path(self, tail):
        return f"{self.run}/export/{self.name}{tail}"


# --- netCDF ----------------------------------------------------------------------------------------


def check_attributes(store, name, variable):
    """All of the store's but those of Zarr's readers."""
    for key, value in store.group[name].attrs.items():
        if not key.startswith("_"):
            same(f"{store.name} {name} {key}", variable.getncattr(key), value)


def check_netcdf4(store):
    import netCDF4
    with netCDF4.Dataset(store.path(".nc")) as data:
        data.set_auto_mask(False)
        same("data model", data.data_model, "NETCDF3_64BIT_OFFSET")
        same("Conventions", data.Conventions, "CF-1.10")
        same("title", data.title, store.attrs["title"])
        names = set(store.fields) | {"x", "y"} | ({"time"} if store.time is not None else set())
        for name in names:
            same_values(f"{store.name} {name}", data[name][...], store.group[name][...])
            same(f"{store.name} {name} dimensions", list(data[name].dimensions),
                 store.group[name].attrs["_ARRAY_DIMENSIONS"])
            check_attributes(store, name, data[name])
        for name in store.fields:
            same(f"{name} _FillValue", math.isnan(data[name].getncattr("_FillValue")), True)
            if store.grid["angle"]:
                same(f"{name} coordinates", data[name].coordinates,
                     "lat lon" if store.crs else "map_y map_x")
        if store.crs:
            check_attributes(store, "crs", data["crs"])
        if store.grid["angle"]:
            check_places(store, data)


def check_places(store, data):
    """Of cells of a turned grid: on the map, and through PROJ in degrees."""
    ny, nx = len(store.y), len(store.x)
    for i, j in ((0, 0), (nx - 1, 0), (nx // 2, ny // 3), (nx - 1, ny - 1)):
        x, y = store.place(i, j)
        if not store.crs:
            got = data["map_x"][j, i], data["map_y"][j, i]
            same(f"place of ({i}, {j})", max(abs(got[0] - x), abs(got[1] - y)) < 1e-6, True)
            continue
        done = subprocess.run(["gdaltransform", "-s_srs", store.grid["crs"], "-t_srs", "OGC:CRS84"],
                              input=f"{x!r} {y!r}\n", capture_output=True, text=True, check=True)
        lon, lat = (float(v) for v in done.stdout.split()[:2])
        got = data["lon"][j, i], data["lat"][j, i]
        same(f"place of ({i}, {j})", max(abs(got[0] - lon), abs(got[1] - lat)) < 2e-9, True)


def check_xarray(store):
    import xarray
    with xarray.open_dataset(store.path(".nc"), engine="scipy") as data, \
            xarray.open_zarr(f"{store.run}/{store.name}.zarr") as wanted:
        for name in store.fields:
            same_values(f"xarray {name}", data[name].values, wanted[name].values)
        if store.time is not None:
            same("xarray time", data["time"].values.tolist(), wanted["time"].values.tolist())
        if store.grid["angle"] and store.crs:
            same("xarray coordinates", {"lon", "lat"} <= set(data[store.fields[0]].coords), True)


def points_of(store):
    ny, nx = len(store.y), len(store.x)
    return [((3 * j) % nx, j) for j in range(0, ny, 7)] if ny > 1 else [(i, 0) for i in range(0, nx, 9)]


def check_location(store, raster, field, frame):
    """GDAL finds the value of a cell by its place."""
    values = store.frame(field, frame)
    places = "".join(f"{store.place(i, j)[0]!r} {store.place(i, j)[1]!r}\n" for i, j in points_of(store))
    done = subprocess.run(["gdallocationinfo", "-valonly", "-geoloc", *raster[1:], raster[0]], input=places,
                          capture_output=True, text=True, check=True)
    for (i, j), text in zip(points_of(store), done.stdout.split(), strict=True):
        got, wanted = float(text), float(values[j, i])
        near = math.isnan(got) if math.isnan(wanted) else abs(got - wanted) <= 1e-6 * abs(wanted)
        same(f"{raster[0]} at cell ({i}, {j}): {got}, {wanted}", near, True)


def about(raster):
    done = subprocess.run(["gdalinfo", "-json", raster], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def check_gdal_place(store, raster):
    found = about(raster)
    same(f"{raster} size", found["size"], [len(store.x), len(store.y)])
    if store.crs:
        code = store.grid["crs"].split(":")[1]
        same(f"{raster} is in {code}", f'"EPSG",{code}]' in found["coordinateSystem"]["wkt"], True)


def check_netcdf(store):
    check_netcdf4(store)
    check_xarray(store)
    if store.grid["angle"] or not shutil.which("gdallocationinfo") or min(len(store.x), len(store.y)) < 2:
        return
    for field in store.fields:
        raster = f"NETCDF:{store.path('.nc')}:{field}"
        check_gdal_place(store, raster)
        last = store.frames() - 1 if store.timed(field) else 0
        check_location(store, [raster, "-b", str(last + 1)], field, last)


def check_cdf5(path):
    import netCDF4
    with netCDF4.Dataset(path) as data:
        data.set_auto_mask(False)
        same("data model", data.data_model, "NETCDF3_64BIT_DATA")
        same("time", data["time"][...].tolist(), [0.1, 600.1, 1200.1])
        for name, field in (("level", 0), ("oil", 1)):
            for frame in range(3):
                got = data[name][frame]
                for j in range(23):
                    for i in range(37):
                        none = (i > 32 and j > 15) or (i + 3 * j + frame) % 11 == 0
                        wanted = field + math.sin(0.1 * i + frame) * math.cos(0.07 * j) + \
                            1e-4 * ((i * 7919 + j * 104729) % 101)
                        ok = math.isnan(got[j, i]) if none else abs(got[j, i] - wanted) < 1e-6
                        same(f"{name} {frame} ({i}, {j})", ok, True)


# --- ParaView --------------------------------------------------------------------------------------


def check_vti(store):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLImageDataReader
    listed = xml.etree.ElementTree.parse(store.path(".pvd")).getroot().findall("Collection/DataSet")
    same("images", len(listed), store.frames())
    for k, entry in enumerate(listed):
        if store.time is not None:
            same("timestep", float(entry.get("timestep")), float(store.time[k]))
        reader = vtkXMLImageDataReader()
        reader.SetFileName(os.path.join(store.run, "export", entry.get("file")))
        reader.Update()
        image = reader.GetOutput()
        same("points", image.GetDimensions(), (len(store.x) + 1, len(store.y) + 1, 1))
        names = [image.GetCellData().GetArrayName(n) for n in range(image.GetCellData().GetNumberOfArrays())]
        same("arrays", names, store.fields)
        for field in store.fields:
            values = vtk_to_numpy(image.GetCellData().GetArray(field))
            same_values(f"{field} of image {k}", values.reshape(len(store.y), len(store.x)),
                        store.frame(field, k))
        if store.time is not None:
            time = image.GetFieldData().GetArray("TimeValue").GetValue(0)
            same("TimeValue", time, float(store.time[k]))
        check_vtk_places(store, image)


def check_vtk_places(store, image):
    """Corners of a cell, as VTK places them, have the centre in their middle."""
    for i, j in ((0, 0), (len(store.x) - 1, len(store.y) - 1)):
        box = image.GetCell(j * len(store.x) + i).GetPoints()
        middle = [sum(box.GetPoint(k)[axis] for k in range(4)) / 4 for axis in (0, 1)]
        wanted = store.place(i, j)
        same(f"VTK's place of ({i}, {j}): {middle}, {wanted}",
             max(abs(a - b) for a, b in zip(middle, wanted, strict=True)) < 1e-6, True)


# --- XDMF ------------------------------------------------------------------------------------------


def item(store, element):
    shape = [int(n) for n in element.get("Dimensions").split()]
    if element.get("Format") == "XML":
        return numpy.array([float(v) for v in element.text.split()])
    kind = {"4": "<f4", "8": "<f8"}[element.get("Precision")]
    values = numpy.fromfile(os.path.join(store.run, "export", element.text), kind,
                            math.prod(shape), offset=int(element.get("Seek")))
    return values.reshape(shape)


def check_xdmf(store):
    """By the words of the format: no reader of it is in Debian's VTK."""
    grids = xml.etree.ElementTree.parse(store.path(".xdmf")).getroot().findall("Domain/Grid/Grid")
    same("grids", len(grids), store.frames())
    ny, nx = len(store.y), len(store.x)
    for k, grid in enumerate(grids):
        if store.time is not None:
            same("time", float(grid.find("Time").get("Value")), float(store.time[k]))
        parts = [item(store, e) for e in grid.findall("Geometry/DataItem")]
        if store.grid["angle"]:
            same("corners", parts[0].shape, (ny + 1, nx + 1, 2))
            middle = parts[0][0:2, 0:2].mean(axis=(0, 1))
            last = parts[0][-2:, -2:].mean(axis=(0, 1))
        else:
            origin, step = parts
            middle = origin[:0:-1] + step[:0:-1] / 2
            last = middle + step[:0:-1] * [nx - 1, ny - 1]
        for got, cell in ((middle, (0, 0)), (last, (nx - 1, ny - 1))):
            off = max(abs(a - b) for a, b in zip(got, store.place(*cell), strict=True))
            same(f"XDMF's place of {cell} is off by {off}", off < 1e-6, True)
        for attribute in grid.findall("Attribute"):
            values = item(store, attribute.find("DataItem")).reshape(ny, nx)
            same_values(f"{attribute.get('Name')} of grid {k}", values,
                        store.frame(attribute.get("Name"), k))
        same("attributes", [a.get("Name") for a in grid.findall("Attribute")], store.fields)


# --- netCDF as a mesh, by QGIS's own reader (MDAL) -------------------------------------------------


def mesh_values(provider, group, last, n):
    block = provider.datasetValues(group(last), 0, n)
    return [block.value(k) for k in range(n)]


def check_mdal(store):
    """A vertex at each centre of a cell; fields by their long names, u and v as one; the last time."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from qgis.core import QgsApplication, QgsMesh, QgsMeshDatasetIndex, QgsMeshLayer
    QgsApplication.setPrefixPath("/usr", True)
    app = QgsApplication([], False)
    app.initQgis()
    layer = QgsMeshLayer(store.path(".nc"), store.name, "mdal")
    same(f"{store.name} is a mesh", layer.isValid(), True)
    provider, mesh = layer.dataProvider(), QgsMesh()
    provider.populateMesh(mesh)
    ny, nx = len(store.y), len(store.x)
    n = mesh.vertexCount()
    same("vertices", n, nx * ny)
    cells = [(round((mesh.vertex(k).x() - store.grid["x0"]) / store.grid["dx"] - 0.5),
              round((mesh.vertex(k).y() - store.grid["y0"]) / store.grid["dy"] - 0.5)) for k in range(n)]
    same("cells", sorted(cells) == [(i, j) for i in range(nx) for j in range(ny)], True)
    groups = {}
    for g in range(provider.datasetGroupCount()):
        groups[provider.datasetGroupMetadata(QgsMeshDatasetIndex(g, 0)).name()] = g

    def look(name, field, get):
        same(f"{name} is in the mesh", name in groups, True)
        if name not in groups:
            return
        count = store.frames() if store.timed(field) else 1
        same(f"times of {name}", provider.datasetCount(groups[name]), count)
        values, wanted = mesh_values(provider, lambda k: QgsMeshDatasetIndex(groups[name], k), count - 1, n), store.frame(field, count - 1)
        same_values(name, [get(v) for v in values], numpy.array([wanted[j, i] for i, j in cells], "f8"))

    for field in store.fields:
        if field in ("u", "v"):
            look("velocity,", field, (lambda v: v.x()) if field == "u" else (lambda v: v.y()))
        else:
            look(store.group[field].attrs["long_name"], field, lambda v: v.scalar())


# --- GeoTIFF, CSV ----------------------------------------------------------------------------------


def check_geotiff(store):
    if not shutil.which("gdallocationinfo"):
        print("skipped: no gdallocationinfo")
        sys.exit(77)
    names = sorted(n for n in os.listdir(store.path("")) if n.endswith(".tif"))
    for field in store.fields:
        if store.timed(field):
            mine = [n for n in names if n.startswith(field + "_")]
        else:
            mine = [field + ".tif"] if field + ".tif" in names else []
        same(f"pictures of {field}", len(mine), store.frames() if store.timed(field) else 1)
        for k, name in list(enumerate(mine))[::2]:  # sorted by name is sorted by time
            raster = os.path.join(store.path(""), name)
            check_gdal_place(store, raster)
            check_location(store, [raster], field, k)
            made = subprocess.run(["gdal_translate", "-q", "-of", "ENVI", "-ot", "Float64", "-a_ullr", "0", "1", "1", "0",
                                   raster, "raw.bin"],
                                  check=True, capture_output=True)
            same(f"{name} is read", made.returncode, 0)
            values = numpy.fromfile("raw.bin", "<f8").reshape(len(store.y), len(store.x))[::-1]
            same_values(name, values, store.frame(field, k).astype("f8"))


def cell(text):
    return math.nan if text == "" else float(text)


def check_csv(store):
    """The last frame; cells without any value are left out."""
    with open(store.path(".csv"), encoding="utf-8", newline="") as file:
        header, *rows = list(csv.reader(file))
    same("header", header, ["x", "y", *store.fields])
    frames = [store.frame(f, store.frames() - 1) for f in store.fields]
    wanted = [(i, j) for j in range(len(store.y)) for i in range(len(store.x))
              if any(not math.isnan(v[j, i]) for v in frames)]
    same("rows", len(rows), len(wanted))
    got = numpy.array([[cell(v) for v in row] for row in rows])
    places = numpy.array([store.place(i, j) for i, j in wanted])
    same("places", bool((numpy.abs(got[:, :2] - places) < 1e-6).all()), True)
    columns, rows_of = zip(*wanted, strict=True)
    for k, values in enumerate(frames):
        same_values(store.fields[k], got[:, 2 + k].astype(values.dtype), values[rows_of, columns])


def main():
    try:
        if sys.argv[1] == "cdf5":
            check_cdf5(sys.argv[2])
        else:
            check = {"netcdf": check_netcdf, "vti": check_vti, "geotiff": check_geotiff,
                     "csv": check_csv, "xdmf": check_xdmf, "mdal": check_mdal}[sys.argv[1]]
            for name in sys.argv[3:]:
                check(Store(sys.argv[2], name))
    except ImportError as missing:
        print(f"skipped: no python3 module {missing.name}")
        return 77
    return 1 if BAD else 0


if __name__ == "__main__":
    sys.exit(main())
