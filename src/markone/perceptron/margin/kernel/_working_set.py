"""Kernel AdaTron (4.26), (4.6) on a working set of examples whose kernel matrix is in memory.

Maximises sum x - 1/2 x^T G x, 0 <= x <= C, G = S S^T K, in signed strengths a = S x and signed slopes
h = S (1 - E): then the rows are those of K + clamp, the same for every labelling. Steps on two examples at a
time alternate with Newton steps on the free ones, which cost as much as some tens of pair steps if these are
few.
"""

from typing import Any, NamedTuple

import numpy as np

from markone.numerics._vectors import divide_unchecked
from markone.numerics.compiling import entry, piece
from markone.perceptron.base._cholesky import factorise, solve_factorised

# Relative gap that rounding leaves; as in `optimum`.
EXACT = 1e-11
# Newton is tried if the relative gap is below CLOSE, or if at most MUCH times the steps taken are free.
CLOSE, MUCH = 0.05, 0.5
# Number of multiplications in a Cholesky factorisation that take the time of one in a pair step.
SHARE = 40
RIDGE = 1e-14
NEAR = 1e-4  # relative gap at which the set of free examples is nearly final
IDLE = 4  # consecutive rounds without gain after which only rounding is left
ROUNDS = 100
PRECISION = 1e-3  # pair steps end when the largest gain is this fraction of the first
CHUNK = 64


class Examples(NamedTuple):
    """A working set: kernels K without the constant `clamp`, bounds of a, q = K(xi, xi) + clamp.

    Rows of K that are not `known` are copied from the rows and columns `indices` of `source` on first use.
    The slopes are h = linear - (K + clamp) a.
    """

    K: Any
    clamp: float
    source: Any
    indices: Any
    known: Any
    low: Any
    high: Any
    q: Any
    linear: Any


@piece
def largest_index(score):
    """Index of the largest positive score; chunks without a larger one are skipped, which vectorises."""
    best, where, n = 0.0, 0, score.shape[0]
    for start in range(0, n, CHUNK):
        some, larger = score[start : start + CHUNK], False
        for j in range(some.shape[0]):
            larger |= some[j] > best
        if larger:
            for j in range(some.shape[0]):
                if some[j] > best:
                    best, where = some[j], start + j
    return where


@piece
def kernel_row(p, i):
    """Row i of K, copied from `source` on first use."""
    if not p.known[i]:
        p.known[i] = True
        source, row = p.source[p.indices[i]], p.K[i]
        for j in range(row.shape[0]):
            row[j] = source[p.indices[j]]
    return p.K[i]


@piece
def single_gains(p, a, h, score):
    """Write the gain of an AdaTron step on each single example."""
    for j in range(a.shape[0]):
        s = min(max(a[j] + divide_unchecked(h[j], p.q[j]), p.low[j]), p.high[j]) - a[j]
        score[j] = s * (h[j] - 0.5 * s * p.q[j])


@piece
def pair_gains(p, a, h, i, score):
    """Write the gain of a joint step on example i and each other one, to their maximum, clipped."""
    row, a_i, h_i, low_i, high_i, q_i = kernel_row(p, i), a[i], h[i], p.low[i], p.high[i], p.q[i]
    rate = 1.0 / q_i
    for j in range(a.shape[0]):
        c, q = row[j] + p.clamp, p.q[j]
        det = max(q_i * q - c * c, 1e-12 * q_i * q)
        d = min(max(a[j] + divide_unchecked(q_i * h[j] - c * h_i, det), p.low[j]), p.high[j]) - a[j]
        e = h_i - c * d
        s = min(max(a_i + e * rate, low_i), high_i) - a_i
        score[j] = d * (h[j] - 0.5 * q * d) + s * (e - 0.5 * q_i * s)
    score[i] = 0.0


@piece
def pair_steps(p, a, h, score, most):
    """Make at most about `most` steps on two examples, until the gain is small; return their number.

    Two: the one with the largest single gain, and the partner with the largest joint gain. Single steps
    converge slowly along the common component of all Psi, which SVMs with a free threshold do not have.
    """
    n, taken, goal = a.shape[0], 0, -1.0
    while taken < most:
        single_gains(p, a, h, score)
        i = largest_index(score)
        best = score[i]
        if goal < 0.0:
            goal = PRECISION * best
        # If K is not positive semi-definite x may grow without bound: stop before overflow.
        if not best > goal or a[i] * a[i] * p.q[i] > 1e120:
            break
        pair_gains(p, a, h, i, score)
        k = largest_index(score)
        d, e = 0.0, h[i]
        if score[k] > best:
            c = p.K[i, k] + p.clamp
            det = max(p.q[i] * p.q[k] - c * c, 1e-12 * p.q[i] * p.q[k])
            d = min(max(a[k] + (p.q[i] * h[k] - c * h[i]) / det, p.low[k]), p.high[k]) - a[k]
            e -= c * d
            taken += 1
        s = min(max(a[i] + e / p.q[i], p.low[i]), p.high[i]) - a[i]
        a[k] += d
        a[i] += s
        taken += 1
        row, other, both = p.K[i], kernel_row(p, k), (s + d) * p.clamp
        for j in range(n):
            h[j] -= s * row[j] + d * other[j] + both
    return taken


