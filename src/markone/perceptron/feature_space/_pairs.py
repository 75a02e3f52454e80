"""Rows of a whole matrix of kernels, and AdaTron's steps on two examples over them.

All in signed strengths a = S x and signed slopes h = S (1 - E): then the rows are those of K + clamp, the
same for every labelling. Which examples of K are meant stands in `who`. Of all of them (`whole`) the rows are
read where they are, without the clamp; of some they are copied into `rows` when they are needed, with it, and
`known` says which are there. `lift` is what a row still lacks.
"""

import numpy as np

from markone.numerics._quotient import quotient
from markone.numerics.compiling import piece
from markone.perceptron.feature_space._gaussians import bits_of


@piece
def place(score, n, top):
    """Where the first score with the bits `top` stands; sought to the end, as vectors are."""
    last = np.int64(n - 1)
    first = last
    for j in range(n):
        here = np.int64(j) if bits_of(score[j]) == top else last
        first = here if here < first else first
    return first


@piece
def cut(who):
    """Where the second of two runs begins, of which `who` is made (n: one run); -1 where it is none such."""
    n, at = who.shape[0], who.shape[0]
    for j in range(1, n):
        if who[j] != who[j - 1] + 1:
            if at < n:
                return -1
            at = j
    return at


@piece
def row_of(K, clamp, who, at, rows, known, whole, i):
    """The row of example i; of runs of examples, those of two classes, without gathering."""
    if whole:
        return K[i]
    row = rows[i]
    if not known[i]:
        known[i] = True
        own, n = K[who[i]], who.shape[0]
        if at >= 0:
            one = who[0]
            two = who[at] - at if at < n else one
            for j in range(at):
                row[j] = own[one + j] + clamp
            for j in range(at, n):
                row[j] = own[two + j] + clamp
        else:
            for j in range(n):
                row[j] = own[who[j]] + clamp
    return row


@piece
def alone(a, h, low, high, q, r, score):
    """Into `score` what AdaTron's step on each example alone would gain; the bits of the largest.

    Numbers >= 0 are ordered as their bits are, and whole numbers vectorise.
    """
    top = np.int64(0)
    for j in range(a.shape[0]):
        s = min(max(a[j] + h[j] * r[j], low[j]), high[j]) - a[j]
        gained = max(s * (h[j] - 0.5 * s * q[j]), 0.0)
        score[j] = gained
        bits = bits_of(gained)
        top = bits if bits > top else top
    return top


@piece
def pairs(K, clamp, who, at, rows, known, whole, low, high, q, r, a, h, score, precision, most):
    """Steps on two examples until the best gain has fallen to `precision` of the first. Returns how many."""
    n, taken, goal, lift = a.shape[0], 0, -1.0, clamp if whole else 0.0
    top = alone(a, h, low, high, q, r, score)
    while taken < most:
        i = place(score, n, top)
        best = score[i]
        if goal < 0.0:
            goal = precision * best
        # A kernel that is none lets x grow for ever: stop before it overflows.
        if not best > goal or abs(a[i]) > 1e60:
            break
        row = row_of(K, clamp, who, at, rows, known, whole, i)
        a_i, h_i, low_i, high_i, q_i, r_i = a[i], h[i], low[i], high[i], q[i], r[i]
        score[i], top = 0.0, np.int64(0)
        for j in range(n):
            c = row[j] + lift
            det = max(q_i * q[j] - c * c, 1e-12 * q_i * q[j])
            d = min(max(a[j] + quotient(q_i * h[j] - c * h_i, det), low[j]), high[j]) - a[j]
            e = h_i - c * d
            s = min(max(a_i + e * r_i, low_i), high_i) - a_i
            gained = max(d * (h[j] - 0.5 * q[j] * d) + s * (e - 0.5 * q_i * s), 0.0)
            gained = gained if j != i else 0.0
            score[j] = gained
            bits = bits_of(gained)
            top = bits if bits > top else top
        k = place(score, n, top)
        if score[k] > best:
            c = row[k] + lift
            det = max(q_i * q[k] - c * c, 1e-12 * q_i * q[k])
            d = min(max(a[k] + quotient(q_i * h[k] - c * h_i, det), low[k]), high[k]) - a[k]
            s = min(max(a_i + (h_i - c * d) * r_i, low_i), high_i) - a_i
            taken += 1
        else:
            k, d = i, 0.0
            s = min(max(a_i + h_i * r_i, low_i), high_i) - a_i
        other = row_of(K, clamp, who, at, rows, known, whole, k)
        a[k] += d
        a[i] += s
        taken += 1
        # Apart from the scores: a loop that writes to two arrays is not vectorised.
        for j in range(n):
            h[j] -= s * (row[j] + lift) + d * (other[j] + lift)
        top = alone(a, h, low, high, q, r, score)
    return taken


@piece
def slopes(K, clamp, who, at, rows, known, whole, S, a, h):
    """h = S - K a anew: what many steps have added to its rounding is forgotten."""
    n, lift = a.shape[0], clamp if whole else 0.0
    for j in range(n):
        h[j] = S[j]
    for i in range(n):
        if a[i] != 0.0:
            row, strength = row_of(K, clamp, who, at, rows, known, whole, i), a[i]
            for j in range(n):
                h[j] -= strength * (row[j] + lift)
