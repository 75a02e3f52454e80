"""solvers/objective.py: the whole batch is the sum of its blocks, on any number of cores."""

import numpy as np
import pytest

from markone import GLVQ, GMLVQ, LGMLVQ, MRSLVQ, RSLVQ
from markone.lvq.base import training_loop
from markone.lvq.solvers.objective import BlockedObjective, make_blocked

rng = np.random.default_rng(0)
X = rng.normal(size=(300, 4))
y = np.where(X[:, 0] + 0.5 * rng.normal(size=300) > 0, "b", "a")
X[y == "b", 1] += 1


def settings(model):
    return type(model).__name__ + "".join(
        f", {k}={v}" for k, v in model.get_params().items() if k == "mu" and v
    )


MODELS = [
    GLVQ(random_state=0),
    GMLVQ(random_state=0),
    GMLVQ(random_state=0, mu=0.1, solver="lbfgs", max_iter=20),
    GMLVQ(random_state=0, fixed_relevance={0: 0.5}, solver="lbfgs", max_iter=20),
    LGMLVQ(random_state=0),
    RSLVQ(random_state=0, sigma2="learned"),
    MRSLVQ(random_state=0, l2=0.01),
]


def of(model, theta_seed=1):
    """The objective as one and in blocks of 64 rows, at the same parameters."""
    model.classes_, codes = np.unique(y, return_inverse=True)
    model.n_features_in_ = X.shape[1]
    made = model._training_settings()
    W = np.stack([X[codes == k].mean(axis=0) for k in (0, 1)])
    targets = training_loop.Targets(codes, np.array([0, 1]), rng.uniform(0.5, 2, len(y)))
    distance = made.distance.with_prototypes(np.array([0, 1]))
    objective, theta, _ = training_loop.start_training(
        made, distance, X, targets, W, np.random.RandomState(0)
    )
    theta.flat[:] += 0.1 * np.random.default_rng(theta_seed).normal(size=theta.flat.shape)
    return objective, theta


@pytest.mark.parametrize("model", MODELS, ids=settings)
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_costs_and_slopes_are_those_of_the_whole(model, n_jobs, monkeypatch):
    objective, theta = of(model)
    monkeypatch.setattr("markone.lvq.solvers.objective.BLOCK", 64)
    cut = make_blocked(objective, n_jobs)
    assert isinstance(cut, BlockedObjective)
    assert len(cut.blocks) == 5
    E, slope = objective.value_and_gradient(theta)
    found, along = cut.value_and_gradient(theta)
    assert found == pytest.approx(E, rel=1e-12)
    assert np.allclose(along.flat, slope.flat, rtol=1e-10, atol=1e-13)
    assert cut.value(theta) == pytest.approx(objective.value(theta), rel=1e-12)
    assert cut.value(theta, penalised=False) == pytest.approx(
        objective.value(theta, penalised=False), rel=1e-12
    )
    assert np.array_equal(cut.last[1], objective.last[1]) or np.allclose(
        cut.last[1], objective.last[1], rtol=1e-12
    )
    assert type(cut.batch_objective([1, 2, 3])) is type(objective)


@pytest.mark.parametrize("model", MODELS, ids=settings)
def test_a_fit_does_not_depend_on_the_number_of_cores(model, monkeypatch):
    monkeypatch.setattr("markone.lvq.solvers.objective.BLOCK", 64)
    one, two = (model.set_params(n_jobs=n).fit(X, y).prototypes_.copy() for n in (None, 2))
    assert np.array_equal(one, two)


def test_pairs_and_blocks_without_weight_stay_whole(monkeypatch):
    objective, _ = of(GMLVQ(cost="auc"))
    monkeypatch.setattr("markone.lvq.solvers.objective.BLOCK", 64)
    assert make_blocked(objective, 2) is objective
    objective, _ = of(GMLVQ())
    objective.targets.weights[64:128] = 0
    assert make_blocked(objective, 2) is objective


def test_solvers_of_mini_batches_and_histories_take_blocks(monkeypatch):
    monkeypatch.setattr("markone.lvq.solvers.objective.BLOCK", 64)
    assert GMLVQ(solver="stochastic", max_iter=3, random_state=0).fit(X, y).score(X, y) > 0.6
    history = GMLVQ(max_iter=3, record="updates", random_state=0).fit(X, y).history_
    assert np.isfinite(history.states["cost"]).all()
