"""Rows of G = S S^T K from a whole matrix of kernels, and AdaTron's steps on two examples over them.

Which examples of K are meant stands in `who`. G is memory for rows, `known` says which are there.
"""

import numpy as np

from markone.numerics._quotient import quotient
from markone.numerics.compiling import piece
from markone.perceptron.feature_space._gaussians import bits_of


@piece
def largest(score, n):
    """Place of the largest of n numbers >= 0, whose bits are ordered as they are: whole numbers vectorise."""
    top = np.int64(0)
    for j in range(n):
        top = max(top, bits_of(score[j]))
    for j in range(n):
        if bits_of(score[j]) == top:
            return j
    return 0


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
def fill(K, clamp, who, at, S, i, row):
    """The row of example i in G; from runs of examples, of all or of two classes, without gathering."""
    own, sign, n = K[who[i]], S[i], who.shape[0]
    if at >= 0:
        one = who[0]
        two = who[at] - at if at < n else one
        for j in range(at):
            row[j] = sign * S[j] * (own[one + j] + clamp)
        for j in range(at, n):
            row[j] = sign * S[j] * (own[two + j] + clamp)
    else:
        for j in range(n):
            row[j] = sign * S[j] * (own[who[j]] + clamp)


@piece
def pairs(K, clamp, who, at, S, C, q, x, g, G, known, score, precision, most):
    """Steps on two examples until the best gain has fallen to `precision` of the first. Returns how many."""
    n, taken, goal = who.shape[0], 0, -1.0
    r = np.empty(n)
    for j in range(n):
        r[j] = 1.0 / q[j]
    for j in range(n):
        s = min(max(x[j] + g[j] * r[j], 0.0), C[j]) - x[j]
        score[j] = max(s * (g[j] - 0.5 * s * q[j]), 0.0)
    while taken < most:
        i = largest(score, n)
        best = score[i]
        if goal < 0.0:
            goal = precision * best
        # A kernel that is none lets x grow for ever: stop before it overflows.
        if not best > goal or x[i] > 1e60:
            break
        row = G[i]
        if not known[i]:
            fill(K, clamp, who, at, S, i, row)
            known[i] = True
        x_i, g_i, C_i, q_i, r_i = x[i], g[i], C[i], q[i], r[i]
        for j in range(n):
            det = max(q_i * q[j] - row[j] * row[j], 1e-12 * q_i * q[j])
            d = min(max(x[j] + quotient(q_i * g[j] - row[j] * g_i, det), 0.0), C[j]) - x[j]
            e = g_i - row[j] * d
            s = min(max(x_i + e * r_i, 0.0), C_i) - x_i
            score[j] = max(d * (g[j] - 0.5 * q[j] * d) + s * (e - 0.5 * q_i * s), 0.0)
        score[i] = 0.0
        k = largest(score, n)
        if score[k] > best:
            det = max(q_i * q[k] - row[k] * row[k], 1e-12 * q_i * q[k])
            d = min(max(x[k] + quotient(q_i * g[k] - row[k] * g_i, det), 0.0), C[k]) - x[k]
            s = min(max(x_i + (g_i - row[k] * d) * r_i, 0.0), C_i) - x_i
            taken += 1
        else:
            k, d = i, 0.0
            s = min(max(x_i + g_i * r_i, 0.0), C_i) - x_i
        other = G[k]
        if not known[k]:
            fill(K, clamp, who, at, S, k, other)
            known[k] = True
        x[k] += d
        x[i] += s
        taken += 1
        # Two loops: one that writes to two arrays is not vectorised.
        for j in range(n):
            g[j] -= s * row[j] + d * other[j]
        for j in range(n):
            s = min(max(x[j] + g[j] * r[j], 0.0), C[j]) - x[j]
            score[j] = max(s * (g[j] - 0.5 * s * q[j]), 0.0)
    return taken


@piece
def slopes(K, clamp, who, at, S, x, g, G, known):
    """g = 1 - G x anew: what many steps have added to its rounding is forgotten."""
    n = who.shape[0]
    for j in range(n):
        g[j] = 1.0
    for i in range(n):
        if x[i] != 0.0:
            row, strength = G[i], x[i]
            if not known[i]:
                fill(K, clamp, who, at, S, i, row)
                known[i] = True
            for j in range(n):
                g[j] -= strength * row[j]
