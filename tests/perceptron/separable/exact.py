"""Exact reference in fractions: the point of the rows' convex hull nearest to the origin (Wolfe 1976).

It is zero if and only if no w has all z . w > 0, and its length is the largest stability. The answer
proves itself: p is in the hull, and all z . p >= p . p (the optimality condition of the linear program
max over p of min over z of z . p), both checked here without rounding.
"""

from fractions import Fraction


def dot(a, b):
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def solve(A, b):
    """Solve A x = b by Gauss-Jordan elimination; A is not singular."""
    rows = [[*row, value] for row, value in zip(A, b, strict=True)]
    for j in range(len(rows)):
        here = next(i for i in range(j, len(rows)) if rows[i][j] != 0)
        rows[j], rows[here] = rows[here], rows[j]
        rows[j] = [value / rows[j][j] for value in rows[j]]
        for i, row in enumerate(rows):
            if i != j and row[j] != 0:
                rows[i] = [p - row[j] * q for p, q in zip(row, rows[j], strict=True)]
    return [row[-1] for row in rows]


def of_plane(points):
    """Strengths of the point nearest to the origin in the plane through affinely independent points."""
    one = [Fraction(1)] * len(points)
    gram = [[*(dot(p, q) for q in points), Fraction(1)] for p in points]
    return solve([*gram, [*one, Fraction(0)]], [*(Fraction(0) for _ in points), Fraction(1)])[:-1]


def nearest_point(rows):
    Z = [[Fraction(float(value)) for value in row] for row in rows]
    members = [min(range(len(Z)), key=lambda i: dot(Z[i], Z[i]))]
    x = [Fraction(1)]
    while True:
        p = [sum(s * Z[i][j] for s, i in zip(x, members, strict=True)) for j in range(len(Z[0]))]
        new = min(range(len(Z)), key=lambda i: dot(Z[i], p))
        if dot(Z[new], p) >= dot(p, p):
            assert sum(x) == 1
            assert min(x) > 0
            return p
        members, x = [*members, new], [*x, Fraction(0)]
        while True:
            y = of_plane([Z[i] for i in members])
            t = min((a / (a - b) for a, b in zip(x, y, strict=True) if b < 0), default=Fraction(1))
            x = [a + t * (b - a) for a, b in zip(x, y, strict=True)]
            kept = [k for k, s in enumerate(x) if s > 0]
            full = min(y) >= 0
            members, x = [members[k] for k in kept], [x[k] for k in kept]
            if full:
                break


def square(value):
    """The square with the sign: exact where the root would not be."""
    value = Fraction(value)
    return value * abs(value)
