"""Figs 6.1 and 6.2: three data sets and three degrees, the error against complexity."""

import numpy as np
import pytest

from markone.evaluation import polynomial_errors, polynomial_fits


def test_three_sets_three_degrees():
    figure = polynomial_fits(seed=4)
    assert figure.fits.shape == (3, 3, 221)
    assert figure.targets.shape == (3, 11)
    for k, y in enumerate(figure.targets):
        for j, degree in enumerate((1, 3, 7)):
            theirs = np.polynomial.Polynomial.fit(figure.points, y, degree)(figure.x)
            np.testing.assert_allclose(figure.fits[k, j], theirs, atol=1e-9)
    spread = figure.fits.std(axis=0).mean(axis=1)
    assert spread[0] < spread[2]


def test_the_u_of_polynomials():
    curve = polynomial_errors(degrees=range(10))
    assert (np.diff(curve.training) <= 1e-15).all()
    assert curve.degrees[int(curve.test.argmin())] == 3
    assert curve.test[-1] > 2 * curve.test[3]
    assert curve.bias2[3:] == pytest.approx(0, abs=1e-20)
    np.testing.assert_allclose(curve.test, curve.generalisation + 0.15**2)
