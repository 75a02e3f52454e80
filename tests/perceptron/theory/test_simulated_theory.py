"""Students trained at finite N, extrapolated in 1/N, against the theory for N -> infinity.

Everything here is numpy, scipy and scikit-learn: no code of markone except its theory.
"""

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.special import expit
from sklearn.svm import LinearSVC

from markone.perceptron.theory import adaline, capacity, hebb, logistic, max_stability, soft_margin
from markone.perceptron.theory import squared_hinge as squared

pytestmark = pytest.mark.slow


def examples(rng, alpha, N, samples, noise=0.0):
    """Z = xi S (samples, P, N) for the teacher B = (1, 0, 0, ...), with flipped labels."""
    xi = rng.standard_normal((samples, round(alpha * N), N))
    S = np.sign(xi[..., 0]) * np.where(rng.random(xi.shape[:2]) < noise, -1, 1)
    return xi * S[..., None]


def error(w):
    return np.arccos(w[..., 0] / np.linalg.norm(w, axis=-1)) / np.pi


def extrapolated(measure, sizes):
    """a and its standard error from a fit a + b/N to the mean of measure(N), an array over data sets."""
    means, errors = [], []
    for N in sizes:
        values = measure(N)
        means.append(values.mean(axis=0))
        errors.append(values.std(axis=0, ddof=1) / np.sqrt(len(values)))
    design = np.stack([np.ones(len(sizes)), 1 / np.array(sizes, dtype=float)], axis=1)
    means, errors = np.array(means).reshape(len(sizes), -1), np.array(errors).reshape(len(sizes), -1)
    result = []
    for mean, sigma in zip(means.T, errors.T, strict=True):
        weighted = design / sigma[:, None]
        covariance = np.linalg.inv(weighted.T @ weighted)
        result.append((covariance @ weighted.T @ (mean / sigma))[0])
        result.append(np.sqrt(covariance[0, 0]))
    return np.array(result).reshape(-1, 2)


def agree(found, theory, precision):
    """Within four standard errors, and these are small enough (relatively) to mean something."""
    for (value, sigma), exact in zip(found, np.atleast_1d(theory), strict=True):
        assert sigma < precision * abs(exact), f"standard error {sigma} of {value} is too large"
        assert abs(value - exact) < 4 * sigma, f"{value} +- {sigma} against {exact}"


