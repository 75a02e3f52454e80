"""Fig. 4.3: the same three planes as a committee and as a parity machine."""

from typing import Any

import numpy as np

from markone.machines import MachineDisplay

NUMBER, TITLE, SIZE = "4.3", "Tessellations of committee and parity machine", (0.9, 0.52)
SHOWS = (
    "committee",
    "parity",
)
WEIGHTS, THRESHOLDS = [[1.0, 0.25], [-0.5, 1.0], [-0.45, -1.0]], [-0.25, -0.15, -0.35]


def draw(figure: Any) -> None:
    X = np.random.default_rng(0).uniform(-1.4, 1.4, (70, 2))
    for ax, machine in zip(figure.subplots(1, 2), ("committee", "parity"), strict=True):
        MachineDisplay.from_planes(WEIGHTS, THRESHOLDS, machine, X, ax=ax)
        ax.set(title=machine, xticks=[], yticks=[])
