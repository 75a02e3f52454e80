"""Any smooth convex loss: min (N/2) w^2 + gamma sum_mu V(E^mu) as a student of a rule, N -> infinity.

Learning moves the field a = t/kappa, kappa = 1/|w|, of an example to E = argmin V(E) + (E - a)^2/(2 rho):
a = E - rho v(E) with v = -V', so Delta = kappa (E - a) = kappa rho v(E). With p(t) of rule.field_density:
  (I)   cos(theta) = alpha c int Dz Delta(z sin theta)
  (II)  sin(theta)^2 = alpha int dt p(t) Delta(t)^2
  (III) 1 - rho/gamma = alpha int dt p(t) (1 - dE/da)
Exact for convex losses (replica symmetry holds). The integrals run over E, in which everything is explicit.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from markone.numerics.arrays import Array
from markone.numerics.gaussian import REACH, Phi, panel_quadrature, phi
from markone.numerics.roots import newton_roots
from markone.perceptron.theory import adaline, max_stability
from markone.perceptron.theory.convex.gamma_curves import solve_separable
from markone.perceptron.theory.rule import label_correlation

# Nodes per panel: FINE is converged to 1e-11, COARSE is used for starting points.
FINE, COARSE = 20, 8
# Edges of panels in t, in units of REACH and of REACH sin(theta).
TURN = (1.0, 0.4, 0.12)


@dataclass(frozen=True)
class Loss:
    """v(E) = -V' (falling, v(0) > 0), V'' >= 0 from E and v, and edges between which both are smooth."""

    slope: Callable[[Array], Array]
    curvature: Callable[[Array, Array], Array]
    edges: tuple[float, ...]


class ConvexSolution(NamedTuple):
    """Order parameters, flat arrays: cot(theta), kappa = 1/|w|, rho."""

    cot: Array
    kappa: Array
    rho: Array


def _proximal_potential(loss: Loss, a: Array, rho: Array, precision: Array) -> Array:
    """Approximate E with E - rho v(E) = a, for the edges of panels only; bisection, since v decreases."""
    other = a + rho * loss.slope(a)
    low, high = np.minimum(a, other), np.maximum(a, other)
    # fmax, so that one failed problem (NaN) does not affect the edges of the others.
    ratio = np.fmax.reduce((high - low) / precision, axis=None, initial=1.0)
    for _ in range(int(np.log2(np.minimum(ratio, 1e15))) + 1):
        middle = 0.5 * (low + high)
        left = middle - rho * loss.slope(middle) < a
        low, high = np.where(left, middle, low), np.where(left, high, middle)
    return 0.5 * (low + high)


def _quadrature_nodes(loss: Loss, student: ConvexSolution, n: int) -> tuple[Array, Array]:
    """Nodes E and weights dE: edges where the density of t changes (a few sin around 0) and where v does."""
    sin = 1 / np.hypot(1, student.cot)
    one = np.ones_like(sin)
    steps = [-f * one for f in TURN] + [-f * sin for f in TURN] + [f * sin for f in TURN] + [one]
    t = REACH * np.stack(steps, axis=-1)
    kappa = student.kappa[:, None]
    edges = _proximal_potential(loss, t / kappa, student.rho[:, None], 0.02 * np.minimum(1, 1 / kappa))
    fixed = np.clip(np.array(loss.edges), edges[:, :1], edges[:, -1:])
    return panel_quadrature(np.sort(np.concatenate([edges, fixed], axis=-1), axis=-1), n)


def field_averages(loss: Loss, student: ConvexSolution, noise: Array, n: int = FINE) -> tuple[Array, ...]:
    """The integrals of (I), (II), (III)."""
    cot, kappa, rho = student.cot[:, None], student.kappa[:, None], student.rho[:, None]
    sin = 1 / np.hypot(1, cot)
    E, dE = _quadrature_nodes(loss, student, n)
    v = loss.slope(E)
    curvature = rho * loss.curvature(E, v)
    t = kappa * (E - rho * v)
    dt = kappa * (1 + curvature) * dE
    p = 2 * phi(t) * (noise[:, None] + (1 - 2 * noise[:, None]) * Phi(t * cot))
    delta = kappa * rho * v
    narrow = phi(t / sin) / sin
    dt *= delta
    first, second = np.einsum("ij,ij->i", narrow, dt), np.einsum("ij,ij,ij->i", p, delta, dt)
    return first, second, np.einsum("ij,ij,ij->i", p, curvature, dE) * student.kappa


