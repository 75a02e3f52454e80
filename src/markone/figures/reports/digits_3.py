"""Fig. 3 of the digits report: boundaries for an easy set and for a set with a narrow gap.

The published tight set took no more epochs than the easy one; this one has a fortieth of the gap.
"""

from typing import Any

import numpy as np

from markone import Rosenblatt
from markone.show import PerceptronDisplay

NUMBER, TITLE, SIZE = "digits-3", "Boundaries of an easy and of a tight set, with their epochs", (1.0, 0.5)


def separable_points(gap: float, seed: int = 5) -> tuple[Any, Any]:
    """Draw 80 points of the unit square with |x1 + x2 - 1| > gap."""
    X = np.random.default_rng(seed).uniform(0, 1, (400, 2))
    away = X.sum(axis=1) - 1
    X, away = X[np.abs(away) > gap], away[np.abs(away) > gap]
    return X[:80], np.where(away[:80] > 0, 1, -1)


def draw(figure: Any) -> None:
    for ax, gap, name in zip(figure.subplots(1, 2), (0.2, 0.005), ("easy", "tight"), strict=True):
        X, y = separable_points(gap)
        student = Rosenblatt(max_iter=100_000).fit(X, y)
        PerceptronDisplay.from_estimator(student, X, y, ax=ax)
        ax.set_title(f"{name}: {student.n_iter_} epochs, {student.n_updates_} updates")
        ax.get_legend().remove()
