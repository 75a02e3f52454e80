"""LVQ+- (LVQ2.1 without window) on a stream from two Gaussian clusters, N -> infinity, in closed form.

Both prototypes move with each example, the one of its class towards it and the other away: f_S = S sigma
for either winner. The rates of `flow.py` are linear then. With t = eta alpha, m = p_+ - p_-, g = S m and
phi(g) = (1 - e^(-g t))/g, V = p_+ v_+ + p_- v_-, b = l^2 (p_+^2 + p_-^2), and with
a_S = l (p_+ R_S+ - p_- R_S-) at t = 0:

    R_{S tau} = R_{S tau}(0) e^(-g t) + S tau l p_tau phi(g)
    Q_SS      = Q_SS(0) e^(-2 g t) + 2 S a_S e^(-g t) phi(g) + b phi(g)^2 + eta V phi(2 g)
    Q_{+-}    = Q_{+-}(0) - a_+ phi(m) + a_- phi(-m) - b (2 sinh(m t/2)/m)^2 - eta V t

The prototype of the rarer class diverges exponentially, and the error tends to the prior of that class:
stop early, or use a window (Biehl, Ghosh, Hammer 2007). With equal priors and equal variances it tends to the
optimum.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import exprel

from markone.lvq.theory.clusters import Clusters
from markone.lvq.theory.flow import TABULA_RASA, Prototypes, Rule, checked_start, scaled_times
from markone.numerics.arrays import Floats, scalar_or_array

PLUS_MINUS: Rule = (((1, -1), (1, -1)), ((-1, 1), (-1, 1)))
# e^(2 |m| t) is finite up to here; the error then equals that of always predicting the larger class.
FAR = 300.0


def trajectory(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Prototypes:
    """Order parameters at each alpha. eta = 0: the limit of small rates, with alpha meaning eta alpha.

    NaN for alpha beyond 1e12, and where |p_+ - p_-| eta alpha is beyond 300.
    """
    c = clusters or Clusters()
    t, eta = scaled_times(alpha, eta)
    m = 2 * c.p_plus - 1
    t = np.where(abs(m) * t <= FAR, t, np.nan)
    return Prototypes(_closed_form_states(t, eta, c, checked_start(start)), c)


def generalization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Any:
    """Generalization error epsilon_g(alpha), NaN beyond alpha = 1e12."""
    c = clusters or Clusters()
    t, eta = scaled_times(alpha, eta)
    m = 2 * c.p_plus - 1
    near = np.minimum(t, FAR / abs(m)) if m else t
    return scalar_or_array(Prototypes(_closed_form_states(near, eta, c, checked_start(start)), c).epsilon_g)


def _closed_form_states(t: Floats, eta: float, c: Clusters, start: Floats) -> Floats:
    p, m = (c.p_plus, 1 - c.p_plus), 2 * c.p_plus - 1
    V, b = p[0] * c.v_plus + p[1] * c.v_minus, c.l**2 * (p[0] ** 2 + p[1] ** 2)
    R0, Q0 = start[:4].reshape(2, 2), start[[4, 6]]
    a = c.l * (p[0] * R0[:, 0] - p[1] * R0[:, 1])

    def reach(g: float) -> Any:
        """(1 - e^(-g t))/g, t for g = 0."""
        return t * exprel(-g * t)

    R, Q = [], []
    for S, sign in ((0, 1), (1, -1)):
        g = sign * m
        decay, way = np.exp(-g * t), reach(g)
        R += [R0[S, k] * decay + sign * tau * c.l * p[k] * way for k, tau in ((0, 1), (1, -1))]
        grown = 2 * sign * a[S] * decay * way + b * way**2 + eta * V * reach(2 * g)
        Q.append(Q0[S] * decay**2 + grown)
    half = t * exprel(m * t) * np.exp(-m * t / 2)  # 2 sinh(m t/2)/m
    across = start[5] - a[0] * reach(m) + a[1] * reach(-m) - b * half**2 - eta * V * t
    return np.stack(np.broadcast_arrays(*R, Q[0], across, Q[1]), axis=-1)
