"""The order parameters of soft margin and squared hinge, for many alpha at once.

An example with field t below the margin kappa is raised by min(rho (kappa - t)_+, b), with rho = 1 for the
soft margin and b infinite for the squared hinge. Unknown are u = kappa/sin(theta) and r, which is b/kappa or
rho; theta follows from (I). Newton's method from a known student finds nearly all; the rest, at large gamma,
is found by bracketed roots.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G
from markone.numerics.roots import find_roots, newton_roots, widen_bracket
from markone.perceptron.theory import adaline, max_stability
from markone.perceptron.theory.convex.gamma_curves import join_solutions, solve_separable
from markone.perceptron.theory.rule import COARSE, FINE, field_moments, label_correlation, probability_below

# Accuracy of a start.
ROUGH = 0.02


class HingeSolution(NamedTuple):
    """Order parameters, flat arrays: cot(theta), kappa = 1/|w|, r = b/kappa or rho, x of (I)-(III)."""

    cot: Array
    kappa: Array
    r: Array
    x: Array

    @property
    def b(self) -> Array:
        with np.errstate(invalid="ignore"):
            return np.where(self.r == 0, 0.0, self.r * self.kappa)


@dataclass(frozen=True)
class Hinge:
    """The equations of one of the two losses."""

    squared: bool

    def solution_at(
        self, u: Array, r: Array, alpha: Array, noise: Array, nodes: int = FINE
    ) -> tuple[HingeSolution, Array]:
        """The student with (I) fulfilled, and alpha int p Delta^2/sin^2, which is one by (II)."""
        rise = r * G(u) if self.squared else _clipped_rise(u, r)
        cot = alpha * label_correlation(noise) * rise
        kappa = u / np.hypot(1, cot)
        if self.squared:
            mass, second = field_moments(np.full_like(r, -np.inf), kappa, cot, noise)
            return HingeSolution(cot, kappa, r, 1 - alpha * r * mass), alpha * r**2 * second * (1 + cot**2)
        low = kappa * (1 - r)
        free, second = field_moments(low, kappa, cot, noise, nodes)
        second = second + (r * kappa) ** 2 * probability_below(low, cot, noise, nodes)
        return HingeSolution(cot, kappa, r, 1 - alpha * free), alpha * second * (1 + cot * cot)

    def equations(self, y: Array, alpha: Array, noise: Array, softness: Array) -> Array:
        """(II), and (III) as r/gamma = x or x (1 - r), for y = (ln u, ln r) and softness = 1/gamma."""
        u, r = np.exp(y)
        student, strength = self.solution_at(u, r, alpha, noise)
        third = r + (1 - student.x) * (1 - r) if self.squared else 1 - student.x
        return np.stack([np.log(strength), np.log(r * softness + third)])

    def _inner_equation(self, u: Array, r: Array, alpha: Array, noise: Array) -> Array:
        return np.log(self.solution_at(u, r, alpha, noise, COARSE)[1])

    def _solve_u(self, r: Array, alpha: Array, noise: Array, accuracy: dict[str, Any]) -> Array:
        """u from (I) and (II) at given r: there is one solution, negative at too large r if squared.

        Hebb (r -> 0): u = 1/(r sqrt(alpha)); optimal stability: u ~ 1/sqrt(alpha) or 1.
        """
        f, args = self._inner_equation, (r, alpha, noise)
        high = widen_bracket(f, 0.0, 1 + 1 / (np.minimum(r, 1) * np.sqrt(alpha)), args)
        low = -widen_bracket(lambda u, *a: -f(-u, *a), -high, 0.1, args) if self.squared else 0.0
        return find_roots(f, low, high, args, **accuracy).x

    def bracketed_solution(self, alpha: Array, noise: Array, softness: Array) -> Array:
        """(ln u, ln r) by a bracketed root inside a bracketed root: slow and safe, rough if not squared."""
        args = (alpha, noise, softness)
        accuracy: dict[str, Any] = {} if self.squared else {"rtol": ROUGH, "atol": 1e-9}

        def outer_equation(z: Array, alpha: Array, noise: Array, softness: Array) -> Array:
            r, rest = (expit(z), expit(-z)) if self.squared else (np.exp(z), 1.0)
            u = self._solve_u(r, alpha, noise, accuracy)
            return r * softness - self.solution_at(u, r, alpha, noise, COARSE)[0].x * rest

        if self.squared:
            low, high = np.array(-30.0), np.array(30.0)
        else:
            # Up to here w is so short, |w| <= r (sqrt(alpha) + alpha), that all are clipped and x = 1.
            low = np.log(np.minimum(0.05 / (np.sqrt(alpha) + alpha), 0.9 / np.maximum(softness, 1e-300)))
            high = widen_bracket(outer_equation, low, low + 2, args)
        z = find_roots(outer_equation, low, high, args, **accuracy).x
        r = expit(z) if self.squared else np.exp(z)
        with np.errstate(invalid="ignore"):
            return np.log([self._solve_u(r, alpha, noise, accuracy), r])

    def _newton_start(self, alpha: Array, noise: Array, softness: Array) -> Array:
        """(ln u, ln r) of ridge regression, or of optimal stability for large gamma and separable data."""
        ridge, gamma = np.maximum(softness, 0.3), 1 / np.maximum(softness, 1e-300)
        _, perp = adaline.weight_moments(alpha, noise, ridge)
        x = adaline.response_function(alpha, ridge)
        start = np.log([1 / np.sqrt(perp), 1 / (1 + 1 / x) if self.squared else np.minimum(x, gamma)])
        firm = (gamma > 30) & (alpha < max_stability.alpha_c(noise))
        if firm.any():
            cot, kappa, x = solve_separable(alpha[firm], noise[firm])
            r = -np.log1p(softness[firm] / x) if self.squared else np.log(gamma[firm] * x)
            start[:, firm] = [np.log(kappa * np.hypot(1, cot)), r]
        return start

    def _solve_soft(self, alpha: Array, noise: Array, gamma: Array) -> HingeSolution:
        args = (alpha, noise, 1 / gamma)
        y = newton_roots(self.equations, self._newton_start(*args), args).x
        lost = np.isnan(y[0])
        if lost.any():
            rest = tuple(a[lost] for a in args)
            y[:, lost] = self.bracketed_solution(*rest)
            if not self.squared:
                y[:, lost] = newton_roots(self.equations, y[:, lost], rest).x
        return self.solution_at(np.exp(y[0]), np.exp(y[1]), alpha, noise)[0]

    def _solve_hard(self, alpha: Array, noise: Array, gamma: Array) -> HingeSolution:
        cot, kappa, x = solve_separable(alpha, noise)
        return HingeSolution(cot, kappa, np.full_like(x, 1.0 if self.squared else np.inf), x)

    def solve(self, alpha: Array, noise: Array, gamma: Array) -> HingeSolution:
        """Order parameters for flat arrays; where gamma = infinity separates, b is infinite or rho = 1."""
        unlearned = (0.0, np.inf, 1.0 if self.squared else 0.0, 1.0)
        return HingeSolution(
            *join_solutions((alpha, noise, gamma), unlearned, self._solve_hard, self._solve_soft)
        )


def _clipped_rise(u: Array, r: Array) -> Array:
    """G(u) - G(u - r u); G(k) = k + G(-k) avoids the difference of large numbers."""
    v = u * (1 - r)
    return np.where(v > 0, u * r + G(-u) - G(-v), G(u) - G(v))


SOFT_MARGIN, SQUARED_HINGE = Hinge(squared=False), Hinge(squared=True)
