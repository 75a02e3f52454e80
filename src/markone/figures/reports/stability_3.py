"""Fig. 3 of the stability report: both algorithms at all noise levels in one figure."""

from typing import Any

from markone.figures.reports.learning_curves import (
    MINOVER,
    ROSENBLATT,
    label_axes,
    measure_curves,
    plot_curve,
)

NUMBER, TITLE, SIZE = "stability-3", "MinOver and Rosenblatt with label noise 0, 0.1, 0.2, 0.3", (0.75, 0.75)
NOISES = ((0.0, "#000000", "o"), (0.1, "#0072B2", "s"), (0.2, "#009E73", "^"), (0.3, "#D55E00", "D"))


def draw(figure: Any) -> None:
    ax = figure.subplots()
    for noise, colour, mark in NOISES:
        found = measure_curves({"MinOver": MINOVER, "Rosenblatt": ROSENBLATT}, noise)
        look = {"color": colour, "marker": mark, "ms": 4}
        plot_curve(ax, found, "MinOver", label=f"MinOver, $\\lambda$ = {noise:g}", **look)
        plot_curve(
            ax, found, "Rosenblatt", label=f"Rosenblatt, $\\lambda$ = {noise:g}", mfc="white", ls="--", **look
        )
    label_axes(ax)
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=4, fontsize="x-small")
