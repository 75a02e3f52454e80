"""AdaTron's problem solved exactly by one example after the other: the active-set way, in one call.

Maximise sum y - w^2 / 2 with w = sum y z, z = S xi, 0 <= y <= top. An example is at a bound or free. On the
free ones the maximum is known from the Cholesky factor of their correlations; who meets a bound on the way
there leaves, and the one that violates Kuhn-Tucker most joins: each changes the factor by a row.

One flat loop in which each inner loop stands once: as parts they would be compiled at each place of use.
"""

import numpy as np

from markone.numerics.compiling import entry

# An example of which less than this part is orthogonal to the free ones depends on them.
DEPENDENT = 1e-11
# How it ended: out of changes or of room, Kuhn-Tucker met, or no maximum (the data are not separable).
OPEN, SETTLED, UNBOUNDED = 0, 1, 2
# Looks at all examples after which rounding will not get better.
ROUNDS = 30
# E above which an example of strength zero is passed over by the sweeps.
FAR = 1.5
HALVINGS = 20
# What is next: the example `who` joins, all free ones move, or all move for the last that has joined.
JOIN, SOLVE, STEP = 0, 1, 2


@entry
def sweeps(Z, norms, top, y, w, E, items, queue, keep, count, eta):
    """AdaTron's ascent on those that are not far beyond the margin: who will be free, roughly.

    The free ones farthest from their bounds, `keep` at the most, stand in `queue` then, the others are moved
    to the nearer bound. Returns how many stand there.
    """
    P, N = Z.shape
    n = P
    for mu in range(P):
        items[mu] = mu
    for _ in range(count):
        m = 0
        for k in range(n):
            mu = items[k]
            total = 0.0
            for j in range(N):
                total += Z[mu, j] * w[j]
            new = min(max(y[mu] + eta * (1.0 - total) / norms[mu], 0.0), top[mu])
            change = new - y[mu]
            if change != 0.0:
                for j in range(N):
                    w[j] += change * Z[mu, j]
                y[mu] = new
            if new > 0.0 or total < FAR:
                items[m] = mu
                m += 1
        n = m
    # E serves for the distances to the bounds. That of the last to be kept is found by halving.
    high = 0.0
    for mu in range(P):
        E[mu] = min(y[mu], top[mu] - y[mu])
        high = max(high, E[mu])
    low = limit = 0.0
    for _ in range(HALVINGS):
        m = 0
        for mu in range(P):
            if E[mu] > limit:
                m += 1
        if limit == 0.0 and m <= keep:
            break
        if m > keep:
            low = limit
        else:
            high = limit
        limit = 0.5 * (low + high)
    limit = high if limit > 0.0 else 0.0
    n = 0
    for mu in range(P):
        if E[mu] > limit:
            queue[n] = mu
            n += 1
        elif E[mu] > 0.0:
            y[mu] = 0.0 if y[mu] < top[mu] - y[mu] else top[mu]
    return n


