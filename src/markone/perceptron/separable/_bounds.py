"""The sums that determine both bounds on the stability; `bounds.py` rounds them outwards.

Dot products as if in doubled precision, rounded at the end (Dot2 of Ogita, Rump and Oishi), with a bound on
their rounding errors. Rows are multiplied by `scale`, a power of two >= 1, which is exact and prevents
underflow of products of tiny inputs; w and x are scaled to about one by powers of two.
"""

import math

import numpy as np

from markone.numerics._rows import by_layout
from markone.numerics.compiling import proof_entry, proof_part
from markone.perceptron.separable._roundings import U, add_product, sum_error_bound, two_sum

# Bits of the sum of the strengths of a class, if these balance.
BALANCE_BITS = 51


def _dot_dense(xi, mu, scale, w):
    # Four independent sums: a single one is limited by the latency of an addition.
    row = xi[mu]
    s0 = s1 = s2 = s3 = e0 = e1 = e2 = e3 = a0 = a1 = a2 = a3 = 0.0
    n = w.shape[0] // 4
    for k in range(n):
        j = 4 * k
        s0, e0, a0 = add_product(scale * np.float64(row[j]), w[j], s0, e0, a0)
        s1, e1, a1 = add_product(scale * np.float64(row[j + 1]), w[j + 1], s1, e1, a1)
        s2, e2, a2 = add_product(scale * np.float64(row[j + 2]), w[j + 2], s2, e2, a2)
        s3, e3, a3 = add_product(scale * np.float64(row[j + 3]), w[j + 3], s3, e3, a3)
    for j in range(4 * n, w.shape[0]):
        s0, e0, a0 = add_product(scale * np.float64(row[j]), w[j], s0, e0, a0)
    s0, d0 = two_sum(s0, s1)
    s2, d2 = two_sum(s2, s3)
    total, d = two_sum(s0, s2)
    return total + ((d0 + d2) + d + ((e0 + e1) + (e2 + e3))), w.shape[0], (a0 + a1) + (a2 + a3)


def _dot_sparse(xi, mu, scale, w):
    total, rest, amount = 0.0, 0.0, 0.0
    for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
        z = scale * np.float64(xi.data[k])
        total, rest, amount = add_product(z, w[xi.indices[k]], total, rest, amount)
    return total + rest, np.int64(xi.indptr[mu + 1] - xi.indptr[mu]), amount


def _add_dense(xi, mu, a, scale, g, low, size):
    row = xi[mu]
    for j in range(g.shape[0]):
        g[j], low[j], size[j] = add_product(scale * np.float64(row[j]), a, g[j], low[j], size[j])


def _add_sparse(xi, mu, a, scale, g, low, size):
    for k in range(xi.indptr[mu], xi.indptr[mu + 1]):
        j = xi.indices[k]
        z = scale * np.float64(xi.data[k])
        g[j], low[j], size[j] = add_product(z, a, g[j], low[j], size[j])


# (w . (scale xi^mu), number of terms, sum of their absolute values)
dot_row = by_layout(_dot_dense, _dot_sparse)
# g + low += a scale xi^mu, compensated; size += |a scale xi^mu|
add_row = by_layout(_add_dense, _add_sparse)


@proof_part
def power_to_one(v):
    """Power of two, within 2^+-1000, that scales max |v| to 1/2 .. 1; 1 for v = 0, NaN if not finite."""
    top = 0.0
    for value in v:
        if not abs(value) < math.inf:
            return math.nan
        top = max(top, abs(value))
    if top == 0.0:
        return 1.0
    return math.ldexp(1.0, -max(min(math.frexp(top)[1], 1000), -1000))


@proof_part
def is_exact(v, unit):
    """Whether v unit is free of rounding."""
    exact = True
    for value in v:
        exact = exact and value * unit / unit == value
    return exact


@proof_part
def sum_squares(v, unit):
    """sum (v unit)^2; each square and the sum are rounded once."""
    total = rest = amount = 0.0
    for value in v:
        scaled = value * unit
        total, rest, amount = add_product(scaled * scaled, 1.0, total, rest, amount)
    return total + rest


