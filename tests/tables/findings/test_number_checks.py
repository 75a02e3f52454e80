"""Findings of a regression; none for harmless tables."""

import numpy as np
import pytest

from markone.tables.findings import target_checks as findings
from markone.tables.request import Folds
from markone.tables.validation import Fold, Validation

NAMES = ["a", "b"]


@pytest.fixture
def clean():
    rng = np.random.default_rng(0)
    return rng.normal(size=(200, 2)), rng.normal(size=200)


def test_nothing_is_said_about_clean_rows(clean):
    X, y = clean
    assert findings.number_findings(X, y, NAMES) == []


def test_a_column_that_is_the_target_in_other_words(clean):
    X, y = clean
    X[:, 1] = np.exp(3 * y)
    assert "b orders the rows as the target does" in str(findings.number_findings(X, y, NAMES)[0])


def test_missing_where_the_target_is_large(clean):
    X, y = clean
    X[y > 1, 0] = np.nan
    assert "Whether a (p = " in str(findings.number_findings(X, y, NAMES)[0])


def test_missing_by_lot_is_not_blamed(clean):
    X, y = clean
    X[np.random.default_rng(1).random(200) < 0.3, 0] = np.nan
    assert findings.number_findings(X, y, NAMES) == []


def test_a_sorted_table(clean):
    X, y = clean
    assert "goes up with the number of the row" in str(findings.number_findings(X, np.sort(y), NAMES)[0])


def test_outliers_and_a_spread_that_grows():
    rng = np.random.default_rng(2)
    predicted = np.linspace(1, 10, 200)
    y = predicted + predicted * rng.normal(size=200) * 0.3
    whole = Fold(np.arange(200), predicted, None, {}, {}, 0)
    validation = Validation(Folds(1, 2), [whole])
    said = findings.find_heteroscedasticity(y, validation)
    assert "Errors are larger where the prediction is large" in str(said[0])
    y[17] = 1e4
    (found,) = findings.find_target_outliers(y, np.arange(200))
    assert "row 17: 10000), with 100 % of the squared deviations" in found.sentence
    assert found.doubts_score


def test_many_large_targets_are_a_long_tail():
    """The tail of a distribution is no slip of the pen: said, without doubt in the score."""
    y = np.exp(2 * np.random.default_rng(4).normal(size=400))
    (found,) = findings.find_target_outliers(y, np.arange(400))
    assert found.numbers["rows"] > 8
    assert not found.doubts_score
