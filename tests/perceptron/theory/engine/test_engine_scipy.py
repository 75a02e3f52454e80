"""Combinations of loss, world and penalty against saddle points found by scipy with plain quadrature.

Written from the equations, not from the engine: fields before learning on a grid, the field after learning by
bisection, derivatives along the teacher by a second Gaussian integral, damped iteration.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import expit, ndtr

from markone import theory

T = np.linspace(-8.5, 8.5, 1201)
DT = np.exp(-T * T / 2) / np.sqrt(2 * np.pi) * (T[1] - T[0])


def move(slope, a, V):
    """The h with h + V l'(h) = a, by bisection."""
    low, high = a - 200.0, a + 200.0
    for _ in range(70):
        h = (low + high) / 2
        below = h + V * slope(h) < a
        low, high = np.where(below, h, low), np.where(below, high, h)
    return (low + high) / 2


def soft(x, width):
    return np.sign(x) * np.maximum(np.abs(x) - width, 0)


def iterate(update, start, times=120):
    x = np.array(start, dtype=float)
    for _ in range(times):
        x = 0.4 * x + 0.6 * np.array(update(*x))
    return x


def weights(m_hat, q_hat, V_hat, l1, l2, prior):
    """m, q, V for W = soft(B, l1)/(V_hat + l2): closed moments of B, a sum over the teacher's weights."""
    W, p = prior
    right, left = (m_hat * W - l1) / np.sqrt(q_hat), (-m_hat * W - l1) / np.sqrt(q_hat)
    phi = [np.exp(-u * u / 2) / np.sqrt(2 * np.pi) for u in (right, left)]
    first = right * ndtr(right) + phi[0] - left * ndtr(left) - phi[1]
    second = sum((1 + u * u) * ndtr(u) + u * f for u, f in zip((right, left), phi, strict=True))
    scale = 1 / (V_hat + l2)
    m, q = scale * np.sqrt(q_hat) * (p * W * first).sum(), scale**2 * q_hat * (p * second).sum()
    return m, q, scale * (p * (ndtr(right) + ndtr(left))).sum()


GAUSS = (T[::8], 8 * DT[::8])
SPARSE = (np.append(T[::8] / np.sqrt(0.3), 0.0), np.append(0.3 * 8 * DT[::8], 0.7))


def label_hats(slope, P, alpha, m, q, V):
    """m_hat, q_hat, V_hat of labels with P(+1|z, noise integrated) given the field, both labels alike."""
    a = np.sqrt(q) * T
    rest = max(1 - m * m / q, 1e-12)
    g = (move(slope, a, V) - a) / V
    Z, turn = P(m / q * a, rest)
    force = 2 * alpha * (DT * Z * g * T).sum() / np.sqrt(q)
    m_hat, q_hat = 2 * alpha * (DT * turn * g).sum(), 2 * alpha * (DT * Z * g * g).sum()
    # -<dg/da> = -<g a>/q + <g dZ/da>: only Z depends on a otherwise.
    return m_hat, q_hat, -force + m / q * m_hat


def probit(sigma):
    def P(m0, v):
        s = np.sqrt(v + sigma**2)
        return ndtr(m0 / s), np.exp(-((m0 / s) ** 2) / 2) / np.sqrt(2 * np.pi) / s

    return P


def logistic_slope(h):
    return -expit(-h)


def exponential_slope(h):
    return -np.exp(np.minimum(-h, 300))


@pytest.mark.parametrize(
    ("loss", "slope", "l1", "l2", "prior", "name", "sigma", "alpha"),
    [
        ("logistic", logistic_slope, 0.2, 0.0, GAUSS, "gauss", 0.7, 1.5),
        ("exponential", exponential_slope, 0.15, 0.3, SPARSE, "sparse(0.3)", 0.4, 2.5),
        ("logistic", logistic_slope, 0.05, 0.1, SPARSE, "sparse(0.3)", 0.2, 0.8),
    ],
)
def test_probit_teachers_with_l1(loss, slope, l1, l2, prior, name, sigma, alpha):
    def update(m, q, V):
        return weights(*label_hats(slope, probit(sigma), alpha, m, q, V), l1, l2, prior)

    want = iterate(update, (0.3, 0.6, 1.0))
    c = theory.solve(alpha, loss, {"l1": l1, "l2": l2}, f"probit({sigma})", prior=name)
    np.testing.assert_allclose([c.m, c.q, c.V], want, rtol=2e-8)


