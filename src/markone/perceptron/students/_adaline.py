"""Adaline's modulation in the loop on weights: gradient of half the squared error   (3.64)."""

from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_weights


@part
def adaline_change(E, x, h, eta, c, gamma):
    """eta (1 - E)   (3.64); eta in units of 1/h, so that 0 < eta < 2."""
    return eta * (1.0 - E) / h if h > 0.0 else 0.0


@entry
def adaline_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, log=None):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adaline_change, log)
