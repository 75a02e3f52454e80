"""Hart's condensed nearest neighbours: a subset that classifies all examples   (section 5.1.1)."""

from typing import Any

import numpy as np
from sklearn.utils.validation import check_X_y

from markone.numerics.arrays import Array


def condensed_subset(X: Any, y: Any, *, seed: Any = None) -> Array:
    """Indices of a subset whose nearest neighbours classify all examples correctly.

    Hart's condensed nearest neighbours (1968): start with one example, iterate over the others and keep each
    that its nearest kept neighbour misclassifies, until a pass adds none. The kept examples lie near the
    borders. The smallest such set is hard to find; this one depends on the order. At equal distance the one
    kept first decides; equal inputs with different labels are all kept.

    Parameters
    ----------
    X : array (P, N)
        Examples, one per row.
    y : array (P,)
        Their labels.
    seed : int, Generator or None, default=None
        Seed of a permutation of the order; None: as given.

    Returns
    -------
    array
        Rows that are kept.

    Examples
    --------
    >>> from markone.evaluation import condensed_subset
    >>> condensed_subset([[0.0], [1.0], [9.0], [10.0]], [0, 0, 1, 1]).tolist()
    [0, 2]
    """
    X, y = check_X_y(X, y, dtype=np.float64)
    order = np.arange(len(y)) if seed is None else np.random.default_rng(seed).permutation(len(y))
    nearest = np.full(len(y), np.inf)
    label = np.empty(len(y), dtype=y.dtype)
    kept: list[int] = []

    def keep(k: int) -> None:
        kept.append(k)
        # Squared differences, not |a|^2 - 2ab + |b|^2: equal rows must be at distance zero.
        distance = ((X - X[k]) ** 2).sum(axis=1)
        closer = distance < nearest
        nearest[closer], label[closer] = distance[closer], y[k]

    keep(int(order[0]))
    chosen = np.zeros(len(y), dtype=bool)
    chosen[order[0]] = True
    before = 0
    while len(kept) > before:
        before = len(kept)
        for k in order:
            if not chosen[k] and label[k] != y[k]:
                chosen[k] = True
                keep(int(k))
    return np.sort(np.array(kept))
