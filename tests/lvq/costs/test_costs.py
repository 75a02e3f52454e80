"""Every cost: its definition in plain words, its slope, and with every distance the whole gradient."""

import math

import numpy as np
import pytest
from labelled import clusters, with_gaps
from sklearn.metrics import roc_auc_score

from markone.lvq import costs, distances, solvers
from markone.lvq.base.training_loop import TrainingSettings, start_training
from markone.lvq.costs import Targets
from markone.lvq.costs.base import PHI
from markone.lvq.distances.divergences import Divergence

GAMMA = {"swish": 1.2}
COSTS = [
    costs.cost_class("rslvq")(),
    *(costs.cost_class("glvq")(phi=phi, gamma=GAMMA.get(phi, 3.0)) for phi in PHI),
]
AUC = costs.cost_class("auc")(gamma=3.0)
# Whatever else the registry has, with its own constants.
OTHERS = [costs.cost_class(name)() for name in costs.NAMES if name not in ("auc", "glvq", "rslvq")]
PRICES = np.array([[0.0, 2.0, 5.0], [1.0, 0.0, 1.0], [0.5, 3.0, 0.0]])


def distances_and_targets(C=3, weighted=True, prices=None, seed=0):
    rng = np.random.default_rng(seed)
    c = np.array([0, 0, 1, 2])[: C + 1]
    weights = rng.random(12) + 0.1 if weighted else None
    return rng.random((12, len(c))) * 4, Targets(np.arange(12) % C, c, weights, prices)


def phi_of(cost, e):
    g = cost.gamma
    return {
        "identity": lambda: e,
        "sigmoid": lambda: 1 / (1 + math.exp(-g * e)),
        "swish": lambda: e / (1 + math.exp(-g * e)),
        "soft+": lambda: math.log(1 + math.exp(g * e)) / g,
    }[cost.phi]()


def by_the_book(cost, D, targets, sigma2):
    """The weighted mean cost, example by example."""
    total, weights = 0.0, np.ones(len(D)) if targets.weights is None else targets.weights
    for d, y, s in zip(D, targets.y, weights, strict=True):
        right = [j for j in range(len(d)) if targets.c[j] == y]
        wrong = [j for j in range(len(d)) if targets.c[j] != y]
        J, K = min(right, key=lambda j: d[j]), min(wrong, key=lambda j: d[j])
        if hasattr(cost, "phi"):
            price = 1.0 if targets.prices is None else targets.prices[y, targets.c[K]]
            total += s * price * phi_of(cost, (d[J] - d[K]) / (d[J] + d[K]))
        else:
            price = {j: 1.0 if targets.prices is None else targets.prices[y, targets.c[j]] for j in wrong}
            top = sum(math.exp(-d[j] / (2 * sigma2)) for j in right)
            total -= s * math.log(top / (top + sum(price[j] * math.exp(-d[j] / (2 * sigma2)) for j in wrong)))
    return total / weights.sum()


@pytest.mark.parametrize("prices", [None, PRICES], ids=["even", "prices"])
@pytest.mark.parametrize("cost", COSTS, ids=str)
def test_equals_its_definition(cost, prices):
    D, targets = distances_and_targets(prices=prices)
    expected = by_the_book(cost, D, targets, 0.7)
    assert cost.evaluate(D, targets, 0.7)[0] == pytest.approx(expected, rel=1e-12)
    assert cost.value(D, targets, 0.7) == pytest.approx(expected, rel=1e-12)


def test_auc_equals_its_definition_and_the_area():
    D, targets = distances_and_targets(C=2)
    d0, d1 = D[:, :2].min(axis=1), D[:, 2]
    s, w = (d0 - d1) / (d0 + d1), targets.weights
    one, zero = np.flatnonzero(targets.y == 1), np.flatnonzero(targets.y == 0)
    pairs = sum(w[i] * w[k] * phi_of(AUC, s[i] - s[k]) for i in one for k in zero)
    assert AUC.evaluate(D, targets, 1.0)[0] == pytest.approx(-pairs / (w[one].sum() * w[zero].sum()))
    D, targets = distances_and_targets(C=2, weighted=False)
    s = (D[:, :2].min(axis=1) - D[:, 2]) / (D[:, :2].min(axis=1) + D[:, 2])
    steep = costs.cost_class("auc")(gamma=1e6).evaluate(D, targets, 1.0)[0]
    assert -steep == pytest.approx(roc_auc_score(targets.y, s))


