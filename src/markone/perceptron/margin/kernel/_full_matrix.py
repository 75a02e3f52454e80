"""Kernel AdaTron (4.26), (4.6) with the full kernel matrix in memory, in one compiled call.

Maximises f(x) = sum x - 1/2 x^T G x, 0 <= x <= C, G = S S^T K, for the examples `indices` of the matrix K:
all of them, or those of two classes. Steps on two examples at a time as in `_block`, over all examples,
alternate with Newton steps on the free ones, which cost as much as some tens of pair steps if these are
few. If the rounds do not suffice, the state is returned as it is.
"""

import numpy as np

from markone.numerics.compiling import entry, piece
from markone.perceptron.margin._cholesky import factor_small_matrix, solve_factored
from markone.perceptron.margin.kernel._pairs import kernel_row, pair_steps, recompute_slopes, second_run_start

EXACT = 1e-11  # as in `optimum`
# Newton is tried if the relative gap is below CLOSE, or if at most MUCH times the steps taken are free.
CLOSE, MUCH = 0.05, 0.5
# Number of multiplications in a Cholesky factorisation that take the time of one in a pair step.
SHARE = 40
RIDGE = 1e-14
PRECISION = 1e-3
NEAR = 1e-4  # relative gap at which the set of free examples is nearly final
IDLE = 4  # consecutive rounds without gain after which only rounding is left


@piece
def newton_on_free(K, clamp, indices, at, rows, known, whole, low, high, q, a, h, free, m, M, d, change):
    """Make one projected Newton step on the m free examples; return False if no step increases f."""
    n, lift = a.shape[0], clamp if whole else 0.0
    top = 0.0
    for b in range(m):
        top = max(top, q[free[b]])
    ridge, done = RIDGE * top * m, False
    while not done:
        # E = 1 may have many solutions, or none: the smallest ridge that makes K definite.
        if not ridge < 1e-2 * top:
            return False
        for b in range(m):
            row = kernel_row(K, clamp, indices, at, rows, known, whole, free[b])
            for c in range(b + 1):
                M[b, c] = row[free[c]] + lift
        done = factor_small_matrix(M, m, ridge)
        ridge *= 100.0
    for b in range(m):
        d[b] = h[free[b]]
    solve_factored(M, m, d)
    t = 1.0
    for _ in range(12):
        rise = 0.0
        for j in range(n):
            change[j] = 0.0
        for b in range(m):
            i = free[b]
            step = min(max(a[i] + t * d[b], low[i]), high[i]) - a[i]
            rise += step * h[i]
            if step != 0.0:
                row = kernel_row(K, clamp, indices, at, rows, known, whole, i)
                for j in range(n):
                    change[j] += step * (row[j] + lift)
        bend = 0.0
        for b in range(m):
            i = free[b]
            bend += (min(max(a[i] + t * d[b], low[i]), high[i]) - a[i]) * change[i]
        if rise > 0.0:
            # Between the bounds f is a parabola along this step: go to its maximum, or to the end.
            part_of = 1.0 if bend <= rise else rise / bend
            for b in range(m):
                i = free[b]
                a[i] += part_of * (min(max(a[i] + t * d[b], low[i]), high[i]) - a[i])
            for j in range(n):
                h[j] -= part_of * change[j]
            return True
        t *= 0.25
    return False


@piece
def relative_gap_of_slopes(x, g, C, n):
    """Relative gap of the student, equal to `certificate` of E = 1 - g."""
    xE, total, slack, weakest, finite, hard = 0.0, 0.0, 0.0, np.inf, False, False
    for j in range(n):
        xE += x[j] * (1.0 - g[j])
        total += x[j]
        if C[j] < np.inf:
            finite = True
            slack += C[j] * max(g[j], 0.0)
        else:
            hard = True
            weakest = min(weakest, 1.0 - g[j])
    if xE < 0.0:
        return np.inf
    if hard and not finite:
        return 1.0 - weakest * total / xE if xE > 0.0 else np.inf
    if hard and weakest < 1.0:
        if weakest <= 0.0:
            return np.inf
        slack = 0.0
        for j in range(n):
            if C[j] < np.inf:
                slack += C[j] * max(1.0 - (1.0 - g[j]) / weakest, 0.0)
        xE /= weakest * weakest
        primal = 0.5 * xE + slack
        xE *= weakest * weakest
    else:
        primal = 0.5 * xE + slack
    return (primal - total + 0.5 * xE) / primal if primal > 0.0 else 0.0


@entry
def solve_full_matrix(K, clamp, indices, S, C, q, x, g, rows, known, work, free, M, tol, exact, rounds, most):
    """Solve for x and g = 1 - E to a relative gap of EXACT, or of `tol` unless `exact`.

    `rows` is a buffer for the kernels between the chosen examples; empty if all of K are meant. `work`,
    `free` and M are buffers; the size of M limits the number of free examples in a Newton step.
    Returns the gap, the steps on examples, the Newton steps, and whether the solver has converged.
    """
    n, whole, most_free = indices.shape[0], rows.shape[0] == 0, M.shape[0]
    at = n if whole else second_run_start(indices)
    a, h, low, high, r = work[0], work[1], work[2], work[3], work[4]
    score, change, d = work[5], work[6], work[7]
    for j in range(n):
        end = S[j] * C[j]
        a[j], h[j], r[j] = S[j] * x[j], S[j] * g[j], 1.0 / q[j]
        low[j], high[j] = end if end < 0.0 else 0.0, end if end > 0.0 else 0.0
    steps, newton_steps, idle, value, gap, fresh, settled = 0, 0, 0, -np.inf, np.inf, True, False
    budget = n // 4 if n > 128 else 32
    for _ in range(rounds):
        for again in range(2):
            for j in range(n):
                x[j], g[j] = abs(a[j]), S[j] * h[j]
            gap = relative_gap_of_slopes(x, g, C, n)
            if again == 1 or fresh or not gap <= tol:
                break
            recompute_slopes(K, clamp, indices, at, rows, known, whole, S, a, h)
            fresh = True
        before, value = value, 0.0
        for j in range(n):
            value += x[j] * (0.5 + 0.5 * g[j])
        idle = idle + 1 if value - before <= 1e-15 * abs(value) else 0
        settled = gap <= EXACT or (gap <= tol and not exact) or idle == IDLE
        if settled or steps >= most:
            break
        m = 0
        for j in range(n):
            inside = x[j] > 0.0 and x[j] < C[j]
            if inside or (x[j] == 0.0 and g[j] > 0.0) or (x[j] == C[j] and g[j] < 0.0):
                free[m] = j
                m += 1
        if exact and m > most_free and gap < NEAR:
            break  # pair steps are slow here, and there are too many free examples for Newton
        if 0 < m <= most_free and (gap < CLOSE or m <= MUCH * steps):
            if newton_on_free(
                K, clamp, indices, at, rows, known, whole, low, high, q, a, h, free, m, M, d, change
            ):
                newton_steps += 1
                fresh = False
            # Spend as much time on pair steps as on the Newton step.
            budget = m * m * m // (SHARE * n)
            budget = 8 if budget < 8 else 4 * n if budget > 4 * n else budget
        few = budget if budget < most - steps else most - steps
        taken = pair_steps(
            K, clamp, indices, at, rows, known, whole, low, high, q, r, a, h, score, PRECISION, few
        )
        steps += taken
        fresh = fresh and taken == 0
    for j in range(n):
        x[j], g[j] = abs(a[j]), S[j] * h[j]
    return gap, steps, newton_steps, settled
