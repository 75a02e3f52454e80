"""The modulations of AdaTron and Adaline in both loops   (3.76), (4.6), (3.64)."""

from markone.numerics.compiling import entry, part
from markone.perceptron.base._loops import on_embeddings, on_weights


@part
def adatron_change(E, x, h, eta, c, gamma):
    """clip(x + eta (1 - E), 0, gamma) - x   (3.76), (4.6); eta in units of 1/h, so that 0 < eta < 2."""
    if h <= 0.0:
        return 0.0
    return min(max(x + eta * (1.0 - E) / h, 0.0), gamma) - x


@entry
def adatron_w(xi, S, h, w, x, settings, epochs, turns, log=None):
    return on_weights(xi, S, h, w, x, settings, epochs, turns, adatron_change, log)


@entry
def adatron_x(C, x, E, settings, epochs, turns, log=None):
    return on_embeddings(C, x, E, settings, epochs, turns, adatron_change, log)


@part
def adaline_change(E, x, h, eta, c, gamma):
    """eta (1 - E)   (3.64); eta in units of 1/h, so that 0 < eta < 2."""
    return eta * (1.0 - E) / h if h > 0.0 else 0.0


@entry
def adaline_w(xi, S, h, w, x, settings, epochs, turns, log=None):
    return on_weights(xi, S, h, w, x, settings, epochs, turns, adaline_change, log)
