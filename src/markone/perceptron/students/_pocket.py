"""The pocket loops (4.2): Rosenblatt by lot, the best weights so far kept aside.

(4.2) starts the pocket at H = 0 errors, so that nothing could ever be put in; it must start at P.
"""

import numpy as np

from markone.numerics._copies import copy
from markone.numerics._random import below
from markone.numerics._rows import add, dot, n_columns, n_rows
from markone.numerics.compiling import entry, part


@part
def wrong(E, S, tiny):
    """sign(w . xi) != S with sign(0) = +1 (1.5); what is smaller than `tiny` is a zero that was rounded."""
    return -tiny > E or (tiny >= E and S < 0.0)


@entry
def pocket_exact(C, S, x, E, tiny, best_x, best, presentations, state):
    """As written: H is known after every update, from potentials kept current by one row of C.

    Returns (errors in the pocket, updates, presentations).
    """
    P = x.shape[0]
    updates = 0
    for t in range(presentations):
        mu = below(state, P)
        if E[mu] > tiny:
            continue
        x[mu] += 1.0
        updates += 1
        errors = 0
        for nu in range(P):
            E[nu] += C[mu, nu]
            errors += wrong(E[nu], S[nu], tiny)
        if errors < best:
            best = errors
            copy(x, best_x)
            if errors == 0:
                return best, updates, t + 1
    return best, updates, presentations


@entry
def pocket_ratchet(xi, S, w, x, best_w, best_x, best, runs, presentations, state):
    """Gallant's ratchet for many examples: count errors only after a run of successes longer than any
    before, and open the pocket only if there really are fewer. runs = (current, longest)."""
    P, N = n_rows(xi), n_columns(xi)
    updates = 0
    for _ in range(presentations):
        mu = below(state, P)
        if S[mu] * dot(xi, mu, w) > 0.0:
            runs[0] += 1
            continue
        if runs[0] > runs[1]:
            errors = count(xi, S, w, best)
            if errors < best:
                best = errors
                copy(w, best_w)
                copy(x, best_x)
                runs[1] = runs[0]
        runs[0] = 0
        x[mu] += 1.0
        add(xi, mu, S[mu] / N, w)
        updates += 1
    return best, updates, presentations


@entry
def count(xi, S, w, enough):
    """Errors of w; counting stops at `enough`."""
    errors = 0
    for mu in range(n_rows(xi)):
        errors += wrong(S[mu] * dot(xi, mu, w), S[mu], 0.0)
        if errors >= enough:
            break
    return np.int64(errors)
