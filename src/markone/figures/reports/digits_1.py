"""Fig. 1 of the digits report: the perceptron with its bias unit."""

from typing import Any

from markone.figures.diagrams import ACCENT, blank_axes, draw_arrow, draw_box, draw_node, write_label

NUMBER, TITLE, SIZE = "digits-1", "A perceptron with bias unit (diagram)", (0.6, 0.6)


def draw(figure: Any) -> None:
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
