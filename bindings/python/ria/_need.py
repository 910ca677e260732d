"""Packages that are not everybody's: imported where they are used, and asked for by name."""

import importlib

_DEBIAN = {"numpy": "python3-numpy", "pandas": "python3-pandas", "xarray": "python3-xarray", "zarr": "python3-zarr"}


def need(name, what):
    """The module of this name; an ImportError that says what for, and how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise ImportError(f"{what} needs {name}: `apt install {_DEBIAN[name]}` or `pip install {name}`") from missing
