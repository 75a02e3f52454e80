"""Gaussian averages behind the learning curves of tree machines, as smooth functions of g.

Unit k answers + with probability p_k = Phi(u_k), u_k = g t_k, t_k Gaussian, g = sqrt(q/(1-q)); Z is the
probability of the output +. Wanted are

    gain    F(g) = K E[(dZ/dp_1)^2 phi(u_1)^2/(Z (1-Z))],
    entropy S(g) = E[-Z ln Z - (1-Z) ln(1-Z)].

p saturates for u > CUT, so that region is one point with its probability as weight: a few dozen points per
unit then suffice for every g. Relative accuracy 1e-10.
"""

from functools import cache

import numpy as np
from numpy.polynomial.chebyshev import Chebyshev, chebpts1
from scipy.special import erf, ndtr, xlogy

from markone.numerics.arrays import Floats

CUT = 8.0  # H(8) = 6e-16
FAR = 8.5
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(44)
DEGREE = 47


def half_line_nodes(g: float) -> tuple[Floats, Floats]:
    """u > 0 and its weights, which sum to 1; the last point is the saturated end, if there is one."""
    reach = min(FAR, CUT / g)
    t = 0.5 * reach * (_POINTS + 1)
    weights = reach * _WEIGHTS * np.exp(-0.5 * t * t) / np.sqrt(2 * np.pi)
    return np.append(g * t, np.inf), np.append(weights, 2 * ndtr(-reach) if reach < FAR else 0.0)


def committee_gain(g: float) -> float:
    """F of three units and their majority.

    F is invariant if all signs are flipped (u_1 > 0 is enough) and if units 2 and 3 are exchanged.
    """
    u1, w1 = half_line_nodes(g)
    u, w = np.concatenate([-u1, u1]), np.concatenate([w1, w1]) / 2
    j, k = np.triu_indices(u.size)
    pairs = w[j] * w[k] * np.where(j == k, 1, 2)
    p2, h2, p3, h3 = ndtr(u[j]), ndtr(-u[j]), ndtr(u[k]), ndtr(-u[k])
    p1, h1 = ndtr(u1)[:, None], ndtr(-u1)[:, None]
    differ = p2 * h3 + h2 * p3  # dZ/dp_1; without cancellation, as are Z and 1 - Z
    Z = p1 * (p2 * p3 + differ) + h1 * (p2 * p3)
    no = h1 * (h2 * h3 + differ) + p1 * (h2 * h3)
    return 3 * float(w1 * np.exp(-u1 * u1) / (2 * np.pi) @ _safe_ratio(differ**2, Z * no) @ pairs)


def _parity_grid(g: float, K: int) -> tuple[Floats, Floats, Floats, Floats, Floats]:
    """u_1, Z, 1 - Z, dZ/dp_1 and the weights of the other units, on the grid of all u_k > 0.

    Flipping a sign exchanges Z and 1 - Z at most, so that half of each line is enough.
    """
    u, w = half_line_nodes(g)
    p, h, e = ndtr(u), ndtr(-u), erf(u / np.sqrt(2))
    Z, no, slope, weights = p[:, None], h[:, None], np.ones(1), np.ones(1)
    for _ in range(K - 1):
        Z, no = Z[..., None] * p + no[..., None] * h, Z[..., None] * h + no[..., None] * p
        Z, no = Z.reshape(u.size, -1), no.reshape(u.size, -1)
        slope, weights = np.outer(slope, e).ravel(), np.outer(weights, w).ravel()
    return u, Z, no, slope, weights


def parity_gain(g: float, K: int) -> float:
    """F of the product of K units."""
    u, Z, no, slope, weights = _parity_grid(g, K)
    return K * float(
        half_line_nodes(g)[1] * np.exp(-u * u) / (2 * np.pi) @ _safe_ratio(slope**2, Z * no) @ weights
    )


def parity_entropy(g: float, K: int) -> float:
    """S of the product of K units, in nats."""
    _, Z, no, _, weights = _parity_grid(g, K)
    return float(half_line_nodes(g)[1] @ (-xlogy(Z, Z) - xlogy(no, no)) @ weights)


def _safe_ratio(top: Floats, bottom: Floats) -> Floats:
    """top/bottom, 0 where both are below the smallest numbers: the Gaussian in front is smaller still."""
    return np.divide(top, bottom, out=np.zeros_like(bottom), where=bottom > 1e-280)


@cache
def gain_series(machine: str, K: int) -> Chebyshev:
    """F (1+g)^(2n+1)/g^(2n) as a Chebyshev series in v = g/(1+g), 0 < v < 1, for every g at once."""
    n = first_power(machine, K)
    v = 0.5 + 0.5 * chebpts1(DEGREE + 1)
    g = v / (1 - v)
    F = np.array([committee_gain(x) if machine == "committee" else parity_gain(x, K) for x in g])
    return Chebyshev.fit(v, F * (1 + g) ** (2 * n + 1) / g ** (2 * n), DEGREE, domain=[0, 1])


def first_power(machine: str, K: int) -> int:
    """F ~ g^(2n) for small g: a branch of a parity machine is uninformative while the others are unknown."""
    return K - 1 if machine == "parity" else 0
