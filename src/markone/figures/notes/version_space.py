"""Figs. 3.5 to 3.8: student and teacher, the sphere of students, and the most stable one."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.base.plot_style import draw_vector
from markone.figures.diagrams import INK, numbered_figure, shows, write_label
from markone.perceptron.version_space import draw_sphere, draw_student_and_teacher
from markone.perceptron.version_space.sphere import view_basis
from markone.show import PerceptronDisplay, SphereDisplay

XI = np.array([[1.0, 0.25, 0.3], [-0.35, 1.0, 0.35], [-0.2, -0.55, 1.0]])
VIEW = np.array([0.8, 1.0, 1.4])
# A sum of inputs with positive weights, so that every student in version space agrees on it.
XI_4, XI_5 = XI[0] + 0.15 * XI[1], np.array([1.0, -0.75, 0.05])


@shows("w", "w*")
@numbered_figure("3.5", "Generalization error: the angle between student and teacher", (0.5, 1.0))
def draw_disagreement(figure: Any) -> None:
    draw_student_and_teacher([0.55, 1.0], [-0.15, 1.0], ax=figure.subplots())


@shows("$\\xi^1$", "$S_w^1 = +1$", "$S_w^1 = -1$", "three: version space $V^{(3)}$")
@numbered_figure("3.6", "Dual geometry: examples cut the sphere of students", (0.85, 0.52))
def draw_dual_geometry(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    # Seen from the side of the plane, so that both half spheres and the input vector are visible.
    front = np.array([0.1, 0.35, 1.0])
    draw_sphere(XI[:1], [1], view=front, ax=left)
    draw_sphere(XI, [1, 1, 1], view=VIEW, ax=right)
    tip = view_basis(front / np.linalg.norm(front))[:2] @ (XI[0] / np.linalg.norm(XI[0]))
    draw_vector(left, tip, 1.35 * tip, INK, 1.4).set_annotation_clip(False)
    left.text(*(1.5 * tip), "$\\xi^1$", ha="center", va="center")
    left.text(*(0.3 * tip), "$S_w^1 = +1$", ha="center", va="center", color="#1b1b1b")
    left.text(*(-0.72 * tip), "$S_w^1 = -1$", ha="center", va="center", color="snow")
    for ax, title in ((left, "one example"), (right, "three: version space $V^{(3)}$")):
        ax.set(xlim=(-1.4, 1.4), ylim=(-1.1, 1.7))
        ax.set_title(title, y=-0.08)


@shows(
    "plane of xi^4", "plane of xi^5", "$\\xi^4$ does not cut: all agree on it",
    "$\\xi^5$ cuts: its label decides",
)  # fmt: skip
@numbered_figure("3.7", "Learning in version space: uninformative and informative examples", (0.85, 0.52))
def draw_cuts(figure: Any) -> None:
    for ax, new, name in zip(figure.subplots(1, 2), (XI_4, XI_5), ("xi^4", "xi^5"), strict=True):
        draw_sphere(XI, [1, 1, 1], new=new, view=VIEW, ax=ax)
        dashed = next(line for line in ax.lines if line.get_linestyle() == "--")
        dashed.set(gid=f"plane of {name}", linewidth=2.0)
    left, right = figure.axes
    left.set_title("$\\xi^4$ does not cut: all agree on it")
    right.set_title("$\\xi^5$ cuts: its label decides")


@shows("$\\kappa(\\mathbf{w})$", "$\\kappa^\\mu$", "S = +1", "S = -1", "$\\mathbf{w}_{max}$")
@numbered_figure("3.8", "Stability: distances from the plane; the centre of version space", (1.0, 0.5))
def draw_stability(figure: Any) -> None:
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
    draw_vector(ax, foot, weakest, INK, 1.0, arrowstyle="<->")
    write_label(ax, foot + 0.5 * (weakest - foot) + [0.5, -0.05], "$\\kappa(\\mathbf{w})$")
    far = X[np.where(y > 0, kappa, 0.0).argmax()]
    write_label(ax, far - 0.35 * (far @ unit) * unit + [-0.3, 0.0], "$\\kappa^\\mu$")
    ax.legend(loc="lower left")
