"""Fig. 3.7: an uninformative example, and one that cuts version space in half."""

from typing import Any

import numpy as np

from markone.figures.chapter3.dual import VIEW, XI
from markone.perceptron.version_space import draw_sphere

NUMBER, TITLE, SIZE = "3.7", "Learning in version space: uninformative and informative examples", (0.85, 0.52)
SHOWS = (
    "plane of xi^4",
    "plane of xi^5",
    "$\\xi^4$ does not cut: all agree on it",
    "$\\xi^5$ cuts: its label decides",
)
# A sum of inputs with positive weights, so that every student in version space agrees on it.
XI_4, XI_5 = XI[0] + 0.15 * XI[1], np.array([1.0, -0.75, 0.05])


def draw(figure: Any) -> None:
    for ax, new, name in zip(figure.subplots(1, 2), (XI_4, XI_5), ("xi^4", "xi^5"), strict=True):
        draw_sphere(XI, [1, 1, 1], new=new, view=VIEW, ax=ax)
        dashed = next(line for line in ax.lines if line.get_linestyle() == "--")
        dashed.set(gid=f"plane of {name}", linewidth=2.0)
    left, right = figure.axes
    left.set_title("$\\xi^4$ does not cut: all agree on it")
    right.set_title("$\\xi^5$ cuts: its label decides")
