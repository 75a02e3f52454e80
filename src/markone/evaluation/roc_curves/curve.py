"""Receiver operating characteristic of a discriminant, and the area under it   (6.8-6.11)."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, roc_curve
from sklearn.pipeline import Pipeline

from markone.base.parameters import Discriminant, Examples, Labels, PositiveClass, documented
from markone.numerics.arrays import Array
from markone.numerics.text import to_python_scalar


@documented
@dataclass(frozen=True)
class Roc:
    """The rates (6.11) of sign(g - threshold) (6.9), from threshold = infinity (all -1) to all +1.

    Examples
    --------
    >>> from markone.evaluation import roc
    >>> roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).area
    0.75
    """

    fpr: Annotated[Array, "array: False positives among the negative examples."]
    tpr: Annotated[Array, "array: True positives among the positive ones."]
    thresholds: Annotated[Array, "array: Threshold of each pair of rates."]
    area: Annotated[float, "The area under the curve."]

    def at(self, threshold: float) -> tuple[float, float]:
        """fpr and tpr of predicting +1 where g >= threshold; 0: the unmodified classifier (6.8), (5.2)."""
        k = int(np.flatnonzero(self.thresholds >= threshold)[-1])
        return float(self.fpr[k]), float(self.tpr[k])


@documented
def discriminant(estimator: Any, X: Examples, *, positive: Any = None) -> Array:
    """g(xi), larger for the class `positive`.

    Nearest prototypes: d(nearest of the others) - d(nearest of the class), the margin of (6.10). Otherwise,
    and for prototypes with probabilities (RSLVQ), which are summed, the decision function, or the
    probability where there is none; its column, for more than two classes. Of a pipeline the last step is
    used, on the transformed X.

    Parameters
    ----------
    estimator : fitted classifier or Pipeline
        The classifier.
    positive : label or None, default=None
        Positive class; None: the last class.

    Returns
    -------
    array (P,)
        The discriminant.

    Examples
    --------
    >>> from markone import NearestPrototype
    >>> from markone.evaluation import discriminant
    >>> model = NearestPrototype().fit([[0.0], [2.0], [10.0], [12.0]], [0, 0, 1, 1])
    >>> discriminant(model, [[6.0], [11.0]]).tolist()
    [0.0, 100.0]
    """
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        return discriminant(estimator[-1], estimator[:-1].transform(X), positive=positive)
    classes = list(estimator.classes_)
    place = len(classes) - 1 if positive is None else _class_index(classes, positive)
    nearest = hasattr(estimator, "prototype_labels_") and not hasattr(estimator, "predict_proba")
    if nearest and hasattr(estimator, "distances"):
        return prototype_margin(estimator.distances(X), estimator.prototype_labels_, classes[place])
    if not hasattr(estimator, "decision_function") and not hasattr(estimator, "predict_proba"):
        raise ValueError(
            f"{type(estimator).__name__} has neither decision_function nor predict_proba: "
            "there is no threshold to move."
        )
    raw = estimator.decision_function(X) if hasattr(estimator, "decision_function") else None
    g = np.asarray(estimator.predict_proba(X) if raw is None else raw, dtype=float)
    if g.ndim == 1:
        return g if place == 1 else -g
    return g[:, place]


def prototype_margin(distances: ArrayLike, labels: ArrayLike, positive: Any) -> Array:
    """d(w*_-, xi) - d(w*_+, xi): class +1 where it is larger than the threshold   (6.10).

    Parameters
    ----------
    distances : array (P, M)
        Distance of each example from each prototype.
    labels : array (M,)
        The classes of the prototypes.
    positive : label
        Class +1.

    Returns
    -------
    array (P,)
        The margin.

    Examples
    --------
    >>> from markone.evaluation import prototype_margin
    >>> prototype_margin([[1.0, 4.0], [3.0, 2.0]], labels=["yes", "no"], positive="yes").tolist()
    [3.0, -1.0]
    """
    d, own = np.asarray(distances, dtype=float), np.asarray(labels) == positive
    if not own.any() or own.all():
        raise ValueError(
            f"{int(own.sum())} of {len(own)} prototypes are of the class {to_python_scalar(positive)!r}: "
            "both sides need one."
        )
    return np.asarray(d[:, ~own].min(axis=1) - d[:, own].min(axis=1))


def _class_index(classes: list[Any], positive: Any) -> int:
    if positive not in classes:
        raise ValueError(f"There is no class {to_python_scalar(positive)!r}: the classes are {classes}.")
    return classes.index(positive)


def positive_mask(y: ArrayLike, positive: Any = None) -> Array:
    """True for the positive class: `positive`, or the larger of two labels."""
    y = np.asarray(y)
    labels = np.unique(y)
    if positive is None:
        if len(labels) != 2:
            raise ValueError(f"y has {len(labels)} classes: name the positive one of them.")
        positive = labels[1]
    found = np.asarray(y == positive)
    if not found.any() or found.all():
        raise ValueError(
            f"{int(found.sum())} of {len(y)} labels are {to_python_scalar(positive)!r}: "
            "both classes are needed."
        )
    return found


@documented
def roc(y: Labels, g: Discriminant, *, positive: PositiveClass = None) -> Roc:
    """ROC curve of a discriminant g, by scikit-learn's `roc_curve` with every threshold kept, and its area.

    Returns
    -------
    Roc
        Rates, thresholds and the area.

    Examples
    --------
    >>> from markone.evaluation import roc
    >>> curve = roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    S = positive_mask(y, positive)
    fpr, tpr, thresholds = roc_curve(S, np.asarray(g, dtype=float), drop_intermediate=False)
    return Roc(fpr, tpr, thresholds, float(auc(fpr, tpr)))


