"""The plan, with a note on every decision."""

from dataclasses import asdict

import pytest
from some_tables import NUMBERS, planned, table

from markone.errors import BadTable
from markone.tables.plan.build_plan import make_plan
from markone.tables.plan.column_plan import ColumnPlan
from markone.tables.request import ColumnOptions


def test_every_column_is_mentioned():
    raw = table(
        n=NUMBERS,
        flag=["true", "false"] * 6,
        colour=["red", "green", "blue"] * 4,
        sex=["f", "m", "m"] * 4,
        nr=range(12),
        id=[f"p{k}" for k in range(12)],
        day=[f"{k + 1}/3/2024" for k in range(12)],
        same=[1] * 12,
        unused=NUMBERS,
    )
    plan, _, notes = planned(raw, drop=["unused"])
    for sentence in [
        "1 column of numbers: n.",
        "Yes or no, as 1 and 0: flag.",
        "Text column 'colour' became 3 0/1 inputs: blue, green, red.",
        "Text column 'sex' became one 0/1 input: m.",
        "Left out: column 'nr', because it counts the rows from 0 to 11 (--keep nr uses it).",
        "Left out: column 'same', because it is constant ('1').",
        "Left out: column 'unused', because it is in --drop.",
        "Target 'k': 2 classes, rows of each: no 6, yes 6.",
    ]:
        assert sentence in notes
    assert any("'id', because all its texts differ (p0, p1" in note for note in notes)
    assert any("'day', because it holds dates" in note for note in notes)
    assert plan.feature_names == ["n", "flag", "colour = blue", "colour = green", "colour = red", "sex = m"]
    assert ColumnPlan.from_dict(asdict(plan)) == plan


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": "kk"}, "t.csv has no column 'kk'. Did you mean 'k'"),
        ({"target": "zzz"}, "Its columns: a, k"),
        ({}, "Which column is to be predicted.*: a, k"),
        ({"target": "k", "drop": ["b"]}, "no column 'b'"),
        ({"target": "k", "drop": ["k"]}, "is the target and cannot be left out"),
        ({"target": "k", "drop": ["a"]}, "No column of t.csv is left as an input"),
        ({"target": "k", "missing": "guess"}, "--missing must be one of auto, refuse, drop"),
    ],
)
def test_wishes_that_cannot_be_met(options, sentence):
    with pytest.raises(BadTable, match=sentence):
        make_plan(table(a=NUMBERS), ColumnOptions(**options))
