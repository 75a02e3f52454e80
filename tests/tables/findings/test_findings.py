"""Findings of misleading tables; none for harmless ones."""

import numpy as np
import pytest
from misleading_tables import evidence, findings, labels, noise
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from markone.numerics.statistics import holm_adjusted
from markone.tables import fit
from markone.tables.findings.column_checks import group_spellings
from markone.tables.findings.evidence import class_dependence_p_value, group_equal_rows
from markone.tables.findings.row_checks import copy_groups
from markone.tables.findings.target_checks import accuracy_from_gaps, find_infinite_coefficients
from markone.tables.prepared_data import run_all_checks


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 10), marks=pytest.mark.slow)], ids=str)
def test_noise_is_left_in_peace(seeds):
    """A hundred columns of noise, ten tables: by the correction, false alarms come once in a hundred
    tables."""
    for seed in seeds:
        X = noise(100, 100, seed)
        assert findings(labels(100), **{f"x{k}": X[:, k] for k in range(99)}) == {}


def test_the_tank_is_seen():
    y = labels(200)
    age, rng = noise(200), np.random.default_rng(3)
    mine = np.flatnonzero(np.array(y) == "a")
    age[rng.choice(mine, 57, replace=False)] = np.nan
    found = findings(y, age=age, w=noise(200, seed=4))["missing by class"]
    assert found.doubts_score
    assert found.columns == ("age",)
    assert found.sentence.startswith(
        "Whether 'age' is missing depends on the class: in 57 of 100 rows of 'a', in 0 of 100 rows of 'b'"
    )
    assert found.numbers["told_by_gaps"] == pytest.approx(0.785)
    assert found.numbers["most_frequent"] == 0.5
    assert "--drop age" in found.advice


def test_gaps_that_know_nothing_are_left_in_peace():
    age = noise(200)
    age[::4] = np.nan
    assert "missing by class" not in findings(labels(200), age=age, w=noise(200, seed=4))


def test_gaps_of_one_of_many_classes_are_seen_in_texts_too():
    y = np.array(labels(300, names=("a", "b", "c")))
    city = np.random.default_rng(0).choice(["x", "y", "z"], 300).astype(object)
    city[np.flatnonzero(y == "c")[:60]] = ""
    found = findings(y, city=city, w=noise(300))["missing by class"]
    assert "in 60 of 100 rows of 'c'" in found.sentence


def test_rows_that_drop_leaves_out_are_counted_all_the_same():
    y = np.array(labels(200))
    age = noise(200)
    age[np.flatnonzero(y == "b")[:40]] = np.nan
    found = [each.kind for each in run_all_checks(evidence(y, missing="drop", age=age, w=noise(200, seed=2)))]
    assert "missing by class" in found


def test_a_column_of_numbers_that_decides_alone():
    y = np.array(labels(100))
    found = findings(y, x=noise(100) + 20 * (y == "a"), w=noise(100, seed=2))["one column decides"]
    assert found.columns == ("x",)
    assert "alone determines the class of 100.0 % of the rows" in found.sentence
    middle = np.where(y == "a", 0.1 * noise(100), np.sign(noise(100, seed=5)) * (2 + np.abs(noise(100))))
    assert "one column decides" in findings(y, x=middle, w=noise(100, seed=2))


def test_what_fits_by_chance_in_a_small_table_is_no_finding():
    """Of 2000 columns of noise and eight rows, about 60 part the classes."""
    X, y = noise(8, 2000), ["a", "b"] * 4
    seen = findings(y, folds=2, **{f"x{k}": X[:, k] for k in range(2000)})
    assert set(seen) == {"more inputs than rows", "small class"}


@pytest.mark.parametrize("recode", [{"a": "ill", "b": "well"}, {"a": 3.0, "b": 1.0}])
def test_the_target_in_other_words(recode):
    y = labels(60)
    found = findings(y, copy=[recode[label] for label in y], w=noise(60))
    assert found["target in other words"].doubts_score
    assert "--drop copy" in found["target in other words"].advice


