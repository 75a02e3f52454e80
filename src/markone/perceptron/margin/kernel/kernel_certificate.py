"""Proven bounds in feature space: E = S (sum K S x + b) and |W|^2, including the rounding of the kernel.

A linear kernel is certified in the input space, as `AdaTron` is. For others an a priori bound is used,
|computed - true K| <= a a' + b + b', and if that is too coarse the kernels are computed again in long
integers, and the student is improved with the residuals found. A precomputed matrix and the result of a
callable are taken as exact scalar products (4.27): that they are positive semi-definite is assumed.
"""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array
from markone.perceptron.margin._ascent import potentials_of_examples
from markone.perceptron.margin.kernel.box_newton import solve_balanced_box, solve_box
from markone.perceptron.margin.kernel.exact_kernel import (
    MOST_WORK,
    decide_in_fractions,
    exact_potentials,
    exact_work,
)
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.margin.kernel.optimum import EXACT, FeatureSpaceOptimum, status_message
from markone.perceptron.margin.optimum import Optimum
from markone.perceptron.margin.problem import Quadratic
from markone.perceptron.separable import margin_certificates
from markone.perceptron.separable._roundings import U
from markone.perceptron.separable.bounds import balance_exactly
from markone.perceptron.separable.rows import Floats, build_rows

# Kernel elements computed at a time: two megabytes.
PIECE = 1 << 18
# A larger proven gap is not rounding of ordinary data: the kernels are computed exactly.
SHARP = 1e-9
REFINEMENTS = 3
# Examples with E < 1 + NEAR may become support vectors of an improved student, up to MOST_IMPROVED.
NEAR, MOST_IMPROVED = 0.2, 500


class Potentials(NamedTuple):
    """v = K S x of all examples within `error`, and bounds on |W|^2 = x . S v."""

    v: Floats
    error: Floats
    least_square: float
    most_square: float


class Proven(NamedTuple):
    """lower <= kappa_max <= upper, relative gap, and the threshold b that minimises the cost."""

    lower: float
    upper: float
    gap: float
    b: float


def certify_kernel_optimum(
    kernel: Kernel, S: Floats, C: Floats, found: FeatureSpaceOptimum, tol: float, careful: bool = True
) -> FeatureSpaceOptimum:
    """Certify a solution in feature space; `careful`: uncertain ones are computed exactly and improved."""
    constant = 1.0 if kernel.free else _clamped_value(kernel)
    if kernel.name == "linear" and constant is not None:
        return _certify_linear(kernel, constant, S, C, found, tol, careful)
    x = balance_exactly(found.x, S) if kernel.free else np.maximum(found.x, 0.0)
    values = _float_potentials(kernel, S, x, found.E if found.fresh else None)
    proven, v, hard = _prove_bounds(kernel, S, x, C, values), values.v, bool(np.isinf(C).all())
    if not proven.gap <= SHARP and x.any():
        x, v, proven = _improve_exactly(kernel, S, x, C, v, proven, careful)
    separable, proof = None, None
    if hard and (found.status == "not_separable" or proven.lower <= 0.0):
        separable, proof = decide_in_fractions(kernel, S, x if found.proof is None else found.proof)
    if separable is False:
        proven = Proven(min(proven.lower, 0.0), 0.0, np.inf, proven.b)
    known = separable is not None or not hard or proven.lower > 0.0
    status = "not_separable" if separable is False else _proven_status(found.status, proven.gap, tol, known)
    made = replace(found, x=x, E=S * (v + proven.b), b=proven.b, proof=proof)
    return _with_bounds(made, proven, status, tol, hard)


def _proven_status(status: str, gap: float, tol: float, known: bool) -> str:
    """Status of a student proven to this gap; known: the examples are separable, or may overlap."""
    if not known:
        return "undecided" if status in ("exact", "converged", "not_separable") else status
    if gap <= max(tol, SHARP):
        return status if status in ("exact", "converged") else "converged"
    return "max_epochs"


def _with_bounds(
    found: FeatureSpaceOptimum, proven: Proven, status: str, tol: float, hard: bool
) -> FeatureSpaceOptimum:
    bounds, stopped = (proven.lower, proven.upper), status == found.status == "max_epochs"
    message = status_message(status, proven.gap, found.n_epochs, *bounds, hard, tol, out_of_reach=not stopped)
    return replace(found, lower=bounds[0], upper=bounds[1], gap=proven.gap, status=status, message=message)


