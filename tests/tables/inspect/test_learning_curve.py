"""The learning curve on nested parts of a table, and its forecast."""

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

from markone.tables import FitRequest, fit
from markone.tables.dispatch import build_report
from markone.tables.inspect import learning_curve
from markone.tables.inspect.learning_curve import LearningCurve, forecast_errors, measure_curve, nested_parts
from markone.tables.report.blocks import TERMINAL
from markone.tables.report.formats import rows_needed
from markone.tables.report.page import build_page
from markone.tables.request import Folds
from markone.tables.row_splits import NO_TIES, RowTies
from markone.tables.running import Workers
from markone.tables.scaling import Scaling
from markone.tables.scoring import ClassScoring
from markone.tables.validation import cross_validate


def test_parts_are_nested_and_have_the_shares_of_the_classes():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(800) < 0.2, "a", "b")
    train = np.flatnonzero(rng.random(800) < 0.9)
    parts = nested_parts(train, y, NO_TIES, rng)
    assert len(parts) == 5
    for k, (larger, part) in enumerate(zip([train, *parts], parts, strict=False), 1):
        assert set(part) <= set(larger)
        for label in "ab":
            own = np.sum(y[train] == label)
            assert abs(np.sum(y[part] == label) - own / 2**k) <= 1


def test_groups_are_in_a_part_whole_or_not_at_all():
    groups = np.repeat(np.arange(100), 4)
    y = np.repeat(["a", "b"], 200)
    for part in nested_parts(np.arange(400), y, RowTies(groups=groups), np.random.default_rng(0)):
        assert set(np.bincount(groups[part], minlength=100)) == {0, 4}


def test_the_curve_is_that_of_fits_one_by_one():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 4))
    y = np.where(X[:, 0] + rng.normal(size=300) > 0, "a", "b")
    scoring = ClassScoring(["a", "b"], "b")
    steps = Pipeline([("scaling", Scaling(4)), ("model", LogisticRegression())])
    validation = cross_validate(steps, X, y, Folds(2, 5), scoring, {}, 3)
    curve = measure_curve(steps, X, y, validation, scoring, {}, 3, NO_TIES, Workers(1))
    assert curve.sizes.tolist() == sorted(curve.sizes)
    rng = np.random.default_rng(3)
    for f, fold in enumerate(validation.folds[:5]):
        train = np.setdiff1d(np.arange(300), fold.test)
        parts = nested_parts(train, y, NO_TIES, rng)
        for k, part in enumerate(reversed(parts)):
            predicted = steps.fit(X[part], y[part]).predict(X[fold.test])
            assert curve.errors[f, k] == pytest.approx(np.mean(predicted != y[fold.test]))
        assert curve.errors[f, -1] == pytest.approx(1 - fold.measures["accuracy"])


def quantile_by_loops(curve, n, share):
    """The quantile of the forecast as that of a mixture of normal distributions of log e, one a law."""
    pieces, weight = [], 1 / curve.shape_errors**2
    for c in learning_curve.EXPONENTS:
        for r in learning_curve.ASYMPTOTES:
            shape = [np.log(r + (1 - r) * (size / curve.sizes[-1]) ** -c) for size in curve.sizes]
            left = np.log(curve.means) - shape
            level = np.average(left, weights=weight)
            likely = np.exp(-0.5 * np.sum(weight * (left - level) ** 2))
            pieces.append((likely, level + np.log(r + (1 - r) * (n / curve.sizes[-1]) ** -c)))
    likely, middle = np.array(pieces).T
    sd = np.sqrt(1 / weight.sum() + 0.75 * curve.level_error**2)
    return np.exp(brentq(lambda x: likely @ norm.cdf((x - middle) / sd) / likely.sum() - share, -20, 5))


