"""The best gamma: no other does better, and its limits."""

import numpy as np
import pytest

from markone.perceptron.theory import bayes, soft_margin

best_error, best_gamma = soft_margin.best_error, soft_margin.best_gamma


@pytest.mark.parametrize(("alpha", "noise"), [(1.0, 0.1), (5.0, 0.0)])
def test_the_best_gamma_is_where_no_other_does_better(alpha, noise):
    best, gamma = best_error(alpha, noise), best_gamma(alpha, noise)
    others = soft_margin.generalization_error(alpha, noise, gamma=gamma * np.logspace(-1, 1, 9))
    assert best <= others.min() * (1 + 1e-9)
    assert bayes.generalization_error(alpha, noise) < best


def test_the_best_gamma_may_be_infinite_and_is_nan_where_nothing_is_learned():
    assert best_gamma(100.0, 0.1) == np.inf
    assert best_error(100.0, 0.1) == soft_margin.generalization_error(100.0, 0.1, gamma=np.inf)
    assert np.isnan(best_gamma(0.0))
    assert best_error(0.0) == 0.5
    assert np.isnan(best_error(np.array([np.nan, 1e5]))).all()
