"""Receiver operating characteristic of a discriminant, and the area under it   (6.8-6.11)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import auc, roc_curve
from sklearn.pipeline import Pipeline

from markone.numerics.arrays import Array
from markone.numerics.text import to_python_scalar


@dataclass(frozen=True)
class Roc:
    """The rates (6.11) of sign(g - threshold) (6.9), from threshold = infinity (all -1) to all +1.

    Parameters
    ----------
    fpr : array
        False positives among the negative examples.
    tpr : array
        True positives among the positive ones.
    thresholds : array
        Threshold of each pair of rates.
    area : float
        The area under the curve.

    Examples
    --------
    >>> from markone.evaluation import roc
    >>> roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).area
    0.75
    """

    fpr: Array
    tpr: Array
    thresholds: Array
    area: float

    def at(self, threshold: float) -> tuple[float, float]:
        """fpr and tpr of predicting +1 where g >= threshold; 0: the unmodified classifier (6.8), (5.2)."""
        k = int(np.flatnonzero(self.thresholds >= threshold)[-1])
        return float(self.fpr[k]), float(self.tpr[k])


def discriminant(estimator: Any, X: Any, *, positive: Any = None) -> Array:
    """g(xi), larger for the class `positive`.

    Nearest prototypes: d(nearest of the others) - d(nearest of the class), the margin of (6.10). Otherwise,
    and for prototypes with probabilities (RSLVQ), which are summed, the decision function, or the
    probability where there is none; its column, for more than two classes. Of a pipeline the last step is
    used, on the transformed X.

    Parameters
    ----------
    estimator : fitted classifier or Pipeline
        The classifier.
    X : array (P, N)
        Examples, one per row.
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
            f"{int(own.sum())} of {len(own)} prototypes are of the class "
            f"{to_python_scalar(positive)!r}: both sides "
            "need one."
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


def roc(y: ArrayLike, g: ArrayLike, *, positive: Any = None) -> Roc:
    """ROC curve of a discriminant g, by scikit-learn's `roc_curve` with every threshold kept, and its area.

    Parameters
    ----------
    y : array (P,)
        Their labels.
    g : array (P,)
        The discriminant, larger for the positive class.
    positive : label or None, default=None
        Positive class; None: the larger label.

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
