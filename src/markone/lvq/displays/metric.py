"""Displays of relevances, of a relevance matrix, of the cost in training, and of accuracy with rejection."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from markone.base.parameters import documented
from markone.base.plot_style import COLOURS, class_colour, single_axes
from markone.lvq.inspect.borders import class_indices, global_metric
from markone.lvq.inspect.rejection import AccuracyReject, accuracy_reject_curve, certainty
from markone.lvq.inspect.relevance import RelevanceIntervals, relevance_intervals
from markone.lvq.inspect.units import feature_names_of
from markone.numerics.arrays import Array


@documented
@dataclass
class RelevanceDisplay:
    """Relevances of the features with their intervals, the largest first.

    `RelevanceDisplay.from_estimator` plots those of an unfitted model.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> from markone.lvq import relevance_intervals
    >>> from markone.lvq.displays import RelevanceDisplay
    >>> iris = load("iris")
    >>> found = relevance_intervals(GRLVQ(max_iter=5), iris.X, iris.y, n=3, random_state=0)
    >>> RelevanceDisplay(found).plot().ax_.get_xlabel()
    'relevance (bar: all data; line: 95 % interval)'
    """

    intervals: Annotated[RelevanceIntervals, "RelevanceIntervals: What `relevance_intervals` returns."]

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        n: int = 200,
        level: float = 0.95,
        random_state: Any = None,
        ax: Any = None,
        **kwargs: Any,
    ) -> "RelevanceDisplay":
        """Fit the estimator n + 1 times (bootstrap) and plot."""
        found = relevance_intervals(estimator, X, y, n=n, level=level, random_state=random_state)
        return cls(found).plot(ax=ax, **kwargs)

    def plot(self, *, ax: Any = None, most: int = 20) -> "RelevanceDisplay":
        """Plot at most `most` features."""
        self.ax_, self.figure_ = single_axes(ax)
        rows = self.intervals.ranked()[:most][::-1]
        places = np.arange(len(rows))
        value, low, high = (np.array([row[k] for row in rows]) for k in (1, 2, 3))
        self.ax_.barh(places, value, color=COLOURS[5], height=0.65)
        self.ax_.hlines(places, low, high, color="k", lw=1.2)
        self.ax_.plot(low, places, "k|", high, places, "k|")
        self.ax_.set_yticks(places, [row[0] for row in rows])
        share = f"{100 * self.intervals.level:g} %"
        self.ax_.set(xlabel=f"relevance (bar: all data; line: {share} interval)")
        self.ax_.set_xlim(left=0)
        return self


@documented
@dataclass
class MetricDisplay:
    """Prototypes as bars, relevances and the matrix Lambda.

    `MetricDisplay.from_estimator` plots a fitted GMLVQ or another model with a metric.

    Examples
    --------
    >>> from markone import GMLVQ
    >>> from markone.data import load
    >>> from markone.lvq.displays import MetricDisplay
    >>> iris = load("iris")
    >>> model = GMLVQ(max_iter=5).fit(iris.X, iris.y)
    >>> MetricDisplay.from_estimator(model).Lambda.shape
    (4, 4)
    """

    prototypes: Annotated[Array, "array (M, N): The prototypes."]
    labels: Annotated[Array, "array (M,): Their labels."]
    of_class: Annotated[Array, "array (M,): Their class indices."]
    Lambda: Annotated[Array, "array (N, N): The relevance matrix."]
    names: Annotated[list[str], "list of str: The features."]

    @classmethod
    def from_estimator(
        cls, model: Any, *, figure: Any = None, names: list[str] | None = None
    ) -> "MetricDisplay":
        """Plot a fitted classifier with one metric; z-scored features make the bars comparable.

        names: of the features; default: those of the data frame it was fitted on.
        """
        display = cls(
            model.prototypes_,
            np.asarray(model.prototype_labels_),
            class_indices(model),
            global_metric(model),
            feature_names_of(model, model.n_features_in_) if names is None else names,
        )
        return display.plot(figure=figure)

    def plot(self, *, figure: Any = None) -> "MetricDisplay":
        import matplotlib.pyplot as plt

        self.figure_ = figure or plt.figure(figsize=(7.0, 1.5 + 1.2 * len(self.labels)), layout="constrained")
        panels: Any = self.figure_.subfigures(1, 2)
        left, right = panels
        bars = np.atleast_1d(left.subplots(len(self.labels), 1, sharex=True, sharey=True))
        self.ax_ = bars[0]
        self._draw_bars(bars)
        self._draw_matrix(right.subplots(3, 1))
        return self

    def _draw_bars(self, axes: Array) -> None:
        places = np.arange(len(self.names))
        for ax, w, label, c in zip(axes, self.prototypes, self.labels, self.of_class, strict=True):
            ax.bar(places, w, color=class_colour(c))
            ax.axhline(0, color="0.4", lw=0.6)
            ax.set_title(f"prototype of {label}", fontsize="small")
        _name_ticks(axes[-1], self.names)

    def _draw_matrix(self, axes: Array) -> None:
        values = np.linalg.eigvalsh(self.Lambda)[::-1]
        axes[0].bar(np.arange(1, len(values) + 1), values, color="0.35")
        axes[0].set_title("eigenvalues of $\\Lambda$", fontsize="small")
        axes[1].bar(np.arange(len(self.names)), np.diag(self.Lambda), color="0.35")
        axes[1].set_title("relevances $\\Lambda_{ii}$", fontsize="small")
        off = self.Lambda - np.diag(np.diag(self.Lambda))
        top = np.abs(off).max() or 1.0
        shown = axes[2].imshow(off, cmap="PuOr", vmin=-top, vmax=top)
        axes[2].set_title("off-diagonal $\\Lambda_{ij}$", fontsize="small")
        self.figure_.colorbar(shown, ax=axes[2], shrink=0.9)
        axes[2].set(xticks=[], yticks=[])
        _name_ticks(axes[1], self.names)


def _name_ticks(ax: Any, names: list[str]) -> None:
    """Label the ticks with the feature names, if there are at most 15."""
    if len(names) > 15:
        return
    long = max(map(len, names)) > 4
    style = {"rotation": 30, "ha": "right"} if long else {}
    ax.set_xticks(np.arange(len(names)), names, fontsize="x-small", **style)


@documented
@dataclass
class TrainingDisplay:
    """Plot of cost and training errors by step.

    `TrainingDisplay.from_estimator` plots a fitted model.

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

    step: Annotated[Array, "array: Steps or epochs."]
    cost: Annotated[Array, "array: Cost after each step."]
    errors: Annotated[Array, "array: Training errors after each step."]

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


@documented
@dataclass
class AccuracyRejectDisplay:
    """Plot of the accuracy over the accepted fraction of inputs.

    `AccuracyRejectDisplay.from_estimator` plots a fitted classifier.

    Examples
    --------
    >>> from markone.lvq import accuracy_reject_curve
    >>> from markone.lvq.displays import AccuracyRejectDisplay
    >>> curve = accuracy_reject_curve([True, True, False], [0.9, 0.8, 0.1])
    >>> AccuracyRejectDisplay(curve, name="three answers").plot().ax_.get_ylabel()
    'accuracy of the answers'
    """

    curve: Annotated[AccuracyReject, "AccuracyReject: What `accuracy_reject_curve` returns."]
    name: Annotated[str, "str: Label of the line."] = ""

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
