"""Missing values: refused, left out, filled."""

import numpy as np
import pytest
from some_tables import HOLED, HOLES, planned, table

from markone.errors import BadTable
from markone.tables.plan import column_plan
from markone.tables.scaling import Scaling


def test_missing_values_are_refused_with_columns_and_options():
    message = r"written as an empty cell or '\?'.*: a 2, colour 4\. Choose with --missing: drop"
    with pytest.raises(BadTable, match=message):
        planned(table(**HOLED), strict=True)


def test_missing_values_are_filled_by_default_with_one_indicator_for_the_same_rows():
    plan, raw, _ = planned(table(**HOLED, c=HOLES))
    assert plan.missing == "indicator"
    assert plan.indicators == ["a"]
    assert np.isfinite(Scaling(3, fill="median").fit_transform(column_plan.encode_inputs(raw, plan))).all()


def test_a_text_missing_for_the_first_time_is_the_usual_one():
    plan, raw, _ = planned(table(colour=["red", "red", "green"] * 4))
    new = table(colour=["", "red", "green"] * 4)
    X = column_plan.encode_inputs(new, plan)
    assert np.array_equal(X, column_plan.encode_inputs(raw, plan))


def test_rows_with_missing_values_left_out():
    _, raw, notes = planned(table(**HOLED), missing="drop")
    assert raw.rows.tolist() == [1, 5, 7, 8, 10, 11]
    assert "6 of 12 rows with a missing value were left out." in notes
    with pytest.raises(BadTable, match="Every row has a missing value"):
        planned(table(a=HOLES, b=["", 1, "", 3, *[""] * 8]), missing="drop")


@pytest.mark.parametrize("fill", ["median", "mean", "mask"])
def test_missing_numbers_are_filled_and_missing_texts_are_a_category(fill):
    plan, raw, notes = planned(table(**HOLED), missing=fill)
    assert "colour = (missing)" in plan.feature_names
    assert any("A missing text is a category of its own (colour)." in note for note in notes)
    X = column_plan.encode_inputs(raw, plan)
    assert np.isnan(X[[1, 3], 0]).all()
    Z = Scaling(2, "none", fill).fit(X).transform(X)
    present = [v for v in HOLES if isinstance(v, int | float)]
    expected = {"median": np.median(present), "mean": np.mean(present), "mask": np.nan}[fill]
    assert np.array_equal(Z[[1, 3], 0], [expected, expected], equal_nan=True)
