"""Relevances of the features with bootstrap intervals."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import check_random_state

from markone.base.sklearn_compat import safe_indexing
from markone.lvq.inspect.units import feature_names_of
from markone.numerics.arrays import Array
from markone.numerics.intervals import draws_interval


@dataclass(frozen=True)
class RelevanceIntervals:
    """Relevance of each feature on all data, its bootstrap quantiles, and all bootstrap values.

    Parameters
    ----------
    names : list of str
        The features.
    relevance : array (N,)
        Relevances on all data.
    low, high : array (N,)
        Bootstrap quantiles.
    samples : array (n, N)
        All bootstrap values.
    level : float, default=0.95
        Fraction of the bootstrap values between `low` and `high`.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> from markone.lvq import relevance_intervals
    >>> iris = load("iris")
    >>> found = relevance_intervals(GRLVQ(max_iter=5), iris.X, iris.y, n=3, random_state=0)
    >>> found.samples.shape
    (3, 4)
    """

    names: list[str]
    relevance: Array
    low: Array
    high: Array
    samples: Array
    level: float = 0.95

    def ranked(self) -> list[tuple[str, float, float, float]]:
        """(name, relevance, low, high), the most relevant first."""
        order = np.argsort(-self.relevance, kind="stable")
        return [(self.names[i], *map(float, (self.relevance[i], self.low[i], self.high[i]))) for i in order]


def relevance_intervals(
    estimator: Any, X: Any, y: Any, *, n: int = 200, level: float = 0.95, random_state: Any = None
) -> RelevanceIntervals:
    """Fit a metric model (GRLVQ, GMLVQ, MRSLVQ, ...) on X, y and on n bootstrap samples.

    Each class is resampled separately, so that none is lost. Relevances are comparable for features of one
    scale only: use z-scored X. Local metrics are averaged over the prototypes.

    Parameters
    ----------
    estimator : metric model
        GRLVQ, GMLVQ, MRSLVQ or another with relevances; it is cloned.
    X : array (n, N)
        The inputs, on one scale.
    y : array (n,)
        Their labels.
    n : int, default=200
        Number of bootstrap samples.
    level : float, default=0.95
        Fraction of the bootstrap values inside an interval.
    random_state : int, RandomState or None, default=None
        Seed; an int makes the result reproducible.

    Returns
    -------
    RelevanceIntervals
        Relevances, intervals and all bootstrap values; `ranked()` puts them in order.

    Examples
    --------
    >>> from markone import GRLVQ
    >>> from markone.data import load
    >>> from markone.lvq import relevance_intervals
    >>> iris = load("iris")
    >>> found = relevance_intervals(GRLVQ(max_iter=5), iris.X, iris.y, n=3, random_state=0)
    >>> len(found.ranked()), bool((found.low <= found.high).all())
    (4, True)
    """
    if n < 2 or not 0 < level < 1:
        raise ValueError(f"n = {n} and level = {level}: n must be 2 or more and level between 0 and 1.")
    y = np.asarray(y)
    whole = clone(estimator).fit(X, y)
    if not hasattr(whole, "relevance_"):
        raise ValueError(f"{type(whole).__name__} learns no relevances: use GRLVQ, GMLVQ, LGMLVQ or MRSLVQ.")
    rng = check_random_state(random_state)
    drawn = (_resample_classes(y, rng) for _ in range(n))
    samples = np.array(
        [_mean_relevance(clone(estimator).fit(safe_indexing(X, rows), y[rows])) for rows in drawn]
    )
    low, high = draws_interval(samples, level)
    return RelevanceIntervals(
        feature_names_of(whole, whole.n_features_in_), _mean_relevance(whole), low, high, samples, level
    )


def _resample_classes(y: Array, rng: Any) -> Array:
    members = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.concatenate([rng.choice(rows, len(rows)) for rows in members])


def _mean_relevance(model: Any) -> Array:
    relevance = np.asarray(model.relevance_)
    return relevance if relevance.ndim == 1 else relevance.mean(axis=0)
