"""Filling and z-scores."""

import numpy as np
import pytest

from markone.tables.scaling import Scaling


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
