"""Fig. 4.2: a machine, K = 3 perceptrons and a fixed function of their outputs."""

from typing import Any

from markone.show import NetworkDisplay

NUMBER, TITLE, SIZE = (
    "4.2",
    "The architecture of a machine: adaptive hidden units, fixed output",
    (0.62, 0.62),
)
SHOWS = (
    "N inputs $\\xi_j$",
    "$\\sigma^k = \\mathrm{sign}(\\mathbf{w}^k\\cdot\\xi)$",
    "$S = F(\\sigma^1, \\sigma^2, \\sigma^3)$",
    "solid: adaptive weights, dashed: fixed",
)


def draw(figure: Any) -> None:
    labels = [
        "N inputs $\\xi_j$",
        "$\\sigma^k = \\mathrm{sign}(\\mathbf{w}^k\\cdot\\xi)$",
        "$S = F(\\sigma^1, \\sigma^2, \\sigma^3)$",
    ]
    display = NetworkDisplay([8, 3, 1], fixed=1, labels=labels).plot(ax=figure.subplots())
    display.ax_.set_title("solid: adaptive weights, dashed: fixed", fontsize="small")