@pytest.mark.parametrize(
    ("loss", "force", "prior", "name"),
    [
        ("huber(0.7)", lambda r, V: np.clip(r / (1 + V), -0.7, 0.7), GAUSS, "gauss"),
        ("log(cosh(u))", lambda r, V: np.tanh(move(np.tanh, r, V)), SPARSE, "sparse(0.3)"),
    ],
)
def test_robust_regression_with_an_elastic_net(loss, force, prior, name):
    alpha, noise, l1, l2 = 1.3, 0.4, 0.2, 0.1

    def update(m, q, V):
        r = np.sqrt(1 - 2 * m + q + noise) * T
        psi = force(r, V)
        stiffness = alpha * (DT * psi * T).sum() / np.sqrt(1 - 2 * m + q + noise)
        return weights(stiffness, alpha * (DT * psi**2).sum(), stiffness, l1, l2, prior)

    want = iterate(update, (0.3, 0.6, 1.0))
    c = theory.solve(alpha, loss, {"l1": l1, "l2": l2}, "linear", noise, prior=name)
    np.testing.assert_allclose([c.m, c.q, c.V], want, rtol=1e-5 if loss.startswith("huber") else 1e-8)


def test_quantile_regression_with_an_intercept():
    """The solution obeys the equations, with plain sums over the residual before learning."""
    alpha, noise, l2, level = 2.0, 0.5, 0.3, 0.8
    c = theory.solve(alpha, f"quantile({level})", l2, "linear", noise, intercept=True)
    m, q, V, b = float(c.m), float(c.q), float(c.V), float(c.b)
    width = np.sqrt(1 - 2 * m + q + noise)
    r = np.linspace(-9 * width, 9 * width, 400_001) - b
    p = np.exp(-((r + b) ** 2) / (2 * width**2)) / np.sqrt(2 * np.pi) / width * (r[1] - r[0])
    psi = np.clip(r / V, level - 1, level)
    stiffness = (p * psi * (r + b)).sum() / width**2
    A = 1 / (l2 + alpha * stiffness)
    found = [alpha * stiffness * A, A, m**2 + alpha * (p * psi**2).sum() * A**2]
    np.testing.assert_allclose(found, [m, V, q], rtol=1e-8)
    assert abs((p * psi).sum()) < 1e-9


def test_unbalanced_clouds_with_an_intercept():
    """Equations of m, q, V and b with the exponential loss, its force by Newton's method."""
    alpha, l2, mu2, share = 1.7, 0.4, 1.5, 0.15
    clouds = theory.TwoGaussians(mu2, share)
    c = theory.solve(alpha, "exponential", l2, inputs=clouds, intercept=True)
    m, q, V, b = float(c.m), float(c.q), float(c.V), float(c.b)
    hats = np.zeros(4)
    for y, p in ((1, share), (-1, 1 - share)):
        e = m + y * b + np.sqrt(q) * T
        g = np.exp(-move(exponential_slope, e, V))
        hats += p * np.array(
            [(DT * g).sum(), (DT * g * g).sum(), (DT * g / (1 + V * g)).sum(), y * (DT * g).sum()]
        )
    A = 1 / (l2 + alpha * hats[2])
    np.testing.assert_allclose(
        [alpha * hats[0] * A * mu2, A, (alpha * hats[0] * A) ** 2 * mu2 + alpha * hats[1] * A * A],
        [m, V, q],
        rtol=1e-9,
    )
    assert abs(hats[3]) < 1e-10


