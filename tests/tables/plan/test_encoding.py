"""Inputs by the plan."""

import numpy as np
from some_tables import NUMBERS, planned, table

from markone.tables.plan import column_plan


def test_inputs_are_in_the_order_of_their_names():
    raw = table(colour=["red", "green", "blue"] * 4, flag=["true", "false"] * 6, n=NUMBERS)
    plan, raw, _ = planned(raw)
    X = column_plan.encode_inputs(raw, plan)
    expected = {
        "n": NUMBERS,
        "flag": [1, 0] * 6,
        "colour = blue": [0, 0, 1] * 4,
        "colour = green": [0, 1, 0] * 4,
        "colour = red": [1, 0, 0] * 4,
    }
    assert plan.feature_names == list(expected)
    assert np.array_equal(X, np.array(list(expected.values()), dtype=float).T)
