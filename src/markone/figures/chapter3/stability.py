"""Fig. 3.8: the stability of an example, and version space with its most stable student."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.figures.chapter3.dual import VIEW, XI
from markone.figures.diagrams import INK, write_label
from markone.show import PerceptronDisplay, SphereDisplay

NUMBER, TITLE, SIZE = "3.8", "Stability: distances from the plane; the centre of version space", (1.0, 0.5)
SHOWS = (
    "$\\kappa(\\mathbf{w})$",
    "$\\kappa^\\mu$",
    "S = +1",
    "S = -1",
    "$\\mathbf{w}_{max}$",
)


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    rng = np.random.default_rng(5)
    X = rng.uniform(-2, 2, (40, 2))
    X = X[np.abs(X @ [0.8, 1.0]) > 0.6][:18]
    y = np.where(X @ [0.8, 1.0] > 0, 1, -1)
    student = Rosenblatt(fit_intercept=False, c=0.3).fit(X, y)
    w = np.array([*student.coef_[0], 0.0])
    PerceptronDisplay(X, y, w, labels=("S = +1", "S = -1")).plot(ax=left)
    left.set(xlabel="$\\xi_1$", ylabel="$\\xi_2$")
    draw_distances(left, X, y, student.coef_[0])
    SphereDisplay.from_examples(XI, [1, 1, 1], view=VIEW, ax=right)


def draw_distances(ax: Any, X: Any, y: Any, w: Any) -> None:
    """Draw the distance of each example from the plane; the smallest is the stability of the student."""
    unit = w / np.linalg.norm(w)
    for one in X:
        foot = one - (one @ unit) * unit
        ax.plot(*np.transpose([foot, one]), color="0.6", lw=0.7, zorder=1)
    kappa = y * (X @ unit)
    weakest = X[kappa.argmin()]
    foot = weakest - (weakest @ unit) * unit
    ax.annotate("", weakest, foot, arrowprops={"arrowstyle": "<->", "color": INK, "shrinkA": 0, "shrinkB": 0})
    write_label(ax, foot + 0.5 * (weakest - foot) + [0.5, -0.05], "$\\kappa(\\mathbf{w})$")
    far = X[np.where(y > 0, kappa, 0.0).argmax()]
    write_label(ax, far - 0.35 * (far @ unit) * unit + [-0.3, 0.0], "$\\kappa^\\mu$")
    ax.legend(loc="lower left")
