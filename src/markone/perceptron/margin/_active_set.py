"""AdaTron's problem solved exactly by an active-set method, in one compiled call.

Maximise sum y - w^2 / 2 with w = sum y z, z = S xi, 0 <= y <= top. An example is at a bound or free. On the
free ones the maximum is known from the inverse of their correlations C, kept as M^T M: the rows of M combine
the free examples to orthonormal vectors. An example that meets a bound on the way to the maximum is removed
by a Householder reflection of the rows; the one with the largest Kuhn-Tucker violation is added as a new row.

With a free threshold the weight of the last input costs nothing, so that sum y z_last = 0. That weight is
offset + sum y z_last; at each solution the sum is moved to the offset (method of multipliers), by the Newton
step that is exact while the free examples stay the same.

One flat loop in which each inner loop occurs once, to keep the compilation time low.
"""

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
from markone.numerics.compiling import entry

# An example whose squared component orthogonal to the free ones is a smaller fraction counts as dependent.
DEPENDENT = 1e-11
# Status: out of changes or of memory, Kuhn-Tucker met, or no maximum (the data are not separable).
OPEN, SETTLED, UNBOUNDED = 0, 1, 2
# Passes over all examples after which rounding errors will not decrease further.
ROUNDS = 30
# Next phase: add the example `new_free`; move all free ones, with w as it is or recomputed from y; move them
# for the last one added, at once or after others were removed.
JOIN, SOLVE, ANEW, STEP, AGAIN = 0, 1, 2, 3, 4


