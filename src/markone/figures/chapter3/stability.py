"""Fig. 3.8: the stability of an example, and version space with its most stable student."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.figures.chapter3.dual import VIEW, XI
from markone.figures.diagrams import INK, write_label
from markone.show import PerceptronDisplay, SphereDisplay

NUMBER, TITLE, SIZE = "3.8", "Stability: distances from the plane; the centre of version space", (1.0, 0.5)


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    rng = np.random.default_rng(5)
    X = rng.uniform(-2, 2, (40, 2))
    X = X[np.abs(X @ [0.8, 1.0]) > 0.6][:18]
    y = np.where(X @ [0.8, 1.0] > 0, 1, -1)
    student = Rosenblatt(fit_intercept=False, c=0.3).fit(X, y)
    PerceptronDisplay.from_estimator(student, X, y, ax=left)
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
    ax.legend(loc="lower left")
