"""The first parallel steps (1.7) of a network with Hebbian couplings, w_ii = 0, from overlap m0.

The pattern is random, the start agrees with it at random places with probability (1 + m0)/2 and is
independent of the other P - 1 patterns; alpha = P/N, N -> infinity. All functions broadcast over m0, alpha.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf, erfc

from markone.numerics.arrays import (
    Floats,
    check_at_least,
    check_between,
    examples_per_weight,
    scalar_or_array,
)


def bit_error(alpha: ArrayLike) -> Any:
    """(1/2) erfc(1/sqrt(2 alpha)): the probability that a bit of a stored pattern is not stable."""
    a = examples_per_weight(alpha)
    with np.errstate(divide="ignore"):
        return scalar_or_array(0.5 * erfc(1 / np.sqrt(2 * a)))


def one_step(m0: ArrayLike, alpha: ArrayLike) -> Any:
    """m1 = erf(m0/sqrt(2 alpha)); at alpha = 0 any m0 != 0 gives |m1| = 1."""
    return scalar_or_array(_one_step(check_between(-1, 1, "m0", m0), examples_per_weight(alpha)))


def _one_step(m: Floats, a: Floats) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((a == 0) & (m == 0), 0.0, erf(m / np.sqrt(2 * a)))


def two_steps(m0: ArrayLike, alpha: ArrayLike) -> Any:
    """m2 after two parallel steps, exact.

    U = 2 phi(m0/sqrt(alpha))/sqrt(alpha), sigma^2 = alpha (1 + U^2 + 2 U m0 m1),
    m2 = sum_{s=+-1} (1 + s m0)/2 erf((m1 + s alpha U)/(sqrt(2) sigma)).
    The term s alpha U is a neuron's own state coming back after two steps; theories that leave it out
    (Amari and Maginu 1988) are measurably wrong here.
    """
    m, a = np.broadcast_arrays(check_between(-1, 1, "m0", m0), examples_per_weight(alpha))
    m1 = _one_step(m, a)
    with np.errstate(divide="ignore", invalid="ignore"):
        # alpha U, which stays finite where alpha -> 0.
        back = np.sqrt(2 * a / np.pi) * np.exp(-(m**2) / (2 * a))
        back = np.where(a == 0, 0.0, back)
        sigma = np.sqrt(2 * (a + back**2 / a + 2 * back * m * m1))
        sigma = np.where(a == 0, 0.0, sigma)
        m2 = sum(0.5 * (1 + s * m) * erf((m1 + s * back) / sigma) for s in (1, -1))
    return scalar_or_array(np.where((a == 0) & (m == 0), 0.0, m2))


def patterns_without_errors(N: ArrayLike, all_patterns: bool = False) -> Any:
    """How many patterns can be stored such that a given one (or all) has no wrong bit: leading order.

    N/(2 ln N), or N/(4 ln N) for all at once (McEliece et al. 1987). Corrections are of relative order
    ln ln N/ln N: an order of magnitude, not a curve to fit.
    """
    n = check_at_least(2, "N", N)
    return scalar_or_array(n / ((4 if all_patterns else 2) * np.log(n)))
