"""Relevances with intervals: noise features are near zero, the interval holds the value."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, GRLVQ
from markone.lvq.inspect.relevance import relevance_intervals


@pytest.mark.parametrize("Model", [GRLVQ, GMLVQ])
def test_noise_is_told_from_signal(Model):
    X, y = load_iris(return_X_y=True)
    rng = np.random.default_rng(0)
    X = StandardScaler().fit_transform(np.hstack([X[:, 2:], rng.normal(size=(150, 3))]))
    found = relevance_intervals(Model(), X, y, n=20, random_state=1)
    assert found.samples.shape == (20, 5)
    assert np.all(found.low <= found.high)
    assert {name for name, *_ in found.ranked()[:2]} == {"x0", "x1"}
    assert found.high[2:].max() < found.relevance[:2].max()
    np.testing.assert_allclose(found.relevance.sum(), 1)


def test_the_same_random_state_gives_the_same_intervals():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    a, b = (relevance_intervals(GMLVQ(), X, y, n=5, random_state=3) for _ in range(2))
    np.testing.assert_array_equal(a.samples, b.samples)


def test_bad_input():
    X, y = load_iris(return_X_y=True)
    with pytest.raises(ValueError, match="learns no relevances"):
        relevance_intervals(GLVQ(), X, y, n=3)
    with pytest.raises(ValueError, match="n must be 2 or more"):
        relevance_intervals(GMLVQ(), X, y, n=1)