def _saddle_equations(y: Array, alpha: Array, noise: Array, softness: Array, loss: Loss, n: int) -> Array:
    student = ConvexSolution(*np.exp(y))
    first, second, third = field_averages(loss, student, noise, n)
    cot2 = student.cot**2
    return np.stack(
        [
            np.log(alpha * label_correlation(noise) * first * np.sqrt(1 + 1 / cot2)),
            np.log(alpha * second * (1 + cot2)),
            np.log(student.rho * softness + alpha * third),
        ]
    )


def _quadratic_start(loss: Loss, alpha: Array, noise: Array, gamma: Array) -> Array:
    """(ln cot, ln kappa, ln rho) of the quadratic that touches the loss at E = 0: ridge regression."""
    slope = loss.slope(np.zeros(1))
    # A minimum curvature, for a loss that is linear at E = 0.
    curvature = np.maximum(loss.curvature(np.zeros(1), slope), 0.1 * slope)
    ridge = np.maximum(1 / (gamma * curvature), 0.1)
    mu, perp = adaline.weight_moments(alpha, noise, ridge)
    kappa = curvature / (slope * np.sqrt(mu * mu + perp))
    return np.log([mu / np.sqrt(perp), kappa, adaline.response_function(alpha, ridge) / curvature])


def _hard_start(loss: Loss, alpha: Array, noise: Array, gamma: Array) -> Array:
    """Start for large gamma and separable data: optimal stability, with its margin at some E."""
    cot, kappa, x = solve_separable(alpha, noise)
    k, rho = kappa * np.hypot(1, cot), gamma * x
    # A support vector is raised by sin/sqrt(alpha) on average, (II), and that is kappa rho v(E)/E.
    E = _proximal_potential(loss, np.zeros_like(rho), rho * k * np.sqrt(alpha), np.full_like(rho, 0.01))
    return np.log([cot, kappa / E, rho])


def _continue_in_gamma(loss: Loss, alpha: Array, noise: Array, gamma: Array) -> Array:
    """Continuation in gamma from 10, where the quadratic start is good: slow and safe."""
    f = partial(_saddle_equations, loss=loss, n=FINE)
    now = np.where(np.isinf(gamma), gamma, np.minimum(gamma, 10))
    y = newton_roots(f, _quadratic_start(loss, alpha, noise, now), (alpha, noise, 1 / now)).x
    while (now < gamma).any():
        on = now < gamma
        now = np.where(on, np.minimum(gamma, 3 * now), now)
        y[:, on] = newton_roots(f, y[:, on], (alpha[on], noise[on], 1 / now[on])).x
    return y


def solve_convex_loss(loss: Loss, alpha: Array, noise: Array, gamma: Array) -> ConvexSolution:
    """Order parameters for flat arrays, alpha > 0; NaN where the iteration does not converge.

    gamma = infinity (no weight decay) has a solution only where the data are not separable.
    """
    args = (alpha, noise, 1 / gamma)
    y = _quadratic_start(loss, alpha, noise, gamma)
    firm = (gamma > 10) & np.isfinite(gamma) & (alpha < max_stability.alpha_c(noise))
    if firm.any():
        y[:, firm] = _hard_start(loss, alpha[firm], noise[firm], gamma[firm])
    for n in (COARSE, FINE):
        found = newton_roots(partial(_saddle_equations, loss=loss, n=n), y, args).x
        y = np.where(np.isnan(found), y, found)
    lost = np.isnan(found[0])
    if lost.any():
        found[:, lost] = _continue_in_gamma(loss, alpha[lost], noise[lost], gamma[lost])
    return ConvexSolution(*np.exp(found))
