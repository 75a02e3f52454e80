"""The order parameters of the squared hinge: equations (I)-(III) of squared_hinge for many alpha at once.

Unknown are u = kappa/sin(theta) and rho; theta follows from (I). Newton's method from a known
student finds nearly all; bracketed roots find the rest, near alpha_c at large gamma.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G
from markone.numerics.roots import find_roots, newton_roots, widen_bracket
from markone.perceptron.theory import adaline, max_stability
from markone.perceptron.theory.rule import (
    NOTHING,
    field_moments,
    fill_unlearned,
    label_correlation,
    probability_below,
)


@dataclass(frozen=True)
class SquaredHingeSolution:
    """Order parameters, flat arrays: cot(theta), kappa = 1/|w|, rho of (I)-(III)."""

    cot: Array
    kappa: Array
    rho: Array


def _solution_at(u: Array, rho: Array, alpha: Array, noise: Array) -> SquaredHingeSolution:
    """(I) at u = kappa/sin(theta)."""
    cot = alpha * label_correlation(noise) * rho * G(u)
    return SquaredHingeSolution(cot, u / np.hypot(1, cot), rho)


def _field_integrals(s: SquaredHingeSolution, alpha: Array, noise: Array) -> tuple[Array, Array]:
    """alpha rho^2 int p (kappa-t)^2/sin^2, which is one by (II), and alpha P(t < kappa) of (III)."""
    mass, second = field_moments(np.full_like(s.rho, -np.inf), s.kappa, s.cot, noise)
    return alpha * s.rho**2 * second * (1 + s.cot**2), alpha * mass


def _saddle_equations(y: Array, alpha: Array, noise: Array, softness: Array) -> Array:
    """(II), and (III) as rho/gamma = x (1 - rho), for y = (ln u, ln rho) and softness = 1/gamma."""
    s = _solution_at(np.exp(y[0]), np.exp(y[1]), alpha, noise)
    strength, count = _field_integrals(s, alpha, noise)
    return np.stack([np.log(strength), np.log(s.rho * (softness + 1 + count * (1 - s.rho)))])


def _inner_equation(u: Array, rho: Array, alpha: Array, noise: Array) -> Array:
    return np.log(_field_integrals(_solution_at(u, rho, alpha, noise), alpha, noise)[0])


def _solve_u(rho: Array, alpha: Array, noise: Array) -> Array:
    """u from (I) and (II) at given rho: there is one solution, negative if rho is too large."""
    args = (rho, alpha, noise)
    high = widen_bracket(_inner_equation, 0.0, 1 + 1 / (rho * np.sqrt(alpha)), args)
    low = -widen_bracket(lambda u, *a: -_inner_equation(-u, *a), -high, 0.1, args)
    return find_roots(_inner_equation, low, high, args).x


def _outer_equation(z: Array, alpha: Array, noise: Array, softness: Array) -> Array:
    """(III) at z = ln(rho/(1 - rho)): negative for rho -> 0, positive for rho -> 1."""
    rho = expit(z)
    s = _solution_at(_solve_u(rho, alpha, noise), rho, alpha, noise)
    return rho * softness - (1 - rho * _field_integrals(s, alpha, noise)[1]) * expit(-z)


def bracketed_solution(alpha: Array, noise: Array, softness: Array) -> Array:
    """(ln u, ln rho) by a bracketed root inside a bracketed root: slow and safe."""
    rho = expit(find_roots(_outer_equation, -30.0, 30.0, (alpha, noise, softness)).x)
    with np.errstate(invalid="ignore"):
        return np.log([_solve_u(rho, alpha, noise), rho])


def _newton_start(alpha: Array, noise: Array, softness: Array) -> Array:
    """(ln u, ln rho) of ridge regression, or of optimal stability for large gamma and separable data."""
    ridge = np.maximum(softness, 0.3)
    _, perp = adaline.weight_moments(alpha, noise, ridge)
    start = np.log([1 / np.sqrt(perp), 1 / (1 + 1 / adaline.response_function(alpha, ridge))])
    firm = (softness < 1 / 30) & (alpha < max_stability.alpha_c(noise))
    if firm.any():
        k, cot = max_stability.solve_max_stability(alpha[firm], noise[firm])
        x = 1 - alpha[firm] * probability_below(k / np.hypot(1, cot), cot, noise[firm])
        start[:, firm] = [np.log(k), -np.log1p(softness[firm] / x)]
    return start


def _solve_soft(alpha: Array, noise: Array, softness: Array) -> SquaredHingeSolution:
    args = (alpha, noise, softness)
    y = newton_roots(_saddle_equations, _newton_start(*args), args).x
    lost = np.isnan(y[0])
    if lost.any():
        y[:, lost] = bracketed_solution(*(a[lost] for a in args))
    return _solution_at(np.exp(y[0]), np.exp(y[1]), alpha, noise)


def solve_squared_hinge(alpha: Array, noise: Array, gamma: Array) -> SquaredHingeSolution:
    """Order parameters for flat arrays; rho = 1 where gamma = infinity separates the data."""
    hard = np.isinf(gamma) & (alpha < max_stability.alpha_c(noise)) & (alpha > NOTHING)
    soft = ~hard & (alpha > NOTHING)
    # w = 0 at alpha = 0.
    cot, kappa = fill_unlearned(alpha, 0.0), fill_unlearned(alpha, np.inf)
    rho = np.where(np.isinf(gamma), 1.0, 1 / (1 + 1 / gamma))
    k, cot[hard] = max_stability.solve_max_stability(alpha[hard], noise[hard])
    kappa[hard] = k / np.hypot(1, cot[hard])
    found = _solve_soft(alpha[soft], noise[soft], 1 / gamma[soft])
    cot[soft], kappa[soft], rho[soft] = found.cot, found.kappa, found.rho
    return SquaredHingeSolution(cot, kappa, rho)
