"""Misleading tables and their findings."""

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn, text_column
from markone.tables.findings.evidence import Evidence
from markone.tables.findings.looking import look
from markone.tables.plan import encoding, making
from markone.tables.request import ColumnOptions, Folds


def column(values):
    values = list(values)
    if any(isinstance(value, str) for value in values):
        return text_column(values)
    return NumberColumn(np.array(values, dtype=float))


def evidence(y, missing="mask", folds=5, **columns):
    parts = {name: column(values) for name, values in columns.items()} | {"y": text_column(list(y))}
    whole = CellTable("made", parts)
    plan, kept, _ = making.make(whole, ColumnOptions("y", missing))
    X, labels = encoding.inputs(kept, plan), encoding.labels(kept, plan)
    return Evidence(whole, plan, encoding.labels(whole, plan), X, labels, kept.rows, Folds(1, folds))


def findings(y, **columns):
    return {found.kind: found for found in look(evidence(y, **columns))}


def noise(P, N=1, seed=0):
    X = np.random.default_rng(seed).standard_normal((P, N))
    return X[:, 0] if N == 1 else X


def labels(P, seed=1, names=("a", "b")):
    return np.random.default_rng(seed).permutation(np.resize(np.array(names), P)).tolist()
