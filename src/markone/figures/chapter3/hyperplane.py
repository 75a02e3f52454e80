"""Fig. 3.3: the hyperplane orthogonal to w, theta/|w| away from the origin."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.figures.diagrams import INK, write_label
from markone.show import PerceptronDisplay

NUMBER, TITLE, SIZE = "3.3", "Geometry of the perceptron: the hyperplane across w with offset", (0.62, 1.0)
SHOWS = (
    "S = +1",
    "S = -1",
    "$\\theta/|\\mathbf{w}|$",
    "$\\mathbf{w}$",
)


def draw(figure: Any) -> None:
    X = np.random.default_rng(0).uniform(-2, 3, (60, 2))
    away = X @ [1.0, 0.7] - 1.0
    X, y = X[np.abs(away) > 0.35], np.where(away > 0, 1, -1)[np.abs(away) > 0.35]
    student = Rosenblatt(max_iter=5000).fit(X, y)
    w, theta = student.coef_[0], -student.intercept_[0]
    labels = ("S = +1", "S = -1")
    display = PerceptronDisplay(X, y, np.array([*w, -theta]), labels=labels).plot(ax=figure.subplots())
    draw_offset(display.ax_, theta * w / (w @ w), w / np.linalg.norm(w))
    display.ax_.set(xlabel="$\\xi_1$", ylabel="$\\xi_2$")


def draw_offset(ax: Any, foot: Any, unit: Any) -> None:
    """Draw the offset from the origin to the plane, and w at its end."""
    for start, end, style in (((0, 0), foot, "<->"), (foot, foot + 1.1 * unit, "-|>")):
        look = {"arrowstyle": style, "color": INK, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", end, start, arrowprops=look)
    across = np.array([-unit[1], unit[0]])
    write_label(ax, 0.5 * foot + 0.4 * across, "$\\theta/|\\mathbf{w}|$")
    write_label(ax, foot + 1.25 * unit, "$\\mathbf{w}$")
    ax.plot(0, 0, "+", color=INK, ms=9)
