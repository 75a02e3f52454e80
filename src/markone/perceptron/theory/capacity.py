"""Storage capacity for random labels: Cover's count and Gardner's capacity.

Cover's count holds for any inputs in general position and finite P, N; Gardner's results for random labels
in the limit N -> infinity with alpha = P/N fixed.
"""

import math
import warnings

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from markone.numerics.arrays import Array
from markone.numerics.gaussian import G2, Phi, phi
from markone.numerics.roots import find_roots
from markone.perceptron.theory.rule import Value, check_arguments, require_all, restore_shape

# Below this betainc underflows and the tail is summed in logarithms.
SMALLEST = 1e-280


class ReplicaSymmetryWarning(UserWarning):
    """The value assumes replica symmetry where that is known to be broken: a bound only."""


def _check_counts(P: ArrayLike, N: ArrayLike, threshold: bool) -> tuple[tuple[int, ...], Array, Array]:
    P, N = np.broadcast_arrays(P, N)
    for name, value in (("P", P), ("N", N)):
        ok = np.isfinite(value) & (np.floor(value) == value) & (value >= 1)
        require_all(
            value, ok, name + " is {}: it counts examples or inputs and must be an integer, at least 1."
        )
    return P.shape, P.ravel().astype(float), N.ravel() + float(threshold)


def count(P: int, N: int, threshold: bool = False) -> int:
    """C(P, N) = 2 sum_(i<N) binom(P-1, i): linearly separable labellings of P points, an exact integer.

    For points in general position. With a threshold N -> N + 1 (Cover 1965).
    """
    _check_counts(P, N, threshold)
    P, N = int(P), int(N) + bool(threshold)
    if N >= P:
        return 2**P
    total = term = 1
    for i in range(1, N):
        term = term * (P - i) // i
        total += term
    return 2 * total


def log_separable_fraction(P: ArrayLike, N: ArrayLike, threshold: bool = False) -> Value:
    """ln of separable_fraction, also where that underflows."""
    shape, P, N = _check_counts(P, N, threshold)
    free = np.maximum(P - N, 0.5)  # P <= N is set below
    fraction = special.betainc(free, N, 0.5)
    with np.errstate(divide="ignore"):
        value = np.where(fraction < 0.5, np.log(fraction), np.log1p(-special.betainc(N, free, 0.5)))
    value[P <= N] = 0.0
    deep = (fraction < SMALLEST) & (P > N)
    value[deep] = _log_tail(P[deep] - 1, N[deep] - 1)
    return restore_shape(value, shape)


def _log_tail(n: Array, k: Array) -> Array:
    """ln 2^-n sum_(i<=k) binom(n, i) for k well below n/2: the last term times a fast series."""
    term = total = np.ones_like(n)
    # The terms fall at least like (k/(n-k))^j and there are at most k of them.
    for j in range(int(k.max(initial=0.0))):
        term = term * np.maximum(k - j, 0) / (n - k + 1 + j)
        total = total + term
        if (term < 1e-17 * total).all():
            break
    log_binomial = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return log_binomial - n * math.log(2) + np.log(total)


def separable_fraction(P: ArrayLike, N: ArrayLike, threshold: bool = False) -> Value:
    """P_ls = C(P, N)/2^P = I_(1/2)(P-N, N): probability that random labels are linearly separable.

    One for P <= N, exactly 1/2 at P = 2N; N -> N + 1 with a threshold, N -> M in a space of M features.
    """
    shape, P, N = _check_counts(P, N, threshold)
    value = np.where(P <= N, 1.0, special.betainc(np.maximum(P - N, 0.5), N, 0.5))
    return restore_shape(value, shape)


def log_count(P: ArrayLike, N: ArrayLike, threshold: bool = False) -> Value:
    """ln C(P, N) = P ln 2 + ln P_ls."""
    value = np.asarray(P) * math.log(2) + np.asarray(log_separable_fraction(P, N, threshold))
    return restore_shape(value, value.shape)


def separable_fraction_large(alpha: ArrayLike, N: ArrayLike) -> Value:
    """Phi((2 - alpha) sqrt(N/alpha)): separable_fraction for large N near alpha = 2.

    An approximation of order 1/sqrt(N) around alpha = 2, where its slope is -sqrt(N/(4 pi)); not for tails.
    """
    shape, (alpha, _, N) = check_arguments(alpha, 0.0, N)
    with np.errstate(divide="ignore"):
        return restore_shape(Phi((2 - alpha) * np.sqrt(N / alpha)), shape)


def alpha_c(kappa: ArrayLike = 0.0) -> Value:
    """Gardner's capacity for stability kappa: 1/alpha_c = (1 + kappa^2) Phi(kappa) + kappa phi(kappa).

    Exact for kappa >= 0. For kappa < 0 replica symmetry is broken and this is only an upper bound, with a
    ReplicaSymmetryWarning.
    """
    kappa = np.asarray(kappa, dtype=float)
    if (kappa < 0).any():
        warnings.warn(
            "For kappa < 0 replica symmetry is broken: this alpha_c is an upper bound of the capacity.",
            ReplicaSymmetryWarning,
            stacklevel=2,
        )
    # The capacity is zero where kappa^2 overflows.
    with np.errstate(divide="ignore", over="ignore"):
        return restore_shape(1 / G2(kappa), kappa.shape)


def _stability_equation(kappa: Array, target: Array) -> Array:
    """(1 + kappa^2) Phi + kappa phi - 1/2 - target, written without cancellation at kappa -> 0."""
    erf = special.erf(kappa / np.sqrt(2)) / 2
    return (1 + kappa * kappa) * erf + kappa * (kappa / 2 + phi(kappa)) - target


def stability(alpha: ArrayLike) -> Value:
    """kappa_opt(alpha), the largest stability for random labels: the inverse of alpha_c.

    Infinite at alpha = 0, ~ 1/sqrt(alpha) near it, 0 at alpha = 2 with slope -sqrt(2 pi)/8. NaN for
    alpha > 2: no separable labels are left, and the least negative stability is not replica symmetric.
    """
    shape, (alpha, _) = check_arguments(alpha)
    with np.errstate(divide="ignore"):
        target, high = (2 - alpha) / (2 * alpha), 1 / np.sqrt(alpha)
    kappa = find_roots(_stability_equation, 0.0, high, (target,)).x
    kappa = np.where(alpha == 0, np.inf, np.where(alpha == 2, 0.0, kappa))
    return restore_shape(np.where(alpha > 2, np.nan, kappa), shape)


def support_vectors(alpha: ArrayLike) -> Value:
    """Examples at the smallest stability, per N: alpha Phi(kappa_opt); 1 at alpha = 2, NaN beyond."""
    alpha = np.asarray(alpha, dtype=float)
    value = np.asarray(alpha * Phi(stability(alpha)))
    return restore_shape(value, value.shape)


def stability_density(k: ArrayLike, alpha: ArrayLike) -> Value:
    """Density phi(k) Theta(k - kappa_opt) of the stabilities above the smallest, for random labels.

    The remaining weight, stability_weight(alpha), sits exactly at k = kappa_opt.
    """
    k = np.asarray(k, dtype=float)
    kappa = np.asarray(stability(alpha))
    value = np.where(np.isnan(kappa), np.nan, np.where(k > kappa, phi(k), 0.0))
    return restore_shape(value, value.shape)


def stability_weight(alpha: ArrayLike) -> Value:
    """Fraction Phi(kappa_opt) of the examples that sit exactly at the smallest stability."""
    value = np.asarray(Phi(stability(alpha)))
    return restore_shape(value, value.shape)
