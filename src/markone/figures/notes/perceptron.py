"""Figs. 3.3, 3.4, 3.9 and 4.1: the hyperplane, Rosenblatt's algorithm, support vectors of both margins."""

from typing import Any

import numpy as np

from markone import AdaTron, Rosenblatt
from markone.base.plot_style import draw_vector
from markone.figures.diagrams import INK, numbered_figure, shows, write_label
from markone.show import PerceptronDisplay, animate

# Examples 1, 3 and 5 are learned; 2, 4 and 6 are classified correctly.
XI = np.array([[2.1, -0.1], [-1.7, 0.9], [-0.5, -1.2], [-0.6, 1.5], [1.3, 0.5], [1.4, -1.2]])
S = np.array([1, -1, 1, -1, -1, 1])


@shows("S = +1", "S = -1", "$\\theta/|\\mathbf{w}|$", "$\\mathbf{w}$")
@numbered_figure("3.3", "Geometry of the perceptron: the hyperplane across w with offset", (0.62, 1.0))
def draw_hyperplane(figure: Any) -> None:
    X = np.random.default_rng(0).uniform(-2, 3, (60, 2))
    away = X @ [1.0, 0.7] - 1.0
    X, y = X[np.abs(away) > 0.35], np.where(away > 0, 1, -1)[np.abs(away) > 0.35]
    student = Rosenblatt(max_iter=5000).fit(X, y)
    w, theta = student.coef_[0], -student.intercept_[0]
    labels = ("S = +1", "S = -1")
    ax = PerceptronDisplay(X, y, np.array([*w, -theta]), labels=labels).plot(ax=figure.subplots()).ax_
    # The offset from the origin to the plane, and w at its end.
    foot, unit = theta * w / (w @ w), w / np.linalg.norm(w)
    draw_vector(ax, (0, 0), foot, INK, 1.0, arrowstyle="<->")
    draw_vector(ax, foot, foot + 1.1 * unit, INK, 1.0)
    write_label(ax, 0.5 * foot + 0.4 * np.array([-unit[1], unit[0]]), "$\\theta/|\\mathbf{w}|$")
    write_label(ax, foot + 1.25 * unit, "$\\mathbf{w}$")
    ax.plot(0, 0, "+", color=INK, ms=9)
    ax.set(xlabel="$\\xi_1$", ylabel="$\\xi_2$")


@shows("t = 1: learned", "t = 2: correct", "t = 6: correct")
@numbered_figure("3.4", "Rosenblatt's algorithm step by step: six examples, one epoch", (1.0, 0.62))
def draw_rosenblatt(figure: Any) -> None:
    student = Rosenblatt(fit_intercept=False, record="presentations").fit(XI, S)
    animate(student).strip(range(1, 7), columns=3, figure=figure)


@shows("+1", "-1", "free support vector", "size: strength x")
@numbered_figure("3.9", "Support vectors of the perceptron of optimal stability", (0.62, 1.0))
def draw_support_vectors(figure: Any) -> None:
    rng = np.random.default_rng(5)
    X = rng.uniform(-2, 2, (70, 2))
    X = X[np.abs(X @ [1.0, 0.6]) > 0.45]
    y = np.where(X @ [1.0, 0.6] > 0, 1, -1)
    PerceptronDisplay.from_estimator(AdaTron(fit_intercept=False).fit(X, y), X, y, ax=figure.subplots())


@shows(
    "+1", "-1", "free support vector", "size: strength x", "clipped (x = γ)", "$\\mathbf{w}/|\\mathbf{w}|$"
)
@numbered_figure("4.1", "Soft margin: support vectors on, between and beyond the planes", (0.62, 1.0))
def draw_soft_margin(figure: Any) -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, -1], 24)
    X = 0.95 * y[:, None] * [0.8, 0.6] + 0.75 * rng.standard_normal((48, 2))
    student, ax = AdaTron(C=0.4).fit(X, y), figure.subplots()
    PerceptronDisplay.from_estimator(student, X, y, ax=ax)
    # The normalized weight vector, from the point of the plane nearest to the origin.
    w = student.coef_[0]
    foot, unit = -student.intercept_[0] * w / (w @ w), w / np.linalg.norm(w)
    draw_vector(ax, foot, foot + unit, INK, 1.8)
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
    write_label(ax, foot + 1.2 * unit, "$\\mathbf{w}/|\\mathbf{w}|$", bbox=paper, zorder=6)
