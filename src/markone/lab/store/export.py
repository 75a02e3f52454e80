"""Export the results of an experiment: CSV, Parquet or NetCDF, by the suffix of the file name."""

import csv
import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from markone.lab.scenario import COUNT, Point
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.lazy_import import require_module
from markone.numerics.files import escape_formula, staged_file, write_atomically

# Points whose values are lists at the same time.
MANY = 1024
Writer = Callable[[Store, Declaration, Path], None]


def export_results(store: Store, declaration: Declaration, path: str | Path) -> Path:
    """Write one row per repeat (CSV, Parquet) or one axis per grid key (NetCDF); atomic. Declaration and
    provenance are in the file, of CSV in a second one beside it."""
    path = Path(path)
    if path.suffix not in WRITERS:
        raise ValueError(f"{path.name} must end in {', '.join(WRITERS)}: the ending chooses the format.")
    with staged_file(path) as part:
        WRITERS[path.suffix](store, declaration, part)
    if path.suffix == ".csv":  # the others have it inside
        text = json.dumps(_export_metadata(declaration, store.provenance()), indent=1)
        write_atomically(path.with_name(f"{path.name}-metadata.json"), text.encode())
    return path


def long_table(points: Sequence[Point]) -> dict[str, list[Any]]:
    """Long table: parameters, repeat, measures."""
    table: dict[str, list[Any]] = {}
    for point in points:
        for key, value in point.parameters.items():
            table.setdefault(key, []).extend([value] * point.repeats)
        table.setdefault(COUNT, []).extend(point.numbers.tolist())
        for key, values in point.values.items():
            table.setdefault(key, []).extend(values.tolist())
    return table


def _export_csv(store: Store, declaration: Declaration, path: Path) -> None:
    """Write CSV point by point, whose columns are those of the first; floats read back to the same bits."""
    columns: list[str] = []
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        for point in store.iterate_points(declaration):
            table = long_table([point])
            if not columns:
                columns = list(table)
                writer.writerow(map(escape_formula, columns))
            rows = zip(*(table[key] for key in columns), strict=True)
            writer.writerows(map(escape_formula, row) for row in rows)


def _export_parquet(store: Store, declaration: Declaration, path: Path) -> None:
    arrow, points = require_module("pyarrow", "parquet"), store.iterate_points(declaration)
    parts = [arrow.table(long_table(some)) for some in iter(lambda: list(islice(points, MANY)), [])]
    table = arrow.concat_tables(parts, promote_options="permissive").combine_chunks()
    signed = {
        key: json.dumps(value) for key, value in _export_metadata(declaration, store.provenance()).items()
    }
    require_module("pyarrow.parquet", "parquet").write_table(table.replace_schema_metadata(signed), path)


def _export_netcdf(store: Store, declaration: Declaration, path: Path) -> None:
    """Write NetCDF 3, which scipy can write."""
    table = xarray_dataset(store.points(declaration), declaration, store.provenance())
    table.to_netcdf(path, engine="scipy", format="NETCDF3_64BIT")


def xarray_dataset(points: Sequence[Point], declaration: Declaration, provenance: dict[str, Any]) -> Any:
    """An xarray.Dataset with an axis per grid key and one of the repeats; NaN where a repeat is missing."""
    xarray = require_module("xarray", "netcdf")
    most = max((int(point.numbers[-1]) + 1 for point in points if point.repeats), default=0)
    grid = {key: _netcdf_axis(values) for key, values in declaration.grid.items()}
    shape = (*(len(values) for values in grid.values()), most)
    data = {}
    for name, title in declaration.scenario_object.measures.items():
        block = np.full((len(points), most), np.nan)
        for k, point in enumerate(points):
            block[k, point.numbers] = point.values[name]
        data[name] = ((*grid, COUNT), block.reshape(shape), {"long_name": title})
    attributes = {key: json.dumps(value) for key, value in _export_metadata(declaration, provenance).items()}
    coordinates = {**grid, COUNT: np.arange(most)}
    return xarray.Dataset(data, coordinates, attributes)


def _netcdf_axis(values: list[Any]) -> list[Any]:
    """Values of an axis with booleans as integers: NetCDF has no booleans."""
    return [int(value) if isinstance(value, bool) else value for value in values]


def _export_metadata(declaration: Declaration, provenance: dict[str, Any]) -> dict[str, Any]:
    return {"declaration": declaration.model_dump(mode="json"), "provenance": provenance}


WRITERS: dict[str, Writer] = {".csv": _export_csv, ".parquet": _export_parquet, ".nc": _export_netcdf}
