"""More features than examples: training in coordinates of the row space is training in all of them."""

import numpy as np
import pytest
from sklearn.base import clone

from markone.lvq import GMLVQ, LGMLVQ, LMRSLVQ, MRSLVQ
from markone.lvq.base import coordinates
from markone.lvq.distances.omega import canonical_omega

P, N = 24, 60


def wide():
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], P // 2)
    X = rng.standard_normal((P, N)) + 1000.0 * rng.random(N)
    X[P // 2 :, :5] += 1.5
    return X, y


def both(monkeypatch, model, X, y, weight=None):
    """The same model trained in all directions (the plain twin), and in those of the row space."""
    with monkeypatch.context() as patch:
        patch.setattr(coordinates, "WORTH", 0.0)
        plain = clone(model).fit(X, y, weight)
    return plain, clone(model).fit(X, y, weight)


OMEGA = np.random.default_rng(1).standard_normal((N, N))
KINDS = [
    GMLVQ(),
    GMLVQ(rank=3),
    GMLVQ(rank=40),
    GMLVQ(mu=0.1),
    GMLVQ(initial_omega="random"),
    GMLVQ(initial_omega=OMEGA[:7]),
    GMLVQ(initial_omega=OMEGA),
    GMLVQ(cost="auc"),
    GMLVQ(prototypes_per_class=2),
    GMLVQ(initial="toolbox"),
    GMLVQ(cost_matrix=[[0, 3], [1, 0]]),
    GMLVQ(solver="lbfgs", max_iter=20),
    GMLVQ(solver="lbfgs", max_iter=20, mu=0.1),
    GMLVQ(solver="stochastic", max_iter=5),
    LGMLVQ(),
    LGMLVQ(rank=2),
    LGMLVQ(per="prototype", prototypes_per_class=2),
    LGMLVQ(initial_omega="random"),
    MRSLVQ(max_iter=8),
    LMRSLVQ(max_iter=8),
]


@pytest.mark.parametrize("model", KINDS, ids=str)
def test_the_same_steps_as_in_all_directions(monkeypatch, model):
    X, y = wide()
    weight = np.random.default_rng(2).random(P) + 0.5
    plain, short = both(monkeypatch, model.set_params(random_state=0), X, y, weight)
    np.testing.assert_allclose(short.trace_["cost"], plain.trace_["cost"], rtol=1e-6, atol=1e-9)
    np.testing.assert_array_equal(short.trace_["errors"], plain.trace_["errors"])
    np.testing.assert_allclose(short.prototypes_, plain.prototypes_, atol=1e-6)
    np.testing.assert_allclose(short.lambda_, plain.lambda_, atol=1e-6)
    np.testing.assert_allclose(short.eigenvalues_, plain.eigenvalues_, atol=1e-6)
    new = np.random.default_rng(3).standard_normal((50, N)) + X.mean(axis=0)
    np.testing.assert_allclose(short.distances(new), plain.distances(new), rtol=1e-6, atol=1e-9)
    assert short.omega_.shape == plain.omega_.shape
    assert short.eigenvectors_.shape == plain.eigenvectors_.shape


def test_a_minimum_of_l_bfgs_is_the_same_minimum(monkeypatch):
    X, y = wide()
    plain, short = both(monkeypatch, GMLVQ(solver="lbfgs", mu=0.5, random_state=0), X, y)
    assert short.converged_
    # It may end a step earlier or later: the largest component of a gradient depends on the coordinates.
    np.testing.assert_allclose(short.cost_, plain.cost_, rtol=1e-5)
    np.testing.assert_allclose(short.relevance_, plain.relevance_, atol=1e-3)


def test_single_precision_stays_single(monkeypatch):
    X, y = wide()
    plain, short = both(monkeypatch, GMLVQ(random_state=0), (X - X.mean(axis=0)).astype(np.float32), y)
    assert short.prototypes_.dtype == np.float32
    assert short.omega_.dtype == plain.omega_.dtype
    np.testing.assert_allclose(short.relevance_, plain.relevance_, atol=1e-3)


def test_recorded_steps_are_in_the_units_of_the_table(monkeypatch):
    X, y = wide()
    plain, short = both(monkeypatch, GMLVQ(random_state=0, max_iter=8, record="updates"), X, y)
    assert len(short.history_.table) == len(plain.history_.table)
    for name, states in plain.history_.states.items():
        if states.dtype.kind == "f":
            np.testing.assert_allclose(short.history_.states[name], states, atol=1e-6)
    np.testing.assert_array_equal(
        short.prototypes_, clone(short).set_params(record=None).fit(X, y).prototypes_
    )


def test_where_it_does_not_hold_all_features_are_trained(monkeypatch):
    X, y = wide()
    monkeypatch.setattr(coordinates, "omega_in_row_space", None)
    monkeypatch.setattr("markone.lvq.base.training_loop.omega_in_row_space", None)
    holes = X.copy()
    holes[0, 0] = np.nan
    short = {"max_iter": 2, "random_state": 0}
    GMLVQ(**short).fit(holes, y)
    GMLVQ(fixed_relevance={0: 0.5}, **short).fit(X, y)
    GMLVQ(row_space=False, **short).fit(X, y)
    GMLVQ(**short).partial_fit(X, y, classes=["a", "b"])
    with pytest.raises(TypeError):
        GMLVQ(**short).fit(X, y)


def test_equal_rows_are_refused_as_ever():
    with pytest.raises(ValueError, match="All rows of X are equal"):
        GMLVQ().fit(np.ones((4, 30)), ["a", "a", "b", "b"])


def test_canonical_form_has_as_many_rows_as_asked_for():
    Omega = np.random.default_rng(0).standard_normal((2, 3, 8))
    omega, values, vectors = canonical_omega(Omega, 6)
    assert omega.shape == vectors.shape == (2, 6, 8)
    np.testing.assert_array_equal(values[:, 3:], 0.0)
    np.testing.assert_allclose(vectors @ np.swapaxes(vectors, 1, 2), np.stack([np.eye(6)] * 2), atol=1e-12)
    np.testing.assert_allclose(np.swapaxes(omega, 1, 2) @ omega, np.swapaxes(Omega, 1, 2) @ Omega, atol=1e-12)


def test_last_digits_of_large_values_are_no_directions():
    X, y = wide()
    model = GMLVQ(random_state=0, max_iter=2).fit(X, y)
    # P - 1 dimensions; with more, Lambda would weigh rounding errors.
    assert np.count_nonzero(model.eigenvalues_) == P - 1
