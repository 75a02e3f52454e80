"""An upper bound on the capacity of any two-layer machine of K perceptrons (Mitchison and Durbin 1989).

K perceptrons with n inputs each realise at most C(P, n)^K of the 2^P labellings, C being Cover's count, so
no machine can store P random labels if C(P, n)^K < 2^P. Holds for tree and fully connected machines, for
committee, parity or any other fixed output function. alpha = P/(K n) counts the adaptive weights.
"""

from math import log, log2

import numpy as np
from scipy.optimize import brentq

from markone.numerics.arrays import apply_elementwise, check_whole_number
from markone.perceptron.theory.capacity import log_count

MANY = 10**300


@apply_elementwise
def capacity_bound(K: int) -> float:
    """n -> infinity: the root alpha >= 2 of h2(1/(K alpha)) = 1/K with the binary entropy h2 (in bits).

    2 for K = 1, ~ log2 K for many units. NaN beyond K = 1e300.
    """
    if not K <= MANY:
        return float("nan")
    K = check_whole_number("K", K, 1)
    if K == 1:
        return 2.0

    def excess(log_x: float) -> float:
        x = np.exp(log_x)
        return float(-(x * log_x + (1 - x) * np.log1p(-x)) / np.log(2) - 1 / K)

    # h2(x) >= 1/K at x = 1/2 and below it at x = 1/(4 K (1 + log2 K)).
    low = -log(4 * K * (1 + log2(K)))
    return float(np.exp(-brentq(excess, low, np.log(0.5), xtol=1e-15, rtol=1e-14)) / K)


def largest_storage(K: int, n: int) -> int:
    """The largest P with C(P, n)^K >= 2^P for K units of n inputs each: none realises all labels of more.

    Decided in logarithms. For K = 1 it is n: there the two sides differ by less than any
    rounding just above n.
    """
    K, n = check_whole_number("K", K, 1), check_whole_number("n", n, 1)
    if K == 1:
        return n
    low, high = n, int(np.ceil(K * n * (capacity_bound(K) + 2))) + 8
    while high - low > 1:
        middle = (low + high) // 2
        if K * log_count(middle, n) >= middle * np.log(2) * (1 - 1e-13):
            low = middle
        else:
            high = middle
    return low


def learnable_bound(K: int, n: int, P: int) -> float:
    """No more than this fraction of random labels of P inputs can be realised: min(1, C(P, n)^K/2^P).

    For K = 1 it is Cover's fraction itself.
    """
    K, n, P = check_whole_number("K", K, 1), check_whole_number("n", n, 1), check_whole_number("P", P, 1)
    return float(np.exp(min(0.0, K * log_count(P, n) - P * log(2))))


def fewest_units(n: int, P: int) -> int:
    """The smallest K with C(P, n)^K >= 2^P: fewer units, of n inputs each, cannot realise all labels.

    A machine for typical random labels needs as many, up to rounding.
    """
    n, P = check_whole_number("n", n, 1), check_whole_number("P", P, 1)
    return int(np.ceil(P * log(2) / log_count(P, n) * (1 - 1e-12)))
