"""Separability threshold of a logistic teacher.

Inputs xi_j ~ N(0, 1), labels with P(S = +1) = 1/(1 + exp(-strength B.xi)), |B| = 1. The field u = S B.xi of
an example has the density 2 phi(u)/(1 + exp(-strength u)). P = alpha N examples are separable for
N -> infinity if alpha < alpha_c = 1/min_t E[(z - t u)_+^2] with z standard normal (Candes and Sur 2020); the
maximum likelihood estimate of logistic regression exists beyond alpha_c only.
"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from markone.numerics.arrays import Array, apply_elementwise
from markone.numerics.gaussian import REACH, G, Phi, panel_quadrature, phi

NODES = 30
MOST = 1e8


@apply_elementwise
def alpha_c(strength: float) -> float:
    """Separability threshold: Cover's 2 at strength 0, growing with it without bound; 1e-10 relative.

    NaN beyond a strength of 1e8; infinite where it is infinite, the teacher without noise.
    """
    if strength < 0:
        raise ValueError(f"strength must be at least 0, not {strength:g}.")
    if strength in (0.0, np.inf):
        return 2.0 if strength == 0 else np.inf
    if not strength <= MOST:
        return float("nan")
    u, du = _quadrature_nodes(strength)
    right, wrong = (2 * phi(u) * expit(sign * strength * u) * du for sign in (1, -1))

    def slope(t: float) -> float:
        """-1/2 d/dt E[(z - t u)_+^2] = E[u (z - t u)_+], falling in t."""
        return float(u @ (right * G(-t * u) - wrong * G(t * u)))

    high = 1.0
    while slope(high) > 0:
        high *= 2
    t = brentq(slope, 0.0, high, xtol=1e-14 * high)
    return 1 / float(right @ _mean_square(t * u) + wrong @ _mean_square(-t * u))


def _quadrature_nodes(strength: float) -> tuple[Array, Array]:
    """Nodes u > 0 and weights, finer towards zero, where the label is uncertain."""
    near = min(1.0, 1 / strength)
    edges = np.concatenate([[0.0], np.geomspace(0.02 * near, REACH, 24 + int(3 * np.log2(1 / near)))])
    return panel_quadrature(edges, NODES)


def _mean_square(a: Array) -> Array:
    """E[(z - a)_+^2]."""
    return (1 + a * a) * Phi(-a) - a * phi(a)
