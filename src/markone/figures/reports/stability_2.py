"""Fig. 2 of the stability report: MinOver and Rosenblatt, no noise."""

from typing import Any

from markone.figures.reports.learning_curves import (
    MINOVER,
    ROSENBLATT,
    label_axes,
    measure_curves,
    plot_curve,
)

NUMBER, TITLE, SIZE = "stability-2", "MinOver and Rosenblatt learn a rule, no noise", (0.65, 0.7)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    found = measure_curves({"MinOver": MINOVER, "Rosenblatt": ROSENBLATT}, 0.0)
    plot_curve(ax, found, "MinOver", color="#0072B2", marker="o", label="MinOver")
    plot_curve(ax, found, "Rosenblatt", color="#D55E00", marker="s", mfc="white", ls="--", label="Rosenblatt")
    label_axes(ax)
    ax.legend()
