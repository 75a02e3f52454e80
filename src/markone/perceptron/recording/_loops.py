"""The generic iteration (3.12), (3.14) with a log: see `markone.perceptron.base._loops`."""

import numpy as np

from markone.numerics._random import pick_example
from markone.numerics._recording import record_step
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics.compiling import part


@part
def on_weights_recorded(log, xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, change):
    P = n_rows(xi)
    N = n_columns(xi)
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            mu = pick_example(order, i, turn, state)
            E = S[mu] * dot_example(xi, mu, w)
            dx = change(E, x[mu], h[mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                add_example(xi, mu, dx * S[mu] / N, w)
                updates += 1
                largest = max(largest, abs(dx))
            record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), dx, w, x)
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False


@part
def on_embeddings_recorded(log, C, x, E, eta, c, gamma, still, epochs, order, turn, state, change):
    P = x.shape[0]
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            mu = pick_example(order, i, turn, state)
            before = E[mu]
            dx = change(E[mu], x[mu], C[mu, mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                for nu in range(P):
                    E[nu] += dx * C[mu, nu]
                updates += 1
                largest = max(largest, np.abs(dx))
            record_step(log, mu, before, E[mu], dx, x, x)
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False
