"""The sums that determine both bounds on the stability of a dense set; `bounds.py` rounds them outwards.

The same numbers as in `bounds.from_below` and `bounds.from_above`, for sets so small that numpy and Python
would take longer than the proof. Those scale w and x to about one first, which changes no digit unless
numbers are near overflow or underflow; NaN is returned for such sets.
"""

import math

from markone.numerics.compiling import proof_entry
from markone.perceptron.separable._dots import add_row, dot_of_row
from markone.perceptron.separable._roundings import U, add_product, sum_error_bound

# Range of the largest w and the largest x of an ordinary set.
LEAST, MOST = 1e-50, 1e50


@proof_entry
def dense_bound_sums(xi, of_examples, of_inputs, scale, unit, w, x, both):
    """Set w *= c and x *= a; return min (E - error), min (E + error), |w|^2, sum x, |g|^2 / unit^2.

    E = S w . (scale xi), g = sum x S (scale xi) with its error bound added; sums are rounded once. The last
    two only with `both`; strengths that are not positive are left out. NaN: out of range, not computed.
    of_examples begins with S and a, of_inputs with c and three work rows.
    """
    # One assignment a line: numba compiles a tuple for each multiple assignment.
    S = of_examples[0]
    a = of_examples[1]
    c = of_inputs[0]
    g = of_inputs[1]
    low = of_inputs[2]
    size = of_inputs[3]
    top = total = rest = amount = 0.0
    for j in range(w.shape[0]):
        w[j] *= c[j]
        top = abs(w[j]) if abs(w[j]) > top else top
        total, rest, amount = add_product(w[j] * w[j], 1.0, total, rest, amount)
        g[j] = low[j] = size[j] = 0.0
    # The sum is not finite if w is not.
    square = total + rest if LEAST < top < MOST and total < math.inf else math.nan
    least = most = math.inf
    terms = 0
    top = total = rest = amount = 0.0
    for mu in range(x.shape[0]):
        x[mu] *= a[mu]
        value, count, sizes = dot_of_row(xi, mu, scale, w)
        E = S[mu] * value
        error = sum_error_bound(value, count, sizes)
        least = E - error if E - error < least else least
        most = E + error if E + error < most else most
        if both and x[mu] > 0.0:
            add_row(xi, mu, x[mu] * S[mu], scale, g, low, size)
            total, rest, amount = add_product(x[mu], 1.0, total, rest, amount)
            top = x[mu] if x[mu] > top else top
            terms += 1
    strengths = total + rest if LEAST < top < MOST else math.nan
    total = rest = amount = 0.0
    for j in range(w.shape[0]):
        value = g[j] + low[j]
        value = (abs(value) + sum_error_bound(value, terms, size[j])) * (1.0 + 2.0 * U) / unit
        total, rest, amount = add_product(value * value, 1.0, total, rest, amount)
    return least, most, square, strengths, total + rest
