"""Fig. 1.5: feed-forward networks, with several layers and with one hidden layer."""

from typing import Any

from markone.show import NetworkDisplay

NUMBER, TITLE, SIZE = "1.5", "Feed-forward networks: several layers; one hidden layer", (1.0, 0.42)
SHOWS = (
    "several layers",
    "one hidden layer",
    "input $\\xi_j$",
    "hidden $\\sigma_k$",
    "output S",
)


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2)
    NetworkDisplay([6, 4, 5, 3, 1]).plot(ax=left)
    NetworkDisplay([6, 3, 1], labels=["input $\\xi_j$", "hidden $\\sigma_k$", "output S"]).plot(ax=right)
    left.set_title("several layers")
    right.set_title("one hidden layer")
