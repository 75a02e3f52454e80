"""Fig. 3.6: an input cuts the sphere of students in two; three leave a triangle."""

from typing import Any

import numpy as np

from markone.figures.diagrams import INK
from markone.perceptron.version_space import draw_sphere

NUMBER, TITLE, SIZE = "3.6", "Dual geometry: examples cut the sphere of students", (0.85, 0.52)
SHOWS = ("$\\xi^1$", "$S_w^1 = +1$", "$S_w^1 = -1$", "three: version space $\\mathcal{V}^{(3)}$")
XI = np.array([[1.0, 0.25, 0.3], [-0.35, 1.0, 0.35], [-0.2, -0.55, 1.0]])
VIEW = np.array([0.8, 1.0, 1.4])


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    # Seen from the side of the plane, so that both half spheres and the input vector are visible.
    front = np.array([0.1, 0.35, 1.0])
    draw_sphere(XI[:1], [1], view=front, ax=left)
    draw_sphere(XI, [1, 1, 1], view=VIEW, ax=right)
    tip = on_screen(XI[0], front)
    arrow = {"arrowstyle": "-|>", "color": INK, "lw": 1.4, "shrinkA": 0, "shrinkB": 0}
    left.annotate("", 1.35 * tip, tip, arrowprops=arrow, annotation_clip=False)
    left.text(*(1.5 * tip), "$\\xi^1$", ha="center", va="center")
    left.text(*(0.3 * tip), "$S_w^1 = +1$", ha="center", va="center")
    left.text(*(-0.72 * tip), "$S_w^1 = -1$", ha="center", va="center", color="white")
    left.set(xlim=(-1.4, 1.4), ylim=(-1.1, 1.7))
    left.set_title("one example", y=-0.08)
    right.set(xlim=(-1.4, 1.4), ylim=(-1.1, 1.7))
    right.set_title("three: version space $\\mathcal{V}^{(3)}$", y=-0.08)


def on_screen(xi: Any, view: Any) -> Any:
    """Coordinates of the unit vector along xi in the projection of `draw_sphere`."""
    front = view / np.linalg.norm(view)
    right = np.cross(np.eye(3)[int(np.argmin(np.abs(front)))], front)
    right /= np.linalg.norm(right)
    return np.array([right, np.cross(front, right)]) @ (xi / np.linalg.norm(xi))
