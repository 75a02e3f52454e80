"""The target column."""

import pytest
from some_tables import NUMBERS, K, as_column, planned, table

from markone.errors import BadTable


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["yes"] * 12, "has only one class, 'yes', in 12 rows"),
        ([0.5 * k + 0.25 for k in range(12)], "12 different values in 12 rows .* these are not classes"),
        (["yes", "no", ""] * 4, r"The target 'k' is missing in 4 rows \(the first: row 3\).*--missing drop"),
        ([""] * 12, "is missing in every row"),
        (["1", "0", "1.0"] * 4, r"has the same number in two spellings \('1' and '1.0'\)"),
    ],
)
def test_targets_that_cannot_be_learned(labels, sentence):
    raw = table(a=NUMBERS)
    raw.columns["k"] = as_column(labels, as_text=True)
    with pytest.raises(BadTable, match=sentence):
        planned(raw, strict=True)


def test_classes_of_one_or_two_rows_are_left_out():
    raw = table(a=NUMBERS)
    raw.columns["k"] = as_column(["yes", "no"] * 5 + ["rare", "rare"], as_text=True)
    _, kept, notes = planned(raw)
    assert len(kept) == 10
    assert any("fewer than 3 rows were left out (rare 2)" in note for note in notes)


def test_rows_without_a_label_are_left_out_if_asked():
    raw = table(a=NUMBERS)
    raw.columns["k"] = as_column(["yes", "no", ""] * 4)
    _, raw, notes = planned(raw, missing="drop")
    assert raw.rows.tolist() == [1, 2, 4, 5, 7, 8, 10, 11]
    assert "The target 'k' is missing in 4 rows (the first: row 3); left out." in notes


def test_a_target_that_stands_twice():
    raw = table(a=NUMBERS)
    raw.columns["k (2)"] = as_column(K)
    with pytest.raises(BadTable, match="'k' occurs twice"):
        planned(raw)
