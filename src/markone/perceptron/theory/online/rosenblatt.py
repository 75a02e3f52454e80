"""On-line perceptron (3.15): f = 1 where the potential E <= c, else 0; w(0) = 0.

With L = 1 - 2 lambda, T = c/|w|, k = T/sin(theta) and the density p(T) = 2 phi(T) H_lambda(-T cot theta)
of the potential E/|w| of a fresh example

    <f s> - R <f t> = sqrt(2/pi) L sin^2(theta) Phi(k)
    <f t>           = -p(T) + sqrt(2/pi) L R Phi(k)
    <f^2>           = P(E < c) = Phi(T) - 2 L OwenT(T, cot theta).

Exact for N -> infinity, alpha >= 0, 0 <= noise < 1/2, c >= 0. Relative accuracy 1e-9 up to alpha = 1e6
(flow integrated with rtol 1e-12).
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, root
from scipy.special import ndtr, owens_t

from markone.numerics.arrays import (
    FLOW_END,
    Floats,
    check_at_least,
    check_noise_rate,
    examples_per_weight,
)
from markone.perceptron.theory.online.flow import (
    Trajectory,
    define_flow_curves,
    follow_rule,
    rates_from_averages,
)

A = float(np.sqrt(2 / np.pi))


def rosenblatt_averages(g: float, l: float, L: float, c: float) -> tuple[float, float, float]:
    """(<f s> - R <f t>)/sin^2(theta), <f t>, <f^2> at cot(theta) = g, |w| = l."""
    sine = 1 / np.sqrt(1 + g * g)
    R = g * sine
    if c == 0:
        # 1 - L R without cancellation for small angles and little noise.
        gap = sine * sine / (1 + R) + (1 - L) * R
        return A * L / 2, -A / 2 * gap, 0.5 * (1 - L) + L * np.arctan2(1.0, g) / np.pi
    T = c / l
    known = ndtr(T / sine)
    density = A * np.exp(-0.5 * T * T) * (0.5 * (1 - L) + L * ndtr(T * g))
    return A * L * known, A * L * R * known - density, ndtr(T) - 2 * L * owens_t(T, g)


def trajectory(alpha: ArrayLike, noise: float = 0.0, c: float = 0.0) -> Trajectory:
    """theta(alpha), |w|(alpha)."""
    a = examples_per_weight(alpha, FLOW_END)
    L = 1 - 2 * check_noise_rate(noise)
    check_at_least(0, "c", c)
    return follow_rule(
        lambda g, l: rates_from_averages(g, l, *rosenblatt_averages(g, l, L, c)), first_powers(L, c), a
    )


def first_powers(L: float, c: float) -> tuple[float, float, float, float]:
    """The start for `follow_rule`: with c = 0 half of the first examples are learned, with c > 0 all."""
    size = np.sqrt(0.5) if c == 0 else 1.0
    return A * L * size, 0.5, size, 0.5


overlap, norm, generalization_error = define_flow_curves(trajectory)


def stationary_state(noise: float, c: float = 0.0) -> tuple[float, float]:
    """(epsilon_g, |w|) for alpha -> infinity at fixed noise > 0; (0, infinity) without noise.

    c = 0: R = 1 - 2 lambda. c > 0: the root of both rates, followed from c = 0.
    """
    lam = check_noise_rate(noise)
    check_at_least(0, "c", c)
    if lam == 0:
        return 0.0, float("inf")
    L = 1 - 2 * lam
    theta = np.arccos(L)
    l = (lam + L * theta / np.pi) / (A * np.sin(theta) ** 2)
    state = np.array([np.log(1 / np.tan(theta)), np.log(l)])

    def residual(state: Floats, c: float) -> tuple[float, ...]:
        g, l = np.exp(state)
        turn, ft, ff = rosenblatt_averages(g, l, L, c)
        R = g / np.sqrt(1 + g * g)
        return turn * l - 0.5 * R * ff * (1 + g * g), ft * l + 0.5 * ff

    # |w| grows like c for large c: with steps of one half Newton's method converges.
    margin = 0.0
    while margin < c:
        margin = min(c, margin + max(0.5, 0.5 * margin))
        solution = root(residual, state, args=(margin,), tol=1e-13)
        state = solution.x
        if np.max(np.abs(residual(state, margin))) > 1e-9 * np.exp(2 * state[1]):
            raise ArithmeticError(f"No stationary state was found at noise = {noise}, c = {margin}.")
    g, l = np.exp(state)
    return float(np.arctan2(1.0, g) / np.pi), float(l)


def asymptotic_constant(c: float = 0.0) -> float:
    """C in epsilon_g ~ C alpha^(-1/3) without noise: (1/pi) (2/3)^(1/3) for c = 0.

    |w| theta -> X = G(k)/(2 Phi(k)) with k G(k) = 2 c Phi(k), G(k) = k Phi(k) + phi(k), and
    |w|^3 ~ (3/2) sqrt(2/pi) X^2 Phi(k) (1 + 2 c) alpha: the margin never becomes negligible.
    """
    X, growth = _asymptotic_scaling(c)
    return X / growth / np.pi


def asymptotic_norm_constant(c: float = 0.0) -> float:
    """D in |w| ~ D alpha^(1/3) without noise."""
    return _asymptotic_scaling(c)[1]


def _asymptotic_scaling(c: float) -> tuple[float, float]:
    check_at_least(0, "c", c)

    def excess(k: float) -> float:
        return float(k * (k * ndtr(k) + A / 2 * np.exp(-0.5 * k * k)) - 2 * c * ndtr(k))

    k = brentq(excess, 0, 1 + np.sqrt(2 * c), xtol=1e-15, rtol=1e-14) if c > 0 else 0.0
    X = 0.5 * (k + A / 2 * np.exp(-0.5 * k * k) / ndtr(k))
    growth = (1.5 * A * X * X * ndtr(k) * (1 + 2 * c)) ** (1 / 3)
    return float(X), float(growth)
