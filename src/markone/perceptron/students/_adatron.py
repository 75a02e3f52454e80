"""AdaTron's modulation in both loops: move the strength towards E = 1, clipped   (3.76), (4.6)."""

from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_embeddings, on_weights


@part
def adatron_change(E, x, h, eta, c, gamma):
    """clip(x + eta (1 - E), 0, gamma) - x   (3.76), (4.6); eta in units of 1/h, so that 0 < eta < 2."""
    if h <= 0.0:
        return 0.0
    return min(max(x + eta * (1.0 - E) / h, 0.0), gamma) - x


@entry
def adatron_w(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, log=None):
    return on_weights(xi, S, h, w, x, eta, c, gamma, still, epochs, order, turn, state, adatron_change, log)


@entry
def adatron_x(C, x, E, eta, c, gamma, still, epochs, order, turn, state, log=None):
    return on_embeddings(C, x, E, eta, c, gamma, still, epochs, order, turn, state, adatron_change, log)
