"""Fig. 6.4: the confusion matrix of five classes, in per cent of the true class.

The percentages are those printed in the notes; for other counts use `confusion_percent`.
"""

from typing import Any

NUMBER, TITLE, SIZE = "6.4", "A confusion matrix of five classes, in per cent", (0.6, 0.85)
SHOWS = (
    "predicted class",
    "true class",
    "63.8",
    "71.1",
)
PERCENT = [
    [63.8, 10.8, 19.3, 5.5, 0.7],
    [3.1, 90.7, 0.1, 1.3, 4.8],
    [18.4, 1.7, 66.1, 13.5, 0.3],
    [2.0, 6.8, 9.3, 73.7, 8.2],
    [1.1, 13.1, 0.1, 14.6, 71.1],
]


def draw(figure: Any) -> None:
    ax = figure.subplots()
    ax.imshow(PERCENT, cmap="Blues", vmin=0, vmax=100)
    for i, row in enumerate(PERCENT):
        for j, value in enumerate(row):
            ax.text(j, i, f"{value:.1f}", ha="center", va="center", color="white" if value > 55 else "0.1")
    names = [str(k) for k in range(1, 6)]
    ax.set_xticks(range(5), names)
    ax.set_yticks(range(5), names)
    ax.spines[:].set_visible(False)
    ax.set(xlabel="predicted class", ylabel="true class")
