"""Rosenblatt's algorithm on many training sets that share their examples: the decisions of the loop on
weights at the cost of the loop on embedding strengths.

Besides w the potentials h = w . xi of all examples are kept up to date by one row of K = xi . xi for
each mistake, so that a presentation costs one comparison instead of N multiplications. Where h is within
its rounding error of the threshold, w . xi is computed as in the loop on weights, and decides:
the mistakes, and so the weights, are the same bit for bit.
"""

from collections import namedtuple

import numpy as np

from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics._vectors import copy_array
from markone.numerics.compiling import entry, part

EPSILON = 2.3e-16
# Number of updates after which potentials are recomputed from w, to bound their rounding error.
REFRESH = 4096


@part
def embed_example(xi, K, S, w, h, mu, eta):
    a = eta * S[mu] / n_columns(xi)
    add_example(xi, mu, a, w)
    for nu in range(h.shape[0]):
        h[nu] += a * K[mu, nu]


@part
def recompute_potentials(xi, w, h):
    for nu in range(h.shape[0]):
        h[nu] = dot_example(xi, nu, w)


@part
def fold_potential_error(N, since, total, eta, largest):
    """Bound on the error of h after `since` of `total` changes, and of the dot product itself."""
    return 4.0 * EPSILON * (since + N + 2.0) * (total + 1.0) * eta * largest


# Learning rate, margin and epochs of the student, and the largest |xi . xi'| / N.
Settings = namedtuple("Settings", ["eta", "c", "epochs", "largest"])
# `epoch`, the next example in it, its updates so far, and all updates.
Position = namedtuple("Position", ["epoch", "i0", "changes", "total"])


@entry
def continue_epochs(xi, K, S, turn, left, w, h, position, settings):
    """Continue in the order of `turn` from a `Position`, without example `left`.

    Returns (epochs, updates, converged); w and h are changed in place.
    """
    N, P = n_columns(xi), turn.shape[0]
    epoch, i0, changes, total = position
    eta, c, epochs, largest = settings
    since = total
    near = fold_potential_error(N, since, total, eta, largest)
    while epoch < epochs:
        for i in range(i0, P):
            mu = turn[i]
            E = S[mu] * h[mu]
            if abs(E - c) <= near:
                E = S[mu] * dot_example(xi, mu, w)
            if c >= E and mu != left:
                embed_example(xi, K, S, w, h, mu, eta)
                changes += 1
                total += 1
                since += 1
                if since >= REFRESH:
                    recompute_potentials(xi, w, h)
                    since = 0
                near = fold_potential_error(N, since, total, eta, largest)
        epoch += 1
        if changes == 0:
            return epoch, total, True
        i0, changes = 0, 0
    return epoch, total, False


@entry
def train_without_each(xi, K, S, settings, W, n_epochs, converged):
    """W[mu]: the weights learned in cyclic order from zero without example mu. Returns the number of refits.

    Up to the first mistake on mu the run without mu equals the run on all examples, and an example that was
    never a mistake has no effect: one run on all examples, from which the others branch off.
    """
    P, N = n_rows(xi), n_columns(xi)
    eta, c, epochs, largest = settings
    w, h, seen = np.zeros(N), np.zeros(P), np.zeros(P, np.bool_)
    other_w, other_h, turn = np.empty(N), np.empty(P), np.arange(P)
    epoch, total, since, refits, converged_all = 0, 0, 0, 0, False
    near = fold_potential_error(N, since, total, eta, largest)
    while epoch < epochs and not converged_all:
        changes = 0
        for mu in range(P):
            E = S[mu] * h[mu]
            if abs(E - c) <= near:
                E = S[mu] * dot_example(xi, mu, w)
            if c >= E:
                if not seen[mu]:
                    seen[mu] = True
                    refits += 1
                    copy_array(w, other_w)
                    copy_array(h, other_h)
                    position = Position(epoch, mu + 1, changes, total)
                    n_epochs[mu], _, converged[mu] = continue_epochs(
                        xi, K, S, turn, mu, other_w, other_h, position, settings
                    )
                    W[mu] = other_w
                embed_example(xi, K, S, w, h, mu, eta)
                changes += 1
                total += 1
                since += 1
                if since >= REFRESH:
                    recompute_potentials(xi, w, h)
                    since = 0
                near = fold_potential_error(N, since, total, eta, largest)
        epoch += 1
        converged_all = changes == 0
    for mu in range(P):
        if not seen[mu]:
            W[mu] = w
            n_epochs[mu] = epoch
            converged[mu] = converged_all
    return refits
