"""Leave-one-out (section 6.2.1): by the fast method of the student, or by P fits."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import indexable

from markone.base.scores import as_scores, winning_labels
from markone.base.sklearn_compat import safe_indexing
from markone.evaluation.fast_leave_one_out import adatron, feature_space, least_squares, rosenblatt
from markone.numerics.arrays import Array
from markone.numerics.threads import map_in_threads


@dataclass(frozen=True)
class LeftOut:
    """Potential and prediction of each example by the student trained on all others.

    Parameters
    ----------
    y : array (P,)
        The labels.
    potentials : array (P,) or (P, K)
        For two classes, or for more.
    predicted : array (P,)
        The predictions.
    refits : int
        Number of fits besides the one on all examples (P without a fast method), summed over the K problems.

    Examples
    --------
    >>> from markone import Adaline
    >>> from markone.data import two_classes
    >>> from markone.evaluation import leave_one_out
    >>> xi, S, _ = two_classes("dense", 20)
    >>> leave_one_out(Adaline(), xi, S).refits
    0
    """

    y: Array
    potentials: Array
    predicted: Array
    refits: int

    @property
    def accuracy(self) -> float:
        """Fraction of correct predictions."""
        return float(np.mean(self.predicted == self.y))

    @property
    def sd(self) -> float:
        """Standard deviation of the single outcomes 0 and 1, as in the digits report's Table II."""
        return float(np.std(self.predicted == self.y, ddof=1))

    @property
    def outliers(self) -> Array:
        """Indices of the examples that the student trained on all others misclassifies."""
        return np.flatnonzero(self.predicted != self.y)


def leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """Predict each example by the student trained on all others.

    Rosenblatt (in cyclic order from zero) is refitted only for examples that ever were a mistake, AdaTron
    and KernelAdaTron only for their support vectors, Adaline in closed form not at all. All other estimators
    with a `decision_function`, and other settings of these, are fitted P times. The results are the same.

    Parameters
    ----------
    student : classifier
        With a `decision_function`.
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    n_jobs : int or None, default=None
        Threads for the fits; -1 is all cores. The result does not depend on it.

    Returns
    -------
    LeftOut
        Prediction of each example, and the number of fits.

    Examples
    --------
    >>> from markone import Rosenblatt
    >>> from markone.data import two_classes
    >>> from markone.evaluation import leave_one_out
    >>> xi, S, _ = two_classes("halo", 40)
    >>> found = leave_one_out(Rosenblatt(), xi, S)
    >>> bool((found.predicted == S).all()), found.refits < 40
    (True, True)
    """
    X, y = indexable(X, np.asarray(y))
    _check_classes(y)
    for applies, left_out in _FAST:
        if applies(student, len(y)):
            return left_out(student, X, y, n_jobs)
    return plain_leave_one_out(student, X, y, n_jobs=n_jobs)


def plain_leave_one_out(student: Any, X: Any, y: Any, *, n_jobs: int | None = None) -> LeftOut:
    """Leave-one-out by P fits of clones."""
    X, y = indexable(X, np.asarray(y))
    _check_classes(y)

    def without(mu: int) -> tuple[Any, Any]:
        others = np.delete(np.arange(len(y)), mu)
        fitted = clone(student).fit(safe_indexing(X, others), y[others])
        one = safe_indexing(X, [mu])
        return fitted.decision_function(one)[0], fitted.predict(one)[0]

    outcomes = map_in_threads(without, range(len(y)), n_jobs)
    return LeftOut(y, np.array([a for a, _ in outcomes]), np.array([b for _, b in outcomes]), len(y))


def _check_classes(y: Array) -> None:
    labels, counts = np.unique(y, return_counts=True)
    if len(labels) < 2 or counts.min() < 2:
        few = labels[counts.argmin()]
        raise ValueError(
            f"The class {str(few)!r} has {counts.min()} of {len(y)} examples, and there are {len(labels)} "
            "class(es): leave-one-out needs two or more classes with at least two examples each."
        )


def _of_rosenblatt(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    shared, refits, columns, ended = rosenblatt.SharedExamples(student, X, y), 0, [], []
    for W, _, converged, n in map_in_threads(shared.leave_each_out, shared.targets, n_jobs):
        refits += n
        ended.append(converged)
        columns.append([shared.compute_potentials([mu], W[mu : mu + 1])[0, 0] for mu in range(len(y))])
    shared.warn_not_converged(np.array(ended))
    return _left_out(shared.student, y, np.array(columns).T, refits)


def _of_adatron(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    found = adatron.adatron_left_out_potentials(student, X, y, n_jobs)
    if found is None:
        return plain_leave_one_out(student, X, y, n_jobs=n_jobs)
    ready, potentials, refits = found
    return _left_out(ready, y, potentials, refits)


def _of_feature_space(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    ready, potentials, refits = feature_space.kernel_left_out_potentials(student, X, y, n_jobs)
    return _left_out(ready, y, potentials, refits)


def _of_least_squares(student: Any, X: Any, y: Array, n_jobs: int | None) -> LeftOut:
    ready, potentials, refits = least_squares.least_squares_left_out_potentials(student, X, y)
    return _left_out(ready, y, potentials, refits)


def _left_out(ready: Any, y: Array, potentials: Array, refits: int) -> LeftOut:
    scores = as_scores(potentials)
    return LeftOut(y, scores, winning_labels(scores, ready.classes_), refits)


_FAST = (
    (rosenblatt.supports_rosenblatt, _of_rosenblatt),
    (adatron.supports_adatron, _of_adatron),
    (feature_space.supports_kernel_adatron, _of_feature_space),
    (least_squares.supports_least_squares, _of_least_squares),
)