def draw_curve(rng, law, J=10, rows=400):
    sizes = np.array([25, 50, 100, 200, 400.0])
    errors = rng.binomial(rows // J, law(sizes), size=(J, len(sizes))) / (rows // J)
    return LearningCurve("accuracy", sizes, errors, rows, float(errors[:, -1].std(ddof=1) * np.sqrt(0.2)))


def test_the_band_is_that_of_the_mixture():
    curve = draw_curve(np.random.default_rng(0), lambda n: 0.1 + 0.3 * (n / 25) ** -0.7)
    middle, low, high = forecast_errors(curve).band_at(1600)
    for found, share in [(low, 0.05), (middle, 0.5), (high, 0.95)]:
        assert found == pytest.approx(quantile_by_loops(curve, 1600, share), rel=0.05)


def test_the_rows_needed_are_those_where_the_curves_cross():
    curve = draw_curve(np.random.default_rng(2), lambda n: 0.4 * (n / 25) ** -0.8)
    forecast = forecast_errors(curve)
    low, high, share = forecast.rows_to_reach(0.03)
    assert low < 25 * (0.4 / 0.03) ** (1 / 0.8) < high
    assert np.mean(forecast.errors_at(low) <= 0.03) == pytest.approx(0.05, abs=0.01)
    assert share > 0.5
    flat = forecast_errors(draw_curve(np.random.default_rng(2), lambda n: 0.2 + 0 * n))
    assert flat.rows_to_reach(0.05)[2] < 0.1


def draw_table(rng):
    """Gaussian inputs; a linear, a noisy, or a curved rule."""
    P, N = int(rng.choice([400, 800, 1600])), int(rng.choice([3, 8, 20]))
    X = rng.standard_normal((P, N))
    w = rng.standard_normal(N)
    g = X @ w / np.linalg.norm(w)
    curved = g + X[:, 0] ** 2 - 1
    chance = [1 / (1 + np.exp(-3 * g)), np.where(g > 0, 0.9, 0.1), 1 / (1 + np.exp(-3 * curved))]
    return X, np.where(rng.random(P) < chance[rng.integers(3)], "a", "b")


@pytest.mark.slow
def test_bands_from_a_quarter_of_the_rows_hold_the_error_of_the_whole_table():
    """Of bands of 90 %: three standard errors of 100 tables."""
    inside = []
    for k in range(100):
        rng = np.random.default_rng([k, 9])
        X, y = draw_table(rng)
        scoring = ClassScoring(["a", "b"], "b")
        steps = Pipeline([("scaling", Scaling(X.shape[1])), ("model", LinearDiscriminantAnalysis())])
        quarter = rng.permutation(len(y))[: len(y) // 4]
        part = X[quarter], y[quarter]
        few = cross_validate(steps, *part, Folds(1, 10), scoring, {}, k)
        curve = measure_curve(steps, *part, few, scoring, {}, k, NO_TIES, Workers(1))
        whole = cross_validate(steps, X, y, Folds(1, 10), scoring, {}, k)
        _, low, high = forecast_errors(curve).band_at(0.9 * len(y))
        inside.append(low <= 1 - whole.estimates["accuracy"].mean <= high)
    assert 0.81 <= np.mean(inside) <= 0.99, np.mean(inside)


def _printed(found):
    """Blocks of the section "More rows" for a terminal."""
    blocks = next(s.blocks for s in build_report(found).sections if s.title == "More rows")
    return [block for block in blocks if TERMINAL in getattr(block, "where", ())]


def test_the_curve_of_a_small_table_is_on_its_page_unasked():
    found = fit(FitRequest("iris", "hebb"))
    assert found.more.sizes[-1] == 135
    assert not _printed(found)
    assert "training rows" in build_page(build_report(found), [])
    assert fit(FitRequest("iris", "hebb", cv="1x10")).more is None


def test_a_fit_says_how_many_rows_are_needed():
    found = fit(FitRequest("breast_cancer", "hebb", cv="1x5", more=True))
    assert found.more.forecast.rows == pytest.approx(0.8 * 569, abs=1)
    assert any(text.startswith("To reach accuracy of 95 %") for text in rows_needed(found.more, 569))
    assert any(block.text.startswith("To copy") for block in _printed(found))
    with pytest.raises(ValueError, match="--more needs folds"):
        fit(FitRequest("iris", "hebb", cv="loo", more=True))
