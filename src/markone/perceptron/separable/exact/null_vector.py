"""Null vectors v >= 0 of equations in fractions, for the check of a certificate."""

from fractions import Fraction

Vector = list[Fraction]


def exact_dot(a: Vector, b: Vector) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def find_nearest_balance(equations: list[Vector], x: Vector) -> Vector | None:
    """x - Z d with Z^T Z d = Z^T x, the nearest solution of `equations`; None if a component is negative."""
    system = [[exact_dot(row, other) for other in equations] + [-exact_dot(row, x)] for row in equations]
    for j in range(len(system)):
        here = next((i for i in range(j, len(system)) if system[i][j] != 0), None)
        if here is None:
            return None
        system[j], system[here] = system[here], system[j]
        system[j] = [value / system[j][j] for value in system[j]]
        for i, row in enumerate(system):
            if i != j and row[j] != 0:
                system[i] = [a - row[j] * b for a, b in zip(row, system[j], strict=True)]
    d = [row[-1] for row in system]
    v = [
        value + exact_dot(d, list(column))
        for value, column in zip(x, zip(*equations, strict=True), strict=True)
    ]
    return v if min(v) >= 0 < max(v) and all(exact_dot(row, v) == 0 for row in equations) else None


def find_null_vector(equations: list[Vector], x: Vector) -> Vector | None:
    """v >= 0, not zero, with `equations` v = 0, by Gauss-Jordan elimination; free unknowns keep their x."""
    rows = [row[:] for row in equations]
    pivots: list[int] = []
    for j in range(len(x)):
        here = next((i for i in range(len(pivots), len(rows)) if rows[i][j] != 0), None)
        if here is None:
            continue
        top = len(pivots)
        rows[top], rows[here] = rows[here], rows[top]
        rows[top] = [value / rows[top][j] for value in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[j] != 0:
                rows[i] = [a - row[j] * b for a, b in zip(row, rows[top], strict=True)]
        pivots.append(j)
    v = [Fraction(0) if j in pivots else x[j] for j in range(len(x))]
    for row, j in zip(rows, pivots, strict=False):
        v[j] = -exact_dot(row, v)
    return v if min(v) >= 0 < max(v) and all(exact_dot(row, v) == 0 for row in equations) else None
