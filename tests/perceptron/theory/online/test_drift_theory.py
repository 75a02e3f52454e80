"""Drifting teachers: without drift the known flows, the stationary error, its limits."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from markone.perceptron.theory.online import adatron, drift, hebb, lms, optimal, optimal_rate, rosenblatt
from markone.perceptron.theory.online.schedules import optimal_schedule

ALPHA = np.array([0.0, 0.1, 1.0, 10.0, 100.0])
FLOWS = {
    "hebb": hebb,
    "rosenblatt": rosenblatt,
    "lms": lms,
    "adatron": adatron,
    "optimal": optimal,
    "optimal_rate": optimal_rate,
}


@pytest.mark.parametrize("noise", [0.0, 0.1])
@pytest.mark.parametrize("rule", drift.RULES)
def test_without_drift_it_is_the_flow_of_the_rule(rule, noise):
    here, there = drift.trajectory(ALPHA, rule, 0.0, noise), FLOWS[rule].trajectory(ALPHA, noise)
    np.testing.assert_allclose(here.theta, there.theta, rtol=1e-9)
    np.testing.assert_allclose(here.norm, there.norm, rtol=1e-8, atol=1e-15)


@pytest.mark.parametrize("c", [0.0, 0.5])
@pytest.mark.parametrize("rule", drift.RULES)
def test_the_flow_ends_at_the_stationary_error(rule, c):
    how = {"noise": 0.05, "eta": 0.7, "c": c, "decay": 0.1}
    end = drift.generalization_error(2000.0, rule, 0.05, **how)
    assert drift.stationary_error(0.05, rule, **how) == pytest.approx(end, rel=1e-9)


def test_hebb_by_an_independent_integration():
    """rho' = c - (delta + gamma) rho, Q' = 2 c rho + 1 - 2 gamma Q."""
    c, delta, gamma = np.sqrt(2 / np.pi) * 0.8, 0.07, 0.3
    flow = solve_ivp(
        lambda a, y: (c - (delta + gamma) * y[0], 2 * c * y[0] + 1 - 2 * gamma * y[1]),
        (0, 7), (0, 0), rtol=1e-11, atol=1e-13,
    )  # fmt: skip
    rho, Q = flow.y[:, -1]
    assert drift.overlap(7.0, "hebb", delta, noise=0.1, decay=gamma) == pytest.approx(rho / np.sqrt(Q))
    assert drift.norm(7.0, "hebb", delta, noise=0.1, decay=gamma) == pytest.approx(np.sqrt(Q))


@pytest.mark.parametrize(
    ("rule", "constant"),
    [("optimal", optimal.asymptotic_constant()), ("adatron", 1.5), ("optimal_rate", 4 / np.pi)],
)
def test_small_drift_costs_its_third_root(rule, constant):
    errors = drift.stationary_error([1e-6, 1e-9], rule)
    np.testing.assert_allclose(errors, (constant * np.array([1e-6, 1e-9]) / np.pi**2) ** (1 / 3), rtol=1e-3)


def test_no_rule_beats_the_optimal_one_and_fast_teachers_are_worse():
    for delta in (0.001, 0.03, 0.5):
        best = drift.stationary_error(delta, "optimal", 0.1)
        gamma = drift.best_hebb_decay(delta, 0.1)
        for rule in drift.RULES:
            assert drift.stationary_error(delta, rule, 0.1, decay=gamma) >= best
    assert np.all(np.diff(drift.stationary_error([0.001, 0.01, 0.1, 1.0], "optimal")) > 0)


def test_the_best_decay_of_hebb_is_a_minimum():
    gamma = drift.best_hebb_decay(0.02, 0.1)
    errors = [drift.stationary_error(0.02, "hebb", 0.1, decay=gamma * f) for f in (0.99, 1.0, 1.01)]
    assert errors[1] < min(errors[0], errors[2])


def test_hebb_without_decay_ends_at_error_one_half():
    assert drift.stationary_error(0.1, "hebb") == 0.5
    assert drift.overlap(1e5, "hebb", 0.1) < 0.01
    assert np.isnan(drift.stationary_error(0.1, "lms", eta=2.5))


def test_schedules_follow_the_flow():
    g = optimal_schedule("optimal", 3, 6, 10, 0.1, 0.2)
    np.testing.assert_allclose(g, drift.trajectory(np.array([0.3, 0.4, 0.5]), "optimal", 0.2, 0.1).g)
    assert optimal_schedule("optimal_rate", 0, 1, 10)[0] == pytest.approx(
        optimal_rate.best_rate_at(optimal_rate.trajectory(0.05).theta)
    )


def test_nonsense_is_refused():
    with pytest.raises(ValueError, match="no on-line rule 'newton': the rules are hebb"):
        drift.trajectory(1.0, "newton")
    with pytest.raises(ValueError, match="drift must be at least 0"):
        drift.trajectory(1.0, "hebb", -0.1)
    with pytest.raises(ValueError, match="drift must be a positive number"):
        drift.stationary_error(0.0)
