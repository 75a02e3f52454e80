"""Rosenblatt's modulation in both loops: embed examples with E <= c   (3.15)."""

from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_embeddings, on_weights


@part
def rosenblatt_change(E, x, h, eta, c, gamma):
    """eta Theta[c - E] with Theta(0) = 1, since tabula rasa has E = 0   (3.15)."""
    return eta if c >= E else 0.0


@entry
def rosenblatt_w(xi, S, h, w, x, settings, epochs, turns, log=None):
    return on_weights(xi, S, h, w, x, settings, epochs, turns, rosenblatt_change, log)


@entry
def rosenblatt_x(C, x, E, settings, epochs, turns, log=None):
    return on_embeddings(C, x, E, settings, epochs, turns, rosenblatt_change, log)
