"""How strongly the presented example is embedded: the change of x^mu given its potential E^mu.

All share one signature: E potential, x strength so far, h = C_mumu, eta learning rate, c threshold,
gamma largest strength. The notes' 0 < eta < 2 (Adaline, AdaTron) holds for |xi|^2 = N only; dividing
by h makes it hold for any input.
"""

from markone.numerics.compiling import part


@part
def rosenblatt(E, x, h, eta, c, gamma):
    """eta Theta[c - E], with E = c learned too: tabula rasa has E = 0 = c   (3.15)."""
    return eta if c >= E else 0.0


@part
def adaline(E, x, h, eta, c, gamma):
    """eta (1 - E)   (3.64)."""
    return eta * (1.0 - E) / h if h > 0.0 else 0.0


@part
def adatron(E, x, h, eta, c, gamma):
    """clip(x + eta (1 - E), 0, gamma) - x   (3.76), (4.6)."""
    if h <= 0.0:
        return 0.0
    return min(max(x + eta * (1.0 - E) / h, 0.0), gamma) - x
