"""What each column is taken for, and that every decision is said."""

import numpy as np
import pytest

from markone.data.dialect import BadTable
from markone.tables import encoding
from markone.tables.columns import LEFT_OUT, NUMBER, TEXT, YES_NO, decide
from markone.tables.plan import ColumnOptions, ColumnPlan
from markone.tables.planning import make
from markone.tables.scaling import Scaling
from markone.tables.source import Raw

K = ["no", "yes"] * 6


def table(**columns):
    return Raw("t.csv", {**{name: [str(v) for v in values] for name, values in columns.items()}, "k": K})


def planned(raw, **options):
    return make(raw, ColumnOptions("k", **options))


NUMBERS = [3.5, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]


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
    assert decide(table(a=values), "a").kind == kind


def test_every_column_is_mentioned():
    raw = table(
        n=NUMBERS,
        flag=["true", "false"] * 6,
        colour=["red", "green", "blue"] * 4,
        sex=["f", "m", "m"] * 4,
        nr=range(12),
        id=[f"p{k}" for k in range(12)],
        day=[f"2024-01-{k + 1}" for k in range(12)],
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
        "Left out: column 'unused', because you request for it.",
        "Target 'k': 2 classes, rows of each: no 6, yes 6.",
    ]:
        assert sentence in notes
    assert any("'id', because all its texts differ (p0, p1" in note for note in notes)
    assert any("'day', because it holds dates" in note for note in notes)
    assert plan.feature_names == ["n", "flag", "colour = blue", "colour = green", "colour = red", "sex = m"]
    assert ColumnPlan.from_dict(plan.as_dict()) == plan


def test_inputs_are_in_the_order_of_their_names():
    raw = table(colour=["red", "green", "blue"] * 4, flag=["true", "false"] * 6, n=NUMBERS)
    plan, raw, _ = planned(raw)
    X = encoding.inputs(raw, plan)
    expected = {
        "n": NUMBERS,
        "flag": [1, 0] * 6,
        "colour = blue": [0, 0, 1] * 4,
        "colour = green": [0, 1, 0] * 4,
        "colour = red": [1, 0, 0] * 4,
    }
    assert plan.feature_names == list(expected)
    assert np.array_equal(X, np.array(list(expected.values()), dtype=float).T)


def test_a_text_among_numbers_names_its_row_and_the_ways_out():
    values = [*NUMBERS[:7], "n.d.", "n.d.", *NUMBERS[9:]]
    with pytest.raises(BadTable, match=r"row 8 says 'n.d.', and 1 more .*--drop a, .*--categorical a"):
        planned(table(a=values))
    plan, _, _ = planned(table(a=values), categorical=["a"])
    assert "a = n.d." in plan.feature_names
    with pytest.raises(BadTable, match="row 3 says 'inf'"):
        planned(table(a=[*NUMBERS[:2], "inf", *NUMBERS[3:]]))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ([f"1,{k:03d}.5" for k in range(12)], r"with a separator of thousands: row 1 says '1,000.5'"),
        ([f"{k} kg" for k in range(12)], r"with the unit 'kg': row 1 says '0 kg'"),
        ([f"w{k % 11}" for k in range(12)], r"11 different texts in 12 rows .*--drop a, .*--categorical a"),
        (
            [f"P{k // 2}" for k in range(60)],
            r"30 different texts in 60 rows .* measured several times, folds",
        ),
    ],
)
def test_columns_that_would_make_useless_categories_are_refused(values, sentence):
    with pytest.raises(BadTable, match=sentence):
        planned(table(a=values, b=NUMBERS))


HOLES = [3.5, "", 4, "?", 5, 9, 2, 6, 5, 3, 5, 8]
HOLED = {"a": HOLES, "colour": ["red", "green", ""] * 4, "b": NUMBERS}


def test_missing_values_are_refused_with_columns_and_options():
    message = r"written as an empty cell or '\?'.*: a 2, colour 4\. Choose with --missing: drop"
    with pytest.raises(BadTable, match=message):
        planned(table(**HOLED))


def test_rows_with_missing_values_left_out():
    _, raw, notes = planned(table(**HOLED), missing="drop")
    assert raw.numbers == [1, 5, 7, 8, 10, 11]
    assert "6 of 12 rows with a missing value were left out." in notes
    with pytest.raises(BadTable, match="Every row misses some value"):
        planned(table(a=HOLES, b=["", 1, "", 3, *[""] * 8]), missing="drop")


