"""Sources of partitions; each is loaded as inputs X and target y."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from markone.data.reading.arrow import find_parquet_files, import_pyarrow, open_parquet
from markone.errors import BadTable
from markone.numerics.arrays import Array
from markone.numerics.text import format_count
from markone.tables.source import unknown_column_error


class Partitions(Protocol):
    """Picklable partitions; `load(k)` returns the same rows in the same order each time."""

    names: list[str]

    def __len__(self) -> int: ...

    def load(self, k: int) -> tuple[Array, Array]: ...


@dataclass
class ArrayPartitions:
    """Partitions in memory."""

    pieces: Sequence[tuple[Array, Array]]

    @property
    def names(self) -> list[str]:
        return [f"x{k}" for k in range(np.shape(self.pieces[0][0])[1])]

    def __len__(self) -> int:
        return len(self.pieces)

    def load(self, k: int) -> tuple[Array, Array]:
        X, y = self.pieces[k]
        return np.asarray(X, dtype=np.float64), np.asarray(y)


@dataclass
class ParquetPartitions:
    """Row groups of a Parquet file, or of all files in a folder: numeric columns and the target."""

    path: Path
    target: str

    @cached_property
    def files(self) -> list[Path]:
        return [self.path] if self.path.is_file() else find_parquet_files(self.path)

    @cached_property
    def groups(self) -> list[tuple[Path, int]]:
        found = []
        for path in self.files:
            with open_parquet(path) as file:
                found += [(path, k) for k in range(file.num_row_groups)]
        return found

    @cached_property
    def names(self) -> list[str]:
        with open_parquet(self.files[0]) as file:
            schema = file.schema_arrow
        if self.target not in schema.names:
            raise unknown_column_error(self.target, list(schema.names), self.path.name)
        numbers = [f.name for f in schema if f.name != self.target]
        texts = [f.name for f in schema if f.name != self.target and not _is_number_type(f.type)]
        if texts:
            raise BadTable(
                f"Column {texts[0]!r} of {self.path.name} holds {schema.field(texts[0]).type}: partitions "
                "must hold numbers. Encode it, or leave it out of the files."
            )
        return numbers

    def __len__(self) -> int:
        return len(self.groups)

    def load(self, k: int) -> tuple[Array, Array]:
        path, group = self.groups[k]
        with open_parquet(path) as file:
            table = file.read_row_group(group, columns=[*self.names, self.target])
        absent = table[self.target].null_count
        if absent:
            raise BadTable(
                f"{self.target!r} is missing in {format_count(absent, 'row')} of {path.name} (row group "
                f"{group}): leave such rows out of the files."
            )
        X = np.empty((len(table), len(self.names)))
        for column, name in enumerate(self.names):
            X[:, column] = table[name].to_numpy()
        y = table[self.target].to_numpy()
        return X, np.asarray(y, dtype=str) if y.dtype == object else y


def _is_number_type(kind: Any) -> bool:
    types = import_pyarrow().types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind))


@dataclass
class DaskPartitions:
    """A dask.dataframe, partition by partition; all columns but the target are inputs."""

    frame: Any
    target: str

    @property
    def names(self) -> list[str]:
        return [str(name) for name in self.frame.columns if name != self.target]

    def __len__(self) -> int:
        return int(self.frame.npartitions)

    def load(self, k: int) -> tuple[Array, Array]:
        # Synchronous: a worker that submits to its own cluster would wait for itself.
        part = self.frame.get_partition(k).compute(scheduler="synchronous")
        y = part.pop(self.target).to_numpy()
        return part.to_numpy(dtype=np.float64), np.asarray(y, dtype=str) if y.dtype == object else y


@dataclass
class ChangedPartitions:
    """Partitions transformed after loading by `change(k, X, y)`; number and columns stay the same."""

    parts: Any
    change: Callable[[int, Array, Array], tuple[Array, Array]]

    @property
    def names(self) -> list[str]:
        found: list[str] = self.parts.names
        return found

    def __len__(self) -> int:
        return len(self.parts)

    def load(self, k: int) -> tuple[Array, Array]:
        return self.change(k, *self.parts.load(k))


def as_partitions(data: Any, target: str | None = None) -> Any:
    """Convert a Parquet file or folder, a dask.dataframe or a list of (X, y) to partitions."""
    if hasattr(data, "load") and hasattr(data, "__len__"):
        return data
    if isinstance(data, list | tuple):
        return ArrayPartitions(data)
    if target is None:
        raise ValueError("Which column is to be predicted? Give target=...")
    if hasattr(data, "npartitions"):
        return DaskPartitions(data, target)
    path = Path(data)
    if not path.exists():
        raise FileNotFoundError(f"There is no file or folder {path}.")
    return ParquetPartitions(path, target)
