"""One step of replica symmetry breaking for the tree committee of three units.

    alpha = min_{x, q0} (1/2) [ln(1 + x(1-q0)) + x q0/(1 + x(1-q0))] / (-E_t0 ln Z(t0))
    Z(t0) = E_t1 exp(-x cost/2),   fields t_k = sqrt(q0) t0_k + sqrt(1-q0) t1_k.

The cost is zero with at most one negative field, the smaller square with two, the sum of the two smaller
squares with three. Sorting the fields leaves single integrals for Z; t0 is summed by the trapezoidal rule.
"""

from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import ndtr

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(12)
_EDGES = np.array([0, 0.5, 1, 1.5, 2.5, 4, 8])
DEPTH = (0.5 * np.diff(_EDGES)[:, None] * (_POINTS + 1) + _EDGES[:-1, None]).ravel()
D_DEPTH = (0.5 * np.diff(_EDGES)[:, None] * _WEIGHTS).ravel()


@cache
def _outer_grid(step: float) -> tuple[Any, tuple[Any, Any, Any], Any]:
    """Grid for one t0, the index triples i <= j <= k and their weights."""
    grid = np.arange(-round(6.6 / step), round(6.6 / step) + 1) * step
    weight = np.exp(-0.5 * grid**2) / np.sum(np.exp(-0.5 * grid**2))
    i, j, k = np.indices((grid.size,) * 3).reshape(3, -1)
    copies = np.where((i == j) & (j == k), 1, np.where((i == j) | (j == k), 3, 6))
    weights = copies * weight[i] * weight[j] * weight[k]
    kept = (i <= j) & (j <= k) & (weights > 1e-13)
    return grid, (i[kept], j[kept], k[kept]), weights[kept]


def capacity_at(x: float, q0: float, step: float = 0.3) -> float:
    """The expression to be minimised; relative accuracy 1e-8 near the minimum."""
    grid, triples, weights = _outer_grid(step)
    s, mean = np.sqrt(1 - q0), np.sqrt(q0) * grid[:, None]
    # A negative field of depth a: its density, the probability of a deeper one, and the mean of
    # exp(-x cost/2) over depths up to a.
    density = np.exp(-0.5 * ((DEPTH + mean) / s) ** 2) / (s * np.sqrt(2 * np.pi))
    deeper = ndtr(-(DEPTH + mean) / s)
    width = 1 / np.sqrt(x + 1 / s**2)
    centre = -mean * (width / s) ** 2
    factor = np.exp(0.5 * (centre / width) ** 2 - 0.5 * (mean / s) ** 2) * width / s
    paid = factor * (ndtr((DEPTH - centre) / width) - ndtr(-centre / width))
    right, wrong = ndtr(mean[:, 0] / s), ndtr(-mean[:, 0] / s)
    pair = (density * np.exp(-0.5 * x * DEPTH**2) * D_DEPTH) @ deeper.T
    pair = pair + pair.T
    i, j, k = triples
    Z = right[i] * right[j] * right[k]
    for a, b, c in ((i, j, k), (j, k, i), (k, i, j)):
        Z += wrong[a] * right[b] * right[c] + right[a] * pair[b, c]
        Z += (density[a] * paid[b] * paid[c]) @ D_DEPTH
    free = 1 + x * (1 - q0)
    return float(0.5 * (np.log(free) + x * q0 / free) / -(weights @ np.log(Z)))


@cache
def capacity_of_three() -> float:
    """3.145842, at x = 21.23 and q0 = 0.6396."""
    start = np.array([np.log(21.0), 0.64])
    options = {"xatol": 1e-5, "fatol": 1e-11}
    found = minimize(lambda z: capacity_at(np.exp(z[0]), z[1]), start, method="Nelder-Mead", options=options)
    return float(found.fun)
