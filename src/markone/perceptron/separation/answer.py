"""Can a perceptron separate these examples? An answer with a proof.

With Z the rows S^mu xi^mu: separable if some w has all E = Z w > 0; not separable if some x >= 0, x != 0
has Z^T x = 0, for then sum x E = 0 whatever w.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Floats
from markone.perceptron.separation._decide import (
    NOT_SEPARABLE,
    SEPARABLE,
    SHARP,
    UNDECIDED,
    balanced,
    decide,
    measure,
)
from markone.perceptron.separation._descent import proven
from markone.perceptron.separation._scales import equilibrate
from markone.perceptron.separation.degenerate import careful_newton, narrow
from markone.perceptron.separation.two_classes import signed_examples

CAREFUL_STEPS = 30


@dataclass(frozen=True, eq=False)
class Separability:
    """The answer and its proof; see `separability`.

    As a condition (`if result:`) it is `separable`, and a TypeError where that is None: an open question
    is neither yes nor no.
    """

    separable: bool | None
    weights: Floats | None = field(repr=False)
    intercept: float
    embedding: Floats = field(repr=False)
    stability_bounds: tuple[float, float]
    n_iter: int
    message: str

    def __bool__(self) -> bool:
        if self.separable is None:
            raise TypeError(
                f"{self.message} Test `.separable is None` before using the result as a condition."
            )
        return self.separable


def separability(
    X: Any,
    y: ArrayLike,
    *,
    fit_intercept: bool = False,
    intercept_scaling: float = 1.0,
    tol: float = 1e-9,
    max_iter: int = 500,
) -> Separability:
    """Decide whether one hyperplane separates two classes, with a certificate for either answer.

    Parameters
    ----------
    X : (P, N) array or scipy sparse matrix
        The examples. Sparse rows are never made dense, but min(N, P)^2 numbers are kept.
    y : (P,) array
        Two labels of any kind; S = +1 for the one that sorts last.
    fit_intercept : bool
        False: a hyperplane through the origin. True: the input `intercept_scaling`, always on, is appended
        to each example. Its weight counts into |w| and so into the stability bounds.
    tol : float
        Not separable is proven to this accuracy: |Z^T x| <= tol sum x |xi|. A set that is separable,
        but with a stability below tol |xi|, may therefore be called not separable when no separating w
        was found; `stability_bounds` then still holds.
    max_iter : int
        Bound on Newton steps. A handful is usual.

    Returns
    -------
    Separability
        `separable` True: all S^mu (w . xi^mu + intercept) > 0 for `weights` by more than the rounding
        error of the sum. False: `embedding` is the x >= 0 of the proof. None: neither was reached.
        `stability_bounds` (lower, upper) contain the optimal stability max_w min E / |w|: lower is that
        of the w found, upper is |Z^T x| / sum x of `embedding`. Not separable: lower <= 0 and upper is 0
        up to tol. `weights` is None unless separable; `n_iter` counts Newton steps.

    Examples
    --------
    >>> from markone.perceptron.separation import separability
    >>> separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], fit_intercept=True).separable
    False
    >>> separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1], fit_intercept=True).separable
    True
    """
    if not 0.0 <= tol < 1.0:
        raise ValueError(f"tol must lie in [0, 1), but it is {tol}. The default is 1e-9.")
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, but it is {max_iter}.")
    Z = signed_examples(X, y, intercept_scaling if fit_intercept else None)
    status, w, x, n_iter = certify(Z, tol, max_iter)
    figures = measure(_compiled(Z), w, x)
    weights, intercept = (w[:-1], float(w[-1] * intercept_scaling)) if fit_intercept else (w, 0.0)
    return Separability(
        separable={SEPARABLE: True, NOT_SEPARABLE: False}.get(status),
        weights=weights if status == SEPARABLE else None,
        intercept=intercept if status == SEPARABLE else 0.0,
        embedding=x,
        stability_bounds=_bounds(status, Z, figures),
        n_iter=n_iter,
        message=_message(status, x, figures, n_iter),
    )


def _compiled(Z: Any) -> Any:
    return Z if isinstance(Z, np.ndarray) else Sparse(Z.data, Z.indices, Z.indptr, Z.shape[1])


def certify(Z: Any, tol: float, max_iter: int) -> tuple[int, Floats, Floats, int]:
    """(status, w, x, Newton steps) for rows Z = S xi, float64: an array, or a csr_array with int32 indices.

    Newton as it is; for wide sets only conjugate gradients; then the careful way if a doubt remains.
    """
    P, N = Z.shape
    w, x = np.empty(N), np.empty(P)
    status, n_iter = decide(_compiled(Z), w, x, tol, 0 if N > P else max_iter)
    if status == SEPARABLE or (
        status == NOT_SEPARABLE and _imbalance(measure(_compiled(Z), w, x)) <= 10 * SHARP
    ):
        return status, w, x, n_iter
    if N <= P and not isinstance(Z, np.ndarray):
        return status, w, x, n_iter
    return _certify_hard(Z, w, x, tol, n_iter, max_iter)


def _certify_hard(
    Z: Any, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int
) -> tuple[int, Floats, Floats, int]:
    P, N = Z.shape
    a, c = np.empty(P), np.empty(N)
    Y, _ = equilibrate(_compiled(Z), a, c)
    v, u = w / c, x / a
    if N > P:
        rows = Y if isinstance(Y, np.ndarray) else scipy.sparse.csr_array(Y[:3], shape=Z.shape)
        B, back = narrow(rows)
        v = np.empty(B.shape[1])
        status, n_iter = decide(B, v, u, tol, max_iter)
        if status != SEPARABLE:
            n_iter += careful_newton(B, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
        v = back(v)
    else:
        n_iter += careful_newton(Y, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
    if proven(Y, v, np.empty(P)):
        status = SEPARABLE
    else:
        status = NOT_SEPARABLE if balanced(Y, c, u, tol) else UNDECIDED
    return status, v * c, u * a, n_iter


def _bounds(status: int, Z: Any, figures: tuple[float, ...]) -> tuple[float, float]:
    lowest, size, balance, total, _ = figures
    # w = 0 says nothing; no stability is below -|xi|.
    lower = lowest / size if size > 0.0 else -_longest(Z)
    # Positive, but not beyond rounding, proves nothing.
    return lower if status == SEPARABLE else min(lower, 0.0), balance / total


def _longest(Z: Any) -> float:
    squares = Z * Z if isinstance(Z, np.ndarray) else Z.multiply(Z)
    return float(np.sqrt(squares.sum(axis=1).max()))


def _imbalance(figures: tuple[float, ...]) -> float:
    """|Z^T x| / sum x |xi|; an all-zero example balances by itself."""
    _, _, balance, _, weighted = figures
    return balance / weighted if weighted > 0.0 else 0.0


def _message(status: int, x: Floats, figures: tuple[float, ...], n_iter: int) -> str:
    lowest, size, balance, total, weighted = figures
    if status == SEPARABLE:
        return f"Separable: the weights have stability {lowest / size:.3g}."
    if status == NOT_SEPARABLE and weighted == 0.0:
        return f"Not separable: example {x.argmax()} is zero in all inputs, its E is 0 whatever the weights."
    if status == NOT_SEPARABLE:
        size = _imbalance(figures)
        return f"Not separable: {np.count_nonzero(x)} examples balance, |sum x S xi| = {size:.1g} sum x |xi|."
    return (
        f"Not decided after {n_iter} Newton steps: the optimal stability is at most {balance / total:.3g}, "
        "and no weights with a positive one were found. Raise max_iter or tol."
    )
