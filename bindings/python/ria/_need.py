"""What the files of the package share: packages that not everybody has, and errors."""

import importlib

from ._ria import Error

_DEBIAN = {"numpy": "python3-numpy", "pandas": "python3-pandas", "xarray": "python3-xarray", "zarr": "python3-zarr"}


def need(name, what):
    """The module of this name; an ImportError that says what for, and how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError as missing:
        raise ImportError(f"{what} needs {name}: `apt install {_DEBIAN[name]}` or `pip install {name}`") from missing


def error(message, status="argument"):
    """ria.Error as the engine makes it."""
    made = Error(message)
    made.status = status
    return made
