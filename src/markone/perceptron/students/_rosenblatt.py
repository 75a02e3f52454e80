"""Rosenblatt's modulation in both loops: embed examples with E <= c   (3.15)."""

import numpy as np

from markone.numerics._random import CYCLIC, pick_example
from markone.numerics._rows import add_example, dot_example
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_embeddings, on_weights


@part
def rosenblatt_change(E, x, h, eta, c, gamma):
    """eta Theta[c - E] with Theta(0) = 1, since tabula rasa has E = 0   (3.15)."""
    return eta if c >= E else 0.0


@entry
def rosenblatt_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, log=None):
    return on_weights(
        xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, rosenblatt_change, log
    )


@entry
def rosenblatt_x(C, x, E, eta, c, gamma, still, epochs, order, turn, state, log=None):
    return on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, rosenblatt_change, log)


@entry
def rosenblatt_screened(xi, rough, slack, S, w, w_rough, x, eta, c, epochs, order, turn, state):
    """`rosenblatt_w` with float32 screening; ends in the same weights.

    `rough` holds float32 copies of the rows. A float32 potential has an error of at most slack |w|; if it
    exceeds c by more, the example needs no update. Otherwise the potential is computed from the float64 row.
    This halves the memory traffic if most examples are correct.
    """
    P, N = xi.shape
    width = rough.shape[1]
    updates, length, fresh = 0, 0.0, True
    for epoch in range(epochs):
        quiet = True
        for i in range(P):
            # The explicit test gives cyclic order a loop of its own, three times faster.
            mu = i if order == CYCLIC else pick_example(order, i, turn, state)
            if fresh:
                fresh, length = False, 0.0
                for j in range(N):
                    w_rough[j] = w[j]
                    length += w[j] * w[j]
                length = np.sqrt(length)
                # Beyond these sizes float32 overflows or underflows.
                if not (length > 1e-12 and length < 1e12):
                    length = np.inf
            E = np.float32(0.0)
            for j in range(width):
                E += rough[mu, j] * w_rough[j]
            if S[mu] * E > c + slack[mu] * length:
                continue
            if c >= S[mu] * dot_example(xi, mu, w):
                x[mu] += eta
                add_example(xi, mu, eta * S[mu] / N, w)
                updates += 1
                quiet, fresh = False, True
        if quiet:
            return epoch + 1, updates, True
    return epochs, updates, False
