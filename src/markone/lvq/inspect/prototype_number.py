"""Add or remove prototypes of a fitted model, as initial prototypes of the next fit.

`W, c = grow_prototypes(model, X, y)`, then
`model.set_params(initial_prototypes=W, initial_labels=c).fit(X, y)`.
"""

from typing import Any

import numpy as np

from markone.base.parameters import Examples, Labels, documented
from markone.lvq.costs.rslvq import mixture_posteriors
from markone.lvq.distances.row_statistics import class_mean
from markone.lvq.inspect.borders import mixture_width
from markone.numerics.arrays import Array


def _count_prototype_errors(model: Any, D: Array, labels: Array, y: Array) -> int:
    """Number of misclassified rows with distances D from prototypes of these labels."""
    width = mixture_width(model)
    if width is None:
        answers = labels[D.argmin(axis=1)]
    else:
        answers = model.classes_[
            mixture_posteriors(D, np.searchsorted(model.classes_, labels), width).argmax(axis=1)
        ]
    return int((answers != y).sum())


@documented
def grow_prototypes(model: Any, X: Examples, y: Labels) -> tuple[Array, Array]:
    """Prototypes of a fitted model and one more: the mean of the errors of the class with most errors.

    Without errors the prototypes are returned unchanged.

    Parameters
    ----------
    model : fitted prototype classifier
        The model to grow.

    Returns
    -------
    prototypes : array (M, N)
        For `initial_prototypes` of a new model.
    labels : array (M,)
        For `initial_labels`.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> from markone.lvq import grow_prototypes
    >>> iris = load("iris")
    >>> model = LVQ1(prototypes_per_class=1, random_state=0).fit(iris.X, iris.y)
    >>> grow_prototypes(model, iris.X, iris.y)[0].shape
    (4, 4)
    """
    y, predicted = np.asarray(y), model.predict(X)
    wrong = predicted != y
    W, labels = model.prototypes_, model.prototype_labels_
    if not wrong.any():
        return W.copy(), labels.copy()
    counts = [int((wrong & (y == label)).sum()) for label in model.classes_]
    worst = model.classes_[int(np.argmax(counts))]
    rows = np.asarray(X)[wrong & (y == worst)].astype(W.dtype)
    new = class_mean(rows, None)
    # Features missing in all these rows: those of a prototype of the class.
    new = np.where(np.isnan(new), W[labels == worst][0], new)
    return np.vstack([W, new]).astype(W.dtype), np.append(labels, worst)


@documented
def prune_prototypes(model: Any, X: Examples, y: Labels, tolerance: int = 0) -> tuple[Array, Array]:
    """Prototypes of a fitted model without those whose removal adds no more than `tolerance` errors.

    They are removed one by one, the one with fewest errors first; every class keeps at least one.

    Parameters
    ----------
    model : fitted prototype classifier
        The model to prune.
    tolerance : int, default=0
        Number of additional errors allowed.

    Returns
    -------
    prototypes : array (M, N)
        For `initial_prototypes` of a new model.
    labels : array (M,)
        For `initial_labels`.

    Examples
    --------
    >>> from markone import LVQ1
    >>> from markone.data import load
    >>> from markone.lvq import prune_prototypes
    >>> iris = load("iris")
    >>> model = LVQ1(prototypes_per_class=4, random_state=0).fit(iris.X, iris.y)
    >>> prototypes, labels = prune_prototypes(model, iris.X, iris.y, tolerance=1)
    >>> bool(3 <= len(prototypes) < 12)
    True
    """
    D, y = model.distances(X), np.asarray(y)
    W, labels = model.prototypes_, model.prototype_labels_
    allowed = _count_prototype_errors(model, D, labels, y) + tolerance
    while True:
        removable = [j for j in range(len(W)) if (labels == labels[j]).sum() > 1]
        others = [np.arange(len(W)) != j for j in removable]
        costs = [_count_prototype_errors(model, D[:, kept], labels[kept], y) for kept in others]
        if not removable or min(costs) > allowed:
            return W.copy(), labels.copy()
        kept = others[int(np.argmin(costs))]
        D, W, labels = D[:, kept], W[kept], labels[kept]