def _clamped_value(kernel: Kernel) -> float | None:
    """The constant input of which `clamp` is the square; None if it is no float."""
    if not kernel.clamp or kernel.clamped_value is not None:
        return kernel.clamped_value if kernel.clamp else 0.0
    root = float(np.sqrt(kernel.clamp))
    return root if Fraction(root) ** 2 == Fraction(kernel.clamp) else None


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
    problem = Quadratic(xi, S, C * X.shape[1], free=kernel.free)
    x = found.x if found.proof is None else found.proof
    w = np.asarray(X.T @ (found.x * S), dtype=np.float64)
    if kernel.free:
        w[-1] = found.b
    start = Optimum(
        problem.N * x, w, found.E, found.lower, found.upper, found.gap, found.n_epochs, found.n_newton,
        found.status, found.message,
    )  # fmt: skip
    if problem.hard:
        made = margin_certificates.certify_hard_margin(problem, start, tol, careful)
    else:
        made = margin_certificates.certify_soft_margin(problem, start, tol)
    refuted = made.status == "not_separable"
    proof = made.x / made.x.sum() if refuted else None
    # The strengths that belong to the bounds, unless they are those found.
    x = found.x if refuted or np.array_equal(made.x, start.x) else made.x / problem.N
    proven = Proven(made.lower, made.upper, made.gap, 0.0)
    bounded = _with_bounds(found, proven, made.status, tol, problem.hard)
    E, b = potentials_of_examples(xi, S, made.w), float(made.w[-1]) if kernel.free else 0.0
    return replace(bounded, x=x, E=E, W=made.w, b=b, proof=proof)


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


