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
    said = findings.residual_findings(y, validation, [*range(200)])
    assert "Errors are larger where the prediction is large" in str(said[0])
    y[17] = 1e4
    assert "row 17" in str(findings.residual_findings(y, validation, [*range(200)])[0])
