import numpy as np
import pytest
from scipy.special import expit

from markone.perceptron.theory import adaline, convex_loss, hebb, max_stability, soft_margin

QUADRATIC = convex_loss.Loss(lambda E: 1 - E, lambda E, v: np.ones_like(E), (0.0,))


def smoothed_hinge(width):
    """V' = -1/(1 + exp((E-1)/width)): the hinge for width -> 0."""
    edges = tuple(1 + width * e for e in (-40, -16, -7, 0, 7, 16, 40))
    return convex_loss.Loss(lambda E: expit((1 - E) / width), lambda E, v: v * (1 - v) / width, edges)


def lines(alpha, noise, gamma):
    return np.asarray(alpha), np.full_like(alpha, noise), np.full_like(alpha, gamma)


def test_integrals_of_the_quadratic_loss_are_moments():
    """Delta = (kappa - t) rho/(1 + rho), so all three averages are known: <t> = c R, <t^2> = 1."""
    student = convex_loss.ConvexSolution(*(np.array([v]) for v in (0.8, 0.7, 2.0)))
    for noise in (0.0, 0.2):
        first, second, third = convex_loss.field_averages(QUADRATIC, student, np.array([noise]))
        c = np.sqrt(2 / np.pi) * (1 - 2 * noise)
        assert first[0] == pytest.approx(2 / 3 * 0.7, rel=1e-12)
        mean = 0.49 - 2 * 0.7 * c * 0.8 / np.hypot(1, 0.8) + 1
        assert second[0] == pytest.approx(4 / 9 * mean, rel=1e-12)
        assert third[0] == pytest.approx(2 / 3, rel=1e-12)


def test_unregularised_least_squares():
    alpha = np.array([1.5, 3.0, 20.0])
    student = convex_loss.solve_convex_loss(QUADRATIC, *lines(alpha, 0.1, np.inf))
    np.testing.assert_allclose(
        np.arctan2(1, student.cot) / np.pi, adaline.generalization_error(alpha, 0.1), rtol=1e-11
    )


def test_smoothed_hinge_tends_to_the_soft_margin():
    """The free support vectors sit where the hinge is rounded off: the difference is linear in the width."""
    alpha, widths = np.array([0.3, 1.0, 4.0]), np.array([0.08, 0.04, 0.02, 0.01])
    students = [
        convex_loss.solve_convex_loss(smoothed_hinge(width), *lines(alpha, 0.1, 1.5)) for width in widths
    ]
    errors = [np.arctan2(1, student.cot) / np.pi for student in students]
    at_zero = np.polynomial.polynomial.polyfit(widths, errors, 3)[0]
    np.testing.assert_allclose(at_zero, soft_margin.generalization_error(alpha, 0.1, gamma=1.5), rtol=1e-5)


def test_exponential_loss_goes_from_hebb_towards_optimal_stability():
    """V = exp(-E) is none of the named students."""
    loss = convex_loss.Loss(lambda E: np.exp(-E), lambda E, v: v, tuple(np.arange(-12.0, 41, 4)))
    alpha = np.array([0.2, 1.0])
    small, *large = (
        np.arctan2(1, convex_loss.solve_convex_loss(loss, *lines(alpha, 0.0, gamma)).cot) / np.pi
        for gamma in (1e-8, 1e2, 1e3, 1e4)
    )
    np.testing.assert_allclose(small, hebb.generalization_error(alpha), rtol=1e-6)
    distance = np.abs(np.array(large) - max_stability.generalization_error(alpha))
    assert (np.diff(distance, axis=0) < 0).all()
