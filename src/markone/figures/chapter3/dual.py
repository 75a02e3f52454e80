"""Fig. 3.6: an input cuts the sphere of students in two; three leave a triangle."""

from typing import Any

import numpy as np

from markone.perceptron.version_space import draw_sphere

NUMBER, TITLE, SIZE = "3.6", "Dual geometry: examples cut the sphere of students", (0.85, 0.52)
XI = np.array([[1.0, 0.25, 0.3], [-0.35, 1.0, 0.35], [-0.2, -0.55, 1.0]])
VIEW = np.array([0.8, 1.0, 1.4])


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    draw_sphere(XI[:1], [1], view=VIEW, ax=left)
    draw_sphere(XI, [1, 1, 1], view=VIEW, ax=right)
    left.set_title("one example")
    right.set_title("three: version space $\\mathcal{V}^{(3)}$")
