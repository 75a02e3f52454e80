"""A few sweeps of AdaTron's ascent, to guess which examples an active set should begin with."""

from markone.numerics._vectors import add, product
from markone.numerics.compiling import entry

# E above which an example of strength zero is passed over.
FAR = 1.5
# The rate, relative to 1 / C_mumu.
ETA = 1.5
HALVINGS = 20


@entry
def sweeps(Z, norms, top, y, w, E, items, queue, N, keep, count):
    """AdaTron's ascent on those that are not far beyond the margin: who will be free, roughly.

    The free ones farthest from their bounds, `keep` at the most, stand in `queue` then, the others are moved
    to the nearer bound. Returns how many stand there.
    """
    P = n = Z.shape[0]
    for mu in range(P):
        items[mu] = mu
    for _ in range(count):
        m = 0
        for k in range(n):
            mu = items[k]
            total = product(Z[mu], w, N)
            new = min(max(y[mu] + ETA * (1.0 - total) / norms[mu], 0.0), top[mu])
            if new != y[mu]:
                add(new - y[mu], Z[mu], w, N)
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
