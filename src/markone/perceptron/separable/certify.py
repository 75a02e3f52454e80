"""Proven separability: a candidate from conjugate gradients and Newton's method, then its proof.

A candidate may be wrong; only the proof counts.
"""

from typing import Any

import numpy as np
import scipy.sparse

from markone.numerics._rows import Sparse
from markone.numerics.arrays import Floats
from markone.perceptron.separable._balance import proves_balance
from markone.perceptron.separable._decide import (
    NOT_SEPARABLE,
    SEPARABLE,
    SHARP,
    UNDECIDED,
    decide_separable,
    is_balanced,
)
from markone.perceptron.separable._descent import is_separating_entry
from markone.perceptron.separable._scales import compute_scales, largest_magnitude
from markone.perceptron.separable.bounds import stability_bounds
from markone.perceptron.separable.degenerate import newton_by_svd, reduce_columns
from markone.perceptron.separable.rows import Rows, lifting_power
from markone.perceptron.separable.verdict import (
    ORDINARY,
    ProvenVerdict,
    not_separable_verdict,
    prove_verdict,
)

CAREFUL_STEPS = 30

# (status, w, x, Newton steps), not proven.
Candidate = tuple[int, Floats, Floats, int]


def certify_rows(Z: Any, tol: float, max_iter: int) -> tuple[ProvenVerdict, int]:
    """Return (proven verdict, Newton steps) for rows Z = S xi, float64: an array, or a csr_array of int32."""
    with np.errstate(all="ignore"):
        status, w, x, n_iter = _find_candidate(Z, tol, max_iter)
    return _prove_candidate(Z, status, w, x), n_iter


def _prove_candidate(Z: Any, status: int, w: Floats, x: Floats) -> ProvenVerdict:
    """Prove what a candidate claims, or as much of it as can be proven."""
    dense = isinstance(Z, np.ndarray)
    top = largest_magnitude(Z.ravel() if dense else Z.data)
    rows = Rows(_as_compiled_rows(Z), np.ones(Z.shape[0]), lifting_power(top))
    ordinary = dense and Z.shape[1] <= Z.shape[0] and ORDINARY[0] < top < ORDINARY[1]
    if status == NOT_SEPARABLE and ordinary and proves_balance(Z, x):
        return not_separable_verdict(w, x, stability_bounds(rows, w, np.zeros_like(x)).lower)
    return prove_verdict(rows, w, x)


def _as_compiled_rows(Z: Any) -> Any:
    return Z if isinstance(Z, np.ndarray) else Sparse(Z.data, Z.indices, Z.indptr, Z.shape[1])


def _find_candidate(Z: Any, tol: float, max_iter: int) -> Candidate:
    """Return (status, w, x, Newton steps), not proven, for rows Z = S xi.

    Newton's method, or conjugate gradients only if N > P; then the degenerate solver if still undecided.
    """
    P, N = Z.shape
    w, x = np.empty(N), np.empty(P)
    status, n_iter = decide_separable(_as_compiled_rows(Z), w, x, tol, 0 if N > P else max_iter)
    if status == UNDECIDED and N <= P and not isinstance(Z, np.ndarray):
        return status, w, x, n_iter
    if status == UNDECIDED or (status == NOT_SEPARABLE and not _is_sharp(Z, x)):
        return _solve_degenerate(Z, w, x, tol, n_iter, max_iter)
    return status, w, x, n_iter


def _is_sharp(Z: Any, x: Floats) -> bool:
    """Whether |Z^T x| is zero up to rounding, compared with sum x |z|; true for an all-zero example."""
    lengths = np.sqrt(np.asarray((Z * Z).sum(axis=1)).ravel())
    weighted = float(x @ lengths)
    return float(np.linalg.norm(Z.T @ x)) <= 10 * SHARP * weighted or weighted == 0.0


def _solve_degenerate(Z: Any, w: Floats, x: Floats, tol: float, n_iter: int, max_iter: int) -> Candidate:
    P, N = Z.shape
    a, c = np.empty(P), np.empty(N)
    compute_scales(_as_compiled_rows(Z), a, c)
    Y = Z * a[:, None] * c if isinstance(Z, np.ndarray) else _scale_sparse(Z, a, c)
    v, u = w / c, x / a
    if N > P:
        B, back = reduce_columns(Y)
        v, u = np.empty(B.shape[1]), np.empty(P)
        status, n_iter = decide_separable(B, v, u, tol, max_iter)
        if status != SEPARABLE:
            n_iter += newton_by_svd(B, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
        v = back(v)
    else:
        n_iter += newton_by_svd(Y, v, u, min(tol, SHARP), CAREFUL_STEPS)[1]
    rows = _as_compiled_rows(Y)
    if is_separating_entry(rows, v, np.empty(P)):
        status = SEPARABLE
    else:
        status = NOT_SEPARABLE if is_balanced(rows, c, u, tol) else UNDECIDED
    return status, v * c, u * a, n_iter


def _scale_sparse(Z: Any, a: Floats, c: Floats) -> Any:
    data = Z.data * np.repeat(a, np.diff(Z.indptr)) * c[Z.indices]
    return scipy.sparse.csr_array((data, Z.indices, Z.indptr), shape=Z.shape)
