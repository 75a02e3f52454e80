"""Proven bounds in feature space: E = S sum K S x and |W|^2 = x . E, including the rounding of the kernel.

A linear kernel is certified in the input space, as `AdaTron` is. For 'poly' and 'rbf' an a priori bound is
used: |computed - true K| <= a a' + b + b'. A precomputed matrix and the result of a callable are taken as
exact scalar products (4.27): that they are positive semi-definite is assumed, not proven.
"""

from dataclasses import replace

import numpy as np
from scipy import sparse

from markone.perceptron.margin._ascent import potentials_of_examples
from markone.perceptron.margin.kernel._proof_sums import matrix_sums, student_bounds
from markone.perceptron.margin.kernel.contradiction import find_contradiction
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import FeatureSpaceOptimum, status_message
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable import hard_margin
from markone.perceptron.separable import soft_margin as slack
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.rows import Floats, build_rows

# Kernel elements computed at a time: two megabytes.
PIECE = 1 << 18


def certify_kernel_optimum(
    kernel: Kernel, S: Floats, C: Floats, found: FeatureSpaceOptimum, tol: float, careful: bool = True
) -> FeatureSpaceOptimum:
    """Certify a solution in feature space; `careful` as for AdaTron, with a linear kernel only."""
    constant = float(np.sqrt(kernel.clamp))
    if kernel.name == "linear" and constant * constant == kernel.clamp and _exact_square(constant):
        return _certify_linear(kernel, constant, S, C, found, tol, careful)
    lower, upper, gap = _proven_bounds(kernel, S, C, found)
    hard = float(C.min()) == np.inf
    if hard and (found.status == "not_separable" or lower <= 0.0):
        proof = found.x if found.proof is None else found.proof
        exact = find_contradiction(kernel, S, proof)
        if exact is not None:
            return _with_bounds(found, min(lower, 0.0), 0.0, np.inf, "not_separable", tol, exact)
        if found.status == "not_separable":
            return _with_bounds(found, lower, upper, gap, "undecided", tol, None)
    status = found.status
    if status in ("exact", "converged") and gap > max(tol, 1e-9) and hard and lower <= 0.0:
        status = "undecided"
    return _with_bounds(found, lower, upper, gap, status, tol, None)


def _exact_square(s: float) -> bool:
    """True if s s is exact in floating point: at most 26 bits of s."""
    return float(np.float32(s)) == s and int(np.frexp(s)[0] * 2**26) == np.frexp(s)[0] * 2**26


def _with_bounds(
    found: FeatureSpaceOptimum,
    lower: float,
    upper: float,
    gap: float,
    status: str,
    tol: float,
    proof: Floats | None,
) -> FeatureSpaceOptimum:
    message = status_message(status, gap, found.n_epochs, lower, upper, np.isinf(gap) or lower > 0.0, tol)
    message = found.message if status == found.status == "max_epochs" else message
    return FeatureSpaceOptimum(
        found.x, found.E, lower, upper, gap, found.n_epochs, found.n_newton, status, message, proof, found.W
    )


def _certify_linear(
    kernel: Kernel,
    constant: float,
    S: Floats,
    C: Floats,
    found: FeatureSpaceOptimum,
    tol: float,
    careful: bool,
) -> FeatureSpaceOptimum:
    """Certify in the input space, where w = (1/N) sum x S xi with N times these strengths."""
    X, P = kernel.X, kernel.P
    if constant:
        clamped = np.full((P, 1), constant)
        X = sparse.hstack([X, clamped], format="csr") if sparse.issparse(X) else np.hstack([X, clamped])
    xi = build_rows(X, S).xi
    problem = Quadratic(xi, S, C * X.shape[1])
    x = found.x if found.proof is None else found.proof
    w = np.asarray(X.T @ (found.x * S), dtype=np.float64)
    start = Optimum(
        problem.N * x, w, found.E, found.lower, found.upper, found.gap, found.n_epochs, found.n_newton,
        found.status, found.message,
    )  # fmt: skip
    if problem.hard:
        made = hard_margin.certify_hard_margin(problem, start, tol, careful)
    else:
        made = slack.certify_soft_margin(problem, start, tol)
    refuted = made.status == "not_separable"
    proof = made.x / made.x.sum() if refuted else None
    x = found.x if refuted or made.w is w else made.x / problem.N
    bounded = _with_bounds(found, made.lower, made.upper, made.gap, made.status, tol, proof)
    return replace(bounded, x=x, E=potentials_of_examples(xi, S, made.w), W=made.w)


def kernel_rounding(kernel: Kernel) -> tuple[Floats, Floats]:
    """(a, b): |computed - true K(xi, xi')| <= a a' + b + b' for all pairs of training examples."""
    N = kernel.X.shape[1]
    if kernel.name == "rbf":
        # The squared distance is a difference of sums; exp itself is good to 4 units, exp(-v) v <= 1/e.
        part = kernel.gamma * 2.0 * (N + 12.0) * U * (1.0 + 2e-12) * kernel.squares
        return np.full(kernel.P, np.sqrt((16.0 + kernel.clamp) * U)), part
    diagonal = np.maximum(kernel.kernel_diagonal(), 0.0) * (1.0 + 1e-12)
    if kernel.name in ("linear", "poly"):
        # Each factor of the power has N + 4 roundings, relative to gamma |xi| |xi'| + coef0.
        power = 1 if kernel.name == "linear" else int(kernel.degree)
        return np.sqrt(diagonal * (power * (N + 8.0) + 16.0) * U), np.zeros(kernel.P)
    return np.sqrt(diagonal * 4.0 * U), np.zeros(kernel.P)


def _proven_bounds(
    kernel: Kernel, S: Floats, C: Floats, found: FeatureSpaceOptimum
) -> tuple[float, float, float]:
    """(lower, upper, relative gap), rounded outwards."""
    x, top = np.maximum(found.x, 0.0), max(float(kernel.kernel_diagonal().max()), 0.0)
    if not x.any():
        longest = float(np.sqrt(top)) * (1.0 + 1e-12)
        return -longest, longest, np.inf
    E, size, terms = potential_sums(kernel, S, x) if found.sums is None else found.sums
    lower, upper, gap = student_bounds(x, E, size, terms, *kernel_rounding(kernel), C, top, np.empty(len(x)))
    lower, upper = float(np.nextafter(lower, -np.inf)), float(np.nextafter(upper, np.inf))
    # The hard margin has no slack: the gap follows from the bounds.
    return lower, upper, 1.0 - lower / upper if float(C.min()) == np.inf else float(gap)


def potential_sums(kernel: Kernel, S: Floats, x: Floats) -> tuple[Floats, Floats, int]:
    """Compute S sum K S x, sum |K| x and the number of terms from the kernel, some rows at a time."""
    support, E, size = np.flatnonzero(x), np.zeros(len(x)), np.zeros(len(x))
    if kernel.matrix is not None:
        matrix_sums(kernel.matrix, kernel.clamp, kernel.matrix_indices(), S, x, support, E, size)
        return E, size, len(support)
    signed = (x * S)[support]
    step, others = max(1, PIECE // len(support)), kernel.subset_kernel(support)
    for k in range(0, len(x), step):
        few = np.arange(k, min(k + step, len(x)))
        K = kernel.block_towards(few, others)
        E[few] = S[few] * (K @ signed)
        size[few] = np.abs(K) @ x[support]
    return E, size, len(support)
