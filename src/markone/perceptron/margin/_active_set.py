"""AdaTron's problem solved exactly by an active-set method, in one compiled call.

Maximise sum y - w^2 / 2 with w = sum y z, z = S xi, 0 <= y <= top. An example is at a bound or free. On the
free ones the maximum is known from the inverse of their correlations C, kept as M^T M: the rows of M combine
the free examples to orthonormal vectors. An example that meets a bound on the way to the maximum is removed
by a Householder reflection of the rows; the one with the largest Kuhn-Tucker violation is added as a new row.

With a free threshold the weight of the last input costs nothing, so that sum y z_last = 0. That weight is
offset + sum y z_last, and each move to a maximum ends with a sum of zero: with u = M z_last, O(n) operations
remove the component of the move that changes it and give the change of the offset instead.
"""

from typing import Any, NamedTuple

import numpy as np

from markone.numerics._vectors import (
    add_combination,
    add_outer,
    add_scaled,
    combine_rows,
    dot_padded,
    multiply_rows,
    write_scaled,
)
from markone.numerics.compiling import entry, loop_piece, part

# An example whose squared component orthogonal to the free ones is a smaller fraction counts as dependent.
DEPENDENT = 1e-11
# Strengths in units of 1 / |z|^2 that differ from a bound by less are there, but for rounding.
AT_BOUND = 1e-12
# Status: out of changes or of memory, Kuhn-Tucker met, or no maximum (the data are not separable).
OPEN, SETTLED, UNBOUNDED = 0, 1, 2
# Passes over all examples after which rounding errors will not decrease further.
ROUNDS = 30


class Arrays(NamedTuple):
    """Examples, student and memory of the method, with zeros beyond what they hold (`_vectors`)."""

    Z: Any  # S xi
    lengths: Any  # |xi|
    top: Any  # the upper bounds of y
    every: Any  # 0, 1, 2, ...
    y: Any  # the embedding strengths / N
    w: Any
    E: Any
    side: Any  # 1 at the lower bound, -1 at the upper one, 0 for free examples
    free: Any  # the free examples, in the order of the columns of M
    M: Any
    u: Any  # M z_last, zeros unless the threshold is free
    r: Any  # residuals 1 - E of the free examples
    d: Any  # direction in which the free strengths move
    t: Any
    near: Any  # violating examples of the last pass over all
    queue: Any  # examples that begin as free
    offset: Any  # of a free threshold: one number
    clamp: float  # |z_last|, the same for all, if the threshold is free, else 0


@loop_piece
def solve_correlations(a, n, N, mu):
    """d = C^-1 c with the correlations c of mu and the free ones; returns |z|^2 orthogonal to them."""
    multiply_rows(a.Z, a.free, n, N, a.Z[mu], a.d)
    multiply_rows(a.M, a.every, n, n, a.d, a.t)
    combine_rows(a.M, a.every, n, n, a.t, a.d)
    return a.lengths[mu] * a.lengths[mu] - dot_padded(a.t, a.t, n)


@loop_piece
def add_free(a, n, N, mu, rest):
    """Make mu free: a row of M orthogonal to the others, from d and `rest` of `solve_correlations`."""
    scale = 1.0 / np.sqrt(rest)
    if a.clamp > 0.0:
        total = a.Z[mu, N - 1]
        for k in range(n):
            total -= a.d[k] * a.Z[a.free[k], N - 1]
        a.u[n] = scale * total
    write_scaled(-scale, a.d, a.M[n], n)
    a.M[n, n] = scale
    a.free[n], a.side[mu] = mu, 0.0


@loop_piece
def remove_free(a, n, hit):
    """Remove free[hit] of n examples: a reflection moves it to the last row of M, which is dropped."""
    M, t = a.M, a.t
    square = 0.0
    for k in range(n):
        t[k] = M[k, hit]
        square += t[k] * t[k]
    last, size = n - 1, np.sqrt(square)
    t[last] += np.copysign(size, t[last])
    combine_rows(M, a.every, n, n, t, a.d)
    factor = -1.0 / (size * abs(t[last]))
    write_scaled(factor, a.d, a.d, n)
    add_outer(M, a.every, last, n, t, a.d)
    add_scaled(factor * dot_padded(t, a.u, n), t, a.u, last)
    for k in range(last):
        M[k, hit], M[k, last] = M[k, last], 0.0
    a.free[hit], a.r[hit], a.r[last] = a.free[last], a.r[last], 0.0