@piece
def recompute_slopes(p, a, h):
    """Compute h = linear - (K + clamp) a, without the accumulated rounding of many steps."""
    n = a.shape[0]
    for j in range(n):
        h[j] = p.linear[j]
    for i in range(n):
        if a[i] != 0.0:
            row, s = kernel_row(p, i), a[i]
            for j in range(n):
                h[j] -= s * (row[j] + p.clamp)


@piece
def kernel_newton_direction(p, h, free, M, d):
    """Solve K d = h on the free examples, with the smallest ridge that makes K definite; False if none."""
    m, top = free.shape[0], 0.0
    K, U, slopes, inverse = M[0, :m, :m], M[1, :m, :m], M[2, 0, :m], M[2, 1, :m]
    for b in range(m):
        row, top, slopes[b] = kernel_row(p, free[b]), max(top, p.q[free[b]]), h[free[b]]
        for c in range(b, m):
            K[b, c] = row[free[c]] + p.clamp
    ridge = RIDGE * top * m
    while ridge < 1e-2 * top:
        if factorise(K, ridge, U, inverse):
            solve_factorised(U, inverse, slopes, d[:m])
            return True
        ridge *= 100.0
    return False


@piece
def newton_step(p, a, h, free, M, d, change):
    """Make one projected Newton step on the free examples; return False if no step increases f."""
    n = a.shape[0]
    if not kernel_newton_direction(p, h, free, M, d):
        return False
    t = 1.0
    for _ in range(12):
        rise, bend = 0.0, 0.0
        for j in range(n):
            change[j] = 0.0
        for b in range(free.shape[0]):
            i = free[b]
            step = min(max(a[i] + t * d[b], p.low[i]), p.high[i]) - a[i]
            rise += step * h[i]
            if step != 0.0:
                row = kernel_row(p, i)
                for j in range(n):
                    change[j] += step * (row[j] + p.clamp)
        if rise > 0.0:
            for b in range(free.shape[0]):
                i = free[b]
                bend += (min(max(a[i] + t * d[b], p.low[i]), p.high[i]) - a[i]) * change[i]
            # Along this step the objective is a parabola: go to its maximum, or to the end.
            fraction = 1.0 if bend <= rise else rise / bend
            for b in range(free.shape[0]):
                i = free[b]
                a[i] += fraction * (min(max(a[i] + t * d[b], p.low[i]), p.high[i]) - a[i])
            for j in range(n):
                h[j] -= fraction * change[j]
            return True
        t *= 0.25
    return False


@piece
def relative_gap(x, g, C, value, rest):
    """Relative gap between this student and its bound; infinite if there is no finite bound.

    value: dual cost of all examples. rest: x.E, sum x and sum C (1 - E)_+ - x (1 - E) of the inactive ones.
    """
    xE, total, gap, weakest, soft = rest[0], rest[1], rest[2], np.inf, False
    for j in range(x.shape[0]):
        xE += x[j] * (1.0 - g[j])
        total += x[j]
        gap -= x[j] * g[j]
        if C[j] < np.inf:
            soft = True
            gap += C[j] * max(g[j], 0.0)
        else:
            weakest = min(weakest, 1.0 - g[j])
    if weakest == np.inf:
        return gap / (value + gap) if value + gap > 0.0 else (0.0 if gap == 0.0 else np.inf)
    if xE <= 0.0 or (weakest <= 0.0 and soft):
        return np.inf
    if not soft:
        return 1.0 - weakest * total / xE
    # Examples without slack must have E >= 1: scale the weights accordingly.
    scale, slack = max(1.0 / weakest, 1.0), 0.0
    for j in range(x.shape[0]):
        if C[j] < np.inf:
            slack += C[j] * max(1.0 - (1.0 - g[j]) * scale, 0.0)
    primal = 0.5 * xE * scale * scale + slack
    return (primal - total + 0.5 * xE) / primal


