"""Fig. 4.1: free and clipped support vectors of the soft margin."""

from typing import Any

import numpy as np

from markone import AdaTron
from markone.show import PerceptronDisplay

NUMBER, TITLE, SIZE = "4.1", "Soft margin: support vectors on, between and beyond the planes", (0.62, 1.0)


def draw(figure: Any) -> None:
    rng = np.random.default_rng(7)
    y = np.repeat([1, -1], 24)
    X = 0.95 * y[:, None] * [0.8, 0.6] + 0.75 * rng.standard_normal((48, 2))
    PerceptronDisplay.from_estimator(AdaTron(C=0.4).fit(X, y), X, y, ax=figure.subplots())
