"""Fig. 6.2: expected training and test error against complexity, exact for polynomials."""

from typing import Any

import numpy as np

from markone.figures.diagrams import INK

NUMBER, TITLE, SIZE = "6.2", "Underfitting and overfitting: error against complexity", (0.65, 0.7)
SHOWS = ("test", "training", "underfitting", "overfitting", "complexity: degree of the polynomial")
DEGREES, P, RHO = np.arange(9), 11, 0.15


def errors() -> tuple[Any, Any]:
    """Expected squared errors of least squares fits to x^3 with noise RHO at P points of [-1, 1]: on the
    training targets, and on fresh targets at the same points."""
    x = np.linspace(-1, 1, P)
    residual = []
    for degree in DEGREES:
        Q = np.linalg.qr(np.vander(x, int(degree) + 1))[0]
        residual.append(np.mean((x**3 - Q @ (Q.T @ x**3)) ** 2))
    weights = (DEGREES + 1) / P
    return residual + RHO**2 * (1 - weights), residual + RHO**2 * (1 + weights)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    training, test = errors()
    ax.semilogy(DEGREES, test, "-o", color="#D55E00", ms=4)
    ax.semilogy(DEGREES, training, "--s", color="#0072B2", ms=4, mfc="white")
    ax.axvline(DEGREES[np.argmin(test)], color=INK, lw=0.6, ls=":")
    look = {"textcoords": "offset points"}
    ax.annotate("test", (DEGREES[-1], test[-1]), (-4, 8), color="#D55E00", ha="right", **look)
    ax.annotate("training", (DEGREES[3], training[3]), (4, -14), color="#0072B2", **look)
    ax.set(xlabel="complexity: degree of the polynomial", ylabel="mean squared error")
    ax.set_title("underfitting", loc="left")
    ax.set_title("overfitting", loc="right")
