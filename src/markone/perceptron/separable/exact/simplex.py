"""Separability by the simplex method in integers, for small sets that no other method decided.

Phase one with Bland's rule: the least sum of artificial variables is zero if some x >= 0 has sum x z = 0 and
sum x = 1; otherwise the dual solution is a w with all z . w > 0.
"""

from fractions import Fraction

import numpy as np

from markone.perceptron.separable.exact.elimination import as_integers
from markone.perceptron.separable.rows import Floats

# Limit of min(P, N + 1)^2 (N + P) for P examples with N inputs; 10^4 take about a tenth of a second.
MOST_WORK = 3e4


def simplex_affordable(P: int, N: int) -> bool:
    return min(P, N + 1) ** 2 * (N + P) <= MOST_WORK


def decide_exactly(C: Floats) -> tuple[list[Fraction] | None, dict[int, Fraction] | None]:
    """Return (w, None) with all z . w > 0, or (None, x) with sum x z = 0, x >= 0, without rounding."""
    made = [as_integers(row) for row in C]
    w, x = decide_integers([row for row, _ in made])
    return w, None if x is None else {mu: value / Fraction(2) ** made[mu][1] for mu, value in x.items()}


def decide_integers(rows: list[list[int]]) -> tuple[list[Fraction] | None, dict[int, Fraction] | None]:
    """`decide_exactly` for rows of integers."""
    P, n = len(rows), len(rows[0])
    T = _build_tableau(rows)
    basis, last = _minimise_phase_one(T, P)
    if T[-1][-1]:
        # The reduced cost of an artificial variable is 1 - (its dual value); the last one belongs to sum x.
        return [Fraction(T[-1][P + j] - last, last) for j in range(n)], None
    return None, {j: Fraction(T[i][-1], last) for i, j in enumerate(basis) if j < P and T[i][-1]}


def _build_tableau(rows: list[list[int]]) -> list[list[int]]:
    """Rows: inputs, sum x = 1, reduced costs. Columns: examples, artificial variables, right side."""
    columns = [*zip(*rows, strict=True), [1] * len(rows)]
    n = len(columns)
    T = [[*column, *(int(i == j) for j in range(n)), int(i == n - 1)] for i, column in enumerate(columns)]
    costs = [-sum(column) for column in zip(*(line[: len(rows)] for line in T), strict=True)]
    return [*T, [*costs, *([0] * n), -1]]


def _minimise_phase_one(T: list[list[int]], P: int) -> tuple[list[int], int]:
    """Pivot until no reduced cost is negative; return (basis, common denominator of T)."""
    n, last = len(T) - 1, 1
    basis = [P + i for i in range(n)]
    while True:
        c = next((j for j in range(P) if T[-1][j] < 0), None)
        if c is None:
            return basis, last
        rows = [i for i in range(n) if T[i][c] > 0]
        r = min(rows, key=lambda i: (Fraction(T[i][-1], T[i][c]), basis[i]))
        top, pivot = T[r], T[r][c]
        for i, line in enumerate(T):
            if i != r:
                factor = line[c]
                T[i] = [(pivot * a - factor * b) // last for a, b in zip(line, top, strict=True)]
        basis[r], last = c, pivot


def strengths_as_floats(x: dict[int, Fraction], P: int) -> Floats:
    """Exact strengths as floats, the largest scaled to 1."""
    out, top = np.zeros(P), max(x.values())
    for mu, value in x.items():
        out[mu] = float(value / top)
    return out
