"""Limits of losses that no named student has: unpenalised squares, a rounded hinge, the exponential."""

import numpy as np
import pytest

from markone import theory
from markone.perceptron.theory import adaline, hebb, max_stability, soft_margin
from markone.perceptron.theory.engine.losses import find_loss
from markone.perceptron.theory.engine.solve import find_world
from markone.perceptron.theory.engine.worlds.world import State


def test_integrals_of_the_quadratic_loss_are_moments():
    """Delta = (kappa - t) V/(1 + V), so all averages are known: <t> = c R, <t^2> = 1."""
    cot, kappa, V = 0.8, 0.7, np.array([2.0])
    R = cot / np.hypot(1, cot)
    for noise in (0.0, 0.2):
        world = find_world("sign", None, False)[0]
        m, s = np.array([R / kappa]), np.array([(1 - R**2) / kappa**2])
        state = State(m, s, V, np.zeros(1), np.array([noise]), 1.0)
        found = world.average_forces(find_loss("square"), state, 20)
        c = np.sqrt(2 / np.pi) * (1 - 2 * noise)
        mean = (kappa**2 - 2 * kappa * c * R + 1) / kappa**2
        assert found.force2[0] == pytest.approx(mean / 9, rel=1e-12)
        assert found.stiffness[0] == pytest.approx(1 / 3, rel=1e-12)
        assert found.force_along[0] == pytest.approx(c / 3, rel=1e-12)


def test_unregularised_least_squares():
    alpha = np.array([1.5, 3.0, 20.0])
    student = theory.solve(alpha, "square", 0.0, noise=0.1)
    np.testing.assert_allclose(student.epsilon_rule, adaline.generalization_error(alpha, 0.1), rtol=1e-11)


def test_smoothed_hinge_tends_to_the_soft_margin():
    """The free support vectors sit where the hinge is rounded off: the difference is linear in the width."""
    alpha, widths = np.array([0.3, 1.0, 4.0]), np.array([0.08, 0.04, 0.02, 0.01])
    errors = [
        theory.solve(alpha, f"{w}*log(1 + exp((1 - E)/{w}))", {"gamma": 1.5}, noise=0.1).epsilon_rule
        for w in widths
    ]
    at_zero = np.polynomial.polynomial.polyfit(widths, errors, 3)[0]
    np.testing.assert_allclose(at_zero, soft_margin.generalization_error(alpha, 0.1, gamma=1.5), rtol=1e-5)


def test_exponential_loss_goes_from_hebb_towards_optimal_stability():
    """V = exp(-E) is none of the named students."""
    alpha = np.array([0.2, 1.0])
    small, *large = (
        theory.solve(alpha, "exp(-E)", {"gamma": gamma}).epsilon_rule for gamma in (1e-8, 1e2, 1e3, 1e4)
    )
    np.testing.assert_allclose(small, hebb.generalization_error(alpha), rtol=1e-6)
    distance = np.abs(np.array(large) - max_stability.generalization_error(alpha))
    assert (np.diff(distance, axis=0) < 0).all()