@piece
def find_free(x, g, C, free):
    """Write the examples between their bounds, and violators at a bound, to `free`; return their number."""
    m = 0
    for j in range(x.shape[0]):
        inside = x[j] > 0.0 and x[j] < C[j]
        if inside or (x[j] == 0.0 and g[j] > 0.0) or (x[j] == C[j] and g[j] < 0.0):
            free[m] = j
            m += 1
    return m


@piece
def write_unsigned(S, a, h, x, g):
    """Write x = |a| and g = S h."""
    for j in range(S.shape[0]):
        x[j], g[j] = abs(a[j]), S[j] * h[j]


@piece
def working_set_value(p, a, h, offset):
    """Dual cost, given that of the inactive examples alone."""
    value = offset
    for j in range(a.shape[0]):
        value += 0.5 * a[j] * (p.linear[j] + h[j])
    return value


@entry
def student_relative_gap(x, E, C):
    """Relative gap of a student with up-to-date E of all examples."""
    g, value = np.empty(x.shape[0]), 0.0
    for j in range(x.shape[0]):
        g[j] = 1.0 - E[j]
        value += 0.5 * x[j] * (1.0 + g[j])
    return relative_gap(x, g, C, value, (0.0, 0.0, 0.0))


@entry
def solve_working_set(p, S, C, x, g, M, rest, tol, exact, most):
    """Solve for x and g = 1 - E to a gap of EXACT, or of `tol` unless `exact`, in at most `most` steps.

    The size of the buffers M limits the number of free examples in a Newton step. rest: see `relative_gap`,
    and the dual cost of the inactive examples. Returns gap, steps, Newton steps, and whether it converged.
    """
    n, most_free = S.shape[0], M.shape[1]
    a, h, score, change, d = np.empty(n), np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    for j in range(n):
        a[j], h[j] = S[j] * x[j], S[j] * g[j]
    free = np.empty(n, np.int64)
    steps, newton_steps, idle, value, gap, fresh, converged = 0, 0, 0, -np.inf, np.inf, True, False
    budget = n // 4 if n > 128 else 32
    for _ in range(ROUNDS):
        before, value = value, working_set_value(p, a, h, rest[3])
        write_unsigned(S, a, h, x, g)
        gap = relative_gap(x, g, C, value, rest)
        if gap <= tol and not fresh:
            recompute_slopes(p, a, h)
            fresh = True
            write_unsigned(S, a, h, x, g)
            gap = relative_gap(x, g, C, working_set_value(p, a, h, rest[3]), rest)
        idle = idle + 1 if value - before <= 1e-15 * abs(value) else 0
        converged = gap <= EXACT or (gap <= tol and not exact) or idle == IDLE
        m = find_free(x, g, C, free)
        # Pair steps are slow near the solution; with many free examples Newton steps are left to LAPACK.
        if converged or steps >= most or (exact and m > most_free and gap < NEAR):
            break
        if 0 < m <= most_free and (gap < CLOSE or m <= MUCH * steps):
            if newton_step(p, a, h, free[:m], M, d, change):
                newton_steps += 1
                fresh = False
            # Spend as much time on pair steps as on the Newton step.
            budget = min(max(m * m * m // (SHARE * n), 8), 4 * n)
        taken = pair_steps(p, a, h, score, min(budget, most - steps))
        steps += taken
        fresh = fresh and taken == 0
    if not fresh:
        recompute_slopes(p, a, h)
        write_unsigned(S, a, h, x, g)
    return gap, steps, newton_steps, converged


@entry
def step_gains(x, E, C, q):
    """Gain of f by an AdaTron step on each example alone: 0 if Kuhn-Tucker is met."""
    out = np.empty(x.shape[0])
    for j in range(x.shape[0]):
        g = 1.0 - E[j]
        s = min(max(x[j] + divide_unchecked(g, q[j]), 0.0), C[j]) - x[j]
        out[j] = s * (g - 0.5 * s * q[j])
    return out


@entry
def write_kernel_rows(rows, slots, old, clamp, K):
    """Write the kernels `rows` of the examples at `slots`, and their columns in rows `old`, less clamp."""
    for k in range(slots.shape[0]):
        row = K[slots[k]]
        for j in range(row.shape[0]):
            row[j] = rows[k, j] - clamp
    for i in range(old.shape[0]):
        row = K[old[i]]
        for k in range(slots.shape[0]):
            row[slots[k]] = rows[k, old[i]] - clamp