def test_a_covariance_of_two_blocks_with_a_missing_part():
    e, alpha, l2 = np.repeat([0.3, 1.7], 50), 2.2, 0.15
    w = np.repeat([2.0, 1.0], 50)
    w *= np.sqrt(0.75 / (e * w * w).sum())
    c = theory.solve(alpha, "logistic", l2, "probit(0.3)", inputs=theory.Covariance(e, w, missing=0.25))

    def update(m, q, V):
        m_hat, q_hat, V_hat = label_hats(logistic_slope, probit(0.3), alpha, m, q, V)
        A = 1 / (l2 + V_hat * e)
        v = m_hat * e * w * A
        return e @ (w * v), e @ v**2 + q_hat * np.mean((e * A) ** 2), np.mean(e * A)

    np.testing.assert_allclose([c.m, c.q, c.V], iterate(update, (0.3, 0.6, 1.0)), rtol=1e-8)


def test_random_features_by_drawn_eigenvalues():
    """The law of Marchenko and Pastur against the eigenvalues of a large drawn matrix."""
    D, ratio = 1500, 0.8
    F = np.random.default_rng(2).normal(size=(int(ratio * D), D))
    g = np.linalg.eigvalsh(F @ F.T / D)
    k1, k2 = (DT * T * np.tanh(T)).sum(), (DT * np.tanh(T) ** 2).sum()
    e = k1**2 * g + k2 - k1**2
    total = (k1**2 * g / D / e).sum()
    drawn = theory.Covariance(e, np.sqrt(g) / e, missing=1 - total)
    want = theory.solve(2.0, "squared_hinge", 0.1, noise=0.1, inputs=drawn)
    c = theory.solve(2.0, "squared_hinge", 0.1, noise=0.1, inputs=theory.RandomFeatures("tanh", ratio))
    for name in ("epsilon_g", "loss", "q"):
        assert getattr(c, name) == pytest.approx(float(getattr(want, name)), rel=3e-3)


def test_both_bayesian_branches_of_a_binary_prior():
    alpha, noise = 1.35, 0.02

    def update(q):
        v = np.sqrt(1 - q)
        u = np.sqrt(q) * T / v
        Z = noise + (1 - 2 * noise) * ndtr(u)
        turn = (1 - 2 * noise) * np.exp(-u * u / 2) / np.sqrt(2 * np.pi) / v
        hat = alpha * (DT * turn**2 * (1 / Z + 1 / (1 - Z))).sum()
        return [(DT * np.tanh(hat + np.sqrt(hat) * T)).sum()]

    found = theory.bayes(alpha, prior="binary", noise=noise)
    assert found.amp.q == pytest.approx(iterate(update, [1e-4], 3000)[0], rel=1e-8)
    assert found.informed.q == pytest.approx(iterate(update, [0.9995], 3000)[0], rel=1e-8)


def test_an_online_rule_with_drift_and_decay():
    """dR and dQ with averages over both fields on a grid."""
    drift, decay, beta = 0.1, 0.2, 1.5
    z, t = T[::4, None], T[None, ::4]
    weight = 16 * DT[::4, None] * DT[None, ::4]

    def rates(alpha, state):
        rho, Q = state
        rest = np.sqrt(max(Q - rho * rho, 1e-300))
        h = rho * z + rest * t
        p = expit(beta * z)
        plus, minus = p * expit(-h), (1 - p) * expit(h)
        along, work = (weight * (plus - minus) * z).sum(), (weight * (plus - minus) * h).sum()
        square = (weight * (p * expit(-h) ** 2 + (1 - p) * expit(h) ** 2)).sum()
        return [along - (drift + decay) * rho, 2 * work + square - 2 * decay * Q]

    done = solve_ivp(rates, (0, 6), [0.0, 1e-12], "LSODA", t_eval=[1, 3, 6], rtol=1e-10, atol=1e-13).y
    c = theory.online([1.0, 3.0, 6.0], "expit(-E)", theory.Logistic(beta), drift=drift, decay=decay)
    np.testing.assert_allclose(c.Q, done[1], rtol=1e-7)
    np.testing.assert_allclose(c.R, done[0] / np.sqrt(done[1]), rtol=1e-7)
