"""Convergence of Rosenblatt's perceptron: bound on the number of updates, and guaranteed stability.

The algorithm adds xi S/N wherever E = w.xi S <= c, from w = 0. Gamma = max |xi|^2/N. If some w* with
|w*| = 1 has stability kappa, all w*.xi S >= kappa, then after M updates
(M/N) kappa <= w.w* <= |w| <= sqrt((2c + Gamma) M/N). Exact for any data, any order of presentation.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array
from markone.perceptron.theory import capacity, max_stability
from markone.perceptron.theory.rule import Value, require_all, restore_shape


def _check_arguments(kappa: ArrayLike, c: ArrayLike, Gamma: ArrayLike) -> list[Array]:
    kappa, c, Gamma = (np.asarray(a, dtype=float) for a in (kappa, c, Gamma))
    require_all(
        kappa, ~(kappa < 0), "kappa is {}: without a solution of positive stability there is no bound."
    )
    require_all(c, c >= 0, "c is {}: the margin of the algorithm must not be negative.")
    require_all(Gamma, Gamma > 0, "Gamma is {}: the largest |xi|^2/N must be positive.")
    return [kappa, c, Gamma]


def updates_bound(kappa: ArrayLike, N: ArrayLike = 1, c: ArrayLike = 0.0, Gamma: ArrayLike = 1.0) -> Value:
    """M* = N (2c + Gamma)/kappa^2 (3.29); N Gamma/kappa^2 for c = 0. Infinite for kappa = 0.

    (3.29) in its own letters, (2c + Gamma) N Q*/c^2 with E* >= c, is the same with kappa = c/sqrt(Q*).
    The default N = 1 gives updates per N. NaN where kappa is NaN (no solution).
    """
    kappa, c, Gamma = _check_arguments(kappa, c, Gamma)
    with np.errstate(divide="ignore"):
        value = np.asarray(N, dtype=float) * (2 * c + Gamma) / kappa**2
    return restore_shape(value, value.shape)


def guaranteed_stability(kappa: ArrayLike, c: ArrayLike, Gamma: ArrayLike = 1.0) -> Value:
    """The stability reached with margin c is at least kappa c/(2c + Gamma); kappa/2 for c -> infinity."""
    kappa, c, Gamma = _check_arguments(kappa, c, Gamma)
    with np.errstate(divide="ignore"):
        value = np.asarray(kappa / (2 + Gamma / c))
    return restore_shape(value, value.shape)


def storage_bound(alpha: ArrayLike, c: ArrayLike = 0.0) -> Value:
    """M*/N for random labels, N -> infinity (Gamma = 1), from capacity.stability; NaN for alpha > 2."""
    return updates_bound(capacity.stability(alpha), 1, c)


def rule_bound(alpha: ArrayLike, noise: ArrayLike = 0.0, *, c: ArrayLike = 0.0) -> Value:
    """M*/N for labels of a teacher at N -> infinity (Gamma = 1); NaN beyond max_stability.alpha_c(noise)."""
    return updates_bound(max_stability.stability(alpha, noise), 1, c)
