"""Random coordinate descent on the number of errors (Li and Lin 2007): an upper bound on the minimum."""

import numpy as np

from markone.numerics._random import draw_normal
from markone.numerics.compiling import entry


@entry
def descend_errors(Z, w, steps, state):
    """Change w to the best point of random lines through it; return its errors, examples with E <= 0.

    Along w + t d the number of errors changes at t = -E / G only, E = Z w, G = Z d.
    """
    P, N = Z.shape
    d = np.empty(N)
    E, errors = Z @ w, P
    for _ in range(steps):
        for j in range(N):
            d[j] = draw_normal(state)
        G = Z @ d
        t = np.where(G != 0.0, -E / np.where(G != 0.0, G, 1.0), np.inf)
        order = np.argsort(t)
        count = 0
        for mu in range(P):
            count += G[mu] > 0.0 or (G[mu] == 0.0 and E[mu] <= 0.0)
        best, at = P + 1, 0
        for k in range(P):
            mu = order[k]
            if G[mu] == 0.0:
                break
            count += -1 if G[mu] > 0.0 else 1
            if count < best:
                best, at = count, k
        if best > errors or best > P:
            continue
        low = t[order[at]]
        high = t[order[at + 1]] if at + 1 < P else np.inf
        step = low + (0.5 * (high - low) if high < np.inf else 1.0)
        moved = w + step * d
        norm = np.sqrt((moved * moved).sum())
        if not 0.0 < norm < np.inf:
            continue
        moved /= norm
        E_moved = Z @ moved
        count = 0
        for mu in range(P):
            count += E_moved[mu] <= 0.0
        if count <= errors:
            errors = count
            w[:] = moved
            E = E_moved
    return errors