@entry
def active_set(
    Z, M, lengths, top, y, w, E, side, r, d, t, every, free, near, queue, N, waiting, far, clamp, cap
):
    """Raise y until Kuhn-Tucker is met to rounding. The first `waiting` of `queue` begin as free.

    All arrays are the caller's, with zeros beyond what they hold (`_vectors`); `every` is 0, 1, 2, ...;
    `far` is the largest of the lengths |z|. `side` is 1 at the lower and -1 at the upper bound, 0 for free
    ones; for these r is the residual 1 - E, d a direction; t is a buffer. clamp: the largest |z_last| if the
    threshold is free, else 0. Returns the status, the number of changes, the offset and, if settled, the
    residual; w and E then match y.
    """
    P, most = Z.shape[0], M.shape[0] - 1
    n = changes = n_near = rounds = last = 0
    new_free, slope, tight, residual, offset = -1, 0.0, 0.0, np.inf, 0.0
    phase, ended, calm = JOIN, OPEN, False
    while changes < cap:
        if waiting >= 0:
            waiting -= 1
            if waiting >= 0:
                new_free = queue[waiting]
            else:
                phase = ANEW
        if phase == ANEW:
            # Prevents accumulation of rounding errors.
            combine_rows(Z, every, P, N, y, w)
            if clamp > 0.0:
                w[N - 1] += offset
            tight = min(2e-14 + 5e-17 * far * dot_padded(y, lengths, P), 5e-8)
            multiply_rows(Z, free, n, N, w, r)
            phase, residual = SOLVE, 0.0
            for i in range(n):
                r[i] = 1.0 - r[i]
                residual = max(residual, abs(r[i]))
            calm = residual <= tight
            if calm:
                write_scaled(0.0, r, r, n)
        # The direction d = C^-1 times the residuals, or the correlations with the new example.
        if phase == STEP:
            write_scaled(r[last] * M[last, last], M[last], d, n)
        else:
            if phase == AGAIN:
                for k in range(n):
                    t[k] = M[k, last] * r[last]
            elif phase == SOLVE:
                multiply_rows(M, every, n, n, r, t)
            else:
                multiply_rows(Z, free, n, N, Z[new_free], d)
                multiply_rows(M, every, n, n + 1, d, t)
            combine_rows(M, every, n, n + 1, t, d)
        sign, own, limit = 1.0, 0.0, 1.0
        if phase == JOIN:
            square = lengths[new_free] * lengths[new_free]
            pivot = square - dot_padded(t, t, n)
            changes += waiting < 0
            if pivot > DEPENDENT * square:
                if n == most:
                    break
                pivot = 1.0 / np.sqrt(pivot)
                write_scaled(-pivot, d, M[n], n + 1)
                M[n, n] = pivot
                free[n], side[new_free], r[n] = new_free, 0.0, slope
                last = n
                n += 1
                if waiting < 0:
                    phase = STEP
                continue
            if waiting >= 0:
                y[new_free] = 0.0
                continue
            # The new example moves and the others balance it, leaving w unchanged, until one meets a bound.
            own, limit = side[new_free], top[new_free]
            sign = -own
        hit = -1
        for i in range(n):
            d[i] *= sign
            ahead = y[free[i]]
            if d[i] > 0.0:
                ahead = top[free[i]] - ahead
            if ahead < limit * abs(d[i]):
                limit, hit = ahead / abs(d[i]), i
        if limit == np.inf:
            ended = UNBOUNDED
            break
        for i in range(n):
            mu = free[i]
            new = min(max(y[mu] + limit * d[i], 0.0), top[mu])
            t[i] = new - y[mu]
            y[mu] = new
        add_combination(Z, free, n, N, t, w)
        if own != 0.0:
            y[new_free] = min(max(y[new_free] + own * limit, 0.0), top[new_free])
            add_scaled(own * limit, Z[new_free], w, N)
            if hit < 0:
                side[new_free] = sign
        if hit >= 0:
            changes += 1
            # Exactly: the step may miss the bound by a rounding error.
            mu = free[hit]
            y[mu], side[mu] = 0.0, 1.0
            if d[hit] > 0.0:
                y[mu], side[mu] = top[mu], -1.0
            # A reflection moves the removed example to the last row of M, which is dropped.
            size = 0.0
            for k in range(n):
                t[k] = M[k, hit]
                size += t[k] * t[k]
            n -= 1
            size = np.sqrt(size)
            t[n] += np.copysign(size, t[n])
            combine_rows(M, every, n + 1, n + 1, t, d)
            write_scaled(-1.0 / (size * abs(t[n])), d, d, n + 1)
            add_outer(M, every, n, n + 1, t, d)
            for k in range(n):
                M[k, hit] = M[k, n]
                M[k, n] = 0.0
            write_scaled(1.0 - limit, r, r, n + 1)
            free[hit], r[hit], r[n] = free[n], r[n], 0.0
            # If the last one added meets its other bound, the others need no further move.
            if phase < STEP or hit != last:
                if last == n:
                    last = hit
                if phase == STEP:
                    phase = AGAIN
                continue
        # The largest violation among the violators of the last full pass; if there is none, among all.
        best, new_free = tight, -1
        for full_pass in range(2):
            look, m = (every, P) if full_pass else (near, n_near)
            multiply_rows(Z, look, m, N, w, E)
            if full_pass:
                n_near = 0
            for k in range(m):
                mu = look[k]
                wrong = side[mu] * (1.0 - E[k])
                residual = max(residual, wrong)
                if wrong > best:
                    best, new_free = wrong, mu
                if full_pass and wrong > tight:
                    near[n_near] = mu
                    n_near += 1
            if new_free >= 0:
                break
        if new_free >= 0:
            slope = best * side[new_free]
            phase, calm = JOIN, False
        elif calm and clamp * abs(w[N - 1] - offset) <= tight:
            ended = SETTLED
            break
        else:
            rounds += 1
            if rounds == ROUNDS:
                break
            phase = ANEW
            if calm and clamp > 0.0:
                for i in range(n):
                    d[i] = Z[free[i], N - 1]
                multiply_rows(M, every, n, n, d, t)
                share = dot_padded(t, t, n)
                # Newton's step may alternate between two sets of free examples: the plain step cannot.
                own = w[N - 1] - offset
                offset += own / share if share > 1e-6 and rounds < ROUNDS // 2 else own
    return ended, changes, offset, residual
