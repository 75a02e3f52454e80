"""Confusion matrices in per cent (Fig 6.4) and in the F1 form of the digits report's Fig 7."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import check_cv
from sklearn.utils import indexable

from markone.base.sklearn_compat import safe_indexing
from markone.numerics.arrays import Array


def averaged_confusion(pairs: Iterable[tuple[ArrayLike, ArrayLike]], labels: ArrayLike) -> Array:
    """Mean over folds of the confusion matrices of (y, predicted), in counts per fold.

    Parameters
    ----------
    pairs : iterable of (y, predicted)
        Labels and predictions of each fold.
    labels : array (K,)
        The classes, in the order of rows and columns.

    Returns
    -------
    array (K, K)
        Rows true, columns predicted.

    Examples
    --------
    >>> from markone.evaluation import averaged_confusion
    >>> averaged_confusion([([0, 1], [0, 1]), ([0, 1], [1, 1])], labels=[0, 1]).tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    return np.asarray(np.mean([confusion_matrix(y, answer, labels=labels) for y, answer in pairs], axis=0))


def confusion_percent(counts: ArrayLike) -> Array:
    """c(i, j): per cent of the examples of class i that are predicted as class j; rows sum to 100 (Fig 6.4).

    A class without examples has a row of NaN.

    Parameters
    ----------
    counts : array (K, K)
        Rows true, columns predicted.

    Returns
    -------
    array (K, K)
        Per cent of each row.

    Examples
    --------
    >>> from markone.evaluation import confusion_percent
    >>> confusion_percent([[8, 2], [0, 10]]).tolist()
    [[80.0, 20.0], [0.0, 100.0]]
    """
    c = np.asarray(counts, dtype=float)
    total = c.sum(axis=1, keepdims=True)
    return np.asarray(100 * np.divide(c, total, out=np.full_like(c, np.nan), where=total > 0))


def confusion_f1(counts: ArrayLike) -> Array:
    """2 c(i, j) / (sum of row i + sum of column j): on the diagonal the F1 score of the class.

    Off the diagonal it is the F1 of the prediction j as a test for class i: near 0 unless they are confused
    (the digits report, Fig 7).

    Parameters
    ----------
    counts : array (K, K)
        Rows true, columns predicted.

    Returns
    -------
    array (K, K)
        Values between 0 and 1.

    Examples
    --------
    >>> from markone.evaluation import confusion_f1
    >>> confusion_f1([[8, 2], [0, 10]]).round(3).tolist()
    [[0.889, 0.182], [0.0, 0.909]]
    """
    c = np.asarray(counts, dtype=float)
    both = c.sum(axis=1)[:, None] + c.sum(axis=0)[None, :]
    return np.asarray(np.divide(2 * c, both, out=np.zeros_like(c), where=both > 0))


class ConfusionShareDisplay:
    """Plot of a confusion matrix, in per cent of the true class or in the F1 form.

    Parameters
    ----------
    counts : array (K, K)
        Rows true, columns predicted; one matrix, or the mean over folds.
    display_labels : list of str or None, default=None
        Names of the classes.
    form : {"percent", "f1"}, default="percent"
        What is drawn.

    Attributes
    ----------
    shares : array (K, K)
        The matrix drawn.
    im_, ax_, figure_, text_
        Matplotlib artists
        Set by `plot`.

    Examples
    --------
    >>> from markone.evaluation import ConfusionShareDisplay
    >>> ConfusionShareDisplay([[8, 2], [1, 9]], display_labels=["no", "yes"]).plot().shares.tolist()
    [[80.0, 20.0], [10.0, 90.0]]
    """

    def __init__(self, counts: ArrayLike, *, display_labels: Any = None, form: str = "percent") -> None:
        if form not in ("percent", "f1"):
            raise ValueError(f"form = {form!r} is unknown: choose 'percent' or 'f1'.")
        self.counts = np.asarray(counts, dtype=float)
        self.form = form
        self.display_labels = range(len(self.counts)) if display_labels is None else display_labels
        self.shares = confusion_percent(self.counts) if form == "percent" else confusion_f1(self.counts)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Any = None,
        form: str = "percent",
        ax: Any = None,
    ) -> "ConfusionShareDisplay":
        names = np.union1d(y_true, y_pred) if labels is None else labels
        counts = confusion_matrix(y_true, y_pred, labels=names)
        return cls(counts, display_labels=names, form=form).plot(ax=ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: Any, *, cv: Any = None, form: str = "percent", ax: Any = None
    ) -> "ConfusionShareDisplay":
        """Matrix of a fitted estimator on X, y; with `cv`, the mean over clones fitted on every fold."""
        X, y = indexable(X, np.asarray(y))
        if cv is None:
            return cls.from_predictions(y, estimator.predict(X), form=form, ax=ax)
        pairs = []
        for train, test in check_cv(cv, y, classifier=True).split(X, y):
            fitted = clone(estimator).fit(safe_indexing(X, train), y[train])
            pairs.append((y[test], fitted.predict(safe_indexing(X, test))))
        labels = np.unique(y)
        return cls(averaged_confusion(pairs, labels), display_labels=labels, form=form).plot(ax=ax)

    def plot(self, *, ax: Any = None, cmap: str = "Blues", values: bool = True) -> "ConfusionShareDisplay":
        """Draw into `ax`, or into a new figure."""
        import matplotlib.pyplot as plt

        self.ax_ = plt.subplots()[1] if ax is None else ax
        self.figure_ = self.ax_.figure
        top = 100.0 if self.form == "percent" else 1.0
        self.im_ = self.ax_.imshow(self.shares, cmap=cmap, vmin=0, vmax=top)
        self.text_ = [self._draw_number(i, j, top) for i, j in np.ndindex(self.shares.shape) if values]
        places = range(len(self.shares))
        self.ax_.set_xticks(places, [str(name) for name in self.display_labels])
        self.ax_.set_yticks(places, [str(name) for name in self.display_labels])
        self.ax_.set(xlabel="predicted class", ylabel="true class")
        return self

    def _draw_number(self, i: int, j: int, top: float) -> Any:
        value = self.shares[i, j]
        shown = "–" if np.isnan(value) else (f"{value:.1f}" if self.form == "percent" else f"{value:.2f}")
        # Zeros in grey: the confusions stand out.
        colour = "white" if value > 0.5 * top else ("0.75" if value < 0.005 * top else "black")
        size = 9 if len(self.shares) <= 6 else 6.5
        return self.ax_.text(j, i, shown, ha="center", va="center", color=colour, fontsize=size)
