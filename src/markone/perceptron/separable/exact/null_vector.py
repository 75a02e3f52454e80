"""Null vectors v >= 0 of equations, and hulls near the origin, in fractions: for checks of certificates."""

from fractions import Fraction

Vector = list[Fraction]


def exact_dot(a: Vector, b: Vector) -> Fraction:
    return sum((p * q for p, q in zip(a, b, strict=True)), Fraction(0))


def find_nearest_balance(equations: list[Vector], x: Vector) -> Vector | None:
    """x - Z d with Z^T Z d = Z^T x, the nearest solution of `equations`; None if a component is negative."""
    d = _solve_equations(
        [[exact_dot(row, other) for other in equations] + [-exact_dot(row, x)] for row in equations]
    )
    if d is None:
        return None
    v = [
        value + exact_dot(d, list(column))
        for value, column in zip(x, zip(*equations, strict=True), strict=True)
    ]
    return v if min(v) >= 0 < max(v) and all(exact_dot(row, v) == 0 for row in equations) else None


def _solve_equations(system: list[Vector]) -> Vector | None:
    """Solution of square equations, the right side being the last column; None if they are singular."""
    pivots = _eliminate(system, len(system))
    return [row[-1] for row in system] if len(pivots) == len(system) else None


def _eliminate(rows: list[Vector], columns: int) -> list[int]:
    """Gauss-Jordan in place on these columns: row r has 1 in column pivots[r], the other rows 0."""
    pivots: list[int] = []
    for j in range(columns):
        top = len(pivots)
        here = next((i for i in range(top, len(rows)) if rows[i][j] != 0), None)
        if here is None:
            continue
        rows[top], rows[here] = rows[here], rows[top]
        rows[top] = [value / rows[top][j] for value in rows[top]]
        for i, row in enumerate(rows):
            if i != top and row[j] != 0:
                rows[i] = [a - row[j] * b for a, b in zip(row, rows[top], strict=True)]
        pivots.append(j)
    return pivots


def find_null_vector(equations: list[Vector], x: Vector) -> Vector | None:
    """v >= 0, not zero, with `equations` v = 0, by Gauss-Jordan elimination; free unknowns keep their x."""
    rows = [row[:] for row in equations]
    pivots = _eliminate(rows, len(x))
    v = [Fraction(0) if j in pivots else x[j] for j in range(len(x))]
    for row, j in zip(rows, pivots, strict=False):
        v[j] = -exact_dot(row, v)
    return v if min(v) >= 0 < max(v) and all(exact_dot(row, v) == 0 for row in equations) else None


def hull_comes_within(points: list[Vector], start: Vector, radius: Fraction) -> bool:
    """Whether the convex hull of the points comes within `radius` of the origin, by the algorithm of Wolfe.

    `start` holds one weight >= 0 for each point, from which most hulls that do not are recognised at once.
    """
    if _is_beyond(points, _combine(start, points), radius)[0]:
        return False
    members, x = [min(range(len(points)), key=lambda i: exact_dot(points[i], points[i]))], [Fraction(1)]
    while True:
        p = _combine(x, [points[i] for i in members])
        if exact_dot(p, p) <= radius**2:
            return True
        beyond, nearest = _is_beyond(points, p, radius)
        if beyond:
            return False
        members, x = _move_to_nearest(points, [*members, nearest], [*x, Fraction(0)])


def _is_beyond(points: list[Vector], p: Vector, radius: Fraction) -> tuple[bool, int]:
    """Whether all points have z . p > radius |p|, and which has the least z . p."""
    E = [exact_dot(z, p) for z in points]
    least = min(E)
    return least > 0 and least**2 > radius**2 * exact_dot(p, p), E.index(least)


def _move_to_nearest(points: list[Vector], members: list[int], x: Vector) -> tuple[list[int], Vector]:
    """Members and their weights at the point of their hull nearest to the origin."""
    while True:
        rows = [
            [*(exact_dot(points[i], points[j]) for j in members), Fraction(1), Fraction(0)] for i in members
        ]
        y = _solve_equations([*rows, [*(Fraction(1) for _ in members), Fraction(0), Fraction(1)]])
        if y is None:
            raise ArithmeticError("The points chosen are affinely dependent.")
        t = min((a / (a - b) for a, b in zip(x, y, strict=False) if b < 0), default=Fraction(1))
        x = [a + t * (b - a) for a, b in zip(x, y, strict=False)]
        kept = [k for k, weight in enumerate(x) if weight > 0]
        members, x = [members[k] for k in kept], [x[k] for k in kept]
        if min(y[:-1]) >= 0:
            return members, x


def _combine(x: Vector, points: list[Vector]) -> Vector:
    return [exact_dot(x, list(column)) for column in zip(*points, strict=True)]