@pytest.mark.parametrize(
    ("cost", "prices"),
    [(AUC, None), *((c, p) for c in COSTS for p in (None, PRICES)), *((c, None) for c in OTHERS)],
    ids=str,
)
def test_the_slope_is_that_of_the_value(cost, prices):
    D, targets = distances_and_targets(C=2 if cost is AUC else 3, prices=prices)
    _, R, d_log_sigma2 = cost.evaluate(D, targets, 0.7)
    for index in np.ndindex(D.shape):
        step = np.zeros_like(D)
        step[index] = 1e-6
        numeric = (cost.value(D + step, targets, 0.7) - cost.value(D - step, targets, 0.7)) / 2e-6
        assert R[index] == pytest.approx(numeric, rel=1e-6, abs=1e-9)
    up, down = (cost.value(D, targets, 0.7 * math.exp(h)) for h in (1e-6, -1e-6))
    assert d_log_sigma2 == pytest.approx((up - down) / 2e-6, rel=1e-6, abs=1e-9)


def objective(cost, distance, gaps=False, **settings):
    """A whole training problem at a point away from kinks."""
    C = 2 if cost is AUC else 3
    X, y = clusters(P=40, C=C, histograms=isinstance(distance, Divergence))
    X = with_gaps(X) if gaps else X
    rng = np.random.default_rng(1)
    c = np.array([0, 0, 1, 2])[: C + 1]
    W = np.abs(np.nan_to_num(X[[0, C, 1, 2]][: len(c)])) + 0.1 * rng.random((len(c), X.shape[1]))
    training = TrainingSettings(
        distance, cost, solvers.find_solver("lbfgs"), initial_omega="random", **settings
    )
    prepared = distance.fit_constants(X, y, c)
    problem, theta, _ = start_training(training, prepared, X, Targets(y, c, rng.random(len(X)) + 0.5), W, rng)
    return problem, theta


def slopes(problem, theta, h=1e-6):
    """Central differences of the cost in every parameter."""
    for k in range(len(theta.flat)):
        up, down = theta.copy(), theta.copy()
        up.flat[k] += h
        down.flat[k] -= h
        yield (problem.value(up) - problem.value(down)) / (2 * h)


@pytest.mark.parametrize("name", distances.NAMES)
@pytest.mark.parametrize(
    "cost",
    [costs.cost_class("glvq")(phi="sigmoid", gamma=3.0), costs.cost_class("rslvq")(), AUC, *OTHERS],
    ids=str,
)
def test_cost_by_distance(cost, name):
    problem, theta = objective(cost, distances.find_distance(name), learn_sigma2=not cost.scale_free)
    E, gradient = problem.value_and_gradient(theta)
    assert pytest.approx(problem.value(theta), rel=1e-12) == E
    np.testing.assert_allclose(gradient.flat, list(slopes(problem, theta)), rtol=1e-5, atol=2e-8)


@pytest.mark.parametrize(
    "settings", [{"mu": 0.5}, {"fixed": {1: 0.3}}, {"fixed": {0: 0.0}, "mu": 0.2}, {"l2": 0.3}], ids=str
)
@pytest.mark.parametrize("name", ["quadratic", "local", "diagonal"])
def test_penalties_and_fixed_relevances(name, settings):
    problem, theta = objective(costs.cost_class("glvq")(), distances.find_distance(name), **settings)
    _, gradient = problem.value_and_gradient(theta)
    np.testing.assert_allclose(gradient.flat, list(slopes(problem, theta)), rtol=1e-5, atol=2e-8)


@pytest.mark.parametrize("name", ["quadratic", "local", "euclidean", "diagonal"])
def test_missing_values(name):
    problem, theta = objective(costs.cost_class("rslvq")(), distances.find_distance(name), gaps=True)
    _, gradient = problem.value_and_gradient(theta)
    np.testing.assert_allclose(gradient.flat, list(slopes(problem, theta)), rtol=1e-5, atol=2e-8)


@pytest.mark.parametrize("phi", PHI)
def test_the_size_of_omega_is_no_matter_for_glvq(phi):
    """<dE/dOmega, Omega> = 0: trace normalisation is free."""
    problem, theta = objective(costs.cost_class("glvq")(phi=phi), distances.find_distance("quadratic"))
    _, gradient = problem.value_and_gradient(theta)
    inner = (gradient["Omega"] * theta["Omega"]).sum()
    assert abs(inner) < 1e-14
    larger = theta.copy()
    larger["Omega"][...] *= 7
    assert problem.value(larger) == pytest.approx(problem.value(theta), rel=1e-12)


def test_no_nan_where_all_distances_are_zero_or_huge():
    targets = Targets(np.array([0, 1]), np.array([0, 1]))
    for cost in (*COSTS, AUC, *OTHERS):
        for D in (np.zeros((2, 2)), np.array([[1e6, 0.0], [0.0, 1e6]])):
            E, R, _ = cost.evaluate(D, targets, 1e-3)
            assert np.isfinite(E)
            assert np.isfinite(R).all()


def test_auc_wants_two_classes_and_no_prices():
    with pytest.raises(ValueError, match="y holds 3"):
        AUC.check_targets(distances_and_targets()[1])
    with pytest.raises(ValueError, match="takes no cost_matrix"):
        AUC.check_targets(distances_and_targets(C=2, prices=PRICES)[1])
