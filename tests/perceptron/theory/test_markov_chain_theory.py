"""The reduced chain has the law of the N-dimensional simulation and the N -> infinity theory as its limit."""

import numpy as np
import pytest
from scipy import stats

from markone.perceptron.theory import markov_chain
from markone.perceptron.theory.online import adatron, hebb, lms, optimal, optimal_rate, rosenblatt

CASES = [
    (hebb, {"noise": 0.1}),
    (rosenblatt, {}),
    (rosenblatt, {"noise": 0.1}),
    (rosenblatt, {"c": 0.5}),
    (adatron, {}),
    (adatron, {"noise": 0.1, "eta": 1.5}),
    (lms, {"eta": 0.5}),
    (optimal, {}),
    (optimal, {"noise": 0.1}),
    (optimal_rate, {"noise": 0.1}),
]


def name(value):
    if isinstance(value, dict):
        return ",".join(f"{k}={v}" for k, v in value.items()) or "plain"
    return str(value).rpartition("/")[2].removesuffix(".py'>") if not isinstance(value, int) else f"N={value}"


def chain(rule):
    return getattr(markov_chain, rule.__name__.rpartition(".")[2])


def extrapolated(values):
    """Mean and standard error for N -> infinity from N, 2N, 4N: the 1/N and 1/N^2 terms drop out."""
    factors = (1 / 3, -2, 8 / 3)
    mean = sum(f * v.mean(axis=0) for f, v in zip(factors, values, strict=True))
    variance = sum(f * f * v.var(axis=0, ddof=1) / len(v) for f, v in zip(factors, values, strict=True))
    return mean, np.sqrt(variance)


@pytest.mark.parametrize(("rule", "parameters"), CASES, ids=name)
def test_the_chain_tends_to_the_theory(rule, parameters):
    alpha = np.array([1.0, 3.0])
    runs = [chain(rule)(alpha, N, 3000, seed=5, **parameters) for N in (60, 120, 240)]
    theory = rule.trajectory(alpha, **parameters)
    mean, error = extrapolated([r.epsilon_g for r in runs])
    assert np.all(np.abs(mean - theory.epsilon_g) < 4 * error)
    assert np.all(error < 2e-3)
    if rule not in (optimal, optimal_rate):  # their |w| has a free factor
        mean, error = extrapolated([r.Q for r in runs])
        assert np.all(np.abs(mean - theory.Q) < 4 * error)


def vectors(rule, alpha, N, runs, seed, noise=0.0, c=0.0, eta=1.0):
    """The same rule with vectors: R and Q of `runs` students, teacher along the first axis."""
    rng = np.random.default_rng(seed)
    w = np.zeros((runs, N))
    if rule is adatron:
        w[:, 1] = 1.0
    for mu in range(round(alpha * N)):
        xi = rng.standard_normal((runs, N))
        S = np.where(xi[:, 0] >= 0, 1.0, -1.0) * np.where(rng.random(runs) < noise, -1.0, 1.0)
        E = S * np.einsum("ri,ri->r", w, xi)
        norm = np.linalg.norm(w, axis=1)
        if rule is hebb:
            f = np.ones(runs)
        elif rule is rosenblatt:
            f = 1.0 * (c >= E)
        elif rule is adatron:
            f = -eta * E * (E < 0)
        elif rule is lms:
            f = eta * (1 - E)
        elif mu == 0:
            f = np.ones(runs) if rule is optimal else 1.0 * (E <= 0)
        elif rule is optimal:
            f = norm * optimal.modulation(
                E / np.maximum(norm, 1e-300), optimal.trajectory(mu / N, noise).theta, noise
            )
        else:
            theta = optimal_rate.trajectory(mu / N, noise).theta
            f = np.where(norm > 0, optimal_rate.best_rate_at(theta, noise) * norm, 1.0) * (E <= 0)
        w += (f * S / N)[:, None] * xi
    Q = np.einsum("ri,ri->r", w, w)
    return w[:, 0] / np.sqrt(Q), Q


@pytest.mark.slow
@pytest.mark.parametrize("N", [2, 3, 20])
@pytest.mark.parametrize(("rule", "parameters"), CASES, ids=name)
def test_the_chain_has_the_law_of_the_vectors(rule, parameters, N):
    R, Q = vectors(rule, 2.0, N, 4000, seed=N, **parameters)
    runs = chain(rule)([2.0], N, 4000, seed=11, **parameters)
    # Rosenblatt's perceptrons may still have w = 0, where no angle is defined.
    learned = runs.Q[:, 0] > 0
    assert np.mean(learned) == pytest.approx(np.mean(Q > 0), abs=0.03)
    assert stats.ks_2samp(runs.R[learned, 0], R[Q > 0]).pvalue > 1e-3
    assert stats.ks_2samp(runs.Q[:, 0], Q).pvalue > 1e-3


@pytest.mark.slow
@pytest.mark.parametrize(("rule", "parameters"), [CASES[2], CASES[5], CASES[6]], ids=name)
def test_vectors_tend_to_the_theory(rule, parameters):
    values = []
    for N in (25, 50, 100):
        R, _ = vectors(rule, 2.0, N, 4000, seed=N, **parameters)
        values.append(np.arccos(R) / np.pi)
    mean, error = extrapolated(values)
    assert abs(mean - rule.generalization_error(2.0, **parameters)) < 4 * error
    assert error < 3e-3


def test_runs_are_reproducible_and_independent_of_their_number():
    few = markov_chain.rosenblatt([0.5, 1.0], 50, 3, seed=1)
    many = markov_chain.rosenblatt([0.5, 1.0], 50, 5, seed=1)
    assert np.array_equal(few.rho, many.rho[:3])
    assert not np.array_equal(few.rho, markov_chain.rosenblatt([0.5, 1.0], 50, 3, seed=2).rho)
    assert np.array_equal(few.alpha, [0.5, 1.0])


def test_asking_for_more_points_changes_nothing():
    dense = markov_chain.adatron(np.linspace(0, 2, 9), 40, 4)
    assert np.array_equal(dense.rho[:, -1], markov_chain.adatron(2.0, 40, 4).rho[:, 0])
    assert np.all(dense.epsilon_g[:, 0] == 0.5)
    nothing = markov_chain.hebb([0.0], 40, 4)
    assert np.all(nothing.epsilon_g == 0.5)
    assert np.all(nothing.R == 0)


def test_fluctuations_shrink_like_one_over_root_N():
    spread = [markov_chain.rosenblatt(2.0, N, 2000).R.std() * np.sqrt(N) for N in (200, 3200)]
    assert spread[0] == pytest.approx(spread[1], rel=0.1)


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="alpha must be finite and ascending"):
        markov_chain.hebb([2.0, 1.0], 10)
    with pytest.raises(ValueError, match="N must be a whole number, at least 2, not 1"):
        markov_chain.hebb(1.0, 1)
    with pytest.raises(ValueError, match="eta must be a positive number"):
        markov_chain.lms(1.0, 10, eta=-1)
    with pytest.raises(ValueError, match="probability of a flipped label"):
        markov_chain.hebb(1.0, 10, noise=0.6)
