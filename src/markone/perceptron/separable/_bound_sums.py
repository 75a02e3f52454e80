"""The sums that determine both bounds on the stability, in one call; `both_bounds` rounds them outwards.

The same numbers as in `bounds.from_below` and `bounds.from_above`, for weights and strengths of ordinary
size; these need no scaling to about one, since powers of two are exact.
"""

import numpy as np

from markone.numerics.compiling import proof_entry
from markone.perceptron.separable._dots import add_row, dot_of_row
from markone.perceptron.separable._roundings import U, add_product, sum_error_bound


@proof_entry
def bound_sums(xi, S, scale, gamma, w, x, g, low, size):
    """(min (E - error), min (E + error), cost, |w|^2, sum x, |g|^2); E = S w . (scale xi),
    g = sum x S (scale xi).

    The cost is sum gamma (1 - E / scale)_+ with E - error for E. Its error bound is added to each |g|; x <= 0
    is left out. Sums are compensated. The first is NaN if an E is not finite. g, low and
    size start as zeros.
    """
    least = most = np.inf
    cost = rest = sizes = 0.0
    for mu in range(S.shape[0]):
        value, terms, amount = dot_of_row(xi, mu, scale, w)
        error = sum_error_bound(value, terms, amount)
        if not error < np.inf:
            least = np.nan
            break
        value *= S[mu]
        # Written out: `min` is one more function to compile.
        if value - error < least:
            least = value - error
        if value + error < most:
            most = value + error
        # E - error is rounded as well, which matters where 1 - E is small.
        short = (1.0 - (value - (error + 2.0 * U * abs(value))) / scale) * (1.0 + 4.0 * U)
        if short > 0.0:
            cost, rest, sizes = add_product(short, gamma[mu], cost, rest, sizes)
    cost += rest
    weight = rest = amount = 0.0
    for j in range(w.shape[0]):
        weight, rest, amount = add_product(w[j] * w[j], 1.0, weight, rest, amount)
    weight += rest
    total = rest = amount = 0.0
    count = 0
    for mu in range(x.shape[0]):
        if x[mu] > 0.0:
            add_row(xi, mu, x[mu] * S[mu], scale, g, low, size)
            total, rest, amount = add_product(x[mu], 1.0, total, rest, amount)
            count += 1
    total += rest
    square = rest = amount = 0.0
    for j in range(g.shape[0]):
        value = g[j] + low[j]
        value = (abs(value) + sum_error_bound(value, count, size[j])) * (1.0 + 2.0 * U)
        square, rest, amount = add_product(value * value, 1.0, square, rest, amount)
    return least, most, cost, weight, total, square + rest
