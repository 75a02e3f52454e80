"""The flows of all rules on two Gaussian clusters: the averages by sampling, closed forms, simulations."""

import numpy as np
import pytest

from markone.lvq.theory import flow, lvq1, mistakes, plus_minus, quantization
from markone.lvq.theory.clusters import Clusters, best_linear_error

UNEQUAL = Clusters(l=1.2, v_plus=0.8, v_minus=0.4, p_plus=0.7)
STATE = np.array([0.5, -0.2, 0.1, 0.6, 0.9, 0.1, 0.8])
RULES = {
    "lvq1": lvq1.LVQ1,
    "plus_minus": plus_minus.PLUS_MINUS,
    "mistakes": mistakes.MISTAKES,
    "quantization": quantization.QUANTIZATION,
}


def strengths(name, winner, sigma):
    """f_S of both prototypes (columns +, -) in plain words; winner and sigma are +-1."""
    S = np.array([1.0, -1.0])
    wins = winner[:, None] == S
    towards = S * sigma[:, None]
    return {
        "lvq1": wins * towards,
        "plus_minus": towards,
        "mistakes": towards * (winner != sigma)[:, None],
        "quantization": wins * 1.0,
    }[name]


def vectors(state, N):
    """Two prototypes with these order parameters, the centres being along the first two axes."""
    rpp, rpm, rmp, rmm, qpp, qpm, qmm = state
    w = np.zeros((2, N))
    w[:, :2] = [[rpp, rpm], [rmp, rmm]]
    w[0, 2] = np.sqrt(qpp - rpp**2 - rpm**2)
    w[1, 2] = (qpm - rpp * rmp - rpm * rmm) / w[0, 2]
    w[1, 3] = np.sqrt(qmm - rmp**2 - rmm**2 - w[1, 2] ** 2)
    return w


def order_parameters(w):
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


def winner_of(xi, w):
    d = ((xi[:, None] - w) ** 2).sum(-1)
    return np.where(d[:, 0] <= d[:, 1], 1.0, -1.0)


@pytest.mark.parametrize("name", RULES)
def test_the_rates_by_sampling(name):
    """One step at N = 4, its mean over many examples: all terms but |xi|^2/N -> v."""
    w, eta = vectors(STATE, 4), 0.3
    xi, sigma = draw(UNEQUAL, 400_000, 4, np.random.default_rng(0))
    f = strengths(name, winner_of(xi, w), sigma)
    h, b, R, Q = xi @ w.T, xi[:, :2], w[:, :2], w @ w.T
    v = np.where(sigma > 0, UNEQUAL.v_plus, UNEQUAL.v_minus)
    sample = [f[:, S] * (b[:, t] - R[S, t]) for S in (0, 1) for t in (0, 1)]
    for S, T in ((0, 0), (0, 1), (1, 1)):
        change = h[:, S] * f[:, T] + h[:, T] * f[:, S] - Q[S, T] * (f[:, S] + f[:, T])
        sample.append(change + eta * v * f[:, S] * f[:, T])
    sample = np.array(sample)
    error = sample.std(axis=1) / np.sqrt(sample.shape[1])
    exact = flow.rates(RULES[name], STATE, eta, UNEQUAL)
    assert np.all(np.abs(sample.mean(axis=1) - exact) <= 4 * error)


@pytest.mark.parametrize("clusters", [Clusters(), UNEQUAL], ids=["equal", "unequal"])
@pytest.mark.parametrize("start", [flow.TABULA_RASA, STATE], ids=["origin", "anywhere"])
def test_lvq_plus_minus_in_closed_form_is_its_flow(clusters, start):
    alpha = np.array([0.0, 0.5, 1.0, 5.0, 20.0])
    closed = plus_minus.trajectory(alpha, 0.4, clusters, start).state
    integrated = flow.trajectory(plus_minus.PLUS_MINUS, alpha, 0.4, clusters, start).state
    assert closed == pytest.approx(integrated, rel=1e-8, abs=1e-10)


def test_lvq_plus_minus_ends_at_the_optimum_or_at_the_prior():
    equal = Clusters(1.0, 0.5, 0.5)
    assert plus_minus.generalization_error(1e12, 0.4, equal) == pytest.approx(best_linear_error(equal))
    assert plus_minus.generalization_error([1e4, 1e12], 0.4, UNEQUAL) == pytest.approx(0.3, abs=1e-12)
    # It is better before: early stopping helps.
    assert plus_minus.generalization_error(1.0, 0.4, UNEQUAL) < 0.25
    assert np.isnan(plus_minus.trajectory(1e6, 0.4, UNEQUAL).state).all()
    # Almost equal priors are no special case.
    almost = Clusters(1.0, 0.5, 0.5, 0.5 + 1e-12)
    assert plus_minus.generalization_error(10.0, 0.4, almost) == pytest.approx(
        plus_minus.generalization_error(10.0, 0.4, equal), rel=1e-10
    )


