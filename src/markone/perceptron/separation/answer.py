"""Can a perceptron separate these examples? An answer with a proof.

With Z the rows S^mu xi^mu: separable if some w has all E = Z w > 0; not separable if some x >= 0, x != 0
has Z^T x = 0, for then sum x E = 0 whatever w.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.sparse
from numpy.typing import ArrayLike

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Floats
from markone.perceptron.certificates._balance import balances
from markone.perceptron.certificates.bounds import from_above, from_below
from markone.perceptron.certificates.rows import Rows, lift
from markone.perceptron.certificates.verdict import ProvenVerdict, refuted, verdict
from markone.perceptron.separation._decide import (
    NOT_SEPARABLE,
    SEPARABLE,
    SHARP,
    UNDECIDED,
    balanced,
    measure,
    newton_large,
    newton_small,
)
from markone.perceptron.separation._descent import descend, gradient_steps, proven
from markone.perceptron.separation._normal import BLAS_FROM
from markone.perceptron.separation._scales import equilibrate
from markone.perceptron.separation.degenerate import careful_newton, narrow
from markone.perceptron.separation.two_classes import examples_and_signs, signed_rows

CAREFUL_STEPS = 30
# Up to so many inputs compiled loops prove faster than BLAS.
SMALL = 160

# (status, w, x, Newton steps), believed and not proven.
Candidate = tuple[int, Floats, Floats, int]


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
    xi, S = examples_and_signs(X, y, intercept_scaling if fit_intercept else None)
    if isinstance(xi, np.ndarray):
        found, n_iter = decide_dense(xi, S, tol, max_iter)
    else:
        found, n_iter = certify(signed_rows(xi, S), tol, max_iter)
    w = found.w
    weights, intercept = (w[:-1], float(w[-1] * intercept_scaling)) if fit_intercept else (w, 0.0)
    return Separability(
        separable=found.separable,
        weights=weights if found.separable else None,
        intercept=intercept if found.separable else 0.0,
        embedding=found.x,
        stability_bounds=(found.lower, found.upper),
        n_iter=n_iter,
        message=_message(found, n_iter),
        clamp=intercept_scaling if fit_intercept else None,
        _proof=found,
    )


def _compiled(Z: Any) -> Any:
    return Z if isinstance(Z, np.ndarray) else Sparse(Z.data, Z.indices, Z.indptr, Z.shape[1])


def decide_dense(xi: Floats, S: Floats, tol: float, max_iter: int) -> tuple[ProvenVerdict, int]:
    """`certify` for the rows S xi of an array, beside which one copy is made, not two.

    The proof of either answer is tried at once; what is left over goes on the careful way.
    """
    P, N = xi.shape
    a, c, rows = np.empty(P), np.empty(N), Rows(xi, S, lift(_top(xi)))
    with np.errstate(all="ignore"):
        Y, zero = equilibrate(xi, a, c)
        if zero >= 0:
            return certify(xi * S[:, None], tol, max_iter)
        Y *= S[:, None]
        status, v, u, n_iter = _search(Y, P, N, tol, 0 if N > P else max_iter)
        w, x = v * c, u * a
        lower = from_below(rows, w)
        if status == SEPARABLE and lower > 0.0:
            return ProvenVerdict(True, lower, from_above(rows, x), w, x), n_iter
        if status == NOT_SEPARABLE and N <= SMALL:
            Z = np.multiply(xi, S[:, None], out=Y)
            if balances(Z, x):
                return refuted(w, x, lower), n_iter
            return certify(Z, tol, max_iter)
        if status != SEPARABLE:
            status = NOT_SEPARABLE if balanced(Y, c, u, tol) else UNDECIDED
        return certify(np.multiply(xi, S[:, None], out=Y), tol, max_iter, (status, w, x, n_iter))


def certify(Z: Any, tol: float, max_iter: int, begun: Candidate | None = None) -> tuple[ProvenVerdict, int]:
    """(what is proven, Newton steps) for rows Z = S xi, float64: an array, or a csr_array of int32.

    `begun`: the candidate of a search that was made already.
    """
    with np.errstate(all="ignore"):
        status, w, x, n_iter = _candidate(Z, tol, max_iter, begun)
    return proven_candidate(Z, status, w, x), n_iter


def proven_candidate(Z: Any, status: int, w: Floats, x: Floats) -> ProvenVerdict:
    """What is proven, given what is believed."""
    # Numbers near the ends of the range can spoil the search; the proof starts from anything.
    if not (np.isfinite(w).all() and np.isfinite(x).all()):
        w, x = np.nan_to_num(w), np.nan_to_num(x)
    rows = Rows(_compiled(Z), np.ones(Z.shape[0]), lift(_top(Z)))
    if status == NOT_SEPARABLE and isinstance(Z, np.ndarray) and Z.shape[1] <= SMALL and balances(Z, x):
        return refuted(w, x, from_below(rows, w))
    return verdict(rows, w, x)


def _top(Z: Any) -> float:
    values = Z if isinstance(Z, np.ndarray) else Z.data
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))


def _candidate(Z: Any, tol: float, max_iter: int, begun: Candidate | None = None) -> Candidate:
    """(status, w, x, Newton steps), believed but not proven, for rows Z = S xi.

    Newton as it is; for wide sets only conjugate gradients; then the careful way if a doubt remains.
    """
    P, N = Z.shape
    status, w, x, n_iter = begun or in_turn(_compiled(Z), P, N, tol, 0 if N > P else max_iter)
    if status == SEPARABLE or (
        status == NOT_SEPARABLE and _imbalance(measure(_compiled(Z), w, x)) <= 10 * SHARP
    ):
        return status, w, x, n_iter
    if N <= P and not isinstance(Z, np.ndarray):
        return status, w, x, n_iter
    return _certify_hard(Z, w, x, tol, n_iter, max_iter)


def in_turn(Z: Any, P: int, N: int, tol: float, max_iter: int) -> Candidate:
    """What `decide` does in one compiled call, for those who ask about one set."""
    a, c = np.empty(P), np.empty(N)
    Y, zero = equilibrate(Z, a, c)
    if zero >= 0:
        return NOT_SEPARABLE, np.zeros(N), np.eye(1, P, zero)[0], 0
    status, v, u, n_iter = _search(Y, P, N, tol, max_iter)
    if status != SEPARABLE:
        status = NOT_SEPARABLE if balanced(Y, c, u, tol) else UNDECIDED
    return status, v * c, u * a, n_iter


def _search(Y: Any, P: int, N: int, tol: float, max_iter: int) -> Candidate:
    """Conjugate gradients, then Newton's method, on equilibrated rows.

    Called from Python they are compiled once each instead of again within `decide`, and only those that this
    set needs: a third of the time of the first call.
    """
    w, x = np.zeros(N), np.ones(P)
    E = np.zeros(P)
    found, best = descend(Y, w, E, x, gradient_steps.py_func(N))
    if found or max_iter == 0:
        return (SEPARABLE if found else UNDECIDED), w, x, 0
    newton = newton_small if isinstance(Y, np.ndarray) and N < BLAS_FROM else newton_large
    status, n_iter = newton(Y, w, E, x, best, min(tol, SHARP), max_iter)
    return status, w, x, n_iter


def _certify_hard(Z: Any, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int) -> Candidate:
    P, N = Z.shape
    a, c = np.empty(P), np.empty(N)
    Y, _ = equilibrate(_compiled(Z), a, c)
    v, u = w / c, x / a
    if N > P:
        rows = Y if isinstance(Y, np.ndarray) else scipy.sparse.csr_array(Y[:3], shape=Z.shape)
        B, back = narrow(rows)
        status, v, u, n_iter = in_turn(B, B.shape[0], B.shape[1], tol, max_iter)
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


def _imbalance(figures: tuple[float, ...]) -> float:
    """|Z^T x| / sum x |xi|; an all-zero example balances by itself."""
    _, _, balance, _, weighted = figures
    return balance / weighted if weighted > 0.0 else 0.0


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
