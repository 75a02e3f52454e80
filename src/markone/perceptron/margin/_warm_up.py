"""Warm-up sweeps of AdaTron's ascent that choose the initial active set."""

import numpy as np

from markone.numerics._vectors import add_scaled, combine_rows, dot_padded
from markone.numerics.compiling import entry

# Initial number of free examples relative to N, without a warm start.
FREE = 0.9
# E above which an example of strength zero is skipped.
FAR = 1.5
# The rate, relative to 1 / C_mumu.
ETA = 1.5
HALVINGS = 20


@entry
def warm_up_sweeps(xi, S, norms, gamma, x, Z, lengths, top, y, w, E, side, every, items, queue, count):
    """Sweep over the examples that are not far beyond the margin, to estimate which will be free.

    Writes Z = S xi, |xi|^2, |xi|, top = gamma / N and y = x / N first. The free examples farthest from their
    bounds are put into `queue`, at most N, or 0.9 N if all started with strength zero; the others are moved
    to the nearer bound, and `side` is 1 at the lower, -1 at the upper one. Returns the length of the queue
    and the largest |xi|; -1 if a square is zero or not finite.
    """
    P, N = xi.shape
    n, begun, longest = P, 0.0, 0.0
    for mu in range(P):
        items[mu] = mu
        top[mu] = gamma[mu] / N
        y[mu] = x[mu] / N
        begun += y[mu]
        for j in range(N):
            Z[mu, j] = S[mu] * xi[mu, j]
        norms[mu] = dot_padded(Z[mu], Z[mu], N)
        if not 0.0 < norms[mu] < np.inf:
            return -1, 0.0
        E[mu] = ETA / norms[mu]
        lengths[mu] = np.sqrt(norms[mu])
        longest = max(longest, lengths[mu])
    for k in range(every.shape[0]):
        every[k] = k
    keep = int(FREE * N)
    if begun > 0.0:
        keep = N
        combine_rows(Z, every, P, N, y, w)
    for _ in range(count):
        m = 0
        for k in range(n):
            mu = items[k]
            total = dot_padded(Z[mu], w, N)
            new = min(max(y[mu] + E[mu] * (1.0 - total), 0.0), top[mu])
            # Also if nothing changes: a branch would take longer.
            add_scaled(new - y[mu], Z[mu], w, N)
            y[mu] = new
            items[m] = mu
            m += (new > 0.0) | (total < FAR)
        n = m
    # E is reused for the distances to the bounds; the threshold for `keep` of them is found by bisection.
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
        side[mu] = 1.0
        if E[mu] > limit:
            queue[n] = mu
            n += 1
        elif y[mu] + y[mu] > top[mu]:
            y[mu], side[mu] = top[mu], -1.0
        else:
            y[mu] = 0.0
    return n, longest
