"""Start of a chain: a student without errors, or, if there is none, one with few."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem
from markone.perceptron.separable.certify import certify_rows

TOL, MAX_ITER = 1e-9, 500
# Squares of larger numbers may not be finite.
FAR = 1e150


@dataclass(frozen=True)
class Start:
    """w with |w|^2 = N; `separable` is proven. `errors`: fraction of the examples with E <= 0."""

    w: Array = field(repr=False)
    separable: bool
    errors: float
    message: str


def find_start(problem: Problem, blank: int = 0) -> Start:
    """Minimise sum (1 - E)_+^2 by Newton's method, with proof of separability; `blank` rows are all zero."""
    Z = _signed_examples(problem)
    if Z.shape[0] == 0:
        return Start(np.full(problem.N, 1.0), not blank, 0.0, _start_message(blank, 0.0, 0))
    found, _ = certify_rows(Z, TOL, MAX_ITER)
    w = found.w
    top = float(np.abs(w).max(initial=0.0))
    if not math.isfinite(top):
        raise ValueError("The weights that separate these examples are not finite: scale X to about one.")
    if top > FAR or 0 < top < 1 / FAR:
        w = w / top  # whose square would overflow or underflow
    length = float(np.linalg.norm(w))
    w = w * (math.sqrt(problem.N) / length) if length > 0 else np.ones(problem.N)
    errors = float(np.mean(np.asarray(Z @ w) <= 0))
    return Start(w, found.separable is True and not blank, errors, _start_message(blank, errors, problem.P))


def _signed_examples(problem: Problem) -> Any:
    if sparse.issparse(problem.X):
        Z = sparse.csr_array(sparse.diags_array(problem.S) @ problem.X)
        return sparse.csr_array((Z.data, Z.indices.astype(np.int32), Z.indptr.astype(np.int32)), Z.shape)
    return np.ascontiguousarray(problem.S[:, None] * problem.X, dtype=np.float64)


def _start_message(blank: int, errors: float, P: int) -> str:
    if blank:
        return f"{blank} example(s) are all zero and have E = 0 for any weights."
    return f"No perceptron was found that separates the {P} examples; the best start has {errors:.2g} wrong."
