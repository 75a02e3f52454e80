"""Misleading tables and their findings."""

import numpy as np

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn, make_text_column
from markone.tables.findings.evidence import Evidence
from markone.tables.plan import build_plan, column_plan
from markone.tables.prepared_data import run_all_checks
from markone.tables.request import ColumnOptions, Folds


def column(values):
    values = list(values)
    if any(isinstance(value, str) for value in values):
        return make_text_column(values)
    return NumberColumn(np.array(values, dtype=float))


def evidence(y, missing="mask", folds=5, **columns):
    parts = {name: column(values) for name, values in columns.items()} | {"y": make_text_column(list(y))}
    whole = CellTable("made", parts)
    plan, kept, _ = build_plan.make_plan(whole, ColumnOptions("y", missing))
    X, labels = column_plan.encode_inputs(kept, plan), column_plan.target_labels(kept, plan)
    return Evidence(
        whole, plan, column_plan.target_labels(whole, plan), X, labels, kept.rows, Folds(1, folds)
    )


def findings(y, **columns):
    return {found.kind: found for found in run_all_checks(evidence(y, **columns))}


def noise(P, N=1, seed=0):
    X = np.random.default_rng(seed).standard_normal((P, N))
    return X[:, 0] if N == 1 else X


def labels(P, seed=1, names=("a", "b")):
    return np.random.default_rng(seed).permutation(np.resize(np.array(names), P)).tolist()
