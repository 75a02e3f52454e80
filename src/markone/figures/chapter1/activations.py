"""Fig. 1.3: a sigmoidal activation, and the binary neuron as its limit."""

from typing import Any

import numpy as np

from markone.figures.diagrams import ACCENT, INK
from markone.networks import mcculloch_pitts, symmetric

NUMBER, TITLE, SIZE = "1.3", "Activation functions: sigmoidal, and the McCulloch-Pitts limit", (0.9, 0.4)
SHOWS = (
    "$\\gamma$ = 1",
    "$\\theta$",
    "$\\gamma \\to \\infty$",
    "activity",
)


def draw(figure: Any) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    x, theta = np.linspace(-3, 5, 401), 1.0
    for gain, style in ((1.0, "-"), (3.0, "--")):
        left.plot(x, symmetric(x, gain, theta), style, color=ACCENT, label=f"$\\gamma$ = {gain:g}")
    for part in (x < theta, x >= theta):
        right.plot(x[part], mcculloch_pitts(x[part], theta), color=ACCENT)
    right.plot(theta, 1, "o", color=ACCENT, ms=4)
    for ax, title in ((left, "$g(x) = \\tanh(\\gamma(x - \\theta))$"), (right, "$\\gamma \\to \\infty$")):
        ax.axhline(0, color=INK, lw=0.5)
        ax.axvline(theta, color=INK, lw=0.5, ls=":")
        ax.set(
            xlabel="local potential x",
            title=title,
            yticks=[-1, 0, 1],
            xticks=[theta],
            xticklabels=["$\\theta$"],
        )
    left.set_ylabel("activity")
    left.legend(loc="upper left")