def potential_sums(kernel: Kernel, S: Floats, x: Floats) -> Floats:
    """E = S sum K S x, not updated but computed from the kernel, some rows at a time."""
    support, E = np.flatnonzero(x), np.zeros(len(x))
    if not support.size:
        return E
    signed = (x * S)[support]
    if kernel.matrix is not None:
        # Whole rows, which lie in memory one after the other: columns take eight times as long.
        step = max(1, PIECE // len(x))
        for k in range(0, len(support), step):
            E += signed[k : k + step] @ kernel.kernel_block(support[k : k + step], None)
        return S * E
    step, others = max(1, PIECE // len(support)), kernel.subset_kernel(support)
    for k in range(0, len(x), step):
        few = np.arange(k, min(k + step, len(x)))
        E[few] = S[few] * (kernel.block_towards(few, others) @ signed)
    return E


def _float_potentials(kernel: Kernel, S: Floats, x: Floats, E: Floats | None) -> Potentials:
    """Potentials in floats, with the a priori bound on their rounding in any order of the terms."""
    E, (a, b) = potential_sums(kernel, S, x) if E is None else E, kernel_rounding(kernel)
    n, terms = len(x), np.count_nonzero(x)
    # |K(xi, xi')| is at most the product of the two lengths; the solver adds and subtracts the 1 of 1 - E.
    lengths = np.sqrt(np.maximum(kernel.kernel_diagonal(), 0.0)) * (1.0 + 1e-12)
    of_sums = 2.0 * (terms + 12.0) * U * (1.0 + lengths * (lengths @ x))
    of_kernel = a * (a @ x) + b * x.sum() + b @ x
    error = (of_sums + of_kernel) * (1.0 + 4.0 * (n + 12) * U) + 1e-290
    square = float(x @ E)
    spread = float(x @ error + 4.0 * (n + 12) * U * (x @ np.abs(E))) * (1.0 + 8.0 * U)
    return Potentials(S * E, error, max(square - spread, 0.0), max(square + spread, 0.0) * (1.0 + 8.0 * U))


def _exact_float_potentials(kernel: Kernel, S: Floats, x: Floats) -> tuple[Potentials, Floats]:
    """Potentials from kernels in long integers, rounded to floats; and the slopes S - v, rounded once."""
    exact, square, error = exact_potentials(kernel, S * x)
    values = exact.fractions()
    v = np.array([float(value) for value in values])
    slopes = np.array([float(int(s) - value) for s, value in zip(S, values, strict=True)])
    spread = error * sum(Fraction(value) for value in x.tolist())
    ends = [float(max(square + sign * spread, Fraction(0))) for sign in (-1, 1)]
    bounds = np.spacing(np.abs(v)) + float(error) * (1.0 + 4.0 * U)
    return Potentials(v, bounds, ends[0] * (1.0 - 4.0 * U), ends[1] * (1.0 + 4.0 * U)), slopes


def _improve_exactly(
    kernel: Kernel, S: Floats, x: Floats, C: Floats, v: Floats, proven: Proven, careful: bool
) -> tuple[Floats, Floats, Proven]:
    """(x, v, bounds) with exact potentials, and if `careful` after Newton steps by exact residuals."""
    near = np.flatnonzero((x > 0.0) | (S * (v + proven.b) < 1.0 + NEAR))
    few = near.size <= MOST_IMPROVED
    best, start = (x, v, proven), x
    for _ in range(1 + REFINEMENTS * (careful and few)):
        if exact_work(kernel, len(x), int(np.count_nonzero(start))) > MOST_WORK or not start.any():
            return best
        try:
            values, slopes = _exact_float_potentials(kernel, S, start)
        except OverflowError:
            # Strengths of examples that nearly coincide may have potentials beyond the floats.
            return best
        found = _prove_bounds(kernel, S, start, C, values)
        if found.gap < best[2].gap or best[0] is x:
            best = (start, values.v, found)
        if found.gap <= EXACT or not few:
            break
        start = _improve_strengths(kernel, S, start, C, slopes, near)
    return best


def _improve_strengths(
    kernel: Kernel, S: Floats, x: Floats, C: Floats, slopes: Floats, near: Array
) -> Floats:
    """x after Newton steps on the examples `near` from these slopes S - v."""
    K, some, new = kernel.kernel_block(near, near), S[near], x.copy()
    try:
        if kernel.free:
            new[near] = solve_balanced_box(K, some, x[near], slopes[near], C[near])[0]
            return balance_exactly(new, S)
        G = some[:, None] * K * some
        new[near] = solve_box(G, x[near], (some * slopes[near]), C[near])[0]
    except ValueError:
        # Rounded kernels of examples that nearly coincide need not be positive semi-definite.
        return np.zeros_like(x)
    return new if np.isfinite(new).all() else np.zeros_like(x)


def best_threshold(S: Floats, v: Floats, C: Floats) -> float:
    """The b that minimises sum C (1 - S (v + b))_+; if all C are infinite, halfway between the classes."""
    above, below = v[S > 0].min(initial=np.inf), v[S < 0].max(initial=-np.inf)
    if not np.isfinite(above + below):
        return float(1.0 - above) if np.isfinite(above) else float(-1.0 - below)
    if np.isinf(C).all():
        return float(-0.5 * (above + below))
    finite = np.where(np.isfinite(C), C, 0.0)
    cost = np.where(np.isfinite(C), C, 1.0 + 2.0 * finite.sum())
    # The slope of the cost jumps by C at each b = S - v; it is -(C of the class +1) far below.
    ends = S - v
    order = np.argsort(ends)
    slope = np.cumsum(cost[order]) - cost[S > 0].sum()
    # Where it is zero, all b between two ends have the least cost: the middle, as in SVC.
    flat = 1e-12 * cost.sum()
    k = int(np.argmax(slope >= -flat))
    after = k + 1 if slope[k] <= flat and k + 1 < len(order) else k
    return float(0.5 * (ends[order[k]] + ends[order[after]]))


def _prove_bounds(kernel: Kernel, S: Floats, x: Floats, C: Floats, values: Potentials) -> Proven:
    """Bounds from potentials, rounded outwards."""
    v, error, least_square, most_square = values
    n, top = len(x), float(max(kernel.kernel_diagonal().max(), 0.0))
    b = best_threshold(S, v, C) if kernel.free else 0.0
    worst = -np.sqrt(top) * (1.0 + 1e-12)
    ends = S * v - error - 2.0 * U * np.abs(v)
    if kernel.free:
        least = 0.5 * float(ends[S > 0].min(initial=np.inf) + ends[S < 0].min(initial=np.inf))
        least -= 2.0 * U * abs(least)
    else:
        least = float(ends.min())
    longest, shortest = np.sqrt(most_square) * (1.0 + 8.0 * U), np.sqrt(least_square) * (1.0 - 8.0 * U)
    total = float(x.sum()) * (1.0 - 2.0 * (n + 12) * U)
    upper = float(np.nextafter(longest / total * (1.0 + 8.0 * U), np.inf)) if total > 0.0 else np.inf
    if not upper < np.inf:
        # No strengths, or of sums beyond the floats: no stability is larger than the longest example.
        upper = float(-worst)
    length = longest if least > 0.0 else shortest
    lower = max(least / length * (1.0 - np.sign(least) * 8.0 * U), worst) if length > 0.0 else worst
    lower = float(np.nextafter(lower, -np.inf)) if np.isfinite(lower) else float(worst)
    if np.isinf(C).all():
        return Proven(lower, upper, 1.0 - lower / upper if upper > 0.0 else np.inf, b)
    # E with the threshold, rounded; examples that allow no error must have E >= 1: the weights are scaled.
    E = S * (v + b)
    E_low = E - error - 2.0 * U * (np.abs(E) + np.abs(v) + abs(b))
    least = float(min(1.0, E_low[np.isinf(C)].min(initial=np.inf)))
    if least <= 0.0:
        return Proven(lower, upper, np.inf, b)
    soft = np.isfinite(C)
    short = np.maximum(1.0 - E_low[soft] / least * (1.0 - np.sign(E_low[soft]) * 8.0 * U), 0.0)
    hinge = float(C[soft] @ short) * (1.0 + 2.0 * (n + 12) * U)
    reach = longest / least
    primal = (reach * reach / 2 + hinge) * (1.0 + 16.0 * U)
    dual = total - longest * longest / 2 * (1.0 + 16.0 * U)
    if not (dual >= 0.0 and margin_certificates.TINY <= primal < np.inf):
        # Nothing is proven: all costs are positive, and the gap would need a lower bound on the primal.
        return Proven(lower, upper, np.inf, b)
    gap = max((primal - dual) / primal * (1.0 + 8.0 * U), 0.0)
    return Proven(lower, upper, float(np.nextafter(gap, np.inf)), b)
