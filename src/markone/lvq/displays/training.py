"""Cost and training errors by step."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.lvq.displays.style import COLOURS, axes_and_figure
from markone.numerics.arrays import Array


@dataclass
class TrainingDisplay:
    """Plot of cost and training errors by step.

    `TrainingDisplay.from_estimator` plots a fitted model.

    Parameters
    ----------
    step : array
        Steps or epochs.
    cost : array
        Cost after each step.
    errors : array
        Training errors after each step.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> from markone.lvq.displays import TrainingDisplay
    >>> iris = load("iris")
    >>> display = TrainingDisplay.from_estimator(LVQ1(max_iter=3).fit(iris.X, iris.y))
    >>> display.step.shape == display.cost.shape
    True
    """

    step: Array
    cost: Array
    errors: Array

    @classmethod
    def from_estimator(cls, model: Any, *, ax: Any = None) -> "TrainingDisplay":
        """Plot the `trace_` of a fitted classifier."""
        check_is_fitted(model)
        trace = getattr(model, "trace_", None)
        if trace is None:
            raise ValueError(f"{type(model).__name__} kept no trace_ of its training.")
        return cls(trace["step"], trace["cost"], trace["errors"]).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "TrainingDisplay":
        self.ax_, self.figure_ = axes_and_figure(ax)
        if np.isfinite(self.cost).any():
            self.ax_.plot(self.step, self.cost, "-", color=COLOURS[0])
            self.ax_.set_ylabel("cost", color=COLOURS[0])
        right = self.ax_.twinx()
        right.plot(self.step, self.errors, "--", color=COLOURS[1], drawstyle="steps-post")
        right.set_ylabel("training errors", color=COLOURS[1])
        right.set_ylim(bottom=0)
        self.ax_.set_xlabel("step")
        self.errors_ax_ = right
        return self
