"""Vector quantization (VQ) on a stream from two Gaussian clusters, N -> infinity: labels are not used.

The winner moves towards each example, f_S = 1 where S wins: competitive learning, stochastic descent of the
quantization error. The symmetric state of two equal prototypes is a fixed point; the flow leaves it after a
plateau whose length grows with the logarithm of the initial asymmetry. At large rates it is stable, and the
clusters are not found (Biehl, Ghosh, Hammer 2007).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from markone.lvq.theory import flow
from markone.lvq.theory.clusters import Clusters
from markone.lvq.theory.flow import Prototypes, Rule
from markone.numerics.arrays import scalar_or_array

QUANTIZATION: Rule = (((1, 0), (0, 1)), ((1, 0), (0, 1)))
# Two small vectors, each at an angle of cos 0.1 to the centre of its class, as random ones are at N = 100.
SLIGHTLY_ASYMMETRIC = (1e-3, 0.0, 0.0, 1e-3, 1e-4, 0.0, 1e-4)


def trajectory(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = SLIGHTLY_ASYMMETRIC
) -> Prototypes:
    """Order parameters at each alpha. eta = 0: the limit of small rates, with alpha meaning eta alpha.

    NaN for alpha beyond 1e12.
    """
    return flow.trajectory(QUANTIZATION, alpha, eta, clusters, start)


def generalization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = SLIGHTLY_ASYMMETRIC
) -> Any:
    """Generalization error epsilon_g(alpha) if each prototype has the class it was closer to initially."""
    return trajectory(alpha, eta, clusters, start).epsilon_g


def quantization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = SLIGHTLY_ASYMMETRIC
) -> Any:
    """<min_S |xi - w_S|^2 - |xi|^2>/2 at each alpha: the cost of VQ without its constant part.

    = sum_k p_k sum_S <[S wins] (Q_SS/2 - h_S)>_k; 0 for prototypes at the origin.
    """
    found = trajectory(alpha, eta, clusters, start)
    c, state = found.clusters, np.moveaxis(found.state, -1, 0)
    R, Q = state[:4].reshape(2, 2, *state.shape[1:]), [[state[4], state[5]], [state[5], state[6]]]
    D = Q[0][0] - 2 * Q[0][1] + Q[1][1]
    total = 0.0
    for k, (prior, v) in enumerate(((c.p_plus, c.v_plus), (1 - c.p_plus, c.v_minus))):
        for S in (0, 1):
            other = 1 - S
            z = (c.l * (R[S, k] - R[other, k]) - (Q[S][S] - Q[other][other]) / 2) / np.sqrt(v * D)
            edge = np.exp(-0.5 * z * z) / np.sqrt(2 * np.pi) * np.sqrt(v / D)
            h = c.l * R[S, k] * ndtr(z) + edge * (Q[S][S] - Q[S][other])
            total = total + prior * (0.5 * Q[S][S] * ndtr(z) - h)
    return scalar_or_array(np.asarray(total))
