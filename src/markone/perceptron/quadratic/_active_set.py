"""AdaTron's problem solved exactly by one example after the other: the active-set way, in one call.

Maximise sum y - w^2 / 2 with w = sum y z, z = S xi, 0 <= y <= top. An example is at a bound or free. On the
free ones the maximum is known from the inverse of their correlations C, kept as M^T M: the rows of M combine
the free examples to orthonormal vectors. Who meets a bound on the way to the maximum leaves, by a reflection
of those; the one that violates Kuhn-Tucker most joins, by one more.

One flat loop in which each inner loop stands once: numba takes a thousandth of a second for every few words.
"""

import numpy as np

from markone.numerics._vectors import add, add_outer, add_rows, combine, product, products, scale
from markone.numerics.compiling import vector_entry

# An example of which less than this part is orthogonal to the free ones depends on them.
DEPENDENT = 1e-11
# How it ended: out of changes or of room, Kuhn-Tucker met, or no maximum (the data are not separable).
OPEN, SETTLED, UNBOUNDED = 0, 1, 2
# Looks at all examples after which rounding will not get better.
ROUNDS = 30
# What is next: the example `who` joins; all free ones move, with w as it is or from y anew; all move for the
# last that has joined, at once or after others have left.
JOIN, SOLVE, ANEW, STEP, AGAIN = 0, 1, 2, 3, 4


@vector_entry
def active_set(Z, M, lengths, top, y, w, E, side, r, d, t, every, free, near, queue, N, waiting, far, cap):
    """Raise y until Kuhn-Tucker is met to rounding. The first `waiting` of `queue` begin as free.

    All arrays are the caller's, with zeros beyond what they hold (`_vectors`); `every` is 0, 1, 2, ...;
    `far` is the largest of the lengths |z|. `side` is 1 at the lower and -1 at the upper bound, 0 of free
    ones; of these r is the residual 1 - E, d a direction, and t serves for a moment. Returns how it ended,
    the number of changes and, if settled, the residual; w and E fit y then.
    """
    P, most = Z.shape[0], M.shape[0] - 1
    n = changes = n_near = rounds = last = 0
    who, slope, tight, residual = -1, 0.0, 0.0, np.inf
    phase, ended, calm = JOIN, OPEN, False
    while changes < cap:
        if waiting >= 0:
            waiting -= 1
            if waiting >= 0:
                who = queue[waiting]
            else:
                phase = ANEW
        if phase == ANEW:
            # So that rounding does not pile up.
            combine(Z, every, P, N, y, w)
            tight = min(2e-14 + 5e-17 * far * product(y, lengths, P), 5e-8)
            products(Z, free, n, N, w, r)
            phase, residual = SOLVE, 0.0
            for i in range(n):
                r[i] = 1.0 - r[i]
                residual = max(residual, abs(r[i]))
            calm = residual <= tight
            if calm:
                scale(0.0, r, r, n)
        # The direction d = C^-1 of the residuals, or of the correlations with who joins.
        if phase == STEP:
            scale(r[last] * M[last, last], M[last], d, n)
        else:
            if phase == AGAIN:
                for k in range(n):
                    t[k] = M[k, last] * r[last]
            elif phase == SOLVE:
                products(M, every, n, n, r, t)
            else:
                products(Z, free, n, N, Z[who], d)
                products(M, every, n, n + 1, d, t)
            combine(M, every, n, n + 1, t, d)
        sign, own, limit = 1.0, 0.0, 1.0
        if phase == JOIN:
            square = lengths[who] * lengths[who]
            pivot = square - product(t, t, n)
            changes += waiting < 0
            if pivot > DEPENDENT * square:
                if n == most:
                    break
                pivot = 1.0 / np.sqrt(pivot)
                scale(-pivot, d, M[n], n + 1)
                M[n, n] = pivot
                free[n], side[who], r[n] = who, 0.0, slope
                last = n
                n += 1
                if waiting < 0:
                    phase = STEP
                continue
            if waiting >= 0:
                y[who] = 0.0
                continue
            # w stays if who moves and the others balance it: until one of them, or who, meets a bound.
            own, limit = side[who], top[who]
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
        add_rows(Z, free, n, N, t, w)
        if own != 0.0:
            y[who] = min(max(y[who] + own * limit, 0.0), top[who])
            add(own * limit, Z[who], w, N)
            if hit < 0:
                side[who] = sign
        if hit >= 0:
            changes += 1
            # Exactly: the step may miss the bound by a rounding error.
            mu = free[hit]
            y[mu], side[mu] = 0.0, 1.0
            if d[hit] > 0.0:
                y[mu], side[mu] = top[mu], -1.0
            # A reflection that leaves who goes to the last row of M alone, which goes with it.
            size = 0.0
            for k in range(n):
                t[k] = M[k, hit]
                size += t[k] * t[k]
            n -= 1
            size = np.sqrt(size)
            t[n] += np.copysign(size, t[n])
            combine(M, every, n + 1, n + 1, t, d)
            scale(-1.0 / (size * abs(t[n])), d, d, n + 1)
            add_outer(M, every, n, n + 1, t, d)
            for k in range(n):
                M[k, hit] = M[k, n]
                M[k, n] = 0.0
            scale(1.0 - limit, r, r, n + 1)
            free[hit], r[hit], r[n] = free[n], r[n], 0.0
            # Where the last to join meets its other bound, the others are where they should be.
            if phase < STEP or hit != last:
                if last == n:
                    last = hit
                if phase == STEP:
                    phase = AGAIN
                continue
        # The worst of those that violated when all were looked at; if none does, of all.
        best, who = tight, -1
        for everybody in range(2):
            look, m = (every, P) if everybody else (near, n_near)
            products(Z, look, m, N, w, E)
            if everybody:
                n_near = 0
            for k in range(m):
                mu = look[k]
                wrong = side[mu] * (1.0 - E[k])
                residual = max(residual, wrong)
                if wrong > best:
                    best, who = wrong, mu
                if everybody and wrong > tight:
                    near[n_near] = mu
                    n_near += 1
            if who >= 0:
                break
        if who >= 0:
            slope = best * side[who]
            phase, calm = JOIN, False
        elif calm:
            ended = SETTLED
            break
        else:
            rounds += 1
            if rounds == ROUNDS:
                break
            phase = ANEW
    return ended, changes, residual