def test_a_patient_measured_several_times_belongs_to_one_class():
    patients = [f"p{k // 4}" for k in range(120)]
    y = ["ab"[k // 4 % 2] for k in range(120)]
    found = findings(y, patient=patients, x=noise(120))["group in one class"]
    assert "--group patient" in found.advice


def test_a_sorted_table_is_said_but_does_not_doubt_the_score():
    y = ["a"] * 50 + ["b"] * 50
    assert not findings(y, x=noise(100))["order by class"].doubts_score


def test_a_clock_in_a_table_sorted_by_class_doubts_it():
    y, clock = ["a"] * 50 + ["b"] * 50, np.arange(100) * 7 + np.abs(noise(100))
    found = findings(y, clock=clock, x=noise(100, seed=3))
    assert found["follows the row order"].doubts_score
    assert "--time clock" in found["follows the row order"].advice
    innocent = findings(labels(100), clock=clock, x=noise(100, seed=3))["follows the row order"]
    assert not innocent.doubts_score


def test_a_column_that_decides_far_more_than_all_others_is_a_leak():
    """About 7 % of the rows differ from the class: the column is no copy of it."""
    rng, y = np.random.default_rng(0), np.array(labels(400))
    copied = np.where(rng.random(400) < 0.14, np.roll(y, 1), y)
    found = findings(y.tolist(), code=copied.tolist(), x=noise(400), w=noise(400, seed=5))
    assert found["one column decides"].doubts_score
    assert found["one column decides"].columns == ("code",)
    assert found["one column decides"].numbers["others"] < 0.6


def test_a_site_of_many_that_decides_nine_of_ten_rows():
    rng = np.random.default_rng(0)
    site = rng.integers(0, 8, 400)
    y = np.where((site < 4) ^ (rng.random(400) < 0.08), "sick", "well").tolist()
    found = findings(y, site=[f"s{k}" for k in site], x=noise(400), w=noise(400, seed=5))
    assert found["one column decides"].columns == ("site",)
    random = rng.permutation(y).tolist()
    assert "one column decides" not in findings(random, site=[f"s{k}" for k in site], x=noise(400))


def test_a_strong_column_beside_others_as_strong_is_none():
    y = np.array(labels(400))
    x = np.where(y == "a", 0.0, 2.6) + noise(400)
    assert "one column decides" not in findings(y.tolist(), x=x, w=x + 0.5 * noise(400, seed=5))


def test_dummies_of_the_target_are_a_leak_of_few_columns():
    y = np.array(labels(300, names=("a", "b", "c")))
    dummies = {f"d{k}": (y == label).astype(float) for k, label in enumerate("abc")}
    found = findings(y.tolist(), **dummies, x=noise(300))["few columns decide"]
    assert found.doubts_score
    assert set(found.columns) <= set(dummies)
    assert len(found.columns) >= 2
    random = {f"d{k}": np.random.default_rng(k).integers(0, 2, 300).astype(float) for k in range(3)}
    assert "few columns decide" not in findings(y.tolist(), **random, x=noise(300))


def test_copies_are_counted_and_kept_together():
    X = noise(60, 2)
    X[50:] = X[:10]
    y = labels(60)
    found = findings([*y[:50], *y[:10]], p=X[:, 0], q=X[:, 1])["duplicate rows"]
    assert found.numbers == {"extra_rows": 10.0, "in_two_classes": 0.0}
    assert "rows 1 and 51" in found.sentence
    together = copy_groups(X, group_equal_rows(X), [[0], [1]])
    assert np.array_equal(together[50:], together[:10])


def test_equal_rows_of_another_class():
    X = noise(40, 2)
    X[39] = X[0]
    y = ["a", "b"] * 20
    assert "rows 1 and 40" in findings(y, p=X[:, 0], q=X[:, 1])["equal rows, other class"].sentence


def test_few_different_rows_are_no_copies():
    """Three columns of yes and no have eight rows, however many were asked."""
    rng = np.random.default_rng(0)
    flags = {name: rng.choice(["yes", "no"], 200) for name in "pqr"}
    assert "few different rows" in findings(labels(200), **flags)
    X = np.stack([c == "yes" for c in flags.values()], axis=1).astype(float)
    assert copy_groups(X, group_equal_rows(X), [[0], [1], [2]]) is None


def test_the_inputs_of_one_text_are_one_column():
    """Three texts with 36 combinations: rows coincide by chance, though each of eleven inputs is 0 or 1."""
    rng = np.random.default_rng(1)
    words = {"p": "uvw", "q": "rg", "r": "klmnop"}
    texts = {name: rng.choice(list(letters), 200) for name, letters in words.items()}
    found = findings(labels(200), **texts)
    assert "few different rows" in found
    assert "duplicate rows" not in found


def test_missing_values_and_signs_of_zero_do_not_part_copies():
    X = np.array([[0.0, np.nan], [-0.0, np.nan], [0.0, 1.0]])
    assert group_equal_rows(X).tolist() == [0, 0, 1]


def test_spellings_of_the_target_doubt_the_score_those_of_inputs_do_not():
    y = np.array(labels(80, names=("Yes!", "no", "No ", "yes!")))
    colour = labels(80, names=("Blue", "blue", "red"))
    found = run_all_checks(evidence(y, colour=colour, x=noise(80)))
    spelled = [each for each in found if each.kind == "spelling"]
    assert {each.columns for each in spelled} == {("y",), ("colour",)}
    assert [each.doubts_score for each in spelled if each.columns == ("colour",)] == [False]
    assert all(each.doubts_score for each in spelled if each.columns == ("y",))


def test_words_are_the_same_whatever_their_case_blanks_hyphens_and_form():
    words = ["New York", "new-york", "NEW  YORK", "Zürich", "Zu\u0308rich", "Basel"]
    assert group_spellings(words) == [words[:3], words[3:5]]


def test_dates_offer_a_split_by_time():
    dates = [f"2024-{1 + k % 12:02}-{1 + k % 28:02}" for k in range(84)]
    assert "--time day" in findings(labels(84), day=dates, x=noise(84))["dates"].advice


def test_nearly_constant_columns_are_named():
    x = np.zeros(200)
    x[7] = 1.0
    assert findings(labels(200), x=x, w=noise(200))["nearly constant"].columns == ("x",)


def test_a_slip_of_the_decimal_point():
    x = noise(100)
    x[41] = 5000.0
    assert "5000 in row 42" in findings(labels(100), x=x)["far away"].sentence


def test_a_code_for_missing_is_seen_and_doubts_the_score_if_it_knows_the_class():
    y, x = np.array(labels(200)), noise(200)
    x[::20] = -999
    found = findings(y, x=x, w=noise(200, seed=1))["code for missing"]
    assert "is -999 in 10 rows" in found.sentence
    assert not found.doubts_score
    x[np.flatnonzero(y == "a")[:40]] = -999
    assert findings(y, x=x, w=noise(200, seed=1))["code for missing"].doubts_score


def test_few_rows_of_a_class_and_more_inputs_than_rows():
    y = ["rare"] * 6 + ["often"] * 60
    assert "each of the 5 folds tests 1.2 of them" in findings(y, x=noise(66))["small class"].sentence
    X = noise(30, 50)
    assert "more inputs than rows" in findings(labels(30), **{f"x{k}": X[:, k] for k in range(50)})


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer, load_digits])
def test_no_real_set_is_doubted(load):
    X, y = load(return_X_y=True)
    names = {f"x{k}": X[:, k] for k in range(X.shape[1])}
    assert [
        each.kind for each in run_all_checks(evidence([f"c{k}" for k in y], **names)) if each.doubts_score
    ] == []


