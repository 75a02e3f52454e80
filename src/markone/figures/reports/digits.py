"""Figures of the digits report."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.figures.diagrams import ACCENT, blank_axes, draw_arrow, draw_box, draw_node, write_label
from markone.figures.reports.runs import figure_of_run
from markone.show import PerceptronDisplay


def draw_bias_unit(figure: Any) -> None:
    ax = blank_axes(figure.subplots(), 9, 4.6)
    for y, name in ((4.0, "x_0 = +1"), (3.0, "x_1"), (2.0, "x_2"), (0.6, "x_n")):
        draw_node(ax, 1.2, y, 0.3, fill="0.92")
        write_label(ax, (0.75, y), f"${name}$", ha="right")
        draw_arrow(ax, (1.5, y), (4.0, 2.4), ACCENT, gap=3)
    write_label(ax, (1.2, 1.35), "$\\vdots$")
    draw_node(ax, 4.4, 2.4, 0.42, "$\\Sigma$")
    draw_arrow(ax, (4.82, 2.4), (5.9, 2.4))
    draw_box(ax, 5.9, 1.95, 1.1, 0.9, "sign")
    draw_arrow(ax, (7.0, 2.4), (8.2, 2.4))
    write_label(ax, (8.5, 2.4), "$y$")
    ax.set_xlim(-1.2, 9)


def draw_cross_validation(figure: Any) -> None:
    ax = blank_axes(figure.subplots(), 9, 4.2)
    for row in range(4):
        write_label(ax, (1.0, 3.6 - row * 0.85), f"fold {row + 1}", ha="right", fontsize="small")
        for part in range(4):
            tested = part == row
            fill = "#D55E00" if tested else "0.92"
            text = "test" if tested else "training"
            draw_box(ax, 1.2 + 1.9 * part, 3.25 - row * 0.85, 1.8, 0.65, text, fill)


def separable_points(gap: float, seed: int = 5) -> tuple[Any, Any]:
    """Draw 80 points of the unit square with |x1 + x2 - 1| > gap."""
    X = np.random.default_rng(seed).uniform(0, 1, (400, 2))
    away = X.sum(axis=1) - 1
    X, away = X[np.abs(away) > gap], away[np.abs(away) > gap]
    return X[:80], np.where(away[:80] > 0, 1, -1)


def draw_boundaries(figure: Any) -> None:
    for ax, gap, name in zip(figure.subplots(1, 2), (0.2, 0.005), ("easy", "tight"), strict=True):
        X, y = separable_points(gap)
        student = Rosenblatt(max_iter=100_000).fit(X, y)
        line = np.append(student.coef_[0], student.intercept_)
        PerceptronDisplay(X, y, line).plot(ax=ax, legend=False)
        ax.set_title(f"{name}: {student.n_iter_} epochs, {student.n_updates_} updates")


FIGURES = {
    "digits-1": ("A perceptron with bias unit (diagram)", (0.6, 0.6), draw_bias_unit, ("$x_0 = +1$", "$y$")),
    "digits-2": (
        "k-fold cross-validation with k = 4 (diagram)", (0.65, 0.5), draw_cross_validation,
        ("fold 1", "fold 4", "test", "training"),
    ),
    "digits-3": (
        "Boundaries of an easy and of a tight set, with their epochs", (1.0, 0.5), draw_boundaries,
        ("easy: ", "tight: "),
    ),
    "digits-4": figure_of_run(
        "Random samples of the handwritten digits", (0.9, 0.45), "digits_separable", "samples", ()
    ),
    "digits-5": figure_of_run(
        "Accuracy over the number of folds", (1.0, 0.45), "digits_folds", "boxes",
        ("accuracy (boxes)", "standard deviation (dots)"),
    ),
    "digits-6": figure_of_run(
        "Accuracy of nearest neighbours over k, three weightings", (0.8, 0.65), "digits_neighbours", "grid",
        ("rank", "equal", "inverse"), changes={"repeats": 2}, preview="2 splits instead of 20", joined=True,
    ),
    "digits-7": figure_of_run(
        "Confusion matrices of nearest neighbours and perceptron", (1.0, 0.5), "digits_all", "confusion",
        ("k-NN", "perceptron", "digit", "called"), changes={"repeats": 5, "student": ("knn", "perceptron")},
        preview="5 folds instead of 50",
    ),
}  # fmt: skip
