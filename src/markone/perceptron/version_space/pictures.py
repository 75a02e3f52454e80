"""Pictures of version space in the plane: Fig. 3.5 of the notes and the circle; see also `sphere`."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array

LIGHT, DARK, LINE, CUT, TEACHER = "#f7e9c3", "#8ea3b8", "#2f3e4e", "#7bb274", "#d55e00"


def bare_axes(ax: Any) -> Any:
    """Axes without frame and with equal scales; a new figure if `ax` is None."""
    if ax is None:
        import matplotlib.pyplot as plt

        _, ax = plt.subplots(figsize=(4, 4))
    ax.set_aspect("equal")
    ax.set_axis_off()
    return ax


def check_picture_data(xi: ArrayLike, S: ArrayLike, N: int) -> tuple[Array, Array]:
    X, labels = np.atleast_2d(np.asarray(xi, dtype=float)), np.atleast_1d(np.asarray(S, dtype=float))
    if X.shape != (len(labels), N):
        raise ValueError(
            f"This picture needs one label for each example of {N} inputs, but xi has shape {X.shape} and S "
            f"{labels.shape}."
        )
    return X, labels


def unit_vector(w: ArrayLike) -> Array:
    w = np.asarray(w, dtype=float)
    return np.asarray(w / np.linalg.norm(w))


def _draw_arrow(ax: Any, w: Array, name: str, color: str) -> None:
    ax.annotate("", w, (0, 0), arrowprops={"arrowstyle": "-|>", "color": color, "lw": 1.6})
    ax.annotate(name, 1.13 * w, color=color, ha="center", va="center")


def arc_points(first: float, last: float) -> Array:
    t = np.linspace(first, last, 100)
    return np.column_stack([np.cos(t), np.sin(t)])


def draw_student_and_teacher(w: ArrayLike, w_star: ArrayLike, ax: Any = None) -> Any:
    """Draw student and teacher in their plane; the angle of disagreement is shaded   (Fig. 3.5).

    For vectors of more than two dimensions the plane they span is drawn, the teacher upwards.

    Parameters
    ----------
    w : array (N,)
        The student.
    w_star : array (N,)
        The teacher.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; None: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from markone.perceptron.version_space import draw_student_and_teacher
    >>> draw_student_and_teacher([1.0, 1.0], [0.0, 1.0]).get_aspect()
    1.0
    """
    R = float(np.clip(unit_vector(w) @ unit_vector(w_star), -1.0, 1.0))
    theta = float(np.arccos(R))
    ax = bare_axes(ax)
    up = np.pi / 2
    for side in (0.0, np.pi):
        # Between the lines orthogonal to either vector.
        wedge = np.vstack([[0.0, 0.0], arc_points(side, side - theta)])
        ax.fill(*wedge.T, color=TEACHER, alpha=0.35, lw=0)
    for angle, name, color in ((up, "w*", TEACHER), (up - theta, "w", LINE)):
        direction = np.array([np.cos(angle), np.sin(angle)])
        across = np.array([-direction[1], direction[0]])
        ax.plot(*np.transpose([-1.1 * across, 1.1 * across]), color=color, lw=1)
        _draw_arrow(ax, direction, name, color)
    ax.plot(*arc_points(0, 2 * np.pi).T, color=LINE, lw=0.8)
    ax.set_xlim(-1.3, 1.3)
    ax.set_ylim(-1.3, 1.3)
    ax.set_title(f"disagreement {theta / np.pi:.3f}", fontsize=10)
    return ax


def draw_circle(xi: ArrayLike, S: ArrayLike, *, students: Array | None = None, ax: Any = None) -> Any:
    """Draw version space in two dimensions: each example excludes half of the circle of students.

    Parameters
    ----------
    xi : array (P, 2)
        The inputs.
    S : array (P,)
        Their labels, +1 or -1.
    students : array (m, 2) or None, default=None
        Unit vectors to be drawn as dots.
    ax : matplotlib.axes.Axes or None, default=None
        Where to draw; None: a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from markone.perceptron.version_space import draw_circle
    >>> draw_circle([[1.0, 0.2], [0.3, 1.0]], [1, 1]).get_aspect()
    1.0
    """
    xi, S = check_picture_data(xi, S, 2)
    ax = bare_axes(ax)
    t = np.linspace(0, 2 * np.pi, 2000)
    circle = np.column_stack([np.cos(t), np.sin(t)])
    wrong = np.sum(circle @ (xi * S[:, None]).T <= 0, axis=1)
    ax.plot(*circle.T, color=DARK, lw=1.5)
    inside = np.where((wrong == 0)[:, None], circle, np.nan)
    ax.plot(*inside.T, color=CUT, lw=7, solid_capstyle="butt")
    for mu, (one, label) in enumerate(zip(xi, S, strict=True)):
        n = unit_vector(one)
        across = np.array([-n[1], n[0]])
        ax.plot(*np.transpose([-1.15 * across, 1.15 * across]), color=LINE, lw=0.8)
        # At different distances, so that markers of similar direction do not overlap.
        place = (0.35 + 0.13 * (mu % 4)) * n
        ax.plot(*place, "o" if label > 0 else "s", color=LINE, mfc=LINE if label > 0 else "white")
        ax.annotate(str(mu + 1), place, (5, 4), textcoords="offset points", fontsize=9)
    if students is not None:
        ax.plot(*(1.07 * np.transpose(students)), ".", color=TEACHER, ms=3)
    ax.set_xlim(-1.3, 1.3)
    ax.set_ylim(-1.3, 1.3)
    return ax