@loop_piece
def move_to_bound(a, n, N, limit):
    """Move the free strengths along d, by `limit` or until one meets a bound, and w with them.

    Returns the step and the index of that one, -1 if there is none; an infinite step is not made.
    """
    d, t, y, top, free = a.d, a.t, a.y, a.top, a.free
    hit = -1
    for i in range(n):
        ahead = top[free[i]] - y[free[i]] if d[i] > 0.0 else y[free[i]]
        if ahead < limit * abs(d[i]):
            limit, hit = ahead / abs(d[i]), i
    if limit == np.inf:
        return limit, hit
    for i in range(n):
        mu = free[i]
        new = min(max(y[mu] + limit * d[i], 0.0), top[mu])
        t[i] = new - y[mu]
        y[mu] = new
    add_combination(a.Z, free, n, N, t, a.w)
    if hit >= 0:
        # Exactly: the step may miss the bound by a rounding error.
        mu = free[hit]
        above = d[hit] > 0.0
        y[mu], a.side[mu] = (top[mu], -1.0) if above else (0.0, 1.0)
    return limit, hit


@part
def balance_move(a, n, N):
    """Change t, of a move M^T t, so that sum y z_last becomes zero; return the change of the offset."""
    if n == 0:
        return 0.0
    excess = a.w[N - 1] - a.offset[0]
    # The denominator is at least the largest (z_last / |z|)^2 of the free examples.
    shift = (dot_padded(a.u, a.t, n) + excess) / dot_padded(a.u, a.u, n)
    add_scaled(-shift, a.u, a.t, n)
    return shift


@loop_piece
def free_extreme(a, n, N):
    """Before a change: if no free example is between its bounds, make the one free that limits the offset.

    Kuhn-Tucker bounds the offset from below by some examples and from above by the others. At the largest
    lower bound (if sum y z_last > 0, which the free example will reduce: at the smallest upper one) all
    violating examples are of the other kind, and the free one leaves its bound with each of them: no cycles.
    """
    if n > 1:
        return n
    if n == 1:
        mu = a.free[0]
        above = 2.0 * a.y[mu] > a.top[mu]
        bound = a.top[mu] if above else 0.0
        if abs(a.y[mu] - bound) * a.lengths[mu] * a.lengths[mu] > AT_BOUND:
            return n
        a.y[mu], a.side[mu] = (bound, -1.0) if above else (0.0, 1.0)
    kind = -1.0 if a.w[N - 1] > a.offset[0] else 1.0
    multiply_rows(a.Z, a.every, a.Z.shape[0], N, a.w, a.E)
    for _ in range(2):
        best, new = -np.inf, -1
        for mu in range(a.Z.shape[0]):
            z = kind * a.Z[mu, N - 1]
            if a.side[mu] * z > 0.0 and (1.0 - a.E[mu]) / z > best:
                best, new = (1.0 - a.E[mu]) / z, mu
        if new >= 0:
            a.offset[0] += kind * best
            a.w[N - 1] += kind * best
            add_free(a, 0, N, new, solve_correlations(a, 0, N, new))
            a.r[0] = 0.0
            return 1
        kind = -kind
    return 0


@loop_piece
def maximise_free(a, n, N, last):
    """Move to the maximum on the free examples and remove those that meet a bound; returns how many are left.

    last: the only one with a residual, or -1. If it meets its other bound, no further move is needed.
    """
    M, t, r = a.M, a.t, a.r
    while True:
        if last >= 0:
            for k in range(n):
                t[k] = M[k, last] * r[last]
        else:
            multiply_rows(M, a.every, n, n, r, t)
        shift = balance_move(a, n, N) if a.clamp > 0.0 else 0.0
        combine_rows(M, a.every, n, n, t, a.d)
        step, hit = move_to_bound(a, n, N, 1.0)
        a.offset[0] += step * shift
        a.w[N - 1] += step * shift
        if hit < 0:
            return n
        write_scaled(1.0 - step, r, r, n)
        remove_free(a, n, hit)
        n -= 1
        if hit == last:
            return n
        if last == n:
            last = hit


@loop_piece
def exchange_dependent(a, n, N, mu):
    """Move mu, a combination of the free examples, while they keep w as it is, until one meets a bound.

    Returns that step and the index of a free one, or -1 if mu has met its other bound.
    """
    own = a.side[mu]
    write_scaled(-own, a.d, a.d, n)
    step, hit = move_to_bound(a, n, N, a.top[mu])
    if step < np.inf:
        a.y[mu] = min(max(a.y[mu] + own * step, 0.0), a.top[mu])
        add_scaled(own * step, a.Z[mu], a.w, N)
        if hit < 0:
            a.side[mu] = -own
        else:
            remove_free(a, n, hit)
    return step, hit


