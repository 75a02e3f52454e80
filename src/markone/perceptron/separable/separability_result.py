"""Decide whether a perceptron can separate the examples, with a proof.

With Z the rows S^mu xi^mu: separable if some w has all E = Z w > 0; not separable if some x >= 0, x != 0
has Z^T x = 0, since then sum x E = 0 for every w.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import Floats
from markone.perceptron.separable.certify import certify_rows
from markone.perceptron.separable.two_classes import examples_and_signs, signed_rows
from markone.perceptron.separable.verdict import ProvenVerdict


@dataclass(frozen=True, eq=False)
class Separability:
    """The answer and its proof; see `separability`.

    Its truth value (`if result:`) is `separable`; a TypeError is raised if that is None.

    Parameters
    ----------
    separable : bool or None
        The proven answer; None if neither could be proven.
    weights : array (N,) or None
        Weights that separate the classes, if they exist.
    intercept : float
        Threshold of these weights, as an added term.
    embedding : array (P,)
        Strengths x >= 0; the proof if the set is not separable.
    stability_bounds : tuple of float
        Bounds (lower, upper) on the optimal stability, rounded outwards.
    n_iter : int
        Number of Newton steps.
    message : str
        The answer as a sentence.
    clamp : float or None, default=None
        Value of the clamped input; None without a threshold.

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
        """Exact w of the proof if separable, else None; the weight of the clamped input, if any, is last.

        `weights` and `intercept` are the nearest floats. They also separate, unless the gap between the
        classes is below the resolution of floats.
        """
        if not self.separable or self._proof is None:
            return None
        return self._proof.exact_w or [Fraction(v) for v in self._proof.w.tolist()]

    def __getattr__(self, name: str) -> Any:
        # The message is composed at the first access.
        if name != "message" or "_proof" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.__dict__["message"] = _result_message(self.__dict__["_proof"], self.n_iter)
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
        The examples. Sparse rows stay sparse, but min(N, P)^2 numbers are stored.
    y : array (P,)
        Two labels of any kind; S = +1 for the one that sorts last.
    fit_intercept : bool, default=False
        False: a hyperplane through the origin. True: the constant input `intercept_scaling` is appended
        to each example. Its weight counts into |w| and so into the stability bounds.
    intercept_scaling : float, default=1.0
        Value of the appended input.
    tol : float, default=1e-09
        Newton's method stops at |Z^T x| <= tol sum x |xi|. It never decides the answer: an x that cannot be
        proven is recomputed in double-double arithmetic, then in integers.
    max_iter : int, default=500
        Maximum number of Newton steps. About five are usual.

    Returns
    -------
    Separability
        `separable` True or False is proven for the numbers in X, rounding errors included; None: neither
        could be proven, only for degenerate sets that are too large for exact arithmetic. `weights`,
        `intercept`: weights that separate, None and 0 if there are none (see `witness`). `embedding`:
        strengths x >= 0; if not separable, an exact x with sum x S xi = 0 lies within rounding of it.
        `stability_bounds` (lower, upper) contain the optimal stability max_w min E / |w|, rounded outwards;
        upper is exactly 0 if not separable. `n_iter` is the number of Newton steps.

    Examples
    --------
    >>> from markone.perceptron.separable import separability
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
    xi, S = examples_and_signs(X, y, constant)
    Z = xi * S[:, None] if isinstance(xi, np.ndarray) else signed_rows(xi, S)
    found, n_iter = certify_rows(Z, tol, max_iter)
    return _build_result(found, n_iter, constant)


def _build_result(found: ProvenVerdict, n_iter: int, constant: float | None) -> Separability:
    """Build the result without `__init__` and its message, which take longer than a small decision."""
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


def _result_message(found: ProvenVerdict, n_iter: int) -> str:
    if found.separable and found.lower == 0.0:
        return "Separable: kappa_max is positive but too small for floats; `witness` is the exact solution."
    if found.separable:
        return f"Separable: kappa_max is at least {found.lower:.3g}."
    used = int(np.count_nonzero(found.x))
    if found.separable is False and used == 1:
        which = int(found.x.argmax())
        return f"Not separable: example {which} is zero in all inputs, its E is 0 for any weights."
    if found.separable is False:
        return f"Not separable: {used} examples balance, sum x S xi = 0 for an x close to `embedding`."
    return (
        f"Not decided after {n_iter} Newton steps: {found.lower:.3g} <= kappa_max <= {found.upper:.3g} is "
        "proven, which contains 0, and the set is too large for exact arithmetic. Scale the inputs to a "
        "similar size, or test fewer examples."
    )
