"""The generic iteration (3.12), (3.14): it knows no algorithm's name.

An algorithm is its modulation `change`, how strongly the presented example is embedded: the change of x^mu
given E potential, x strength so far, h = C_mumu, eta learning rate, c threshold, gamma largest strength. An
entry with a name, beside the modulation, puts it in: numba keeps on disk only what has a name in a file.

Both loops run whole epochs of P presentations and can be called again to go on where they stopped:
all state is in the caller's arrays. They return (epochs, updates, quiet), quiet meaning that the last
epoch changed no strength by more than `still`; the caller judges what that proves.
"""

import numpy as np

from markone.numerics._orders import pick
from markone.numerics._rows import add, dot, n_columns, n_rows
from markone.numerics.compiling import part


@part
def on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, change):
    P = n_rows(xi)
    N = n_columns(xi)
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            mu = pick(order, i, turn, state)
            E = S[mu] * dot(xi, mu, w)
            dx = change(E, x[mu], h[mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                add(xi, mu, dx * S[mu] / N, w)
                updates += 1
                largest = max(largest, abs(dx))
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False


@part
def on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, change):
    """E = C x (3.59) is kept up to date by one row of C per change."""
    P = x.shape[0]
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            mu = pick(order, i, turn, state)
            dx = change(E[mu], x[mu], C[mu, mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                for nu in range(P):
                    E[nu] += dx * C[mu, nu]
                updates += 1
                largest = max(largest, np.abs(dx))
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False
