"""Solving all neurons with shared correlations gives the same result as solving each alone."""

import numpy as np
import pytest

from markone.hopfield.couplings import optimal_neurons, shared_strengths
from markone.perceptron.margin import solve_margin_problem


def alone(xi, i):
    others = xi.copy()
    others[:, i] = 0.0
    return solve_margin_problem(others, xi[:, i].copy())


@pytest.mark.parametrize(("P", "N"), [(5, 40), (20, 40), (36, 40), (31, 30)])
def test_shared_correlations_lead_to_the_student_of_each_neuron(P, N):
    xi = np.random.default_rng(P).choice([-1.0, 1.0], (P, N))
    assert (shared_strengths(xi) is None) == (P >= N)
    for i, found in enumerate(optimal_neurons(xi)):
        other = alone(xi, i)
        assert found.status == other.status == "exact"
        np.testing.assert_allclose(found.w, other.w, rtol=1e-9, atol=1e-10 * np.abs(other.w).max())
        assert found.lower == pytest.approx(other.lower, rel=1e-9)


def test_patterns_stored_twice_have_no_factor_and_are_stored_all_the_same():
    xi = np.random.default_rng(0).choice([-1.0, 1.0], (6, 30))
    twice = np.vstack([xi, xi[:2]])
    assert shared_strengths(twice) is None
    for one, other in zip(optimal_neurons(twice), optimal_neurons(xi), strict=True):
        np.testing.assert_allclose(one.w, other.w, atol=1e-9)


def test_a_neuron_that_only_its_own_state_could_store_is_not_called_stored():
    # Two patterns that differ in one neuron: the other neurons do not determine its state.
    xi = np.ones((2, 5))
    xi[1, 0] = -1.0
    with pytest.warns(match="1 of 5 neurons cannot store"):
        found = optimal_neurons(xi)
    assert [one.lower > 0 for one in found] == [False, True, True, True, True]
