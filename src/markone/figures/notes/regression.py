"""Figs. 2.1, 6.1 and 6.2: a line through galaxies; fits by polynomials and their errors."""

from typing import Any

import numpy as np

from markone.data import hubble
from markone.evaluation import PolynomialFitsDisplay, polynomial_fits
from markone.evaluation.bias_variance.decomposition import expected_errors
from markone.evaluation.bias_variance.polynomials import cubic_target
from markone.figures.diagrams import ACCENT, INK, numbered_figure, shows

DEGREES, P, RHO = np.arange(9), 11, 0.15


@shows("distance d [Mpc]", "velocity v [km/s]", "24 galaxies")
@numbered_figure("2.1", "Hubble's diagram: velocity against distance of 24 galaxies", (0.7, 0.7))
def draw_hubble(figure: Any) -> None:
    ax = figure.subplots()
    d, v, _ = hubble()
    H = float(d @ v / (d @ d))
    ax.plot(d, v, "o", color=ACCENT, ms=4.5, label=f"{len(d)} galaxies")
    line = np.array([0, 2.1])
    ax.plot(line, H * line, color=INK, label=f"$v = H_0 d$, $H_0$ = {H:.0f} km/s/Mpc")
    ax.axhline(0, color=INK, lw=0.5)
    ax.set(xlabel="distance d [Mpc]", ylabel="velocity v [km/s]")
    ax.legend(loc="upper left")


@shows("K = 1", "K = 3", "K = 7", "set A", "set B", "set C")
@numbered_figure("6.1", "Bias and variance: fits of degree 1, 3, 7 to three data sets", (0.9, 0.85))
def draw_polynomial_fits(figure: Any) -> None:
    PolynomialFitsDisplay(polynomial_fits()).plot(figure=figure)


def errors_of_polynomials() -> tuple[Any, Any]:
    """Expected squared errors of least squares fits to x^3 with noise RHO at P points of [-1, 1]: on the
    training targets, and on fresh targets at the same points."""
    points = np.linspace(-1, 1, P)
    found = [expected_errors(cubic_target, points, int(degree), RHO) for degree in DEGREES]
    return np.array([one.training for one in found]), np.array([one.fresh for one in found])


@shows("test", "training", "underfitting", "overfitting", "complexity: degree of the polynomial")
@numbered_figure("6.2", "Underfitting and overfitting: error against complexity", (0.65, 0.7))
def draw_complexity(figure: Any) -> None:
    ax = figure.subplots()
    training, test = errors_of_polynomials()
    ax.semilogy(DEGREES, test, "-o", color="#D55E00", ms=4)
    ax.semilogy(DEGREES, training, "--s", color="#0072B2", ms=4, mfc="white")
    ax.axvline(DEGREES[np.argmin(test)], color=INK, lw=0.6, ls=":")
    look = {"textcoords": "offset points"}
    ax.annotate("test", (DEGREES[-1], test[-1]), (-4, 8), color="#D55E00", ha="right", **look)
    ax.annotate("training", (DEGREES[3], training[3]), (4, -14), color="#0072B2", **look)
    ax.set(xlabel="complexity: degree of the polynomial", ylabel="mean squared error")
    ax.set_title("underfitting", loc="left")
    ax.set_title("overfitting", loc="right")
