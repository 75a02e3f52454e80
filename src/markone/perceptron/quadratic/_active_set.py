"""AdaTron's problem solved exactly by one example after the other: the active-set way, in one call.

Maximise sum y - w^2 / 2 with w = sum y z, z = S xi, 0 <= y <= top. An example is at a bound or free. On the
free ones the maximum is known from the inverse of their correlations, kept as M^T M: the rows of M combine the
free examples to orthonormal vectors. Who meets a bound on the way to the maximum leaves, by a reflection of
those; the one that violates Kuhn-Tucker most joins, by one more.

One flat loop in which each inner loop stands once: numba takes a thousandth of a second for each few words.
"""

import numpy as np

from markone.numerics._vectors import add, add_outer, add_rows, combine, product, products, scale
from markone.numerics.compiling import entry

# An example of which less than this part is orthogonal to the free ones depends on them.
DEPENDENT = 1e-11
# How it ended: out of changes or of room, Kuhn-Tucker met, or no maximum (the data are not separable).
OPEN, SETTLED, UNBOUNDED = 0, 1, 2
# Looks at all examples after which rounding will not get better.
ROUNDS = 30
# What is next: the example `who` joins, all free ones move, or all move for the last that has joined, at once or
# after others have left.
JOIN, SOLVE, STEP, AGAIN = 0, 1, 2, 3


@entry
def active_set(
    Z, M, norms, top, y, w, E, r, d, t, every, free, near, queue, inside, N, waiting, longest, cap
):
    """Raise y until Kuhn-Tucker is met to rounding. The first `waiting` of `queue` begin as free.

    All arrays are the caller's, with zeros beyond what they hold (`_vectors`); `every` is 0, 1, 2, ... and
    `longest` the largest |z|. Of the free ones r is the residual 1 - E, d a direction; t and E also serve for a
    moment. Returns how it ended, the number of changes and, if settled, the residual; w and E fit y then.
    """
    P, most = Z.shape[0], M.shape[0] - 1
    n = changes = n_near = rounds = last = 0
    who, up, slope, tight, residual = -1, 1.0, 0.0, 0.0, np.inf
    filling, anew, calm = True, False, False
    phase, ended = JOIN, OPEN
    while changes < cap:
        if filling:
            if waiting > 0:
                waiting -= 1
                who = queue[waiting]
            else:
                filling, anew, phase = False, True, SOLVE
        if anew:
            # w and the residuals from y, so that rounding does not pile up.
            terms, m = 0.0, 0
            for mu in range(P):
                if y[mu] != 0.0:
                    terms += y[mu] * np.sqrt(norms[mu])
                    E[m] = y[mu]
                    queue[m] = mu
                    m += 1
            combine(Z, queue, m, N, E, w)
            tight = min(2e-14 + 5e-17 * longest * terms, 5e-8)
            anew, residual = False, 0.0
            products(Z, free, n, N, w, r)
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
            pivot = norms[who] - product(t, t, n)
            changes += not filling
            if pivot > DEPENDENT * norms[who]:
                if n == most:
                    break
                pivot = 1.0 / np.sqrt(pivot)
                scale(-pivot, d, M[n], n + 1)
                M[n, n] = pivot
                free[n] = who
                inside[who] = True
                r[n] = slope
                last = n
                n += 1
                if not filling:
                    phase = STEP
                continue
            if filling:
                if y[who] < top[who] - y[who]:
                    y[who] = 0.0
                else:
                    y[who] = top[who]
                continue
            # w stays if who moves and the others balance it: until one of them, or who, meets a bound.
            sign, own, limit = -up, up, top[who]
        hit = -1
        for i in range(n):
            d[i] *= sign
            mu = free[i]
            if y[mu] + limit * d[i] < 0.0:
                limit, hit = -y[mu] / d[i], i
            elif y[mu] + limit * d[i] > top[mu]:
                limit, hit = (top[mu] - y[mu]) / d[i], i
        if limit == np.inf:
            ended = UNBOUNDED
            break
        for i in range(n):
            mu = free[i]
            new = min(max(y[mu] + limit * d[i], 0.0), top[mu])
            t[i] = new - y[mu]
            y[mu] = new
        if hit >= 0:
            # Exactly: y + limit d would miss the bound by a rounding error.
            mu, new = free[hit], 0.0
            if d[hit] > 0.0:
                new = top[mu]
            t[hit] += new - y[mu]
            y[mu] = new
        add_rows(Z, free, n, N, t, w)
        if own != 0.0:
            y[who] = min(max(y[who] + own * limit, 0.0), top[who])
            add(own * limit, Z[who], w, N)
        if hit >= 0:
            changes += 1
            inside[free[hit]] = False
            # A reflection that leaves who goes to the last row of M alone, which goes with it.
            size = 0.0
            for k in range(n):
                t[k] = M[k, hit]
                size += t[k] * t[k]
            n -= 1
            size = np.sqrt(size)
            t[n] += size if t[n] > 0.0 else -size
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
                last = hit if last == n else last
                phase = AGAIN if phase == STEP else phase
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
                if not inside[mu]:
                    wrong = 1.0 - E[k] if y[mu] == 0.0 else E[k] - 1.0
                    residual = max(residual, wrong)
                    if wrong > best:
                        best, who = wrong, mu
                    if everybody and wrong > tight:
                        near[n_near] = mu
                        n_near += 1
            if who >= 0:
                break
        if who >= 0:
            up = 1.0 if y[who] == 0.0 else -1.0
            slope = best * up
            phase, calm = JOIN, False
        elif calm:
            ended = SETTLED
            break
        else:
            rounds += 1
            if rounds == ROUNDS:
                break
            phase, anew = SOLVE, True
    return ended, changes, residual
