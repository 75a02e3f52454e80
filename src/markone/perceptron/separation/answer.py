"""Can a perceptron separate these examples? An answer with a proof.

With Z the rows S^mu xi^mu: separable if some w has all E = Z w > 0; not separable if some x >= 0, x != 0
has Z^T x = 0, for then sum x E = 0 whatever w.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Floats
from markone.perceptron.certificates.verdict import ProvenVerdict
from markone.perceptron.separation.proving import certify
from markone.perceptron.separation.quick import decide_dense
from markone.perceptron.separation.two_classes import (
    clamped,
    examples_and_signs,
    is_plain,
    signed_rows,
)


@dataclass(frozen=True, eq=False)
class Separability:
    """The answer and its proof; see `separability`.

    As a condition (`if result:`) it is `separable`, and a TypeError where that is None: an open question
    is neither yes nor no.

    Parameters
    ----------
    separable : bool or None
        The answer, proven; None where neither could be proven.
    weights : array (N,) or None
        A student that separates, if there is one.
    intercept : float
        Its threshold, as a term that is added.
    embedding : array (P,)
        Strengths x >= 0: the proof where the set is not separable.
    stability_bounds : tuple of float
        (lower, upper) contain the optimal stability, rounded outwards.
    n_iter : int
        Newton steps.
    message : str
        The answer in words.
    clamp : float or None, default=None
        The clamped input, if there was a threshold.

    Examples
    --------
    >>> from markone import separability
    >>> answer = separability([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0], fit_intercept=True)
    >>> answer.separable, bool(answer)
    (False, False)
    """

    separable: bool | None
    weights: Floats | None = field(repr=False)
    intercept: float
    embedding: Floats = field(repr=False)
    stability_bounds: tuple[float, float]
    n_iter: int
    message: str
    clamp: float | None = field(default=None, repr=False)
    _proof: ProvenVerdict | None = field(default=None, repr=False)

    @property
    def witness(self) -> list[Fraction] | None:
        """Where separable, the exact w of the proof, the weight of the always-on input, if any, last.

        `weights` and `intercept` are its nearest floats. Those separate, too, unless the gap between the
        classes is narrower than floats can show.
        """
        if not self.separable or self._proof is None:
            return None
        return self._proof.exact_w or [Fraction(v) for v in self._proof.w.tolist()]

    def __getattr__(self, name: str) -> Any:
        # Only for what is not there yet: the answer in words.
        if name != "message" or "_proof" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__["message"] = _message(self.__dict__["_proof"], self.n_iter)
        return self.__dict__["message"]

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
    X : array (P, N) or scipy sparse matrix
        The examples. Sparse rows are never made dense, but min(N, P)^2 numbers are kept.
    y : array (P,)
        Two labels of any kind; S = +1 for the one that sorts last.
    fit_intercept : bool, default=False
        False: a hyperplane through the origin. True: the input `intercept_scaling`, always on, is appended
        to each example. Its weight counts into |w| and so into the stability bounds.
    intercept_scaling : float, default=1.0
        Value of the appended input.
    tol : float, default=1e-09
        |Z^T x| <= tol sum x |xi| at which Newton's method stops and hands x to the proof. It never decides:
        an x that cannot be proven is looked at again with twice the digits, then in whole numbers.
    max_iter : int, default=500
        Bound on Newton steps. A handful is usual.

    Returns
    -------
    Separability
        `separable` True or False is proven for the numbers in X, all rounding counted; None: neither could
        be proven, which takes a set that is degenerate and too large for exact arithmetic. `weights`,
        `intercept`: a student that separates, None and 0 where there is none (see `witness`). `embedding`:
        strengths x >= 0; where not separable an exact x with sum x S xi = 0 lies within rounding of it.
        `stability_bounds` (lower, upper) contain the optimal stability max_w min E / |w|, rounded outwards;
        upper is exactly 0 where not separable. `n_iter` counts Newton steps.

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
    constant = intercept_scaling if fit_intercept else None
    found, n_iter = _plainly(X, y, constant, tol, max_iter) or _found(X, y, constant, tol, max_iter)
    return _answer(found, n_iter, constant)


def _answer(found: ProvenVerdict, n_iter: int, constant: float | None) -> Separability:
    """Without `__init__`, which sets one attribute after the other, and without the message until it is read:
    both together take longer than some decisions."""
    weights, intercept = found.w if found.separable else None, 0.0
    if weights is not None and constant is not None:
        weights, intercept = weights[:-1], float(weights[-1] * constant)
    made = object.__new__(Separability)
    made.__dict__.update(
        separable=found.separable,
        weights=weights,
        intercept=intercept,
        embedding=found.x,
        stability_bounds=(found.lower, found.upper),
        n_iter=n_iter,
        clamp=constant,
        _proof=found,
    )
    return made


def _plainly(
    X: Any, y: Any, constant: float | None, tol: float, max_iter: int
) -> tuple[ProvenVerdict, int] | None:
    """The answer for plain arrays, which are checked as they are read; None for all else, right or wrong."""
    if not (is_plain(X) and type(y) is np.ndarray and y.shape == X.shape[:1] and y.dtype.kind in "bif"):
        return None
    if constant is not None:
        if not (math.isfinite(constant) and constant != 0.0):
            return None
        X = clamped(X, constant)
    # As floats, whatever they are: compiled once, and compiled code takes no truth value for a number.
    return decide_dense(X, y.astype(np.float64), tol, max_iter)


def _found(
    X: Any, y: ArrayLike, constant: float | None, tol: float, max_iter: int
) -> tuple[ProvenVerdict, int]:
    xi, S = examples_and_signs(X, y, constant)
    if not isinstance(xi, np.ndarray):
        return certify(signed_rows(xi, S), tol, max_iter)
    return decide_dense(xi, S, tol, max_iter) or certify(xi * S[:, None], tol, max_iter)


def _message(found: ProvenVerdict, n_iter: int) -> str:
    if found.separable and found.lower == 0.0:
        return "Separable: kappa_max is above 0 by less than floats can show; `witness` is the exact student."
    if found.separable:
        return f"Separable: kappa_max is at least {found.lower:.3g}."
    used = int(np.count_nonzero(found.x))
    if found.separable is False and used == 1:
        which = int(found.x.argmax())
        return f"Not separable: example {which} is zero in all inputs, its E is 0 whatever the weights."
    if found.separable is False:
        return f"Not separable: {used} examples balance, sum x S xi = 0 for an x close to `embedding`."
    return (
        f"Not decided after {n_iter} Newton steps: {found.lower:.3g} <= kappa_max <= {found.upper:.3g} is "
        "proven, which contains 0, and the set is too large for exact arithmetic. Scale the inputs to a "
        "similar size, or ask about fewer examples."
    )
