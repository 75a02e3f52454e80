"""Exact reference: separation by one rational linear program per row and per coefficient.

max t . w over the cone {w : all z . w >= 0} is 0 or infinite, and 0 if and only if -t is a combination of the
rows with coefficients >= 0 (Farkas). Phase one of the simplex method with Bland's rule decides it.
"""

from fractions import Fraction

import numpy as np


def to_fractions(rows):
    return [[Fraction(float(value)) for value in row] for row in rows]


def in_cone(rows, target):
    """Whether some x >= 0 has sum x row = target."""
    n, P = len(target), len(rows)
    flip = [-1 if value < 0 else 1 for value in target]
    T = [
        [*(flip[j] * row[j] for row in rows), *(Fraction(i == j) for i in range(n)), flip[j] * target[j]]
        for j in range(n)
    ]
    costs = (
        [-sum(line[k] for line in T) for k in range(P)] + [Fraction(0)] * n + [-sum(line[-1] for line in T)]
    )
    basis = [P + j for j in range(n)]
    while True:
        c = next((k for k in range(P) if costs[k] < 0), None)
        if c is None:
            return costs[-1] == 0
        r = min((i for i in range(n) if T[i][c] > 0), key=lambda i: (T[i][-1] / T[i][c], basis[i]))
        T[r] = [value / T[r][c] for value in T[r]]
        for i, line in enumerate(T):
            if i != r and line[c]:
                T[i] = [a - line[c] * b for a, b in zip(line, T[r], strict=True)]
        costs = [a - costs[c] * b for a, b in zip(costs, T[r], strict=True)]
        basis[r] = c


def rank(rows):
    rows, r = [row[:] for row in rows], 0
    for j in range(len(rows[0])):
        here = next((i for i in range(r, len(rows)) if rows[i][j]), None)
        if here is None:
            continue
        rows[r], rows[here] = rows[here], rows[r]
        for i in range(r + 1, len(rows)):
            if rows[i][j]:
                f = rows[i][j] / rows[r][j]
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[r], strict=True)]
        r += 1
    return r


def separation_by_programs(Z):
    """(kind, rows, states) of the rows z = S (xi, 1)."""
    Z = to_fractions(Z)
    n = len(Z[0])
    strict = [mu for mu, z in enumerate(Z) if not in_cone(Z, [-value for value in z])]
    kind = "complete" if len(strict) == len(Z) else "quasi-complete" if strict else "overlap"
    states, full = [], rank(Z)
    for j in range(n):
        e = [Fraction(i == j) for i in range(n)]
        if rank([*Z, e]) > full:
            states.append("not identified")
            continue
        plus, minus = not in_cone(Z, [-value for value in e]), not in_cone(Z, e)
        states.append({(0, 0): "finite", (1, 0): "+inf", (0, 1): "-inf", (1, 1): "inf"}[plus, minus])
    return kind, strict, tuple(states)


def random_set(rng, number):
    """Small sets of six families; most have dependent rows or columns."""
    P, N = int(rng.integers(2, 10)), int(rng.integers(1, 5))
    X = [
        lambda: rng.standard_normal((P, N)),
        lambda: rng.integers(-2, 3, (P, N)).astype(float),
        lambda: rng.integers(0, 2, (P, N)).astype(float),
        lambda: np.eye(N + 1)[rng.integers(0, N + 1, P)][:, 1:],
        lambda: np.round(rng.standard_normal((P, N)), 1) @ rng.integers(-1, 2, (N, N)),
        lambda: np.where(rng.random((P, N)) < 0.5, 0.0, rng.standard_normal((P, N))),
    ][number % 6]()
    S = rng.choice([-1.0, 1.0], P)
    S[0], S[1] = -1.0, 1.0
    return X, S
