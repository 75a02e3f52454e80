"""Fig. 3.7: an uninformative example, and one that cuts version space in half."""

from typing import Any

import numpy as np

from markone.figures.chapter3.dual import VIEW, XI
from markone.perceptron.version_space import draw_sphere

NUMBER, TITLE, SIZE = "3.7", "Learning in version space: uninformative and informative examples", (0.85, 0.52)


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    draw_sphere(XI, [1, 1, 1], new=np.array([0.7, 0.9, 1.2]), view=VIEW, ax=left)
    draw_sphere(XI, [1, 1, 1], new=np.array([1.0, -0.75, 0.05]), view=VIEW, ax=right)
    left.set_title("$\\xi^4$ does not cut: all agree on it")
    right.set_title("$\\xi^5$ cuts: its label decides")
