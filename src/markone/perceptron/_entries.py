"""The generic loops with their parts put in: one line names an algorithm.

Written out rather than generated: numba keeps on disk only what has a name in a file.
"""

from markone.numerics.compiling import entry
from markone.perceptron._loops import on_embeddings, on_weights
from markone.perceptron._modulations import adaline, adatron, rosenblatt


@entry
def rosenblatt_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def rosenblatt_x(C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, rosenblatt)


@entry
def adaline_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adaline)


@entry
def adatron_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adatron)


@entry
def adatron_x(C, x, E, eta, c, gamma, still, epochs, order, turn, state):
    return on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, adatron)