def test_the_last_error_of_learning_from_mistakes_does_not_depend_on_the_rate():
    for clusters in (Clusters(), UNEQUAL):
        late = [mistakes.generalization_error(1e7, eta, clusters) for eta in (0.1, 0.5, 2.0)]
        assert late == pytest.approx([late[0]] * 3, rel=1e-7)
        assert late[0] > best_linear_error(clusters) + 0.01
    small, large = (mistakes.trajectory(1e7, eta).state for eta in (0.5, 1.0))
    # All lengths are proportional to the rate (but for what is left of the start).
    assert large[:4] == pytest.approx(2 * small[:4], rel=1e-3)


def test_quantization_leaves_its_plateau_the_later_the_more_alike_the_prototypes_were():
    def escape(lean):
        start = (lean, 0.0, 0.0, lean, 1e-4, 0.0, 1e-4)
        alpha = np.linspace(0, 400, 401)
        return alpha[np.argmax(quantization.generalization_error(alpha, 0.2, start=start) < 0.35)]

    times = [escape(lean) for lean in (1e-3, 1e-5, 1e-7)]
    assert times[2] - times[1] == pytest.approx(times[1] - times[0], abs=2.5)
    assert times[1] > times[0] + 20
    # At a large rate both stay equal.
    assert quantization.generalization_error(1e12, 5.0) == pytest.approx(0.5, abs=1e-6)


def test_the_quantization_error_is_what_is_sampled_and_falls():
    w = vectors(STATE, 4)
    xi, _ = draw(UNEQUAL, 400_000, 4, np.random.default_rng(1))
    sample = 0.5 * (((xi[:, None] - w) ** 2).sum(-1).min(axis=1) - (xi**2).sum(-1))
    exact = quantization.quantization_error(0.0, 0.1, UNEQUAL, STATE)
    assert abs(sample.mean() - exact) < 4 * sample.std() / np.sqrt(len(sample))
    # Without fluctuations it is a descent: dw_S = -grad.
    falling = quantization.quantization_error(np.linspace(0, 30, 61), 0.0)
    assert np.all(np.diff(falling) < 1e-9)
    assert falling[-1] < -0.5


@pytest.mark.parametrize("name", ["lvq1", "mistakes", "quantization"])
def test_late_flows_are_where_they_settle(name):
    """A flow at a fixed point is not integrated further: the result equals that of the integration."""
    start = quantization.SLIGHTLY_ASYMMETRIC
    late = flow.trajectory(RULES[name], [5e3, 1e5, 1e12], 0.5, UNEQUAL, start).state
    assert late[1] == pytest.approx(late[0], rel=1e-6)
    assert (late[1] == late[2]).all()


def test_nonsense():
    with pytest.raises(ValueError, match="eta must be a positive number, not 0"):
        mistakes.trajectory(1.0, 0.0)
    with pytest.raises(ValueError, match="eta must be at least 0"):
        plus_minus.generalization_error(1.0, -1.0)
    with pytest.raises(ValueError, match="seven order parameters of two different prototypes"):
        quantization.trajectory(1.0, 0.5, start=np.zeros(7))
    for module in (plus_minus, mistakes, quantization):
        assert np.isnan(module.generalization_error([np.nan, 1e13], 0.5)).all()
        assert isinstance(module.generalization_error(2.0, 0.5), float)
    assert isinstance(quantization.quantization_error(2.0, 0.5), float)


def simulate(name, clusters, eta, alpha, N, runs, start, rng):
    w = np.broadcast_to(vectors(start, N), (runs, 2, N)).copy()
    for _ in range(round(alpha * N)):
        xi, sigma = draw(clusters, runs, N, rng)
        f = strengths(name, winner_of(xi, w), sigma)
        w += (eta / N) * f[..., None] * (xi[:, None] - w)
    return order_parameters(w)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plus_minus", "mistakes", "quantization"])
def test_simulated_prototypes(name):
    """Two sizes, extrapolated: the 1/N term falls out."""
    rng = np.random.default_rng(6)
    eta, alpha = 0.6, 4.0
    exact = flow.trajectory(RULES[name], alpha, eta, UNEQUAL, STATE).state
    small, large = (
        simulate(name, UNEQUAL, eta, alpha, N, runs, STATE, rng) for N, runs in ((50, 800), (100, 400))
    )
    mean = 2 * large.mean(axis=0) - small.mean(axis=0)
    error = np.sqrt(4 * large.var(axis=0) / len(large) + small.var(axis=0) / len(small))
    assert np.all(np.abs(mean - exact) < 4 * error)


def test_a_flow_that_would_take_hours_ends_with_a_sentence():
    with pytest.raises(ArithmeticError, match=r"eta = 1e-09 was stopped at eta alpha = .* larger eta"):
        mistakes.generalization_error(1e8, 1e-9)
