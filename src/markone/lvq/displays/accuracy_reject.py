"""Accuracy of the accepted predictions against the accepted fraction."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.lvq.displays.style import axes_and_figure
from markone.lvq.inspect.rejection import AccuracyReject, accuracy_reject_curve, certainty


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
        self.ax_, self.figure_ = axes_and_figure(ax)
        label = line.pop("label", self.name)
        self.ax_.plot(self.curve.answered, self.curve.accuracy, drawstyle="steps-pre", label=label, **line)
        self.ax_.set(xlabel="fraction answered", ylabel="accuracy of the answers", xlim=(0, 1.02))
        self.ax_.legend()
        return self
