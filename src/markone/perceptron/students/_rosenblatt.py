"""Rosenblatt's modulation in both loops: learn what has a potential of c or less   (3.15)."""

import numpy as np

from markone.numerics._orders import CYCLIC, pick
from markone.numerics._rows import add, dot
from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_embeddings, on_weights


@part
def rosenblatt(E, x, h, eta, c, gamma):
    """eta Theta[c - E], with E = c learned too: tabula rasa has E = 0 = c   (3.15)."""
    return eta if c >= E else 0.0


@entry
def rosenblatt_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def rosenblatt_x(C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def rosenblatt_rough(xi, rough, slack, S, w, w_rough, x, eta, c, epochs, order, turn, state):
    """`rosenblatt_w` on rows of which `rough` holds single-precision copies, to the same weights.

    A rough potential is wrong by slack |w| at the most. Where it is above c by more, nothing is to be
    learned; all else is decided by the rows themselves. Half the memory is read where most are right.
    """
    P, N = xi.shape
    width = rough.shape[1]
    updates, length, fresh = 0, 0.0, True
    for epoch in range(epochs):
        quiet = True
        for i in range(P):
            # Asked for by name, the order in turn gets a loop of its own: a third of the time.
            mu = i if order == CYCLIC else pick(order, i, turn, state)
            if fresh:
                fresh, length = False, 0.0
                for j in range(N):
                    w_rough[j] = w[j]
                    length += w[j] * w[j]
                length = np.sqrt(length)
                # Beyond these sizes single precision overflows, or loses what is small.
                if not (length > 1e-12 and length < 1e12):
                    length = np.inf
            E = np.float32(0.0)
            for j in range(width):
                E += rough[mu, j] * w_rough[j]
            if S[mu] * E > c + slack[mu] * length:
                continue
            if c >= S[mu] * dot(xi, mu, w):
                x[mu] += eta
                add(xi, mu, eta * S[mu] / N, w)
                updates += 1
                quiet, fresh = False, True
        if quiet:
            return epoch + 1, updates, True
    return epochs, updates, False
