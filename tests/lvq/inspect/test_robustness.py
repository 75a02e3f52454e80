"""The radius is exact with one prototype per class and never too large with several."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.preprocessing import StandardScaler

from markone.lvq import (
    GLVQ,
    GMLVQ,
    LGMLVQ,
    LVQ1,
    MRSLVQ,
    RSLVQ,
    KernelGLVQ,
    NearestPrototype,
    distances,
)
from markone.lvq.inspect.borders import global_metric, robustness


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


SEVERAL = [
    GMLVQ(prototypes_per_class=3, random_state=0),
    GLVQ(distance="mahalanobis", prototypes_per_class=2, random_state=0),
    RSLVQ(prototypes_per_class=3, sigma2=4.0, random_state=0),
    MRSLVQ(prototypes_per_class=2, random_state=0),
]


@pytest.mark.parametrize("model", SEVERAL, ids=lambda model: type(model).__name__)
def test_with_several_prototypes_it_is_a_lower_bound(model):
    X, y = data(load_wine)
    found = robustness(model.fit(X, y), X)
    assert not found.exact
    assert found.flips.mean() > 0.95
    assert np.all(np.linalg.norm(found.counterfactual - X, axis=1) >= found.radius)
    np.testing.assert_array_equal(found.label, model.predict(found.counterfactual))
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


@pytest.mark.parametrize("Model", [GLVQ, RSLVQ, LVQ1, NearestPrototype])
def test_the_metric_of_mahalanobis_is_that_of_its_distances(Model):
    X, y = load_iris(return_X_y=True)
    model = Model(distance="mahalanobis").fit(X, y)
    Lambda = global_metric(model)
    D = [[(x - w) @ Lambda @ (x - w) for w in model.prototypes_] for x in X]
    np.testing.assert_allclose(model.distances(X), D, rtol=1e-8, atol=1e-10)


def test_several_soft_prototypes_answer_by_their_sum():
    """Two prototypes of class 0 at distance 1.1 outweigh one of class 1 at distance 1: no plane between."""
    model = RSLVQ(initial_prototypes=[[-1.0, 0.5], [-1.0, -0.5], [1.0, 0.0]], initial_labels=[0, 0, 1])
    X, y = np.array([[-1.0, 0.1], [-1.2, -0.2], [1.0, 0.1], [1.1, -0.1]]), np.array([0, 0, 1, 1])
    model.set_params(max_iter=1, sigma2=2.0).fit(X, y)
    W, s = model.prototypes_, 2 * model.sigma2_
    x = W.mean(axis=0) + np.array([0.05, 0])
    odds = np.log(np.exp(-((x - W[:2]) ** 2).sum(axis=1) / s).sum()) + ((x - W[2]) ** 2).sum() / s
    steep = max(np.linalg.norm(W[2] - W[j]) for j in (0, 1)) * 2 / s
    assert robustness(model, x[None]).radius[0] == pytest.approx(abs(odds) / steep)


def test_blocks_of_rows_change_nothing(monkeypatch):
    X, y = data(load_wine)
    model = GMLVQ(prototypes_per_class=2, random_state=0).fit(X, y)
    whole = robustness(model, X)
    monkeypatch.setattr("markone.lvq.inspect.borders.BLOCK", 36 * 7)
    parts = robustness(model, X)
    np.testing.assert_allclose(parts.radius, whole.radius, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(parts.label, whole.label)


def test_single_precision_and_names_as_labels():
    X, y = data(load_iris)
    names = np.array(["a", "b", "c"])[y]
    model = GMLVQ().fit(X.astype(np.float32), names)
    found = robustness(model, X[:, ::-1].copy()[:, ::-1].astype(np.float32))
    assert found.flips.all()
    assert found.radius.min() >= 0
    assert set(found.label) <= {"a", "b", "c"}


def test_other_distances_are_refused():
    X, y = data(load_iris)
    with pytest.raises(ValueError, match="with the distance Minkowski; this needs one quadratic metric"):
        robustness(GLVQ(distance=distances.Minkowski(p=1)).fit(X, y), X)
    with pytest.raises(ValueError, match="KernelGLVQ has no prototypes among the inputs"):
        robustness(KernelGLVQ().fit(X, y), X)


def test_a_model_of_a_data_frame_is_asked_without_a_warning():
    table = load_iris(as_frame=True)
    model = GMLVQ().fit(table.data, table.target)
    np.testing.assert_array_equal(
        robustness(model, table.data).radius,
        robustness(GMLVQ().fit(table.data.to_numpy(), table.target), table.data.to_numpy()).radius,
    )
