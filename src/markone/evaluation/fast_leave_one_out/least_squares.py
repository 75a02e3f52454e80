"""Leave-one-out of least squares and ridge in closed form   (2.8-2.10).

The fit is linear in the targets, f = H t. Leaving out example i moves the fit there to
(f_i - h_ii t_i) / (1 - h_ii). Where h_ii = 1 that formula is undefined: the minimum-norm
solution of more unknowns than examples has (2.8) t_i - (G^-1 t)_i / (G^-1)_ii, G = X X^T.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from markone.base.weights import example_weights
from markone.numerics.arrays import Array
from markone.perceptron import Adaline
from markone.perceptron.students.adaline import _least_squares

# 1 - h below this: the example is fitted exactly, up to rounding.
ALONE = 1e-10


def supports_least_squares(student: Any, P: int) -> bool:
    """True for Adaline in closed form with weights that do not depend on the training set."""
    return (
        type(student) is Adaline
        and student.solver == "closed"
        and student.class_weight != "balanced"
        and not student.normalize
    )


def least_squares_left_out_potentials(
    student: Any, X: Any, y: Array, n_jobs: int | None = None
) -> tuple[Any, Array, int]:
    """Student, potentials of the left-out examples and number of refits; always in one thread."""
    ready: Adaline = clone(student)
    X, y = ready._read_data(X, y)
    ready._set_classes(y)
    weights = example_weights(X, y, ready.classes_, None, ready.class_weight)
    inputs = ready._append_clamped_input(X)
    inputs = inputs.toarray() if hasattr(inputs, "toarray") else inputs
    targets = np.array(ready._make_targets(y)).T
    potentials, refits = ridge_left_out(inputs, targets, ready.ridge, weights)
    return ready, potentials, refits


def ridge_left_out(
    X: Array, targets: Array, ridge: float = 0.0, weights: Array | None = None
) -> tuple[Array, int]:
    """Fit at each example of argmin sum weights (t - w . x)^2 + ridge |w|^2 over the others.

    Parameters
    ----------
    X : array (P, N)
        The inputs, with a column of ones if a threshold is wanted.
    targets : array (P,) or (P, K)
        Real values.
    ridge : float, default=0.0
        The penalty.
    weights : array (P,) or None, default=None
        Weights of the squares.

    Returns
    -------
    fits : array
        Of the shape of the targets.
    refits : int
        Number of examples that were refitted: those with h_ii = 1, if not all examples have it.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.evaluation import ridge_left_out
    >>> fits, refits = ridge_left_out(np.ones((4, 1)), np.array([1.0, 2.0, 3.0, 6.0]))
    >>> fits.round(9).tolist(), refits
    ([3.666666667, 3.333333333, 3.0, 2.0], 0)
    """
    X, t = np.asarray(X, dtype=float), np.asarray(targets, dtype=float).reshape(len(X), -1)
    if not ridge >= 0:
        raise ValueError(f"ridge = {ridge} must not be negative.")
    root = np.sqrt(np.ones(len(X)) if weights is None else np.asarray(weights, dtype=float))
    A, b = root[:, None] * X, root[:, None] * t
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    kept = s > s.max(initial=0.0) * max(A.shape) * np.finfo(float).eps
    U, s = U[:, kept], s[kept]
    share = (U * s**2 / (s**2 + ridge)) if ridge else U
    h, fit = np.einsum("ij,ij->i", share, U), share @ (U.T @ b)
    rest = 1.0 - h
    fits, refits = np.empty_like(t), 0
    usual = (rest > ALONE) & (root > 0)
    fits[usual] = (fit[usual] - h[usual, None] * b[usual]) / rest[usual, None] / root[usual, None]
    others = np.flatnonzero(~usual)
    if len(others) == len(X) and len(s) == len(X):
        inverse = (U / s**2) @ U.T
        fits = (b - inverse @ b / np.diag(inverse)[:, None]) / root[:, None]
    else:
        refits = len(others)
        for mu in others:
            left = np.arange(len(X)) != mu
            fits[mu] = X[mu] @ _least_squares(A[left], b[left], ridge)
    return fits.reshape(np.shape(targets)), refits