@pytest.mark.parametrize("fill", ["median", "mean", "mask"])
def test_missing_numbers_are_filled_and_missing_texts_are_a_category(fill):
    plan, raw, notes = planned(table(**HOLED), missing=fill)
    assert "colour = (missing)" in plan.feature_names
    assert any("A missing text is a category of its own (colour)." in note for note in notes)
    X = encoding.inputs(raw, plan)
    assert np.isnan(X[[1, 3], 0]).all()
    Z = Scaling(2, "none", fill).fit(X).transform(X)
    present = [v for v in HOLES if isinstance(v, int | float)]
    expected = {"median": np.median(present), "mean": np.mean(present), "mask": np.nan}[fill]
    assert np.array_equal(Z[[1, 3], 0], [expected, expected], equal_nan=True)


def test_z_scores_of_numbers_only_and_back():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(5, 3, 40), np.full(40, 0.1), rng.integers(2, size=40)])
    scaling = Scaling(2).fit(X)
    Z = scaling.transform(X)
    assert np.allclose([Z[:, 0].mean(), Z[:, 0].std()], [0, 1])
    assert np.array_equal(Z[:, 2], X[:, 2])
    # A constant has no deviation to divide by; rounding must not make one.
    assert np.abs(Z[:, 1]).max() < 1e-12
    assert np.allclose(scaling.inverse_transform(Z), X)


@pytest.mark.parametrize("fill", ["median", "mean", "mask"])
@pytest.mark.parametrize("size", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_z_scores_do_not_depend_on_the_unit_however_large_or_small(size, fill):
    X = np.random.default_rng(1).normal(2, 3, (30, 2))
    X[4, 0] = np.nan
    expected = Scaling(2, fill=fill).fit(X).transform(X)
    scaling = Scaling(2, fill=fill).fit(X * size)
    np.testing.assert_allclose(scaling.transform(X * size), expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        scaling.inverse_transform(expected)[:4], X[:4] * size, rtol=1e-9, atol=1e-9 * size
    )


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (["yes"] * 12, "has only one class, 'yes', in 12 rows"),
        ([0.5 * k + 0.25 for k in range(12)], "12 different values in 12 rows .* these are no classes"),
        (["yes", "no", ""] * 4, r"The target 'k' is missing in 4 rows \(the first: row 3\).*--missing drop"),
        ([""] * 12, "is missing in every row"),
        (["1", "0", "1.0"] * 4, r"writes the same number in two ways \('1' and '1.0'\)"),
    ],
)
def test_targets_that_cannot_be_learned(labels, sentence):
    raw = table(a=NUMBERS)
    raw.columns["k"] = [str(label) for label in labels]
    with pytest.raises(BadTable, match=sentence):
        planned(raw)


def test_rows_without_a_label_are_left_out_if_asked():
    raw = table(a=NUMBERS)
    raw.columns["k"] = ["yes", "no", ""] * 4
    _, raw, notes = planned(raw, missing="drop")
    assert raw.numbers == [1, 2, 4, 5, 7, 8, 10, 11]
    assert "The target 'k' is missing in 4 rows (the first: row 3); left out." in notes


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": "kk"}, "t.csv has no column 'kk'. Did you mean 'k'"),
        ({"target": "zzz"}, "Its columns: a, k"),
        ({}, "Which column is to be predicted.*: a, k"),
        ({"target": "k", "drop": ["b"]}, "no column 'b'"),
        ({"target": "k", "drop": ["k"]}, "is the target and cannot be left out"),
        ({"target": "k", "drop": ["a"]}, "No column of t.csv is left as an input"),
        ({"target": "k", "missing": "guess"}, "--missing must be one of refuse, drop"),
    ],
)
def test_wishes_that_cannot_be_met(options, sentence):
    with pytest.raises(BadTable, match=sentence):
        make(table(a=NUMBERS), ColumnOptions(**options))


def test_a_target_that_stands_twice():
    raw = table(a=NUMBERS)
    raw.columns["k (2)"] = K
    with pytest.raises(BadTable, match="'k' stands twice"):
        planned(raw)


def test_keep_overrules_the_suspicion():
    plan, _, _ = planned(table(a=range(12)), keep=["a"])
    assert plan.feature_names == ["a"]
