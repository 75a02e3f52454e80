"""Rosenblatt's modulation in both loops: learn what has a potential of c or less   (3.15)."""

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
