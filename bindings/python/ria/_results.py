"""What a run has left in its directory: stores as xarray, tables as pandas, run.json as a dict."""

import builtins
import datetime
import json
import os

from ._need import error, need


def open(path):
    """The results of a run, by its directory: ria.open("out/bay")."""
    return Results(path)


class Results:
    """The results of a run. All is read where it is asked for: fields by xarray (and dask, where it is installed) chunk
    by chunk."""

    def __init__(self, path):
        self.path = os.fspath(path)
        try:
            with builtins.open(os.path.join(self.path, "run.json"), encoding="utf-8") as file:
                #: run.json: parameters, grid, budget, files, how it ended
                self.run = json.load(file)
        except OSError as thrown:
            raise error(f"{self.path} holds no results of a run: run.json: {thrown.strerror}", "input") from None
        except ValueError as thrown:
            raise error(f"{self.path}/run.json is damaged: {thrown}", "input") from None
        self._made = {}

    def __repr__(self):
        return f"<ria.Results {self.path}: {self.run.get('title')}, {self.run.get('status')}>"

    def _once(self, name, make):
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]

    # --- stores

    @property
    def stores(self):
        """Names of the stores that were saved."""
        return [os.path.splitext(entry["name"])[0] for entry in self.run["files"].get("stores", [])]

    def store(self, name):
        """A store as xarray.Dataset: "fields", or as ria.save has named it; "maxima", "tides"."""
        return self._once(name, lambda: self._open_store(name))

    def _open_store(self, name):
        path = os.path.join(self.path, name + ".zarr")
        if not os.path.isdir(path):
            there = ", ".join(self.stores) or "none"
            raise error(f"{self.path} has no store '{name}' (saved: {there})", "input")
        need("zarr", "a store")
        xarray = need("xarray", "a store as a Dataset")
        data = xarray.open_zarr(path, consolidated=True)
        if "crs" in data.variables:
            data = data.set_coords("crs")
        crs = self.run["grid"].get("crs")
        extra = {"crs": crs, "start": self.run.get("start"), "angle": self.run["grid"].get("angle") or None}
        return data.assign_attrs({key: value for key, value in extra.items() if value is not None})

    @property
    def fields(self):
        """The store of the run: the one called "fields", or its only one."""
        names = self.stores
        if "fields" not in names and len(names) != 1:
            raise error(f"{self.path} has no store 'fields' (saved: {', '.join(names) or 'none'})", "input")
        return self.store("fields" if "fields" in names else names[0])

    @property
    def maxima(self):
        """The greatest values over the run."""
        return self.store("maxima")

    def __getitem__(self, field):
        """A saved field as xarray.DataArray (time, y, x)."""
        return self.fields[field]

    # --- tables

    def _tables(self, kind):
        entries = self.run["files"].get(kind, [])
        return [self._once(entry["name"], lambda entry=entry: self._read_table(entry["name"])) for entry in entries]

    def _read_table(self, name):
        pandas = need("pandas", "a table as a DataFrame")
        table = pandas.read_csv(os.path.join(self.path, name), dtype={"time_s": str}, low_memory=False)
        if len(table) and table["time_s"].iloc[0] == "s":
            table = table.iloc[1:]
        dates = table.pop("date") if "date" in table else None
        table = table.apply(pandas.to_numeric)
        seconds = table.pop("time_s")
        table.index = pandas.Index(seconds, name="time_s")
        if dates is not None:
            zone = datetime.timezone(datetime.timedelta(seconds=self.run.get("zone_s", 0)))
            # as its row says, without a zone of its own
            table.index = pandas.DatetimeIndex(pandas.to_datetime(dates.str[:23]), name="date").tz_localize(zone)
        return table

    def _columns(self, kind, is_section):
        """Columns "pier.level" of all tables of a kind as (pier, level), side by side."""
        pandas = need("pandas", "a table as a DataFrame")
        tables = self._tables(kind)
        sections = {c.rpartition(".")[0] for table in tables for c in table if c.endswith(".discharge")}
        parts = []
        for table in tables:
            mine = [c for c in table if (c.rpartition(".")[0] in sections) == is_section]
            part = table[mine]
            part.columns = pandas.MultiIndex.from_tuples([(c.rpartition(".")[0], c.rpartition(".")[2]) for c in mine],
                                                         names=["name", "field"]) if mine else part.columns
            parts += [part] if mine else []
        if not parts:
            return pandas.DataFrame()
        out = parts[0] if len(parts) == 1 else pandas.concat(parts, axis=1).sort_index()
        units = {column: unit for table in self.run.get("tables", {}).values() for column, unit in table.items()}
        out.attrs["units"] = {pair: units.get(".".join(pair)) for pair in out}
        return out

    @property
    def gauges(self):
        """All gauges: gauges["pier"]["level"], by date or by seconds. attrs["units"] has the units."""
        return self._once(".gauges", lambda: self._columns("gauges", False))

    @property
    def sections(self):
        """All sections: sections["mouth"]["discharge"]."""
        return self._once(".sections", lambda: self._columns("gauges", True))

    @property
    def budget(self):
        """The account of water and tracers in time."""
        pandas = need("pandas", "a table as a DataFrame")
        tables = self._tables("budget")
        if not tables:
            return pandas.DataFrame()
        tables[0].attrs["units"] = {c: self.run.get("tables", {}).get("budget.csv", {}).get(c) for c in tables[0]}
        return tables[0]

    # --- pictures

    @property
    def frames(self):
        """Series of pictures: name -> paths."""
        out = {}
        for entry in self.run["files"].get("frames", []):
            folder = os.path.join(self.path, "frames", entry["name"])
            names = sorted(name for name in os.listdir(folder) if name.endswith(".png"))
            out[entry["name"]] = [os.path.join(folder, name) for name in names]
        return out
