"""Read the requested table: a file, a built-in data set by name, or a table in memory."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from markone.data import loading
from markone.data.loading import MOST_ROWS
from markone.data.reading import cell_table, frames
from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import Column, NumberColumn, make_text_column
from markone.errors import BadTable
from markone.numerics.text import nearest_name, shorten_list, suggestion_text
from markone.tables.request import AnswerOptions, ColumnOptions, FitRequest


def read_data(
    data: str,
    *,
    header: bool = True,
    texts: Collection[str] | None = None,
    rows: int | None = None,
    seed: int = 0,
    most: int | None = MOST_ROWS,
) -> CellTable:
    """Read a table; more than `most` rows are refused, unless `rows` of them are to be sampled.

    Cells of the numeric columns in `texts` are kept as written (None: of all columns).
    """
    path = Path(data)
    most = most if rows is None else None
    if path.is_dir():
        raise BadTable(f"{data} is a folder. Give the file of the table, or the name of a known set.")
    if not path.is_file():
        return sample_table_rows(_read_built_in(data), rows, seed)
    if frames.is_other_format(path):
        table = frames.read_other_file(path, header, texts)
        if most is not None and len(table) > most:
            raise _too_many_rows_error(path.name, len(table), most)
        return sample_table_rows(table, rows, seed)
    file = cell_table.TableFile(path, header)
    # Quoted cells may contain line breaks: before parsing, only files far beyond the limit are refused.
    if most is not None and file.most_rows > 2 * most:
        raise _too_many_rows_error(path.name, file.most_rows, most)
    table = cell_table.read_cell_table(file, texts)
    if most is not None and len(table) > most:
        raise _too_many_rows_error(path.name, len(table), most)
    return sample_table_rows(table, rows, seed)


def file_hash(data: str) -> str:
    """SHA-256 of the file; empty for a built-in data set."""
    path = Path(data)
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sample_table_rows(table: CellTable, rows: int | None, seed: int) -> CellTable:
    """Sample `rows` rows without replacement, in their order; all if there are not more."""
    P = len(table)
    if rows is None or rows >= P:
        return table
    drawn = table.only(np.sort(np.random.default_rng(seed).choice(P, rows, replace=False)))
    drawn.notes.append(f"{rows} of the {P} rows were drawn at random (seed {seed}).")
    return drawn


def _too_many_rows_error(source: str, rows: int, most: int) -> BadTable:
    return BadTable(
        f"{source} has about {rows} rows, more than the {most} that `markone fit` accepts: every "
        "fold would fit a model to nearly all of them. Draw a sample with --rows 20000, or give a "
        "folder of Parquet files to models that learn from sums (soft-margin, gmlvq, linear: docs/fit.md); "
        "from Python, markone.data.chunks reads a file in pieces for models with partial_fit."
    )


def _read_built_in(data: str) -> CellTable:
    name = loading.canonical_name(data)
    if name is None:
        near = nearest_name(data, loading.DATASET_NAMES, cutoff=0.6)
        known = f"The known sets are {', '.join(loading.DATASET_NAMES)}."
        advice = f"Did you mean {near!r}?" if near else known
        raise BadTable(f"There is no file {data}, and no set of that name. {advice}")
    table = loading.read_builtin(name)
    X = np.asarray(table.X, dtype=float)
    columns: dict[str, Column] = {n: NumberColumn(X[:, k].copy()) for k, n in enumerate(table.feature_names)}
    target = next(t for t in ("class", "target", "target class") if t not in columns)
    columns[target] = make_text_column(_class_labels(table.y, table.class_names))
    return CellTable(data, columns, [*table.notes], target=target)


def _class_labels(y: np.ndarray, class_names: Iterable[str] | None) -> list[str]:
    """Class names of y, which may contain their indices."""
    names = [str(name) for name in class_names or ()]
    if names and np.asarray(y).dtype.kind in "iu" and np.max(y) < len(names):
        return [names[k] for k in y]
    return [str(value) for value in y]


def unknown_column_error(name: str, known: list[str], source: str) -> BadTable:
    near = nearest_name(name, known, cutoff=0.65)
    advice = f"Did you mean {near!r}?" if near else f"Its columns: {shorten_list(known)}."
    return BadTable(f"{source} has no column {name!r}. {advice}")


def request_of_table(data: Any, target: Any, options: dict[str, Any]) -> FitRequest:
    """The request for a file name or a table in memory; `options` are fields of the three classes of options.

    `target` is the name of a column, or an array of the values to predict.
    """
    homes = {f.name: cls for cls in (FitRequest, AnswerOptions, ColumnOptions) for f in fields(cls)}
    for name in options:
        if name not in homes or name in ("data", "table", "options", "answers"):
            raise TypeError(f"fit has no option {name!r}.{suggestion_text(name, homes)}")

    def given(cls: type) -> dict[str, Any]:
        return {name: value for name, value in options.items() if homes[name] is cls}

    named = target is None or isinstance(target, str)
    columns = ColumnOptions(target=target if named else "target", **given(ColumnOptions))
    asked = FitRequest(
        "", options=columns, answers=AnswerOptions(**given(AnswerOptions)), **given(FitRequest)
    )
    if isinstance(data, str):
        asked.data = data
        return asked
    table = asked.table = frames.table_from_object(data, columns.written)
    if not named:
        if len(target) != len(table):
            raise ValueError(f"target has {len(target)} values, and the table {len(table)} rows.")
        table.columns["target"] = frames.table_from_object({"target": target}).columns["target"]
    asked.data = table.source
    return asked
