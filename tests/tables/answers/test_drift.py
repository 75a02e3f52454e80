"""Out-of-range rows and drifted columns."""

import numpy as np
import pytest

from markone.data.reading.cell_table import CellTable
from markone.data.reading.columns import NumberColumn, make_text_column
from markone.tables.answers.drift import find_drifted_columns, find_outside_rows, training_range
from markone.tables.plan import build_plan
from markone.tables.request import ColumnOptions


def table(P=300, shift=0.0, blue=0.5, gone=0.0, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal(P) + shift
    x[rng.random(P) < gone] = np.nan
    colour = np.where(rng.random(P) < blue, "blue", "red").tolist()
    columns = {"x": NumberColumn(x), "colour": make_text_column(colour), "w": NumberColumn(rng.random(P))}
    return CellTable("made", columns | {"y": make_text_column(["a", "b"] * (P // 2))})


@pytest.fixture
def known():
    old = table()
    plan, old, _ = build_plan.make_plan(old, ColumnOptions("y", "median"))
    return plan, training_range(old, plan)


def test_rows_like_those_that_taught_raise_no_alarm(known):
    plan, range_ = known
    for seed in range(1, 21):
        assert find_drifted_columns(table(seed=seed), plan, range_) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"shift": 1.0}, "Column 'x' has drifted: its median is"),
        ({"blue": 0.9}, "Column 'colour' has drifted: 'red' is in 1"),
        ({"gone": 0.5}, "Column 'x' has drifted: 5"),
    ],
)
def test_columns_that_have_moved_are_named(known, change, sentence):
    plan, range_ = known
    (said,) = find_drifted_columns(table(seed=5, **change), plan, range_)
    assert said.startswith(sentence)


def test_few_rows_say_nothing_about_a_distribution(known):
    plan, range_ = known
    assert find_drifted_columns(table(10, shift=9.0), plan, range_) == []


def test_a_number_beyond_the_training_rows_is_named(known):
    _, range_ = known
    new = table(20)
    new.columns["x"].values[4] = 44.0
    said = find_outside_rows(new, range_)
    assert said[4].startswith("outside: x 44 (was -")
    assert [k for k, text in enumerate(said) if text] == [4]
