"""Relevances with intervals: noise features are near zero, the interval holds the value."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, GRLVQ
from markone.lvq.inspect.relevance import relevance_intervals, relevance_p_values


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


def draw(rng, P=100):
    """Two features that matter, and four that do nothing."""
    y = rng.integers(2, size=P)
    X = rng.standard_normal((P, 6))
    X[:, 0] += 1.5 * y
    X[:, 1] += 0.8 * y
    return X, y


def test_the_p_value_is_the_share_of_copies_with_more_relevance():
    X, y = draw(np.random.default_rng(0))
    found = relevance_p_values(GRLVQ(max_iter=5), X, y, n=9, random_state=3)
    rng, own, copies = np.random.RandomState(3), [], []
    for _ in range(9):
        relevance = GRLVQ(max_iter=5).fit(np.hstack([X, X[rng.permutation(100)]]), y).relevance_
        own.append(relevance[:6])
        copies.append(relevance[6:])
    for j in range(6):
        more = sum(copy[j] >= np.mean([o[j] for o in own]) for copy in copies)
        assert found[j] == pytest.approx((1 + more) / 10)


@pytest.mark.slow
@pytest.mark.parametrize("Model", [GRLVQ, GMLVQ])
def test_coverage_and_false_alarms_in_simulated_tables(Model):
    """At 95 % and 5 %: three standard errors of 60 tables and four features that do nothing."""
    model = Model(random_state=0, max_iter=15)
    many = model.fit(*draw(np.random.default_rng(99), 20000)).relevance_
    covered, alarms = [], []
    for seed in range(60):
        X, y = draw(np.random.default_rng([3, seed]))
        found = relevance_intervals(model, X, y, n=40, random_state=seed)
        covered.append((found.low <= many + 1e-9) & (many - 1e-9 <= found.high))
        alarms.append(relevance_p_values(model, X, y, n=39, random_state=seed)[2:] <= 0.05)
    assert np.mean(covered) >= 0.93
    assert np.mean(alarms) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 240)
