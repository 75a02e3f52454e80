"""LVQ1 on two Gaussian clusters: the averages by sampling, limits, the best hyperplane, simulations."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr

from markone.lvq.theory import lvq1
from markone.lvq.theory.clusters import Clusters, best_linear_error

UNEQUAL = Clusters(l=1.2, v_plus=0.8, v_minus=0.4, p_plus=0.7)


def prototypes(state, N):
    """Two vectors with these seven order parameters, B_+ and B_- being the first two axes."""
    rpp, rpm, rmp, rmm, qpp, qpm, qmm = state
    w = np.zeros((2, N))
    w[:, :2] = [[rpp, rpm], [rmp, rmm]]
    w[0, 2] = np.sqrt(qpp - rpp**2 - rpm**2)
    w[1, 2] = (qpm - rpp * rmp - rpm * rmm) / w[0, 2]
    w[1, 3] = np.sqrt(qmm - rmp**2 - rmm**2 - w[1, 2] ** 2)
    return w


def order_parameters(w):
    """The seven numbers of prototypes (..., 2, N)."""
    plus, minus = w[..., 0, :], w[..., 1, :]
    Q = [(plus * plus).sum(-1), (plus * minus).sum(-1), (minus * minus).sum(-1)]
    return np.stack([plus[..., 0], plus[..., 1], minus[..., 0], minus[..., 1], *Q], axis=-1)


def draw(clusters, runs, N, rng):
    sigma = np.where(rng.random(runs) < clusters.p_plus, 1.0, -1.0)
    scale = np.sqrt(np.where(sigma > 0, clusters.v_plus, clusters.v_minus))
    xi = rng.standard_normal((runs, N)) * scale[:, None]
    xi[:, 0] += clusters.l * (sigma > 0)
    xi[:, 1] += clusters.l * (sigma < 0)
    return xi, sigma


def test_the_rates_by_sampling():
    """One step of the algorithm at N = 4, its mean over many examples: all terms but |xi|^2/N -> v."""
    state = np.array([0.5, -0.2, 0.1, 0.6, 0.9, 0.1, 0.8])
    w = prototypes(state, 4)
    assert order_parameters(w) == pytest.approx(state)
    xi, sigma = draw(UNEQUAL, 1_000_000, 4, np.random.default_rng(0))
    d = ((xi[:, None] - w) ** 2).sum(-1)
    wins = np.stack([d[:, 0] < d[:, 1], d[:, 1] <= d[:, 0]], axis=1)
    f = wins * np.array([1.0, -1.0]) * sigma[:, None]
    h, b = xi @ w.T, xi[:, :2]
    R, Q = w[:, :2], w @ w.T
    v = np.where(sigma > 0, UNEQUAL.v_plus, UNEQUAL.v_minus)
    eta = 0.3
    sample = [f[:, S] * (b[:, t] - R[S, t]) for S in (0, 1) for t in (0, 1)]
    for S, T in ((0, 0), (0, 1), (1, 1)):
        change = h[:, S] * f[:, T] + h[:, T] * f[:, S] - Q[S, T] * (f[:, S] + f[:, T])
        sample.append(change + eta * v * f[:, S] * f[:, T])
    sample = np.array(sample)
    error = sample.std(axis=1) / np.sqrt(sample.shape[1])
    assert np.all(np.abs(sample.mean(axis=1) - lvq1.rates(state, eta, UNEQUAL)) < 4 * error)
    wrong = np.where(sigma > 0, wins[:, 1], wins[:, 0])
    assert lvq1.Prototypes(state, UNEQUAL).epsilon_g == pytest.approx(wrong.mean(), abs=4 * 0.5e-3)


@pytest.mark.parametrize(("eta", "value"), [(0.1, 0.2425), (0.2, 0.2452), (0.5, 0.2524), (1.0, 0.2625)])
def test_stationary_errors_of_the_reference(eta, value):
    assert lvq1.stationary_error(eta) == pytest.approx(value, abs=5e-5)


@pytest.mark.parametrize(("l", "v"), [(1.0, 1.0), (2.0, 0.5)])
def test_small_rates_are_optimal_for_equal_clusters(l, v):
    clusters = Clusters(l, v, v)
    best = ndtr(-l / np.sqrt(2 * v))
    assert best_linear_error(clusters) == pytest.approx(best, rel=1e-12)
    assert lvq1.stationary_error(0.0, clusters) == pytest.approx(best, rel=1e-9)
    assert lvq1.stationary_error(1e-3, clusters) == pytest.approx(best, rel=1e-3)


def test_nothing_beats_the_best_hyperplane():
    for clusters in (Clusters(), UNEQUAL, Clusters(1, 0.25, 0.81, 0.1), Clusters(0.5, 2.0, 0.1, 0.5)):
        best = best_linear_error(clusters)
        assert best <= min(clusters.p_plus, 1 - clusters.p_plus)
        for eta in (0.0, 0.3):
            assert lvq1.stationary_error(eta, clusters) >= best - 1e-12
        assert np.all(lvq1.generalization_error(np.linspace(0, 30, 31), 0.3, clusters) >= best - 1e-12)


def test_the_best_hyperplane_by_search():
    for c in (UNEQUAL, Clusters(1, 0.25, 0.81, 0.1), Clusters(1, 3.0, 0.2, 0.9)):
        d = np.sqrt(2) * c.l

        def error(b, c=c, d=d):
            return c.p_plus * ndtr((b - d) / np.sqrt(c.v_plus)) + (1 - c.p_plus) * ndtr(
                -b / np.sqrt(c.v_minus)
            )

        grid = np.linspace(-30, 30, 6001)
        start = grid[np.argmin(error(grid))]
        found = minimize_scalar(
            error, bounds=(start - 0.02, start + 0.02), method="bounded", options={"xatol": 1e-9}
        )
        assert best_linear_error(c) == pytest.approx(found.fun, rel=1e-9)


def test_exchanging_the_classes_changes_nothing():
    mirror = Clusters(UNEQUAL.l, UNEQUAL.v_minus, UNEQUAL.v_plus, 1 - UNEQUAL.p_plus)
    alpha = np.linspace(0, 20, 11)
    assert lvq1.generalization_error(alpha, 0.4, UNEQUAL) == pytest.approx(
        lvq1.generalization_error(alpha, 0.4, mirror), rel=1e-8
    )
    assert best_linear_error(UNEQUAL) == pytest.approx(best_linear_error(mirror), rel=1e-12)


def test_small_rates_are_the_flow_without_fluctuations():
    """alpha counts eta alpha at eta = 0."""
    small = lvq1.trajectory(2.0 / 1e-6, 1e-6).state
    assert lvq1.trajectory(2.0, 0.0).state == pytest.approx(small, rel=1e-4)


def test_a_rare_class_can_lose_its_prototype():
    """There is no stationary state, and the error of the flow tends to the prior of the rare class."""
    clusters = Clusters(1, 0.25, 0.81, 0.1)
    assert np.isnan(lvq1.stationary_error(0.5, clusters))
    late = lvq1.trajectory(np.array([1e3, 1e4, 1e5, 1e6]), 0.5, clusters)
    gap = np.abs(late.epsilon_g - 0.1)
    assert np.all(np.diff(gap) < 0)
    assert gap[-1] < 1e-5
    assert np.all(np.diff(late.state[:, 4]) > 0)  # |w_+|^2 grows and grows


def test_a_stationary_state_can_end_in_a_fold():
    """It merges with an unstable one at eta = 0.3112: found up to there, and at no larger rate."""
    clusters = Clusters(1, 0.25, 0.81, 0.1)
    found = lvq1.stationary_error(np.array([0.3, 0.31, 0.3111, 0.3113, 0.4, 1.0, 2.0]), clusters)
    assert np.isnan(found).tolist() == [False, False, False, True, True, True, True]
    state = lvq1.stationary_state(0.3111, clusters).state
    jacobian = np.empty((7, 7))
    for i in range(7):
        step = 1e-6 * np.eye(7)[i]
        jacobian[:, i] = (
            np.subtract(
                lvq1.rates(state + step, 0.3111, clusters), lvq1.rates(state - step, 0.3111, clusters)
            )
            / 2e-6
        )
    slowest = np.linalg.eigvals(jacobian).real.max()
    assert -1e-3 < slowest < 0


def test_rates_of_many_states_at_once():
    rng = np.random.default_rng(0)
    states = np.array([0.5, -0.2, 0.1, 0.6, 0.9, 0.1, 0.8]) + 0.1 * rng.random((5, 7))
    eta = rng.random(5)
    together = np.array(lvq1.rates(states.T, eta, UNEQUAL, lvq1.MANY)).T
    alone = [lvq1.rates(state, rate, UNEQUAL) for state, rate in zip(states, eta, strict=True)]
    assert together == pytest.approx(np.array(alone), rel=1e-12)


def test_many_rates_at_once():
    """Following the state from rate to rate ends where the flow ends, rate by rate."""
    for clusters in (Clusters(), UNEQUAL, Clusters(1, 0.25, 0.81, 0.1)):
        eta = np.array([[0.7, 0.05], [0.0, 0.3]])
        together = lvq1.stationary_error(eta, clusters)
        assert together.shape == (2, 2)
        alone = [lvq1.stationary_error(x, clusters) for x in eta.ravel()]
        assert together.ravel() == pytest.approx(alone, rel=1e-8, nan_ok=True)
    assert isinstance(lvq1.stationary_error(0.5), float)


def test_scalars_order_and_start():
    alpha = np.array([5.0, 0.0, 1.0])
    epsilon = lvq1.generalization_error(alpha, 0.5)
    assert isinstance(lvq1.generalization_error(5.0, 0.5), float)
    assert epsilon[0] == pytest.approx(lvq1.generalization_error(5.0, 0.5), rel=1e-9)
    assert epsilon[1] == 0.5
    fixed = lvq1.stationary_state(0.5)
    assert lvq1.trajectory(3.0, 0.5, start=fixed.state).state == pytest.approx(fixed.state, rel=1e-8)


def test_nonsense():
    with pytest.raises(ValueError, match="v_plus must be a positive number, not 0"):
        Clusters(v_plus=0)
    with pytest.raises(ValueError, match="p_plus is a probability"):
        Clusters(p_plus=1.0)
    with pytest.raises(ValueError, match="seven order parameters of two different prototypes"):
        lvq1.trajectory(1.0, 0.5, start=np.zeros(7))
    with pytest.raises(ValueError, match="eta must be at least 0"):
        lvq1.trajectory(1.0, -0.5)
    assert np.isnan(lvq1.generalization_error([np.inf, np.nan, 1e13], 0.5)).all()


def simulate(clusters, eta, alpha, N, runs, rng):
    w = np.broadcast_to(prototypes(lvq1.TABULA_RASA, N), (runs, 2, N)).copy()
    for _ in range(round(alpha * N)):
        xi, sigma = draw(clusters, runs, N, rng)
        d = ((xi[:, None] - w) ** 2).sum(-1)
        winner = (d[:, 1] < d[:, 0]).astype(int)
        label = np.where(winner == 0, 1.0, -1.0)
        rows = np.arange(runs)
        w[rows, winner] += (eta / N * label * sigma)[:, None] * (xi - w[rows, winner])
    return lvq1.Prototypes(order_parameters(w), clusters)


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [Clusters(), UNEQUAL], ids=["equal", "unequal"])
def test_simulated_prototypes(clusters):
    rng = np.random.default_rng(6)
    eta, alpha, sizes = 0.6, 6.0, ((50, 800), (100, 400))
    theory = lvq1.trajectory(alpha, eta, clusters)
    small, large = (simulate(clusters, eta, alpha, N, runs, rng) for N, runs in sizes)
    for exact, a, b in (
        (theory.state, small.state, large.state),
        (theory.epsilon_g, small.epsilon_g, large.epsilon_g),
    ):
        mean = 2 * b.mean(axis=0) - a.mean(axis=0)
        error = np.sqrt(4 * b.var(axis=0) / len(b) + a.var(axis=0) / len(a))
        assert np.all(np.abs(mean - exact) < 4 * error)
        assert np.all(error < 0.05)
