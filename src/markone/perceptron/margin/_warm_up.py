"""Warm-up sweeps of AdaTron's ascent that choose the initial active set."""

import numpy as np

from markone.numerics._vectors import add_scaled, combine_rows, dot_padded
from markone.numerics.compiling import entry, loop_piece

# Initial number of free examples relative to N, without a warm start.
FREE = 0.9
# E above which an example of strength zero is skipped.
FAR = 1.5
# The rate, relative to 1 / C_mumu.
ETA = 1.5
HALVINGS = 20


@loop_piece
def write_examples(xi, S, gamma, x, norms, a):
    """Write Z = S xi, |xi|^2, |xi|, top = gamma / N, y = x / N and w; returns the largest |xi|.

    Returns -1 if a square is zero or not finite.
    """
    P, N = xi.shape
    longest = 0.0
    for mu in range(P):
        a.top[mu] = gamma[mu] / N
        a.y[mu] = x[mu] / N
        for j in range(N):
            a.Z[mu, j] = S[mu] * xi[mu, j]
        norms[mu] = dot_padded(a.Z[mu], a.Z[mu], N)
        if not 0.0 < norms[mu] < np.inf:
            return -1.0
        a.lengths[mu] = np.sqrt(norms[mu])
        longest = max(longest, a.lengths[mu])
    for k in range(a.every.shape[0]):
        a.every[k] = k
    combine_rows(a.Z, a.every, P, N, a.y, a.w)
    return longest


@loop_piece
def sweep_near_examples(a, norms, N, count):
    """Sweep over the examples that are not far beyond the margin."""
    items, n = a.near, norms.shape[0]
    for mu in range(n):
        items[mu] = mu
    for turn in range(count):
        kept = 0
        for k in range(n):
            mu = items[k]
            total = dot_padded(a.Z[mu], a.w, N)
            new = min(max(a.y[mu] + ETA / norms[mu] * (1.0 - total), 0.0), a.top[mu])
            # Also if nothing changes: a branch would take longer.
            add_scaled(new - a.y[mu], a.Z[mu], a.w, N)
            a.y[mu] = new
            items[kept] = mu
            kept += (new > 0.0) | (total < FAR)
        n = kept
        if a.clamp > 0.0 and turn % 2 == 1:
            # A step of the method of multipliers: sum y z_last is moved to the offset.
            change = a.w[N - 1] - a.offset[0]
            a.offset[0] += change
            a.w[N - 1] += change


@loop_piece
def find_limit(distances, P, keep):
    """The limit that about `keep` of the distances exceed, by bisection; 0 if no more than these exceed 0."""
    low = limit = high = 0.0
    for mu in range(P):
        high = max(high, distances[mu])
    for _ in range(HALVINGS):
        above = 0
        for mu in range(P):
            above += distances[mu] > limit
        if limit == 0.0 and above <= keep:
            return 0.0
        if above > keep:
            low = limit
        else:
            high = limit
        limit = 0.5 * (low + high)
    return high


@entry
def warm_up_sweeps(xi, S, norms, gamma, x, a, count):
    """Estimate by `count` sweeps which examples will be free; `a`: `Arrays` of the active-set method.

    The free examples farthest from their bounds are put into the queue, at most N, or 0.9 N if all started
    with strength zero; the others are moved to the nearer bound. Returns the length of the queue and the
    largest |xi|; -1 if a square is zero or not finite.
    """
    P, N = xi.shape
    longest = write_examples(xi, S, gamma, x, norms, a)
    if longest < 0.0:
        return -1, 0.0
    begun = False
    for mu in range(P):
        begun |= x[mu] > 0.0
    sweep_near_examples(a, norms, N, count)
    for mu in range(P):
        a.E[mu] = min(a.y[mu], a.top[mu] - a.y[mu])
    limit = find_limit(a.E, P, N if begun else int(FREE * N))
    n = 0
    for mu in range(P):
        a.side[mu] = 1.0
        if a.E[mu] > limit:
            a.queue[n] = mu
            n += 1
        elif 2.0 * a.y[mu] > a.top[mu]:
            a.y[mu], a.side[mu] = a.top[mu], -1.0
        else:
            a.y[mu] = 0.0
    return n, longest
