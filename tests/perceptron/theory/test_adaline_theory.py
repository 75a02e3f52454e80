import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from markone import theory
from markone.perceptron.theory import adaline, hebb
from markone.perceptron.theory.rule import label_correlation


def pseudo_inverse(alpha, noise):
    """The notes' two cases, alpha < 1 and alpha > 1, written out."""
    c = label_correlation(noise)
    if alpha < 1:
        return alpha * c, alpha * (1 - 2 * alpha * c**2 + alpha**2 * c**2) / (1 - alpha)
    return c, (1 - c**2) / (alpha - 1)


@pytest.mark.parametrize("alpha", [0.01, 0.41, 0.999, 1.001, 3.0, 1e5])
@pytest.mark.parametrize("noise", [0.0, 0.2])
def test_no_ridge_is_the_pseudo_inverse(alpha, noise):
    mu, perp = pseudo_inverse(alpha, noise)
    assert adaline.overlap(alpha, noise) == pytest.approx(mu / np.hypot(mu, np.sqrt(perp)), rel=1e-12)
    assert adaline.norm(alpha, noise) == pytest.approx(np.hypot(mu, np.sqrt(perp)), rel=1e-12)
    tiny = adaline.generalization_error(alpha, noise, ridge=1e-13)
    assert tiny == pytest.approx(adaline.generalization_error(alpha, noise), rel=1e-6)


def test_the_peak():
    assert adaline.generalization_error(1.0) == 0.5
    assert adaline.norm(1.0) == np.inf
    assert adaline.overlap(1.0, 0.1) == 0
    assert adaline.generalization_error(1.0, ridge=0.1) < 0.4
    alpha = np.linspace(0.01, 0.99, 99)
    error = adaline.generalization_error(alpha)
    assert alpha[error.argmin()] == pytest.approx(0.6, abs=0.1)
    difference = adaline.generalization_error([0.3, 0.6, 1.5, 1.7]) - hebb.generalization_error(
        [0.3, 0.6, 1.5, 1.7]
    )
    assert list(difference < 0) == [True, False, False, True]


def test_infinite_ridge_is_hebb():
    alpha = np.geomspace(1e-3, 1e3, 30)
    for noise in (0.0, 0.3):
        np.testing.assert_allclose(
            adaline.overlap(alpha, noise, ridge=np.inf), hebb.overlap(alpha, noise), rtol=1e-14
        )
        np.testing.assert_allclose(
            adaline.overlap(alpha, noise, ridge=1e14), hebb.overlap(alpha, noise), rtol=1e-9
        )
    assert adaline.norm(2.0, ridge=np.inf) == 0
    assert adaline.training_error(2.0, ridge=np.inf) == 1


@pytest.mark.parametrize("alpha", [0.2, 1.0, 4.0])
@pytest.mark.parametrize("noise", [0.0, 0.15])
def test_the_optimal_ridge_is_optimal_at_every_alpha(alpha, noise):
    best = minimize_scalar(
        lambda y: adaline.generalization_error(alpha, noise, ridge=np.exp(y)),
        bounds=(-6, 6),
        method="bounded",
    )
    assert np.exp(best.x) == pytest.approx(adaline.optimal_ridge(noise), rel=1e-3)
    assert adaline.optimal_ridge_error(alpha, noise) <= best.fun + 1e-12
    assert adaline.optimal_ridge() == pytest.approx(np.pi / 2 - 1)


def test_training_error():
    for noise in (0.0, 0.1):
        c2 = label_correlation(noise) ** 2
        alpha = np.array([1.5, 4.0, 100.0])
        np.testing.assert_allclose(
            adaline.training_error(alpha, noise), (1 - c2) * (1 - 1 / alpha), rtol=1e-12
        )
    assert (adaline.training_error([0.3, 1.0]) == 0).all()
    assert 0 < adaline.training_error(0.5, ridge=0.2) < 1
    assert adaline.training_error(0.0, ridge=0.2) == pytest.approx(1 / (1 + 1 / 0.2) ** 2)


@pytest.mark.parametrize("ridge", [0.05, 0.6, 3.0])
def test_ridge_solves_the_general_equations(ridge):
    """V = (1-E)^2/2 in the engine, found there by iteration: l2 = ridge."""
    alpha = np.geomspace(0.05, 20, 15)
    student = theory.solve(alpha, "(1-E)**2/2", ridge, noise=0.1)
    np.testing.assert_allclose(student.R, adaline.overlap(alpha, 0.1, ridge=ridge), rtol=1e-11)
    np.testing.assert_allclose(student.norm, adaline.norm(alpha, 0.1, ridge=ridge), rtol=1e-11)


def test_asymptotics_and_refusal():
    assert adaline.asymptotic_constant() == pytest.approx(0.240487, abs=5e-7)
    for ridge in (0.0, 2.0):
        large = adaline.generalization_error(1e10, 0.2, ridge=ridge) * 1e5
        assert large == pytest.approx(adaline.asymptotic_constant(0.2), rel=1e-8)
    with pytest.raises(ValueError, match=r"ridge is -1\.0"):
        adaline.overlap(1.0, ridge=-1.0)
