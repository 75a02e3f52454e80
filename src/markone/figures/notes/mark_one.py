"""Figs. 3.1 and 3.2: the Mark I (its photograph is at Cornell's library) and the perceptron, as diagrams."""

from typing import Any

import numpy as np

from markone.figures.diagrams import (
    ACCENT,
    SOFT,
    blank_axes,
    draw_arrow,
    draw_box,
    draw_node,
    numbered_figure,
    shows,
    write_label,
)

RULE = "$S = \\mathrm{sign}(\\mathbf{w}\\cdot\\mathbf{\\xi} - \\theta) = \\pm 1$"


@shows(
    "retina\n20 x 20 photosensors", "association\n512 units", "response",
    "adaptive weights:\nthe perceptron of the notes",
)  # fmt: skip
@numbered_figure("3.1", "The Mark I Perceptron: retina, association units, responses (diagram)", (1.0, 0.45))
def draw_mark_one(figure: Any) -> None:
    ax, bar = figure.subplots(), np.add.outer(np.arange(20), -np.arange(20))
    retina = (0.4, 3.7, 1.0, 4.9)
    ax.imshow(np.abs(bar) < 3, extent=retina, cmap="gray_r", vmin=0, vmax=1.6, aspect="auto")
    ax.plot([0.4, 3.7, 3.7, 0.4, 0.4], [1.0, 1.0, 4.9, 4.9, 1.0], color="0.15", lw=1)
    blank_axes(ax, 14, 6.2)
    rng = np.random.default_rng(1)
    draw_box(ax, 5.9, 0.35, 7.9, 5.0)
    heights = np.linspace(1.0, 5.0, 6)
    for y in heights:
        for _ in range(3):
            draw_arrow(ax, (3.7, rng.uniform(1.0, 4.9)), (6.35, y), SOFT, lw=0.6)
        draw_box(ax, 6.4, y - 0.24, 0.7, 0.48, "$\\Theta$", fill="white")
    for k, y in enumerate((1.9, 3.0, 4.1)):
        for height in heights:
            draw_arrow(ax, (7.1, height), (10.6, y), ACCENT if k == 1 else SOFT, lw=1.0 if k == 1 else 0.5)
        draw_node(ax, 10.95, y, 0.34, f"$R_{k + 1}$")
        draw_arrow(ax, (11.3, y), (12.4, y), gap=0)
        write_label(ax, (12.9, y), "$\\pm 1$")
    for x, words in (
        (2.0, "retina\n20 x 20 photosensors"),
        (6.75, "association\n512 units"),
        (10.95, "response"),
    ):
        write_label(ax, (x, 6.1), words, fontsize="small", va="top")
    write_label(ax, (4.95, 0.15), "fixed, random wires", fontsize="small", color=SOFT)
    write_label(
        ax, (10.6, 0.75), "adaptive weights:\nthe perceptron of the notes", fontsize="small", color=ACCENT
    )


@shows("$\\xi_1$", "$\\xi_N$", "$w_1$", "S")
@numbered_figure("3.2", "The single layer perceptron (diagram)", (0.6, 0.6))
def draw_single_layer(figure: Any) -> None:
    ax = blank_axes(figure.subplots(), 8, 4.4)
    for x, name in ((0.8, "1"), (2.0, "2"), (3.2, "3"), (6.2, "N")):
        draw_node(ax, x, 0.7, 0.34, f"$\\xi_{name}$", fill="0.92")
        draw_arrow(ax, (x, 1.04), (3.5, 3.1), ACCENT, gap=4)
        shift = 0.3 if x < 3.5 else 0.55  # more for an arrow to the left
        write_label(ax, (0.7 * x + 0.3 * 3.5 + shift, 1.55), f"$w_{name}$", fontsize="small", color=ACCENT)
    write_label(ax, (4.7, 0.7), "$\\cdots$")
    draw_node(ax, 3.5, 3.4, 0.4, "S")
    write_label(ax, (4.15, 3.45), RULE, ha="left")
