"""Fig. 1 of the stability report: MinOver learns a rule, with the theory of optimal stability."""

from typing import Any

import numpy as np

from markone import theory
from markone.figures.reports.learning_curves import ALPHA, MINOVER, label_axes, measure_curves, plot_curve

NUMBER, TITLE, SIZE = "stability-1", "MinOver learns a rule: eps_g(alpha), no noise", (0.65, 0.7)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    plot_curve(
        ax,
        measure_curves({"MinOver": MINOVER}, 0.0),
        "MinOver",
        color="#0072B2",
        marker="o",
        ls="none",
        label="MinOver",
    )
    alpha = np.linspace(0.2, max(ALPHA), 80)
    ax.plot(alpha, theory.curve("max_stability")(alpha), color="0.2", label="theory, N to infinity")
    label_axes(ax)
    ax.legend()
