"""Fig. 6.2: training and generalization error against complexity, exact for polynomials."""

from typing import Any

import numpy as np

from markone.evaluation import polynomial_errors
from markone.figures.diagrams import INK

NUMBER, TITLE, SIZE = "6.2", "Underfitting and overfitting: error against complexity", (0.65, 0.7)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    errors = polynomial_errors()
    degrees = np.asarray(errors.degrees)
    ax.semilogy(degrees, errors.test, "-o", color="#D55E00", ms=4)
    ax.semilogy(degrees, errors.training, "--s", color="#0072B2", ms=4, mfc="white")
    best = int(np.argmin(errors.test))
    ax.axvline(degrees[best], color=INK, lw=0.6, ls=":")
    ax.annotate(
        "test",
        (degrees[-1], errors.test[-1]),
        (-4, 8),
        textcoords="offset points",
        color="#D55E00",
        ha="right",
    )
    ax.annotate(
        "training", (degrees[3], errors.training[3]), (4, -14), textcoords="offset points", color="#0072B2"
    )
    ax.set(xlabel="complexity: degree of the polynomial", ylabel="mean squared error")
    ax.set_title("underfitting", loc="left")
    ax.set_title("overfitting", loc="right")
