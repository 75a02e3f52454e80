"""The generic iteration (3.12), (3.14), independent of the algorithm.

An algorithm is defined by its modulation `change`: the change of the strength x^mu of the presented example,
given its potential E, its strength x, h = C_mumu, learning rate eta, threshold c, largest strength gamma. A
named entry beside each modulation calls the loop with it: numba caches on disk only module-level functions.

Both loops run whole epochs of P presentations and can be called again to continue: all state is in the
caller's arrays. They return (epochs, updates, quiet); quiet means that the last epoch changed no strength by
more than `still`, which the caller has to interpret. With a `log` every step is recorded.
`turns`: an `ExampleOrder`.
"""

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np

from markone.base._recording import record_step
from markone.numerics._random import CYCLIC, ORDERS, pick_example
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows
from markone.numerics.compiling import part

# eta and c of the modulation, the largest strength of each example, and the change that counts as none.
LoopSettings = namedtuple("LoopSettings", ["eta", "c", "gamma", "still"])


class ExampleOrder(NamedTuple):
    """Order of presentation, with the state that is kept between calls of a loop."""

    order: int
    turn: Any
    state: Any

    @classmethod
    def start(cls, order: str, problem: Any) -> "ExampleOrder":
        return cls(ORDERS[order], np.arange(problem.P), np.array([problem.seed], dtype=np.uint64))


@part
def on_weights(xi, S, h, w, x, settings, epochs, turns, change, log=None):
    """Iterate w; a presentation takes N operations."""
    P = n_rows(xi)
    N = n_columns(xi)
    eta, c, gamma, still = settings
    order, turn, state = turns
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            # The explicit test gives cyclic order a loop of its own, three times faster.
            mu = i if order == CYCLIC else pick_example(order, i, turn, state)
            E = S[mu] * dot_example(xi, mu, w)
            dx = change(E, x[mu], h[mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                add_example(xi, mu, dx * S[mu] / N, w)
                updates += 1
                largest = max(largest, abs(dx))
            if log is not None:
                record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), dx, w, x)
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False


@part
def on_embeddings(C, x, E, settings, epochs, turns, change, log=None):
    """Iterate x; E = C x (3.59) is updated by one row of C per change."""
    P = x.shape[0]
    eta, c, gamma, still = settings
    order, turn, state = turns
    updates = 0
    for epoch in range(epochs):
        largest = 0.0
        for i in range(P):
            mu = i if order == CYCLIC else pick_example(order, i, turn, state)
            before = E[mu]
            dx = change(before, x[mu], C[mu, mu], eta, c, gamma[mu])
            if dx != 0.0:
                x[mu] += dx
                for nu in range(P):
                    E[nu] += dx * C[mu, nu]
                updates += 1
                largest = max(largest, np.abs(dx))
            if log is not None:
                record_step(log, mu, before, E[mu], dx, x, x)
        if largest <= still:
            return epoch + 1, updates, True
    return epochs, updates, False
