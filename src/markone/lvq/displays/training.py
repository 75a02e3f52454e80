"""Displays of the cost during training, and of accuracy against rejection."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.plot_style import COLOURS, single_axes
from markone.lvq.inspect.rejection import AccuracyReject, accuracy_reject_curve, certainty
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
        self.ax_, self.figure_ = single_axes(ax)
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


@dataclass
class AccuracyRejectDisplay:
    """Plot of the accuracy over the accepted fraction of inputs.

    `AccuracyRejectDisplay.from_estimator` plots a fitted classifier.

    Parameters
    ----------
    curve : AccuracyReject
        What `accuracy_reject_curve` returns.
    name : str, default=""
        Label of the line.

    Examples
    --------
    >>> from markone.lvq import accuracy_reject_curve
    >>> from markone.lvq.displays import AccuracyRejectDisplay
    >>> curve = accuracy_reject_curve([True, True, False], [0.9, 0.8, 0.1])
    >>> AccuracyRejectDisplay(curve, name="three answers").plot().ax_.get_ylabel()
    'accuracy of the answers'
    """

    curve: AccuracyReject
    name: str = ""

    @classmethod
    def from_estimator(
        cls, model: Any, X: Any, y: Any, *, ax: Any = None, **line: Any
    ) -> "AccuracyRejectDisplay":
        """Curve of a fitted classifier with `decision_function` on test examples X, y."""
        correct = np.asarray(model.predict(X)) == np.asarray(y)
        return cls(accuracy_reject_curve(correct, certainty(model, X)), type(model).__name__).plot(
            ax=ax, **line
        )

    def plot(self, *, ax: Any = None, **line: Any) -> "AccuracyRejectDisplay":
        self.ax_, self.figure_ = single_axes(ax)
        label = line.pop("label", self.name)
        self.ax_.plot(self.curve.answered, self.curve.accuracy, drawstyle="steps-pre", label=label, **line)
        self.ax_.set(xlabel="fraction answered", ylabel="accuracy of the answers", xlim=(0, 1.02))
        self.ax_.legend()
        return self
