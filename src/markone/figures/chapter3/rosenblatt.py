"""Fig. 3.4: Rosenblatt's algorithm, one epoch of six examples in six panels."""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.show import animate

NUMBER, TITLE, SIZE = "3.4", "Rosenblatt's algorithm step by step: six examples, one epoch", (1.0, 0.62)
SHOWS = (
    "t = 1: learned",
    "t = 2: correct",
    "t = 6: correct",
)
# Examples 1, 3 and 5 are learned; 2, 4 and 6 are classified correctly.
XI = np.array([[2.1, -0.1], [-1.7, 0.9], [-0.5, -1.2], [-0.6, 1.5], [1.3, 0.5], [1.4, -1.2]])
S = np.array([1, -1, 1, -1, -1, 1])


def draw(figure: Any) -> None:
    student = Rosenblatt(fit_intercept=False, record="presentations").fit(XI, S)
    animate(student).strip(range(1, 7), columns=3, figure=figure)
