"""Fig. 6.1: three data sets, fits of degree 1, 3 and 7."""

from typing import Any

from markone.evaluation import PolynomialFitsDisplay, polynomial_fits

NUMBER, TITLE, SIZE = "6.1", "Bias and variance: fits of degree 1, 3, 7 to three data sets", (0.9, 0.85)
SHOWS = (
    "K = 1",
    "K = 3",
    "K = 7",
    "set A",
    "set B",
    "set C",
)


def draw(figure: Any) -> None:
    PolynomialFitsDisplay(polynomial_fits()).plot(figure=figure)