@pytest.mark.parametrize(("alpha", "noise"), [(1.0, 0.0), (4.0, 0.2)])
def test_hebb(alpha, noise):
    rng = np.random.default_rng(10)
    found = extrapolated(lambda N: error(examples(rng, alpha, N, 80_000 // N, noise).sum(1)), (20, 40, 80))
    agree(found, hebb.generalization_error(alpha, noise), 0.01)


def test_hebb_at_finite_N():
    rng = np.random.default_rng(11)
    values = error(examples(rng, 2.0, 10, 60_000, 0.1).sum(1))
    agree([(values.mean(), values.std() / np.sqrt(len(values)))], hebb.mean_error(20, 10, 0.1), 0.003)


@pytest.mark.parametrize(("alpha", "noise"), [(0.5, 0.0), (3.0, 0.1)])
def test_pseudo_inverse(alpha, noise):
    rng = np.random.default_rng(12)

    def measure(N):
        Z = examples(rng, alpha, N, 60_000 // N, noise)
        if alpha > 1:
            w = np.linalg.solve(Z.swapaxes(1, 2) @ Z, Z.sum(1)[..., None])[..., 0]
        else:
            x = np.linalg.solve(Z @ Z.swapaxes(1, 2), np.ones((*Z.shape[:2], 1)))
            w = (Z.swapaxes(1, 2) @ x)[..., 0]
        return np.stack([error(w), np.linalg.norm(w, axis=-1)], axis=1)

    theory = [adaline.generalization_error(alpha, noise), adaline.norm(alpha, noise)]
    agree(extrapolated(measure, (20, 40, 80)), theory, 0.01)


@pytest.mark.parametrize(("alpha", "noise", "ridge"), [(1.0, 0.0, 0.3), (2.0, 0.15, 1.0)])
def test_ridge(alpha, noise, ridge):
    rng = np.random.default_rng(13)

    def measure(N):
        Z = examples(rng, alpha, N, 60_000 // N, noise)
        w = np.linalg.solve(Z.swapaxes(1, 2) @ Z + N * ridge * np.eye(N), Z.sum(1)[..., None])[..., 0]
        training = ((1 - np.einsum("spn,sn->sp", Z, w)) ** 2).mean(1)
        return np.stack([error(w), np.linalg.norm(w, axis=-1), training], axis=1)

    functions = adaline.generalization_error, adaline.norm, adaline.training_error
    theory = [f(alpha, noise, ridge=ridge) for f in functions]
    agree(extrapolated(measure, (20, 40, 80)), theory, 0.01)


def optimal_stability(Z):
    """w, kappa and the number of support vectors by non-negative least squares, to rounding."""
    x, _ = nnls(np.vstack([Z.T, np.ones(len(Z))]), np.append(np.zeros(Z.shape[1]), 1.0))
    w = Z.T @ x
    return w, (Z @ w).min() / np.linalg.norm(w), (x > 0).sum()


def test_optimal_stability_of_random_labels():
    rng = np.random.default_rng(14)

    def measure(N):
        sets = rng.standard_normal((40_000 // N, N, N))  # alpha = 1; random labels change nothing
        return np.array([(kappa, count / N) for _, kappa, count in map(optimal_stability, sets)])

    theory = [capacity.stability(1.0), capacity.support_vectors(1.0)]
    agree(extrapolated(measure, (20, 40, 80)), theory, 0.01)


@pytest.mark.parametrize(("alpha", "noise"), [(2.0, 0.0), (1.0, 0.1)])
def test_optimal_stability_of_a_rule(alpha, noise):
    rng = np.random.default_rng(15)

    def measure(N):
        sets = examples(rng, alpha, N, 40_000 // N, noise)
        return np.array([(error(w), kappa, count / N) for w, kappa, count in map(optimal_stability, sets)])

    functions = max_stability.generalization_error, max_stability.stability, max_stability.support_vectors
    agree(extrapolated(measure, (20, 40, 80)), [f(alpha, noise) for f in functions], 0.01)


def test_separability_threshold():
    """At alpha_c(noise) about half of the data sets are separable: the residual of nnls decides."""
    rng = np.random.default_rng(16)
    alpha_c, N = max_stability.alpha_c(0.2), 100

    def separable(alpha):
        sets = examples(rng, alpha, N, 100, 0.2)
        return np.mean(
            [nnls(np.vstack([Z.T, np.ones(len(Z))]), np.append(np.zeros(N), 1.0))[1] > 1e-9 for Z in sets]
        )

    assert separable(0.8 * alpha_c) > 0.9
    assert separable(1.2 * alpha_c) < 0.1


@pytest.mark.parametrize(("loss", "theory"), [("hinge", soft_margin), ("squared_hinge", squared)])
def test_soft_margins(loss, theory):
    alpha, noise, gamma = 2.0, 0.1, 1.0
    rng = np.random.default_rng(17)

    def student(Z):
        P, N = Z.shape
        S = np.where(np.arange(P) % 2, 1.0, -1.0)
        C = gamma / N if loss == "hinge" else gamma / (2 * N)
        svc = LinearSVC(
            loss=loss, C=C, dual=True, fit_intercept=False, tol=1e-7, max_iter=200_000, random_state=0
        )
        w = svc.fit(Z * S[:, None], S).coef_[0]
        E = Z @ w
        return error(w), np.linalg.norm(w), (E < 0).mean(), (E < 1 - 1e-4).mean()

    def measure(N):
        return np.array([student(Z) for Z in examples(rng, alpha, N, 30_000 // N, noise)])

    functions = [theory.generalization_error, theory.norm, theory.training_error]
    functions.append(soft_margin.clipped_support_vectors if loss == "hinge" else squared.support_vectors)
    values = np.array([f(alpha, noise, gamma=gamma) for f in functions])
    values[3] /= alpha
    agree(extrapolated(measure, (20, 40, 80)), values, 0.025)


@pytest.mark.parametrize(("alpha", "noise", "gamma"), [(2.0, 0.1, 1.0), (8.0, 0.2, np.inf)])
def test_logistic_regression(alpha, noise, gamma):
    rng = np.random.default_rng(18)

    def measure(N):
        Z = examples(rng, alpha, N, 40_000 // N, noise)
        w = np.zeros((len(Z), N))
        decay = 0.0 if np.isinf(gamma) else N / gamma
        gradient = np.ones(1)
        while np.abs(gradient).max() > 1e-8:  # Newton's method; the loss is convex
            s = expit(-np.einsum("spn,sn->sp", Z, w))
            gradient = decay * w - np.einsum("spn,sp->sn", Z, s)
            curvature = np.einsum("spn,sp,spm->snm", Z, s * (1 - s), Z, optimize=True) + decay * np.eye(N)
            w = w - np.linalg.solve(curvature, gradient[..., None])[..., 0]
        E = np.einsum("spn,sn->sp", Z, w)
        return np.stack([error(w), np.linalg.norm(w, axis=-1), (E < 0).mean(1)], axis=1)

    functions = logistic.generalization_error, logistic.norm, logistic.training_error
    theory = [f(alpha, noise, gamma=gamma) for f in functions]
    agree(extrapolated(measure, (30, 60) if np.isinf(gamma) else (20, 40, 80)), theory, 0.015)
