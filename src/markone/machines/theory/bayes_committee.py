"""Bayes error E[min(Z, 1-Z)] of the tree committee of three units.

With e_k = erf(u_k/sqrt 2) the mean output is s = (e_1 a + b)/2, a = 1 - e_2 e_3, b = e_2 + e_3, and
E[min(Z, 1-Z)] = E[1 - |s|]/2. The kink s = 0 is integrated out exactly over unit 1:

    E_1 |a e_1 + b| = 4 a OwenT(t*, g) + b (1 - 2 Phi(t*)) where |b| < a (e_1 = -b/a at t_1 = t*), else |b|.

Over unit 3 the integral is cut where b = a; what is left has weak endpoint singularities, made harmless by
the tanh-sinh rule. By symmetry u_2 > 0. Beyond u = CUT a unit is saturated: one point. Accuracy 1e-10.
"""

from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import Chebyshev, chebpts1
from scipy.special import erf, ndtr, ndtri, owens_t

from markone.machines.theory.averages import CUT, DEGREE, FAR
from markone.numerics.arrays import Floats

# The tanh-sinh rule on (0, 1).
_X = np.arange(-38, 39) / 12
NEAR = 1 / (1 + np.exp(np.pi * np.sinh(_X)))
STEP = np.pi * np.cosh(_X) * NEAR * NEAR[::-1] / 12


def _conditional_error(u2: Floats, u3: Floats, g: float, sure: bool) -> Floats:
    """E_1[1 - |s|]/2; `sure` where b > a, so that the sign of s is settled."""
    p2, h2, p3, h3 = ndtr(u2), ndtr(-u2), ndtr(u3), ndtr(-u3)
    b = erf(u2 / np.sqrt(2)) + erf(u3 / np.sqrt(2))
    if sure:
        return 0.5 * (h2 + h3)  # (1 - b/2)/2
    a = 2 * (p2 * h3 + h2 * p3)
    # a - b and a + b without cancellation at the far ends, where t* is large.
    small = np.where(b > 0, 1 - 2 * p2 * p3, 1 - 2 * h2 * h3) / a
    # Rounding may leave the strip |b| < a by 1e-16.
    t = np.sign(b) * ndtri(np.clip(small, 1e-300, 0.5)) / g
    return 0.5 - a * owens_t(t, g) - 0.25 * b * (1 - 2 * ndtr(t))


def bayes_error(g: float) -> float:
    """E[min(Z, 1-Z)] at g = sqrt(q/(1-q))."""
    reach = min(FAR, CUT / g)
    end = ndtr(-reach) if reach < FAR else 0.0
    t2 = np.append(reach * NEAR, np.inf)
    w2 = np.append(reach * STEP * _normal_density(reach * NEAR), end)
    u2 = g * t2
    # b = a where (1 + e_2)(1 + e_3) = 2, that is p_2 p_3 = 1/2.
    border = np.clip(ndtri(np.minimum(0.5 / ndtr(u2), 1 - 1e-16)) / g, 0.0, reach)
    total = np.zeros_like(t2)
    for low, high, sure in ((-reach, 0.0, False), (0.0, border, False), (border, reach, True)):
        width = (high - low) * np.ones_like(border)
        t3 = low * np.ones_like(border) + np.outer(NEAR, width)
        total += (_normal_density(t3) * _conditional_error(u2, g * t3, g, sure)).T @ STEP * width
    settled = _conditional_error(u2, np.full_like(u2, np.inf), g, True)
    total += end * (settled + _conditional_error(u2, np.full_like(u2, -np.inf), g, False))
    return 2 * float(w2 @ total)


def _normal_density(t: Floats) -> Floats:
    return np.exp(-0.5 * t * t) / np.sqrt(2 * np.pi)


@cache
def bayes_series() -> Chebyshev:
    """(1+g) E[min(Z, 1-Z)] as a Chebyshev series in v = g/(1+g)."""
    v = 0.5 + 0.5 * chebpts1(DEGREE + 1)
    g = v / (1 - v)
    return Chebyshev.fit(v, (1 + g) * np.array([bayes_error(x) for x in g]), DEGREE, domain=[0, 1])
