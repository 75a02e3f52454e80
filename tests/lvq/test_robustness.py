"""The radius is exact with one prototype per class and never too large with several."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, LGMLVQ
from markone.lvq.radius import robustness


def data(load):
    X, y = load(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def directions(n, N, seed=0):
    u = np.random.default_rng(seed).normal(size=(n, N))
    return u / np.linalg.norm(u, axis=1)[:, None]


def plain_radius(x, W, labels, Lambda):
    """The twin for one prototype per class: the nearest of the planes d_k = d_j."""
    d = [(x - w) @ Lambda @ (x - w) for w in W]
    j = int(np.argmin(d))
    ways = [
        (d[k] - d[j]) / (2 * np.linalg.norm(Lambda @ (W[k] - W[j])))
        for k in range(len(W))
        if labels[k] != labels[j]
    ]
    return min(ways)


@pytest.mark.parametrize("load", [load_iris, load_wine])
@pytest.mark.parametrize("Model", [GLVQ, GMLVQ])
def test_it_is_exact_with_one_prototype_per_class(load, Model):
    X, y = data(load)
    model = Model().fit(X, y)
    found = robustness(model, X)
    assert found.exact
    Lambda = getattr(model, "lambda_", np.eye(X.shape[1]))
    twin = [plain_radius(x, model.prototypes_, model.prototype_labels_, Lambda) for x in X]
    np.testing.assert_allclose(found.radius, twin, atol=1e-12)
    assert found.flips.all()
    np.testing.assert_allclose(np.linalg.norm(found.counterfactual - X, axis=1), found.radius, atol=2e-5)
    u = directions(60, X.shape[1])
    for x, r, label in zip(X[::7], found.radius[::7], model.predict(X[::7]), strict=True):
        assert np.all(model.predict(x + r * (1 - 1e-9) * u) == label)


def test_with_several_prototypes_it_is_a_lower_bound():
    X, y = data(load_wine)
    model = GMLVQ(prototypes_per_class=3, random_state=0).fit(X, y)
    found = robustness(model, X)
    assert not found.exact
    u = directions(200, X.shape[1])
    for x, r, label in zip(X[::9], found.radius[::9], model.predict(X[::9]), strict=True):
        assert r >= 0
        assert np.all(model.predict(x + r * (1 - 1e-9) * u) == label)


def test_curved_borders_and_missing_values_are_refused():
    X, y = data(load_iris)
    with pytest.raises(ValueError, match="local metrics, whose class borders are curved"):
        robustness(LGMLVQ().fit(X, y), X)
    hole = X.copy()
    hole[3, 1] = np.nan
    with pytest.raises(ValueError, match="a radius needs all coordinates"):
        robustness(GLVQ().fit(X, y), hole)
