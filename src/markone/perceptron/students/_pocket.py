"""The pocket loops (4.2): Rosenblatt in random order, storing the best weights found.

(4.2) starts the pocket at H = 0 errors, so that it would never change; it must start at H = P.
"""

import numpy as np

from markone.base._recording import record_step
from markone.numerics._random import draw_below
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics._vectors import copy_array
from markone.numerics.compiling import entry, part


@part
def is_wrong(E, S, tiny):
    """True if sign(w . xi) != S with sign(0) = +1 (1.5); |E| <= tiny counts as zero."""
    return -tiny > E or (tiny >= E and S < 0.0)


@entry
def pocket_exact(C, S, x, E, tiny, best_x, best, presentations, state, log=None):
    """Count errors after every update, as in (4.2), with potentials updated by one row of C.

    Returns (errors in the pocket, updates, presentations).
    """
    P = x.shape[0]
    updates = 0
    for t in range(presentations):
        mu = draw_below(state, P)
        before = E[mu]
        if before > tiny:
            if log is not None:
                record_step(log, mu, before, before, 0.0, x, best_x)
            continue
        x[mu] += 1.0
        updates += 1
        errors = 0
        for nu in range(P):
            E[nu] += C[mu, nu]
            errors += is_wrong(E[nu], S[nu], tiny)
        if errors < best:
            best = errors
            copy_array(x, best_x)
        if log is not None:
            record_step(log, mu, before, E[mu], 1.0, x, best_x)
        if best == 0:
            return best, updates, t + 1
    return best, updates, presentations


@entry
def pocket_ratchet(xi, S, w, x, best_w, best_x, best, runs, presentations, state, log=None):
    """Gallant's ratchet for many examples: count errors only after a run of correct answers longer than any
    before, and replace the pocket only if there are fewer. runs = (current, longest)."""
    P, N = n_rows(xi), n_columns(xi)
    updates = 0
    for _ in range(presentations):
        mu = draw_below(state, P)
        E = S[mu] * dot_example(xi, mu, w)
        if E > 0.0:
            runs[0] += 1
            if log is not None:
                record_step(log, mu, E, E, 0.0, w, best_w)
            continue
        if runs[0] > runs[1]:
            errors = count_wrong_examples(xi, S, w, best)
            if errors < best:
                best = errors
                copy_array(w, best_w)
                copy_array(x, best_x)
                runs[1] = runs[0]
        runs[0] = 0
        x[mu] += 1.0
        add_example(xi, mu, S[mu] / N, w)
        updates += 1
        if log is not None:
            record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), 1.0, w, best_w)
    return best, updates, presentations


@entry
def count_wrong_examples(xi, S, w, enough):
    """Number of errors of w, counted up to `enough`."""
    errors = 0
    for mu in range(n_rows(xi)):
        errors += is_wrong(S[mu] * dot_example(xi, mu, w), S[mu], 0.0)
        if errors >= enough:
            break
    return np.int64(errors)
