"""Confusion matrices in per cent (Fig 6.4) and in the F1 form of the digits report's Fig 7.

scikit-learn's `ConfusionMatrixDisplay` draws either.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Array


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
