"""Storage capacity of tree committee and parity machines, from the replica method.

alpha = P/(number of adaptive weights), K branches with their own inputs, n -> infinity at fixed K. With
independent Gaussian fields t_k, cost = the least sum of t_k^2 over sets of units whose flip corrects the
output. Replica symmetry (RS) gives 1/alpha = E[cost]: exact for K = 1 (alpha = 2), an overestimate
otherwise; it breaks the bound of Mitchison and Durbin for parity K >= 2 and committee K >= 7. One step of
replica symmetry breaking (1RSB) is below the bound.
"""

from functools import cache

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import betainc, ndtr

from markone.machines.theory.bounds import capacity_bound
from markone.machines.theory.one_step_committee import capacity_of_three
from markone.numerics.arrays import Array, apply_elementwise, check_whole_number

# Gauss-Legendre on [0, 12] in pieces that halve towards 0: half-normal integrals with e^(-x t^2/2) to
# 1e-13 for x up to 1e20.
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_EDGES = np.concatenate([[0.0], np.geomspace(1e-11, 12.0, 42)])
T = (0.5 * np.diff(_EDGES)[:, None] * (_POINTS + 1) + _EDGES[:-1, None]).ravel()
DT = (0.5 * np.diff(_EDGES)[:, None] * _WEIGHTS).ravel()
HALF_NORMAL = DT * np.sqrt(2 / np.pi) * np.exp(-0.5 * T * T)
OUTSIDE = 2 * ndtr(-T)
# The smallest of so many fields is still well above the first nodes.
MOST = 10**6


@apply_elementwise
def committee_replica_symmetric(K: int) -> float:
    """alpha of the tree committee, K odd: 2, 4.0252 (K = 3), 5.7688 (5), ...; ~ sqrt(72 K/pi) for large K.

    The weakest negative units are flipped until (K-1)/2 are left, so a unit at t = -a is flipped if at least
    (K-1)/2 others are deeper: E[cost] = K int_0^inf a^2 phi(a) P(Binomial(K-1, H(a)) >= (K-1)/2) da.
    """
    half = (_check_odd(K) - 1) // 2
    flipped = betainc(half, half + 1, 0.5 * OUTSIDE) if half else np.ones_like(T)
    return 2 / (K * float(HALF_NORMAL @ (T * T * flipped)))


@apply_elementwise
def parity_replica_symmetric(K: int) -> float:
    """alpha of the tree parity machine: 2/E[min_k t_k^2]; 2, 5.5039 = 2/(1 - 2/pi) for K = 2, ~ 2 K^2/pi.

    NaN beyond K = 1e6.
    """
    if K > MOST:
        return float("nan")
    return 2 / float(_least_field_weights(K) @ (T * T))


@apply_elementwise
@cache
def parity_one_step(K: int) -> float:
    """alpha of the tree parity machine with 1RSB: 2 (K = 1), 4.064, 4.998, ..., -> log2 K, the bound.

    alpha = min_x (1/2) ln(1 + x)/(-ln E exp(-x cost/2)), q_0 = 0 (Barkai, Hansel and Kanter 1990).
    NaN beyond K = 1e6.
    """
    if K > MOST:
        return float("nan")
    weights = _least_field_weights(K)

    def alpha(log_x: float) -> float:
        x = np.exp(log_x)
        # 1 - E exp(-x cost/2): half of the outputs are wrong and cost min t^2.
        miss = -0.5 * float(weights @ np.expm1(-0.5 * x * T * T))
        return float(-0.5 * np.log1p(x) / np.log1p(-miss))

    if check_whole_number("K", K, 1) == 1:
        return 2.0  # the minimum is at x -> 0: no breaking
    trial = np.linspace(-8, 46, 217)
    best = trial[np.argmin([alpha(z) for z in trial])]
    found = minimize_scalar(
        alpha, bounds=(best - 0.5, best + 0.5), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.fun)


@apply_elementwise
def committee_one_step(K: int) -> float:
    """alpha of the tree committee with 1RSB: 2 for K = 1, 3.145842 for K = 3 (the literature: "about 3.0").

    NaN for other K, for which no value is known. Relative accuracy 1e-8.
    """
    K = _check_odd(K)
    if K == 1:
        return 2.0
    return capacity_of_three() if K == 3 else float("nan")


@apply_elementwise
def committee_replica_symmetric_curve(K: int) -> float:
    """`committee_replica_symmetric` over all K: NaN for even ones, which have no majority."""
    return float("nan") if K % 2 == 0 else committee_replica_symmetric(K)


@apply_elementwise
def committee_one_step_curve(K: int) -> float:
    """`committee_one_step` over all K: NaN for even ones, which have no majority, and beyond K = 3."""
    return float("nan") if K % 2 == 0 else committee_one_step(K)


def committee_large(K: int) -> float:
    """Tree committee, 1RSB, leading order for K -> infinity: (16/pi) sqrt(ln K) (Monasson and Zecchina 1995).

    A statement about the limit only: at K = 3 the formula gives 5.3, the capacity is 3.15.
    """
    return float(16 / np.pi * np.sqrt(np.log(_check_odd(K))))


def parity_large(K: int) -> float:
    """Tree parity machine, 1RSB, leading order for K -> infinity: log2 K (Barkai, Hansel and Kanter 1990)."""
    return float(np.log2(check_whole_number("K", K, 1)))


def below_bound(alpha: float, K: int) -> bool:
    """Whether a capacity respects Mitchison and Durbin: replica-symmetric values often do not."""
    return bool(alpha <= capacity_bound(K) * (1 + 1e-12))


def _least_field_weights(K: int) -> Array:
    """Weights of the smallest of K half-normal fields."""
    K = check_whole_number("K", K, 1)
    return K * HALF_NORMAL * OUTSIDE ** (K - 1)


def _check_odd(K: int) -> int:
    K = check_whole_number("K", K, 1)
    if K % 2 == 0:
        raise ValueError(f"A committee needs an odd number of units to have a majority, not K = {K}.")
    return K
