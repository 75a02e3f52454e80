"""Fig. 3.2: the perceptron, N inputs and one binary output."""

from typing import Any

from markone.figures.diagrams import ACCENT, blank_axes, draw_arrow, draw_node, write_label

NUMBER, TITLE, SIZE = "3.2", "The single layer perceptron (diagram)", (0.6, 0.6)
SHOWS = (
    "$\\xi_1$",
    "$\\xi_N$",
    "$w_1$",
    "S",
)
RULE = "$S = \\mathrm{sign}(\\mathbf{w}\\cdot\\mathbf{\\xi} - \\theta) = \\pm 1$"


def draw(figure: Any) -> None:
    ax = blank_axes(figure.subplots(), 8, 4.4)
    for x, name in ((0.8, "1"), (2.0, "2"), (3.2, "3"), (6.2, "N")):
        draw_node(ax, x, 0.7, 0.34, f"$\\xi_{name}$", fill="0.92")
        draw_arrow(ax, (x, 1.04), (3.5, 3.1), ACCENT, gap=4)
        shift = 0.3 if x < 3.5 else 0.55  # more for an arrow to the left
        write_label(ax, (0.7 * x + 0.3 * 3.5 + shift, 1.55), f"$w_{name}$", fontsize="small", color=ACCENT)
    write_label(ax, (4.7, 0.7), "$\\cdots$")
    draw_node(ax, 3.5, 3.4, 0.4, "S")
    write_label(ax, (4.15, 3.45), RULE, ha="left")