@proof_entry
def weight_sums(xi, S, scale, gamma, w, w_low, E, error):
    """Return (min (E - error), min (E + error), cost, factor, |w|^2 unit^2, unit, middle).

    Fills E = S (w + w_low) . (scale xi) factor and its error bounds; factor is `unit`, a power of two, if
    that is exact, else 1. The cost is sum gamma (1 - E / (scale factor))_+, rounded up. `w_low` may be empty.
    The middle is that of the least E - error of both classes. The first is NaN if w or an E is not finite.
    """
    unit = power_to_one(w)
    if unit != unit:
        return math.nan, math.nan, math.nan, 1.0, math.nan, 1.0, math.nan
    factor = unit if is_exact(w, unit) and is_exact(w_low, unit) else 1.0
    v, v_low = w * factor, w_low * factor
    below = above = most = math.inf
    cost = rest = amount = 0.0
    for mu in range(S.shape[0]):
        value, terms, size = dot_row(xi, mu, scale, v)
        bound = sum_error_bound(value, terms, size)
        if v_low.shape[0] > 0:
            more, terms, size = dot_row(xi, mu, scale, v_low)
            value += more
            bound = (bound + sum_error_bound(more, terms, size) + U * abs(value)) * (1.0 + 8.0 * U)
        E[mu], error[mu] = S[mu] * value, bound
        if not bound < math.inf:
            below = above = math.nan
        if S[mu] < 0.0:
            if E[mu] - bound < below:
                below = E[mu] - bound
        elif E[mu] - bound < above:
            above = E[mu] - bound
        if E[mu] + bound < most:
            most = E[mu] + bound
        # E - error is rounded as well, which matters where 1 - E is small.
        short = (1.0 - (E[mu] - (bound + 2.0 * U * abs(value))) / factor / scale) * (1.0 + 4.0 * U)
        if short > 0.0:
            cost, rest, amount = add_product(short, gamma[mu], cost, rest, amount)
    least = below if below < above else above
    return least, most, cost + rest, factor, sum_squares(w, unit), unit, 0.5 * (below + above)


@proof_entry
def strength_sums(xi, S, scale, x, x_low, g, low, size):
    """Return (sum x unit, unit, |g|^2 / length^2, length); unit and length are powers of two.

    Fills g with |sum x S (scale xi) unit|, error bounds added. x <= 0 is left out; `x_low` may be empty. The
    first is 0 if no x is positive, NaN if one is not finite. g, low and size start as zeros.
    """
    unit = power_to_one(x)
    total = rest = amount = 0.0
    terms = 0
    for mu in range(x.shape[0]):
        if x[mu] > 0.0 and unit == unit:
            strength = x[mu] * unit
            add_row(xi, mu, strength * S[mu], scale, g, low, size)
            terms += 1
            if x_low.shape[0] > 0:
                add_row(xi, mu, x_low[mu] * unit * S[mu], scale, g, low, size)
                terms += 1
            total, rest, amount = add_product(strength, 1.0, total, rest, amount)
    for j in range(g.shape[0]):
        value = g[j] + low[j]
        g[j] = (abs(value) + sum_error_bound(value, terms, size[j])) * (1.0 + 2.0 * U)
    inverse = power_to_one(g)
    if unit != unit or inverse != inverse:
        return math.nan, 1.0, math.nan, 1.0
    return total + rest, unit, sum_squares(g, inverse), 1.0 / inverse


@proof_part
def largest_strength(x, S, sign):
    """Sum of the x with S = sign, and the index of the largest; -1 if there is none."""
    total, largest = 0.0, -1
    for mu in range(x.shape[0]):
        if S[mu] == sign:
            total += x[mu]
            if largest < 0 or x[mu] > x[largest]:
                largest = mu
    return total, largest


@proof_entry
def balance_strengths(x, S, out):
    """Fill the nearest multiples out <= x of a power of two with sum out S = 0; zero for an empty class."""
    total = 0.0
    for value in x:
        total += value
    ordinary = 0.0 < total < math.inf
    unit = math.ldexp(1.0, math.frexp(total)[1] - BALANCE_BITS) if ordinary else 1.0
    for mu in range(x.shape[0]):
        # Integers: all their sums are exact.
        out[mu] = math.floor(x[mu] / unit) if ordinary else 0.0
    while True:
        plus, minus = largest_strength(out, S, 1.0), largest_strength(out, S, -1.0)
        excess = plus[0] - minus[0]
        if excess == 0.0:
            break
        sign, (heavy, largest) = (1.0, plus) if excess > 0.0 else (-1.0, minus)
        if abs(excess) <= out[largest]:
            out[largest] -= abs(excess)
            continue
        for mu in range(x.shape[0]):
            # From all in proportion; the rest, below one for each, from the largest.
            if S[mu] == sign:
                out[mu] -= math.floor(out[mu] * (abs(excess) / heavy))
    for mu in range(x.shape[0]):
        out[mu] *= unit
