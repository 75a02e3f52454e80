"""Fig. 2 of the stability report: MinOver and Rosenblatt, no noise."""

from typing import Any

from markone.figures.reports.curves import MINOVER, ROSENBLATT, frame, line, measured

NUMBER, TITLE, SIZE = "stability-2", "MinOver and Rosenblatt learn a rule, no noise", (0.65, 0.7)


def draw(figure: Any) -> None:
    ax = figure.subplots()
    found = measured({"MinOver": MINOVER, "Rosenblatt": ROSENBLATT}, 0.0)
    line(ax, found, "MinOver", color="#0072B2", marker="o", label="MinOver")
    line(ax, found, "Rosenblatt", color="#D55E00", marker="s", mfc="white", ls="--", label="Rosenblatt")
    frame(ax)
    ax.legend()