def test_numbers_of_any_size_are_looked_at():
    x = noise(50) * 1e305
    x[3] = 1.5e308
    assert findings(labels(50), x=x, w=noise(50) * 1e-300) is not None


def test_the_correction_is_holms():
    p = np.array([0.01, 0.04, 0.03, 0.005])
    np.testing.assert_allclose(holm_adjusted(p), [0.03, 0.06, 0.06, 0.02])
    mask, codes = np.arange(20) < 8, np.arange(20) // 10
    assert class_dependence_p_value(mask, codes) == pytest.approx(0.000714, abs=1e-5)


def test_what_gaps_tell_is_left_one_out():
    gaps, codes = np.array([[1], [0], [0], [0], [0]], dtype=bool), np.array([0, 1, 1, 0, 1])
    # The row with the gap is alone and counts as wrong; of the others, the majority class is right.
    told, base = accuracy_from_gaps(gaps, codes)
    assert told == pytest.approx(3 * 1.0 / 5)
    assert base == 0.6


def test_infinite_coefficients_of_a_logistic_regression_are_named(tmp_path):
    rng = np.random.default_rng(0)
    case = rng.random(79) < 0.4
    neovasc = np.zeros(79)
    neovasc[rng.choice(np.flatnonzero(case), 13, replace=False)] = 1
    lines = [
        f"{a:.3f},{b:.0f},{'case' if c else 'control'}"
        for a, b, c in zip(noise(79), neovasc, case, strict=True)
    ]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["thickness,neovasc,grade", *lines]))
    known = fit(str(path), model="logistic", target="grade", cv="1x5").findings
    found = {each.kind: each for each in known}["infinite coefficients"]
    assert found.columns == ("neovasc",)
    assert "The coefficient of neovasc (-) is infinite." in found.sentence
    assert "All 13 rows with neovasc > 0 are of class case." in found.sentence
    others = fit(str(path), model="soft-margin", target="grade", cv="1x5").findings
    assert "infinite coefficients" not in [each.kind for each in others]


def test_coefficients_are_finite_where_the_classes_overlap():
    X, y = np.stack([noise(60), noise(60, seed=5)], axis=1), np.array(labels(60))
    assert find_infinite_coefficients(X, y, ["a", "b"]) == []
    X[:5, 0] = np.nan
    assert find_infinite_coefficients(X, y, ["a", "b"]) == []
    X[:, 1] = (y == "b") * 1.0
    assert find_infinite_coefficients(X, y, ["a", "b"])[0].numbers["rows"] == 55
