"""Fig. 4.1: free and clipped support vectors of the soft margin."""

from typing import Any

import numpy as np

from markone import AdaTron
from markone.show import PerceptronDisplay

NUMBER, TITLE, SIZE = "4.1", "Soft margin: support vectors on, between and beyond the planes", (0.62, 1.0)
SHOWS = (
    "+1",
    "-1",
    "free support vector",
    "clipped (x = γ)",
    "$\\mathbf{w}/|\\mathbf{w}|$",
)


def draw(figure: Any) -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, -1], 24)
    X = 0.95 * y[:, None] * [0.8, 0.6] + 0.75 * rng.standard_normal((48, 2))
    student, ax = AdaTron(C=0.4).fit(X, y), figure.subplots()
    PerceptronDisplay.from_estimator(student, X, y, ax=ax)
    # The normalized weight vector, from the point of the plane nearest to the origin.
    w = student.coef_[0]
    foot, unit = -student.intercept_[0] * w / (w @ w), w / np.linalg.norm(w)
    ax.annotate(
        "", foot + unit, foot, arrowprops={"arrowstyle": "-|>", "lw": 1.8, "shrinkA": 0, "shrinkB": 0}
    )
    ax.text(*(foot + 1.12 * unit), "$\\mathbf{w}/|\\mathbf{w}|$", ha="center", va="center")
