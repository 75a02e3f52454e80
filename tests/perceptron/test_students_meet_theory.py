"""The students against their exact theory: simulated at several N, extrapolated in 1/N, with error bars."""

import numpy as np
import pytest

from markone.data import random_dichotomy, teacher_examples
from markone.perceptron import LMS, Adaline, AdaTron, Hebb, MinOver, Rosenblatt
from markone.perceptron.measures import generalization_error, overlap
from markone.perceptron.theory import adaline, capacity, hebb, max_stability, soft_margin
from markone.perceptron.theory.online import lms as online_lms
from markone.perceptron.theory.online import rosenblatt as online_rosenblatt

pytestmark = pytest.mark.slow

SIZES = {24: 600, 48: 300, 96: 150}


def extrapolated(measure, alpha, noise=0.0):
    """a +- error of the fit <measure> = a + b/N, weighted with the standard errors of the means."""
    means, errors = [], []
    for N, sets in SIZES.items():
        values = [measure(teacher_examples(round(alpha * N), N, noise, seed=[N, k]), N) for k in range(sets)]
        means.append(np.mean(values))
        errors.append(np.std(values, ddof=1) / np.sqrt(sets))
    design = np.array([[1.0, 1.0 / N] for N in SIZES]) / np.array(errors)[:, None]
    covariance = np.linalg.inv(design.T @ design)
    a = (covariance @ design.T @ (np.array(means) / errors))[0]
    return a, np.sqrt(covariance[0, 0])


def meets(measure, alpha, expected, noise=0.0):
    a, error = extrapolated(measure, alpha, noise)
    assert abs(a - expected) < 4 * error, f"{a:.5f} +- {error:.5f}, theory {expected:.5f}"
    # The error bar must be small compared with the measured value, else the test could not fail.
    assert error < 0.05 * abs(expected)


def error_of(make):
    def measure(examples, N):
        student = make(N).fit(examples.xi, examples.S)
        return generalization_error(overlap(student.coef_[0], examples.w_star))

    return measure


@pytest.mark.parametrize(("alpha", "noise"), [(0.5, 0.0), (2.0, 0.0), (4.0, 0.2)])
def test_hebb(alpha, noise):
    meets(
        error_of(lambda N: Hebb(fit_intercept=False)), alpha, hebb.generalization_error(alpha, noise), noise
    )


@pytest.mark.parametrize(("alpha", "noise"), [(0.5, 0.0), (2.0, 0.0), (4.0, 0.2)])
@pytest.mark.parametrize("ridge", [0.0, 0.5])
def test_adaline(alpha, noise, ridge):
    expected = adaline.generalization_error(alpha, noise, ridge=ridge)
    meets(error_of(lambda N: Adaline(ridge=ridge * N, fit_intercept=False)), alpha, expected, noise)


@pytest.mark.parametrize(("alpha", "noise"), [(0.5, 0.0), (2.0, 0.0), (1.0, 0.1)])
def test_optimal_stability(alpha, noise):
    expected = max_stability.generalization_error(alpha, noise)
    meets(error_of(lambda N: AdaTron(fit_intercept=False)), alpha, expected, noise)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_the_stability_itself_and_its_support_vectors(alpha):
    def kappa(examples, N):
        return AdaTron(fit_intercept=False).fit(examples.xi, examples.S).stability_

    def support(examples, N):
        return len(AdaTron(fit_intercept=False).fit(examples.xi, examples.S).support_) / N

    meets(kappa, alpha, max_stability.stability(alpha))
    meets(support, alpha, max_stability.support_vectors(alpha))


def test_the_stability_of_random_labels():
    def kappa(examples, N):
        xi, S, _ = random_dichotomy(*examples.xi.shape, seed=int(1e6 * abs(examples.xi[0, 0])))
        return AdaTron(fit_intercept=False).fit(xi, S).stability_

    meets(kappa, 0.5, capacity.stability(0.5))


def test_minover_goes_to_optimal_stability():
    make = error_of(lambda N: MinOver(tol=1e-3, max_iter=10_000, fit_intercept=False))
    meets(make, 1.0, max_stability.generalization_error(1.0))


@pytest.mark.parametrize(("alpha", "noise", "gamma"), [(2.0, 0.0, 1.0), (4.0, 0.2, 0.5)])
def test_soft_margin(alpha, noise, gamma):
    expected = soft_margin.generalization_error(alpha, noise, gamma=gamma)
    meets(error_of(lambda N: AdaTron(C=gamma / N, fit_intercept=False)), alpha, expected, noise)


@pytest.mark.parametrize(("alpha", "noise"), [(2.0, 0.0), (4.0, 0.2)])
def test_one_pass_of_rosenblatt_is_on_line_learning(alpha, noise):
    def measure(examples, N):
        student = Rosenblatt(fit_intercept=False).partial_fit(examples.xi, examples.S, classes=[-1, 1])
        return generalization_error(overlap(student.coef_[0], examples.w_star))

    meets(measure, alpha, online_rosenblatt.generalization_error(alpha, noise), noise)


def test_one_pass_of_lms_is_on_line_learning():
    def measure(examples, N):
        student = LMS(eta0=0.5 / N, schedule="constant", fit_intercept=False)
        student.partial_fit(examples.xi, examples.S, classes=[-1, 1])
        return generalization_error(overlap(student.coef_[0], examples.w_star))

    meets(measure, 2.0, online_lms.generalization_error(2.0, eta=0.5))
