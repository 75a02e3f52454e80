"""Kinds of columns."""

import numpy as np
import pytest
from some_tables import NUMBERS, planned, table

from markone.errors import BadTable
from markone.tables.inspect.row_changes import format_input_value
from markone.tables.plan.column_kinds import decide_kind
from markone.tables.plan.column_plan import CODED, LEFT_OUT, NUMBER, TEXT, YES_NO, encode_inputs


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (NUMBERS, NUMBER),
        (["True", "False"] * 6, YES_NO),
        (["yes", "No", ""] * 4, YES_NO),
        (["red", "green", "blue"] * 4, TEXT),
        (["n", "f"] * 6, TEXT),
        (["7"] * 12, LEFT_OUT),
        (["", "NA"] * 6, LEFT_OUT),
        ([f"patient {k}" for k in range(12)], LEFT_OUT),
        ([f"2024-01-{k + 1}" for k in range(12)], LEFT_OUT),
        ([f"{k + 1}.12.2024 10:30" for k in range(12)], LEFT_OUT),
        (range(1, 13), LEFT_OUT),
    ],
)
def test_kinds(values, kind):
    assert decide_kind(table(a=values), "a").kind == kind


def test_a_text_among_numbers_names_its_row_and_the_ways_out():
    values = [*NUMBERS[:7], "n.d.", "n.d.", *NUMBERS[9:]]
    with pytest.raises(BadTable, match=r"row 8 has 'n.d.', and 1 more .*--drop a, .*--categorical a"):
        planned(table(a=values))
    plan, _, _ = planned(table(a=values), categorical=["a"])
    assert "a = n.d." in plan.feature_names
    with pytest.raises(BadTable, match="row 3 has 'inf'"):
        planned(table(a=[*NUMBERS[:2], "inf", *NUMBERS[3:]]))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([f"1,{k:03d}.5" for k in range(12)], r"with a thousands separator: row 1 has '1,000.5'"),
        ([f"{k} kg" for k in range(12)], r"with the unit 'kg': row 1 has '0 kg'"),
        ([f"w{k % 11}" for k in range(12)], r"11 different texts in 12 rows .*--drop a, .*--categorical a"),
        (
            [f"P{k // 2}" for k in range(60)],
            r"30 different texts in 60 rows .* repeated measurements, folds",
        ),
    ],
)
def test_columns_that_would_make_useless_categories_are_refused(values, sentence):
    with pytest.raises(BadTable, match=sentence):
        planned(table(a=values, b=NUMBERS), strict=True)
    plan, _, _ = planned(table(a=values, b=NUMBERS))
    assert plan.columns[0].kind in (NUMBER, CODED)


def test_all_that_is_wrong_is_said_at_once():
    wrong = [*NUMBERS[:7], "n.d.", "?.", *NUMBERS[9:]]
    with pytest.raises(BadTable, match=r"Column 'a' .*\nColumn 'b' "):
        planned(table(a=wrong, b=wrong))


def test_keep_overrules_the_suspicion():
    plan, _, _ = planned(table(a=range(12)), keep=["a"])
    assert plan.feature_names == ["a"]


def test_ordered_words_are_numbers_in_their_order():
    sizes = table(size=["small", "large", "", "medium"] * 3)
    plan, kept, notes = planned(sizes, ordered=["size=small, medium,large"])
    np.testing.assert_array_equal(encode_inputs(kept, plan)[:4, 0], [1, 3, np.nan, 2])
    assert "Column 'size' holds words in an order, as 1 to 3: small, medium, large." in notes
    assert format_input_value(plan, "size", np.array([2.0])) == "medium"
    with pytest.raises(BadTable, match=r"must name each text once.* 'size' has also medium\."):
        planned(sizes, ordered=["size=small,large"])
    with pytest.raises(BadTable, match="must name each text once"):
        planned(sizes, ordered=["size=small,large,medium,small"])
    with pytest.raises(BadTable, match=r"no column 'siz'\. Did you mean 'size'"):
        planned(sizes, ordered=["siz=small,large"])


@pytest.mark.parametrize("name", ["rownames", "row_name", "Unnamed: 0", "column 1", "patient ID"])
def test_names_of_rows_are_left_out_though_some_rows_are_gone(name):
    rows = [k for k in range(1, 40) if k % 7]
    assert decide_kind(table(**{name: rows}), name).kind == LEFT_OUT
    assert decide_kind(table(**{name: rows}), name, keep=True).kind == NUMBER