@entry
def active_set(Z, norms, top, y, w, E, L, work, free, inside, near, queue, waiting, cap):
    """Raise y until Kuhn-Tucker is met to rounding. The first `waiting` of `queue` begin as free.

    All arrays are the caller's: one made here is compiled for a tenth of a second. L holds the factor, with
    the reciprocals of its diagonal. Returns how it ended, the number of changes and, if settled,
    the residual; w and E fit y then.
    """
    P, N = Z.shape
    most = L.shape[0] - 1
    r, d, turn, slant = work[0], work[1], work[2], work[3]
    n = changes = n_near = rounds = 0
    who, up, slope, tight, residual = -1, 1.0, 0.0, 0.0, np.inf
    filling, anew, calm = True, False, False
    longest = 0.0
    for mu in range(P):
        longest = max(longest, norms[mu])
    phase = JOIN
    while changes < cap:
        if filling:
            if waiting > 0:
                waiting -= 1
                who = queue[waiting]
            else:
                filling, anew, phase = False, True, SOLVE
        if anew:
            # w and the residuals from y, so that rounding does not pile up.
            terms = 0.0
            for j in range(N):
                w[j] = 0.0
            for mu in range(P):
                if y[mu] != 0.0:
                    terms += y[mu] * np.sqrt(norms[mu])
                    for j in range(N):
                        w[j] += y[mu] * Z[mu, j]
            tight = min(2e-14 + 5e-17 * np.sqrt(longest) * terms, 5e-8)
            anew, residual = False, 0.0
            for i in range(n):
                total = 0.0
                for j in range(N):
                    total += Z[free[i], j] * w[j]
                E[free[i]] = total
                r[i] = 1.0 - total
                residual = max(residual, abs(r[i]))
            calm = residual <= tight
        # The direction d: first L^-1 of residuals, or of the correlations with who joins ...
        if phase == STEP:
            for i in range(n - 1):
                d[i] = 0.0
            d[n - 1] = r[n - 1] * L[n - 1, n - 1]
        else:
            for i in range(n):
                total = 0.0 if calm else r[i]
                if phase == JOIN:
                    total = 0.0
                    for j in range(N):
                        total += Z[free[i], j] * Z[who, j]
                for k in range(i):
                    total -= L[i, k] * d[k]
                d[i] = total * L[i, i]
        sign, own, limit = 1.0, 0.0, 1.0
        if phase == JOIN:
            pivot = norms[who]
            for i in range(n):
                L[n, i] = d[i]
                pivot -= d[i] * d[i]
            changes += not filling
            if pivot > DEPENDENT * norms[who]:
                if n == most:
                    return OPEN, changes, np.inf
                L[n, n] = 1.0 / np.sqrt(pivot)
                free[n] = who
                inside[who] = True
                r[n] = slope
                n += 1
                phase = JOIN if filling else STEP
                continue
            if filling:
                y[who] = 0.0 if y[who] < top[who] - y[who] else top[who]
                continue
            # w stays if who moves and the others balance it: until one of them, or who, meets a bound.
            sign, own, limit = -up, up, top[who]
        # ... then L^-T of that.
        for i in range(n - 1, -1, -1):
            d[i] *= L[i, i]
            for k in range(i):
                d[k] -= L[i, k] * d[i]
        hit = -1
        for i in range(n):
            d[i] *= sign
            mu = free[i]
            if y[mu] + limit * d[i] < 0.0:
                limit, hit = -y[mu] / d[i], i
            elif y[mu] + limit * d[i] > top[mu]:
                limit, hit = (top[mu] - y[mu]) / d[i], i
        if limit == np.inf:
            return UNBOUNDED, changes, np.inf
        for i in range(n):
            mu = free[i]
            new = min(max(y[mu] + limit * d[i], 0.0), top[mu])
            if i == hit:
                new = 0.0 if d[i] < 0.0 else top[mu]
            change = new - y[mu]
            y[mu] = new
            for j in range(N):
                w[j] += change * Z[mu, j]
        if own != 0.0:
            y[who] = min(max(y[who] + own * limit, 0.0), top[who])
            for j in range(N):
                w[j] += own * limit * Z[who, j]
        if hit >= 0:
            changes += 1
            inside[free[hit]] = False
            for i in range(hit + 1, n):
                # The column that goes is turned into the later ones.
                u = L[i, hit]
                for j in range(hit):
                    L[i - 1, j] = L[i, j]
                for j in range(hit, i - 1):
                    a = L[i, j + 1]
                    L[i - 1, j] = turn[j] * a + slant[j] * u
                    u = turn[j] * u - slant[j] * a
                a = 1.0 / L[i, i]
                size = np.sqrt(a * a + u * u)
                turn[i - 1], slant[i - 1], L[i - 1, i - 1] = a / size, u / size, 1.0 / size
                free[i - 1], r[i - 1] = free[i], r[i]
            n -= 1
            for i in range(n):
                r[i] *= 1.0 - limit
            # Where the last to join meets its other bound, the others are where they should be.
            if phase != STEP or hit < n:
                continue
        # The worst of those that violated when all were looked at; if none does, of all.
        best, who = tight, -1
        for everybody in range(2):
            if everybody:
                n_near = 0
            for k in range(P if everybody else n_near):
                mu = k if everybody else near[k]
                if not inside[mu]:
                    total = 0.0
                    for j in range(N):
                        total += Z[mu, j] * w[j]
                    E[mu] = total
                    wrong = 1.0 - total if y[mu] == 0.0 else total - 1.0
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
            return SETTLED, changes, residual
        else:
            rounds += 1
            if rounds == ROUNDS:
                return OPEN, changes, np.inf
            phase, anew = SOLVE, True
    return OPEN, changes, np.inf
