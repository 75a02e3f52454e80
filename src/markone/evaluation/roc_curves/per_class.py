"""ROC curve of each class against the rest, with the working point of the classifier.

For nearest prototypes the discriminant is (6.10), d(nearest of the others) - d(nearest of the class), and the
nearest prototype classifier (NPC) is its threshold zero: a point on each curve.
"""

from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np

from markone.base.parameters import Examples, FittedClassifier, Labels, documented
from markone.base.plot_style import single_axes
from markone.evaluation.roc_curves.curve import Roc, discriminant, roc


@documented
@dataclass(frozen=True)
class ClassRoc:
    """ROC curve of one class against the rest; fpr and tpr of the predictions.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.data import load
    >>> from markone.evaluation import one_against_rest
    >>> iris = load("iris")
    >>> curves = one_against_rest(NearestPrototype().fit(iris.X, iris.y), iris.X, iris.y)
    >>> int(curves[0].label), curves[0].fpr, curves[0].tpr
    (0, 0.0, 1.0)
    """

    label: Annotated[Any, "label: The class."]
    curve: Annotated[Roc, "Roc: Its ROC curve against the rest."]
    fpr: Annotated[float, "Rates of the predictions."]
    tpr: Annotated[float, "Rates of the predictions."]


@documented
def one_against_rest(estimator: FittedClassifier, X: Examples, y: Labels) -> list[ClassRoc]:
    """ROC curve of each class of a fitted classifier; of two classes only for `classes_[1]`.

    Returns
    -------
    list of ClassRoc
        One per class; for two classes one.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.data import load
    >>> from markone.evaluation import one_against_rest
    >>> iris = load("iris")
    >>> curves = one_against_rest(NearestPrototype().fit(iris.X, iris.y), iris.X, iris.y)
    >>> [round(one.curve.area, 2) for one in curves]
    [1.0, 0.98, 0.98]
    """
    y, predicted = np.asarray(y), np.asarray(estimator.predict(X))
    labels = estimator.classes_[1:] if len(estimator.classes_) == 2 else estimator.classes_
    found = []
    for label in labels:
        curve = roc(y, discriminant(estimator, X, positive=label), positive=label)
        positive, true = predicted == label, y == label
        found.append(ClassRoc(label, curve, float(positive[~true].mean()), float(positive[true].mean())))
    return found


@documented
@dataclass
class OneAgainstRestDisplay:
    """ROC curve of each class against the rest, with the working point of the classifier.

    Attributes
    ----------
    ax_, figure_
        Matplotlib.axes.Axes, matplotlib.figure.Figure
        Axes and figure of the plot.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.data import load
    >>> from markone.evaluation import OneAgainstRestDisplay
    >>> iris = load("iris")
    >>> model = NearestPrototype().fit(iris.X, iris.y)
    >>> len(OneAgainstRestDisplay.from_estimator(model, iris.X, iris.y).curves)
    3
    """

    curves: Annotated[list[ClassRoc], "list of ClassRoc: What `one_against_rest` returns."]
    lines_: list[Any] = field(default_factory=list, init=False, repr=False)
    points_: list[Any] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, *, ax: Any = None) -> "OneAgainstRestDisplay":
        """Curves of a fitted classifier on test examples X, y."""
        return cls(one_against_rest(estimator, X, y)).plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "OneAgainstRestDisplay":
        """Draw into `ax`, or into a new figure."""
        self.ax_, self.figure_ = single_axes(ax)
        for one in self.curves:
            label = f"{one.label}: area {one.curve.area:.3f}"
            (line,) = self.ax_.plot(one.curve.fpr, one.curve.tpr, label=label)
            colour = line.get_color()
            (point,) = self.ax_.plot(one.fpr, one.tpr, "o", color=colour, mec="k", ms=8, zorder=3)
            self.lines_.append(line)
            self.points_.append(point)
        self.ax_.plot([], [], "o", color="w", mec="k", ms=8, label="working point of the classifier")
        self.ax_.plot([0, 1], [0, 1], "k--", lw=0.8)
        self.ax_.set(xlabel="false positive rate", ylabel="true positive rate", aspect="equal")
        self.ax_.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))
        self.ax_.legend(loc="lower right", frameon=False, fontsize="small")
        return self
