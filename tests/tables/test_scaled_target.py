"""Regression on z-scores of the target."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.utils import get_tags

from markone import FeedForwardRegressor, LinearUnit
from markone.tables.scaling import ScaledTarget


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return X, 1e6 * (X @ [1.0, -2.0, 0.5] + 7 + 0.1 * rng.normal(size=80))


def test_the_linear_unit_is_what_it_is_without_scaling(rows):
    """Least squares does not care for the units of the target, nor does its band."""
    X, y = rows
    scaled, plain = ScaledTarget(LinearUnit()).fit(X, y), LinearUnit().fit(X, y)
    mean, std = plain.predict(X, return_std=True)
    np.testing.assert_allclose(scaled.predict(X), mean, rtol=1e-10)
    np.testing.assert_allclose(scaled.predict_std(X), std, rtol=1e-10)


def test_a_net_learns_millions(rows):
    X, y = rows
    net = ScaledTarget(FeedForwardRegressor(K=3, random_state=0, tol=1e-2)).fit(X, y)
    assert net.score(X, y) > 0.99
    assert not net.has_std


def test_it_is_an_estimator():
    made = clone(ScaledTarget(LinearUnit(ridge=2.0)))
    assert made.get_params()["regressor__ridge"] == 2.0
    assert get_tags(ScaledTarget(HistGradientBoostingRegressor())).input_tags.allow_nan
    assert not get_tags(made).input_tags.allow_nan


def test_a_constant_target_is_answered_by_itself():
    X = np.arange(5.0)[:, None]
    np.testing.assert_allclose(ScaledTarget(LinearUnit()).fit(X, np.full(5, 3.0)).predict(X), 3.0)
