"""Fig. 2 of the digits report: k-fold cross-validation."""

from typing import Any

from markone.figures.diagrams import blank_axes, draw_box, write_label

NUMBER, TITLE, SIZE = "digits-2", "k-fold cross-validation (diagram)", (0.65, 0.5)


def draw(figure: Any) -> None:
    ax = blank_axes(figure.subplots(), 9, 4.2)
    for row in range(4):
        write_label(ax, (1.0, 3.6 - row * 0.85), f"round {row + 1}", ha="right", fontsize="small")
        for fold in range(5):
            tested = fold == row
            fill = "#D55E00" if tested else "0.92"
            draw_box(ax, 1.2 + 1.5 * fold, 3.25 - row * 0.85, 1.4, 0.65, "test" if tested else "", fill)
    write_label(
        ax,
        (5.0, 0.2),
        "... until each fold was the test set once; the other folds are for training",
        fontsize="small",
    )
