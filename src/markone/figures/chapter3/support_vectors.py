"""Fig. 3.9: the support vectors of the perceptron of optimal stability."""

from typing import Any

import numpy as np

from markone import AdaTron
from markone.show import PerceptronDisplay

NUMBER, TITLE, SIZE = "3.9", "Support vectors of the perceptron of optimal stability", (0.62, 1.0)
SHOWS = (
    "+1",
    "-1",
    "free support vector",
)


def draw(figure: Any) -> None:
    rng = np.random.default_rng(2)
    X = rng.uniform(-2, 2, (70, 2))
    X = X[np.abs(X @ [1.0, 0.6]) > 0.45]
    y = np.where(X @ [1.0, 0.6] > 0, 1, -1)
    PerceptronDisplay.from_estimator(AdaTron(fit_intercept=False).fit(X, y), X, y, ax=figure.subplots())
