"""Figs. 6.3 and 6.4: an ROC curve and the meaning of its area; a confusion matrix."""

from typing import Any

import numpy as np
from sklearn.metrics import ConfusionMatrixDisplay

from markone import AdaTron
from markone.data import gaussian_mixture
from markone.evaluation import discriminant, roc
from markone.figures.diagrams import numbered_figure, shows

PLUS, MINUS = "#0072B2", "#D55E00"
PERCENT = [
    [63.8, 10.8, 19.3, 5.5, 0.7],
    [3.1, 90.7, 0.1, 1.3, 4.8],
    [18.4, 1.7, 66.1, 13.5, 0.3],
    [2.0, 6.8, 9.3, 73.7, 8.2],
    [1.1, 13.1, 0.1, 14.6, 71.1],
]


@shows(
    "$\\Theta \\to \\infty$", "$\\Theta \\to -\\infty$", "$\\Theta = 0$", "random", "$\\delta\\Theta$",
    "$\\Theta_-$",
)  # fmt: skip
@numbered_figure("6.3", "Receiver operating characteristics, and g of a pair of examples", (1.0, 0.5))
def draw_characteristics(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    data = gaussian_mixture(300, [[0.0, 0.0], [1.25, 1.0]], 1.0, seed=4)
    g = discriminant(AdaTron(C=0.05).fit(data.X, data.y), data.X)
    draw_roc_curve(left, data.y, g)
    draw_ranked_examples(right, data, g)


def draw_roc_curve(ax: Any, y: Any, g: Any) -> None:
    curve = roc(y, g)
    ax.plot(curve.fpr, curve.tpr, color=PLUS)
    ax.plot([0, 1], [0, 1], "--", color="0.5", lw=1)
    ax.plot([0, 1], [0, 1], "o", color=PLUS, mfc="white", ms=7)
    ax.plot(*curve.at(0.0), "o", color=PLUS, ms=7)
    for place, text, shift in (
        ((0, 0), "$\\Theta \\to \\infty$", (12, -4)),
        ((1, 1), "$\\Theta \\to -\\infty$", (-8, 8)),
        (curve.at(0.0), "$\\Theta = 0$", (8, -10)),
    ):
        ax.annotate(text, place, shift, textcoords="offset points", ha="right" if shift[0] < 0 else "left")
    ax.annotate("random", (0.62, 0.62), (4, -14), textcoords="offset points", color="0.45")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", box_aspect=1)
    ax.set_title(f"area {curve.area:.3f}")


def draw_ranked_examples(ax: Any, data: Any, g: Any) -> None:
    """Draw the examples ordered by g, with one negative example and the positive ones of larger g."""
    rng = np.random.default_rng(0)
    height = rng.uniform(0.15, 0.85, len(g))
    for c, colour, mark, fill in ((0, MINUS, "s", "white"), (1, PLUS, "o", PLUS)):
        own = data.y == c
        ax.plot(g[own], height[own] + c, mark, color=colour, mfc=fill, ms=3.2)
    chosen = int(np.argsort(np.where(data.y == 0, g, np.inf))[110])
    theta = float(g[chosen])
    ax.plot(theta, height[chosen], "s", color=MINUS, ms=10, mec="k")
    step = 0.14
    ax.axvspan(theta, theta + step, color="0.85", lw=0)
    ax.axvline(theta, color="0.2", lw=0.9)
    ax.text(theta + step, 2.04, "$\\delta\\Theta$", ha="left")
    ax.text(theta, 2.04, "$\\Theta_-$", ha="right")
    above = float(np.mean(g[data.y == 1] > theta))
    ax.set(xlabel="$g(\\xi)$", yticks=[0.5, 1.5], yticklabels=["$S = -1$", "$S = +1$"], ylim=(0, 2.3))
    ax.set_title(f"{above:.0%} of the positive have a larger g", fontsize="small")


@shows("predicted class", "true class", "63.8", "71.1")
@numbered_figure("6.4", "A confusion matrix of five classes, in per cent", (0.6, 0.85))
def draw_confusion(figure: Any) -> None:
    """The percentages printed in the notes; for other counts use `confusion_percent`."""
    display = ConfusionMatrixDisplay(np.array(PERCENT), display_labels=range(1, 6))
    shades = {"cmap": "Blues", "im_kw": {"vmin": 0, "vmax": 100}}
    ax = display.plot(values_format=".1f", colorbar=False, ax=figure.subplots(), **shades).ax_
    ax.spines[:].set_visible(False)
    ax.set(xlabel="predicted class", ylabel="true class")
