"""Classes or numbers: what the target looks like."""

import numpy as np
import pytest

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import make_text_column
from markone.tables.plan.target import decide_task


def task(values, asked="auto"):
    table = CellTable("t.csv", {"y": make_text_column([str(v) for v in values])})
    return decide_task(table, "y", asked)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0, 1] * 50, "classification"),
        ([*range(10)] * 20, "classification"),
        ([0.5, 1.5] * 30, "classification"),
        (["yes", "no"] * 10, "classification"),
        ([1, 2, 3, "many"] * 10, "classification"),
        ([*range(26)] * 40, "classification"),
        (np.linspace(0, 1, 40), "regression"),
        (range(-130, 200, 5), "regression"),
        (range(150), "regression"),
        ([*range(120)] * 30, "regression"),
        ([*np.linspace(0, 9, 30), "NA"], "regression"),
    ],
)
def test_what_it_looks_like(values, expected):
    assert task(values) == expected


def test_what_was_asked_for_counts():
    assert task(range(150), "classification") == "classification"
    assert task([0, 1] * 9, "regression") == "regression"
    with pytest.raises(ValueError, match="--task must be auto, classification or regression, not 'guess'"):
        task([1, 2], "guess")
