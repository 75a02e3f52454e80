"""Networks whose neurons are trained perceptrons: recall after one parallel step from overlap m0.

Given the distribution P(k) of the stabilities k = xi_i w_i.xi/|w_i| of the stored patterns

    m1 = int dk P(k) erf(m0 k/sqrt(2 (1 - m0^2))),

exact for N -> infinity when the start agrees with the pattern at random places (Kepler and Abbott 1988).
alpha = P/N, random patterns. All functions broadcast over m0 and alpha.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, ndtr, owens_t

from markone.numerics.arrays import Floats, check_between, examples_per_weight, scalar_or_array
from markone.perceptron.theory import capacity


def first_step(m0: ArrayLike, stability: ArrayLike) -> Any:
    """m1 where every stability is the same; +-1 for m0 = +-1 and a positive one."""
    m = check_between(-1, 1, "m0", m0)
    return scalar_or_array(_step_at_stability(m, np.asarray(stability, dtype=np.float64)))


def _step_at_stability(m: Floats, k: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        field = np.where((m == 0) | (k == 0), 0.0, m * k / np.sqrt(2 * (1 - m * m)))
    return erf(field)


def pseudo_inverse_capacity() -> float:
    """Linearly independent patterns: alpha = 1."""
    return 1.0


def pseudo_inverse_stability(alpha: ArrayLike) -> Any:
    """sqrt((1 - alpha)/alpha), the same for all bits (w_ii = 0); NaN above alpha = 1: no such couplings."""
    a = examples_per_weight(alpha)
    with np.errstate(divide="ignore", invalid="ignore"):
        return scalar_or_array(np.where(a <= 1, np.sqrt((1 - a) / a), np.nan))


def pseudo_inverse_first_step(m0: ArrayLike, alpha: ArrayLike) -> Any:
    """m1 with pseudo-inverse couplings (projection rule), w_ii = 0; NaN above alpha = 1."""
    return first_step(m0, pseudo_inverse_stability(alpha))


def optimal_capacity() -> float:
    """Random patterns can be stored by some couplings up to alpha = 2 (Cover 1965, Gardner 1988)."""
    return 2.0


def optimal_stability(alpha: ArrayLike) -> Any:
    """The largest kappa for random patterns: 1/alpha = (1 + kappa^2) Phi(kappa) + kappa phi(kappa).

    NaN above alpha = 2, where no couplings store all patterns; infinite at 0. Relative accuracy 1e-13.
    """
    return capacity.stability(alpha)


def optimal_first_step(m0: ArrayLike, alpha: ArrayLike) -> Any:
    """m1 with couplings of optimal stability: kappa with weight Phi(kappa), a Gaussian tail above it.

    m1 = Phi(kappa) erf(m0 kappa/sqrt(2 (1 - m0^2))) + 2 OwenT(kappa, m0/sqrt(1 - m0^2)); NaN above alpha = 2.
    """
    m, kappa = np.broadcast_arrays(check_between(-1, 1, "m0", m0), np.asarray(optimal_stability(alpha)))
    with np.errstate(divide="ignore"):
        tail = 2 * owens_t(kappa, np.where(m == 0, 0.0, m / np.sqrt(1 - m * m)))
    return scalar_or_array(ndtr(kappa) * _step_at_stability(m, kappa) + tail)
