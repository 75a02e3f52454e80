"""One pass over a stream of examples: w <- (1 - decay/N) w + (1/N) f S xi, each example seen once.

The modulations are those of the theory for inputs with |xi|^2 = N. "adatron" and "lms" divide by
h = |xi|^2/N, and the optimal rules use xi/sqrt(h), so that inputs may have any length.
"""

import math

from markone.base._recording import record_step
from markone.numerics._rows import add_example, dot_example, n_columns, n_rows, squared_norm
from markone.numerics._vectors import dot_product
from markone.numerics.compiling import entry, part
from markone.perceptron.theory._markov_chain import gauss_ratio

HEBB, ROSENBLATT, LMS, ADATRON, OPTIMAL, OPTIMAL_RATE = 0, 1, 2, 3, 4, 5


@part
def modulation_strength(rule, E, length, h, eta, c, noise, belief):
    """Modulation f of the example. `belief`: cot(theta), or the optimal rate at it.

    Scale-free rules embed the first example with strength 1/sqrt(h): w = 0 has no direction.
    """
    if rule == HEBB:
        return 1.0
    if rule == ROSENBLATT:
        return 1.0 if c >= E else 0.0
    if h == 0.0:
        return 0.0
    if rule == LMS:
        return eta * (1.0 - E) / h
    if length == 0.0:
        return 1.0 / math.sqrt(h)
    if rule == ADATRON:
        return -eta * E / h if E < 0.0 else 0.0
    if rule == OPTIMAL_RATE:
        return belief * length / math.sqrt(h) if E <= 0.0 else 0.0
    t = E / (length * math.sqrt(h))
    return length * (1.0 - 2.0 * noise) / belief * gauss_ratio(belief * t, noise) / math.sqrt(h)


@entry
def learn_online(xi, S, w, rule, eta, c, noise, decay, belief, log=None):
    """Update w in place; return the number of examples with f != 0. `belief` has one value per example."""
    P, N = n_rows(xi), n_columns(xi)
    updates = 0
    for mu in range(P):
        E = S[mu] * dot_example(xi, mu, w)
        length = math.sqrt(dot_product(w, w)) if rule >= ADATRON else 0.0
        f = modulation_strength(rule, E, length, squared_norm(xi, mu) / N, eta, c, noise, belief[mu])
        if decay > 0.0:
            for j in range(w.shape[0]):
                w[j] *= 1.0 - decay / N
        if f != 0.0:
            add_example(xi, mu, f * S[mu] / N, w)
            updates += 1
        if log is not None:
            record_step(log, mu, E, S[mu] * dot_example(xi, mu, w), f, w, w)
    return updates
