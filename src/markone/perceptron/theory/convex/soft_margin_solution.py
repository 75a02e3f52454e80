"""The order parameters of the soft margin: equations (I)-(III) of soft_margin, solved for many alpha at once.

Unknown are u = kappa/sin(theta) and r = b/kappa; theta follows from (I). Newton's method from a known
student finds nearly all; the rest, at large gamma, starts from bracketed roots.
"""

from dataclasses import dataclass

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G
from markone.numerics.roots import find_roots, newton_roots, widen_bracket
from markone.perceptron.theory import adaline, max_stability
from markone.perceptron.theory.rule import (
    COARSE,
    FINE,
    NOTHING,
    field_moments,
    fill_unlearned,
    label_correlation,
    probability_below,
)

# Accuracy of a start.
ROUGH = 0.02


@dataclass(frozen=True)
class SoftMarginSolution:
    """Order parameters, flat arrays: cot(theta), kappa = 1/|w|, b, x of (I)-(III)."""

    cot: Array
    kappa: Array
    b: Array
    x: Array


def _cot_theta(u: Array, r: Array, alpha: Array, noise: Array) -> Array:
    """(I). G(k) = k + G(-k) avoids the difference of large numbers."""
    v = u * (1 - r)
    rise = np.where(v > 0, u * r + G(-u) - G(-v), G(u) - G(v))
    return alpha * label_correlation(noise) * rise


def _solution_at(
    u: Array, r: Array, alpha: Array, noise: Array, nodes: int = FINE
) -> tuple[SoftMarginSolution, Array]:
    """The student with (I) fulfilled, and alpha int p Delta^2/sin^2, which is one by (II)."""
    cot = _cot_theta(u, r, alpha, noise)
    kappa = u / np.hypot(1, cot)
    free, second = field_moments(kappa * (1 - r), kappa, cot, noise, nodes)
    clipped = probability_below(kappa * (1 - r), cot, noise, nodes)
    strength = alpha * (second + (r * kappa) ** 2 * clipped) * (1 + cot * cot)
    return SoftMarginSolution(cot, kappa, r * kappa, 1 - alpha * free), strength


def soft_margin_equations(y: Array, alpha: Array, noise: Array, softness: Array) -> Array:
    """(II), and (III) as r/gamma = x, for y = (ln u, ln r) and softness = 1/gamma."""
    u, r = np.exp(y)
    student, strength = _solution_at(u, r, alpha, noise)
    return np.stack([np.log(strength), np.log(r * softness + 1 - student.x)])


def _inner_equation(log_u: Array, r: Array, alpha: Array, noise: Array) -> Array:
    return np.log(_solution_at(np.exp(log_u), r, alpha, noise, COARSE)[1])


def _solve_u(r: Array, alpha: Array, noise: Array) -> Array:
    """ln u, roughly, from (I) and (II) at given r = b/kappa: there is one solution for every r."""
    args = (r, alpha, noise)
    # Hebb (r -> 0): u = 1/(r sqrt(alpha)); optimal stability (r -> infinity): u ~ 1/sqrt(alpha) or 1.
    guess = np.log1p(1 / (np.minimum(r, 1) * np.sqrt(alpha)))
    high = widen_bracket(_inner_equation, guess - 1, guess + 1, args)
    low = -widen_bracket(lambda y, *a: -_inner_equation(-y, *a), -high, 1 - guess, args)
    return find_roots(_inner_equation, low, high, args, rtol=ROUGH, atol=ROUGH).x


def _outer_equation(log_r: Array, alpha: Array, noise: Array, softness: Array) -> Array:
    r = np.exp(log_r)
    student, _ = _solution_at(np.exp(_solve_u(r, alpha, noise)), r, alpha, noise, COARSE)
    return np.log(r * softness + 1 - student.x)


def bracketed_start(alpha: Array, noise: Array, softness: Array) -> Array:
    """(ln u, ln r), roughly, by a bracketed root inside a bracketed root: slow and safe."""
    args = (alpha, noise, softness)
    # Up to here w is so short, |w| <= r (sqrt(alpha) + alpha), that every example is clipped and x = 1.
    low = np.log(np.minimum(0.05 / (np.sqrt(alpha) + alpha), 0.9 / np.maximum(softness, 1e-300)))
    high = widen_bracket(_outer_equation, low, low + 2, args)
    log_r = find_roots(_outer_equation, low, high, args, rtol=ROUGH, atol=ROUGH).x
    return np.stack([_solve_u(np.exp(log_r), alpha, noise), log_r])


def _newton_start(alpha: Array, noise: Array, softness: Array) -> Array:
    """(ln u, ln r) of ridge regression, or of optimal stability for large gamma and separable data."""
    ridge = np.maximum(softness, 0.3)
    gamma = 1 / np.maximum(softness, 1e-300)
    _, perp = adaline.weight_moments(alpha, noise, ridge)
    start = np.log([1 / np.sqrt(perp), np.minimum(adaline.response_function(alpha, ridge), gamma)])
    firm = (gamma > 30) & (alpha < max_stability.alpha_c(noise))
    if firm.any():
        hard = _solve_hard(alpha[firm], noise[firm])
        start[:, firm] = np.log([hard.kappa * np.hypot(1, hard.cot), gamma[firm] * hard.x])
    return start


def _solve_soft(alpha: Array, noise: Array, softness: Array) -> SoftMarginSolution:
    args = (alpha, noise, softness)
    y = newton_roots(soft_margin_equations, _newton_start(*args), args).x
    lost = np.isnan(y[0])
    if lost.any():
        rest = tuple(a[lost] for a in args)
        y[:, lost] = newton_roots(soft_margin_equations, bracketed_start(*rest), rest).x
    return _solution_at(np.exp(y[0]), np.exp(y[1]), alpha, noise)[0]


def _solve_hard(alpha: Array, noise: Array) -> SoftMarginSolution:
    k, cot = max_stability.solve_max_stability(alpha, noise)
    kappa = k / np.hypot(1, cot)
    return SoftMarginSolution(
        cot, kappa, np.full_like(k, np.inf), 1 - alpha * probability_below(kappa, cot, noise)
    )


def solve_soft_margin(alpha: Array, noise: Array, gamma: Array) -> SoftMarginSolution:
    """Order parameters for flat arrays; where gamma = infinity separates the data, b is infinite."""
    hard = np.isinf(gamma) & (alpha < max_stability.alpha_c(noise)) & (alpha > NOTHING)
    soft = ~hard & (alpha > NOTHING)
    # w = 0 at alpha = 0.
    student = SoftMarginSolution(*(fill_unlearned(alpha, start) for start in (0.0, np.inf, 0.0, 1.0)))
    parts = (
        (hard, _solve_hard(alpha[hard], noise[hard])),
        (soft, _solve_soft(alpha[soft], noise[soft], 1 / gamma[soft])),
    )
    for where, found in parts:
        for name in ("cot", "kappa", "b", "x"):
            getattr(student, name)[where] = getattr(found, name)
    return student