@loop_piece
def find_violation(a, N, rows, m, tight, collect):
    """The largest violation of Kuhn-Tucker among rows[:m], and its example (-1 if it is below `tight`).

    collect: also list those above `tight` in `near`; their number is returned.
    """
    E, side = a.E, a.side
    multiply_rows(a.Z, rows, m, N, a.w, E)
    worst, new, count = 0.0, -1, 0
    for k in range(m):
        wrong = side[rows[k]] * (1.0 - E[k])
        if collect and wrong > tight:
            a.near[count] = rows[k]
            count += 1
        if wrong > worst:
            worst, new = wrong, rows[k]
    return worst, new if worst > tight else -1, count


@loop_piece
def free_violators(a, n, N, tight, cap):
    """Make violating examples free, the largest violation first, until there is none.

    Searched among the violators of the last pass over all, and among all if these have none. Returns the
    status, the number of free examples, that of changes and, if settled, the largest violation left.
    """
    P, most, changes, n_near = a.Z.shape[0], a.M.shape[0] - 1, 0, 0
    while changes < cap:
        if a.clamp > 0.0:
            n = free_extreme(a, n, N)
            excess, before = abs(a.w[N - 1] - a.offset[0]), np.inf
            # What does not fall is rounding.
            while n > 0 and a.clamp * excess > tight and excess < before and changes < cap:
                n, changes = free_extreme(a, maximise_free(a, n, N, -1), N), changes + 1
                excess, before = abs(a.w[N - 1] - a.offset[0]), excess
        worst, new, _ = find_violation(a, N, a.near, n_near, tight, False)
        if new < 0:
            worst, new, n_near = find_violation(a, N, a.every, P, tight, True)
        if new < 0:
            return SETTLED, n, changes, worst
        slope, hit = worst * a.side[new], 0
        while hit >= 0:
            changes += 1
            rest = solve_correlations(a, n, N, new)
            if rest > DEPENDENT * a.lengths[new] * a.lengths[new]:
                if n == most:
                    return OPEN, n, changes, np.inf
                add_free(a, n, N, new, rest)
                a.r[n] = slope
                left = maximise_free(a, n + 1, N, n)
                n, changes = left, changes + n + 1 - left
                break
            step, hit = exchange_dependent(a, n, N, new)
            if step == np.inf:
                return UNBOUNDED, n, changes, np.inf
            if hit >= 0:
                n, changes = n - 1, changes + 1
    return OPEN, n, changes, np.inf


@loop_piece
def compute_residuals(a, n, N, far):
    """Write w and r from y, so that rounding errors do not add up; returns max |r| and its rounding error.

    With a free threshold the first includes what sum y z_last contributes to E.
    """
    r = a.r
    combine_rows(a.Z, a.every, a.Z.shape[0], N, a.y, a.w)
    largest = a.clamp * abs(a.w[N - 1])
    a.w[N - 1] += a.offset[0]
    multiply_rows(a.Z, a.free, n, N, a.w, r)
    for i in range(n):
        r[i] = 1.0 - r[i]
        largest = max(largest, abs(r[i]))
    return largest, min(2e-14 + 5e-17 * far * dot_padded(a.y, a.lengths, a.Z.shape[0]), 5e-8)


@entry
def active_set(a, N, waiting, far, cap):
    """Raise y until Kuhn-Tucker is met to rounding. The first `waiting` of the queue begin as free.

    `far` is the largest of the lengths |z|. Returns the status, the number of changes and, if settled, the
    residual; w, E and the offset then match y.
    """
    n = changes = 0
    for k in range(waiting - 1, -1, -1):
        mu = a.queue[k]
        rest = solve_correlations(a, n, N, mu)
        if rest > DEPENDENT * a.lengths[mu] * a.lengths[mu]:
            add_free(a, n, N, mu, rest)
            n += 1
        else:
            a.y[mu] = 0.0
    for _ in range(ROUNDS):
        residual, tight = compute_residuals(a, n, N, far)
        calm, before = residual <= tight, changes
        if not calm:
            left = maximise_free(a, n, N, -1)
            n, changes = left, changes + n - left
        status, n, made, worst = free_violators(a, n, N, tight, cap - changes)
        changes += made
        if status != SETTLED:
            return status, changes, residual
        if calm and changes == before:
            return SETTLED, changes, max(residual, worst)
    return OPEN, changes, residual