@documented
@dataclass(frozen=True)
class WorkingPoint:
    """Threshold, its rates (6.11) and the value of the rule on the examples it was chosen on.

    Examples
    --------
    >>> from markone.evaluation import working_point
    >>> point = working_point([0, 0, 1, 1], [0.1, 0.2, 0.6, 0.8])
    >>> round(point.threshold, 9), point.fpr, point.tpr
    (0.4, 0.0, 1.0)
    """

    threshold: Annotated[float, "Predict +1 where g >= threshold."]
    fpr: Annotated[float, "Rates (6.11) on the examples it was chosen on."]
    tpr: Annotated[float, "Rates (6.11) on the examples it was chosen on."]
    value: Annotated[float, "Value of the quantity that the rule optimises."]
    rule: Annotated[str, "str: The rule."]


@documented
def working_point(
    y: Labels,
    g: Discriminant,
    rule: str = "youden",
    *,
    positive: PositiveClass = None,
    fpr: float = 0.05,
    cost: tuple[float, float] = (1.0, 1.0),
    prevalence: float | None = None,
) -> WorkingPoint:
    """Threshold by "youden" (largest tpr - fpr), "fpr" (largest tpr with at most `fpr`) or "cost".

    The threshold is half-way between two examples; of ties the higher one is taken.

    Parameters
    ----------
    rule : {"youden", "fpr", "cost"}, default="youden"
        What is optimised.
    fpr : float, default=0.05
        Largest false positive rate allowed by the rule "fpr".
    cost : tuple of float, default=(1.0, 1.0)
        Costs of a false positive and of a false negative; the mean cost at the `prevalence` is minimised.
    prevalence : float or None, default=None
        Share of the positive class; None: that of y.

    Returns
    -------
    WorkingPoint
        Threshold, rates and the rule's value.

    Examples
    --------
    >>> from markone.evaluation import working_point
    >>> point = working_point([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], "fpr", fpr=0.0)
    >>> point.tpr
    0.5
    """
    S, curve = positive_mask(y, positive), roc(y, g, positive=positive)
    share = float(S.mean()) if prevalence is None else prevalence
    if rule == "youden":
        value = curve.tpr - curve.fpr
    elif rule == "cost":
        value = -(cost[0] * (1 - share) * curve.fpr + cost[1] * share * (1 - curve.tpr))
    elif rule == "fpr":
        if not 0 <= fpr <= 1:
            raise ValueError(f"fpr = {fpr} is a rate: it must lie in [0, 1].")
        value = np.where(curve.fpr <= fpr, curve.tpr, -1.0)
    else:
        raise ValueError(f"There is no rule {rule!r}: choose 'youden', 'fpr' or 'cost'.")
    k = int(np.argmax(value))
    best = float(-value[k] if rule == "cost" else value[k])
    return WorkingPoint(
        _midpoint_threshold(curve.thresholds, k), float(curve.fpr[k]), float(curve.tpr[k]), best, rule
    )


def _midpoint_threshold(thresholds: Array, k: int) -> float:
    """Midpoint to the next lower score: at the score itself rounding would decide."""
    if k == 0 or k + 1 == len(thresholds):
        return float(thresholds[k])
    return float((thresholds[k] + thresholds[k + 1]) / 2)
