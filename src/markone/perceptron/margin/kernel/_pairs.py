"""Rows of the full kernel matrix, and AdaTron steps on two examples.

In signed strengths a = S x and signed slopes h = S (1 - E), so that the rows are those of K + clamp, the same
for every labelling. `indices` holds the indices of the examples in K. If these are all (`whole`) the rows are
read in place, without the clamp; else they are copied into `rows` on demand, with it, and `known` marks the
copied ones. `lift` is the constant still to be added to a row.
"""

import numpy as np

from markone.numerics._quotient import divide_unchecked
from markone.numerics.compiling import piece
from markone.perceptron.margin.kernel._gaussians import double_to_bits


@piece
def first_index_of(score, n, top):
    """Index of the first score with the bits `top`; a full pass, which vectorises."""
    last = np.int64(n - 1)
    first = last
    for j in range(n):
        here = np.int64(j) if double_to_bits(score[j]) == top else last
        first = here if here < first else first
    return first


@piece
def second_run_start(indices):
    """Start of the second of at most two runs of consecutive indices (n: only one run); -1 for more runs."""
    n, at = indices.shape[0], indices.shape[0]
    for j in range(1, n):
        if indices[j] != indices[j - 1] + 1:
            if at < n:
                return -1
            at = j
    return at


@piece
def kernel_row(K, clamp, indices, at, rows, known, whole, i):
    """Row of example i; runs of consecutive examples (two classes) are copied without gathering."""
    if whole:
        return K[i]
    row = rows[i]
    if not known[i]:
        known[i] = True
        own, n = K[indices[i]], indices.shape[0]
        low, high = 0, at
        while low < high:
            # Slices: index arithmetic would prevent vectorisation.
            run, out = own[indices[low] : indices[low] + high - low], row[low:high]
            for j in range(high - low):
                out[j] = run[j] + clamp
            low, high = high, n
        if at < 0:
            for j in range(n):
                row[j] = own[indices[j]] + clamp
    return row


@piece
def single_gains(a, h, low, high, q, r, score):
    """Write the gain of an AdaTron step on each single example to `score`; return the bits of the largest.

    Numbers >= 0 have the order of their bits, and integer maxima vectorise.
    """
    top = np.int64(0)
    for j in range(a.shape[0]):
        s = min(max(a[j] + h[j] * r[j], low[j]), high[j]) - a[j]
        gained = max(s * (h[j] - 0.5 * s * q[j]), 0.0)
        score[j] = gained
        bits = double_to_bits(gained)
        top = bits if bits > top else top
    return top


@piece
def pair_steps(K, clamp, indices, at, rows, known, whole, low, high, q, r, a, h, score, precision, most):
    """Make steps on two examples until the largest gain is `precision` of the first; return their number."""
    n, taken, goal, lift = a.shape[0], 0, -1.0, clamp if whole else 0.0
    top = single_gains(a, h, low, high, q, r, score)
    while taken < most:
        i = first_index_of(score, n, top)
        best = score[i]
        if goal < 0.0:
            goal = precision * best
        # If K is not positive semi-definite x may grow without bound: stop before overflow.
        if not best > goal or abs(a[i]) > 1e60:
            break
        row = kernel_row(K, clamp, indices, at, rows, known, whole, i)
        a_i, h_i, low_i, high_i, q_i, r_i = a[i], h[i], low[i], high[i], q[i], r[i]
        score[i], top = 0.0, np.int64(0)
        for j in range(n):
            c = row[j] + lift
            det = max(q_i * q[j] - c * c, 1e-12 * q_i * q[j])
            d = min(max(a[j] + divide_unchecked(q_i * h[j] - c * h_i, det), low[j]), high[j]) - a[j]
            e = h_i - c * d
            s = min(max(a_i + e * r_i, low_i), high_i) - a_i
            gained = max(d * (h[j] - 0.5 * q[j] * d) + s * (e - 0.5 * q_i * s), 0.0)
            gained = gained if j != i else 0.0
            score[j] = gained
            bits = double_to_bits(gained)
            top = bits if bits > top else top
        k = first_index_of(score, n, top)
        if score[k] > best:
            c = row[k] + lift
            det = max(q_i * q[k] - c * c, 1e-12 * q_i * q[k])
            d = min(max(a[k] + divide_unchecked(q_i * h[k] - c * h_i, det), low[k]), high[k]) - a[k]
            s = min(max(a_i + (h_i - c * d) * r_i, low_i), high_i) - a_i
            taken += 1
        else:
            k, d = i, 0.0
            s = min(max(a_i + h_i * r_i, low_i), high_i) - a_i
        other = kernel_row(K, clamp, indices, at, rows, known, whole, k)
        a[k] += d
        a[i] += s
        taken += 1
        # Separate from the scores: a loop that writes to two arrays is not vectorised.
        for j in range(n):
            h[j] -= s * (row[j] + lift) + d * (other[j] + lift)
        top = single_gains(a, h, low, high, q, r, score)
    return taken


@piece
def recompute_slopes(K, clamp, indices, at, rows, known, whole, S, a, h):
    """Recompute h = S - K a, without the accumulated rounding of many steps."""
    n, lift = a.shape[0], clamp if whole else 0.0
    for j in range(n):
        h[j] = S[j]
    for i in range(n):
        if a[i] != 0.0:
            row, strength = kernel_row(K, clamp, indices, at, rows, known, whole, i), a[i]
            for j in range(n):
                h[j] -= strength * (row[j] + lift)
