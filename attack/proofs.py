"""What is called proven, against exact arithmetic: linear, kernel and soft students.

Every attack yields one outcome per case: GOOD, FALSE or UNDECIDED.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from tests.perceptron.separable.exact import dot, nearest_point, square

from attack.sets import draw_sets
from markone import AdaTron, KernelAdaTron, separability
from markone.numerics.arrays import Floats
from markone.perceptron import verify

GOOD, FALSE, UNDECIDED = "good", "false", "undecided"
BITS = 600


def attack_linear(seed: int, number: int) -> Iterator[str]:
    """`separability` and AdaTron against the nearest point of the hull in fractions (Wolfe)."""
    for X, S, rng in draw_sets(seed, number):
        constant = rng.choice([None, 1.0, 0.1, 3.0, 1000.0])
        xi = X if constant is None else np.column_stack([X, np.full(len(X), constant)])
        p = nearest_point(xi * S[:, None])
        best = dot(p, p)
        how = {"fit_intercept": constant is not None, "intercept_scaling": constant or 1.0}
        answer, student = separability(X, S, **how), AdaTron(random_state=0, **how).fit(X, S)
        right = [answer.separable in (None, best > 0)]
        for lower, upper in (answer.stability_bounds, student.stability_bounds_):
            right.append(square(lower) <= best <= square(upper))
        right.append(student.status_ != "not_separable" or best == 0)
        right.append(student.status_ not in ("exact", "converged") or best > 0)
        free = AdaTron(fit_intercept="free", random_state=0).fit(X, S)
        right.append(free.status_ == "undecided" or verify(X, S.tolist(), free))
        undecided = answer.separable is None or "undecided" in (student.status_, free.status_)
        yield FALSE if not all(right) else UNDECIDED if undecided else GOOD


def _draw_kernel(rng: np.random.Generator) -> dict[str, Any]:
    gamma = ["scale", 1.0, float(10.0 ** rng.uniform(-3, 3))][rng.integers(3)]
    return {
        "kernel": ["rbf", "rbf", "poly", "linear"][rng.integers(4)],
        "random_state": 0,
        "degree": int(rng.integers(1, 5)),
        "gamma": gamma,
        "fit_intercept": [True, False, "free"][rng.integers(3)],
        "intercept_scaling": float(rng.choice([1.0, 0.1, 3.0, 1000.0])),
    }


def attack_kernels(seed: int, number: int) -> Iterator[str]:
    """Bounds of KernelAdaTron against kernels in 600 bits, and its verdict against `verify`."""
    for X, S, rng in draw_sets(seed, number):
        how, X = _draw_kernel(rng), _within_range(X)
        student = KernelAdaTron(**how).fit(X, S)
        if student.status_ == "undecided":
            yield UNDECIDED
            continue
        good = student.status_ == "not_separable" or how["kernel"] == "linear" or _bounds_hold(student, X, S)
        yield GOOD if good and verify(X, S.tolist(), student) else FALSE


def _within_range(X: Floats) -> Floats:
    """X scaled by a power of two if the powers of its scalar products would overflow."""
    top = float(np.abs(X).max())
    return X if top == 0.0 or 1e-20 < top < 1e20 else np.asarray(np.ldexp(X, -int(np.frexp(top)[1])))


def _true_kernel(student: Any, X: Floats) -> Any:
    """K + clamp of all pairs in mpmath."""
    kernel, rows = student._kernel, [[mpmath.mpf(v) for v in row] for row in X.tolist()]
    gamma, coef0, clamp = (mpmath.mpf(float(v)) for v in (kernel.gamma, kernel.coef0, kernel.clamp))

    def element(a: list[Any], b: list[Any]) -> Any:
        if kernel.name == "rbf":
            return clamp + mpmath.exp(-gamma * sum((p - q) ** 2 for p, q in zip(a, b, strict=True)))
        inner = sum(p * q for p, q in zip(a, b, strict=True))
        return clamp + (inner if kernel.name == "linear" else (gamma * inner + coef0) ** int(kernel.degree))

    return [[element(a, b) for b in rows] for a in rows]


def _potentials(student: Any, X: Floats, S: Floats) -> tuple[list[Any], Any, Any]:
    """S sum K S x without the threshold, |W|^2 and sum x of the strengths of a student."""
    K, x = _true_kernel(student, X), [mpmath.mpf(v) for v in student.embedding_.tolist()]
    E = [s * sum(k * a * r for k, a, r in zip(row, x, S, strict=True)) for row, s in zip(K, S, strict=True)]
    return E, sum(a * e for a, e in zip(x, E, strict=True)), sum(x)


def _bounds_hold(student: Any, X: Floats, S: Floats) -> bool:
    with mpmath.workprec(BITS):
        E, W2, total = _potentials(student, X, S)
        lower, upper = (mpmath.mpf(float(v)) for v in student.stability_bounds_)
        least = min(E)
        if student.fit_intercept == "free":
            least = (min(e for e, s in zip(E, S, strict=True) if s > 0)
                     + min(e for e, s in zip(E, S, strict=True) if s < 0)) / 2  # fmt: skip
        length = mpmath.sqrt(max(W2, 0))
        return bool((length == 0 or lower * length <= least) and length <= upper * total)


def attack_soft(seed: int, number: int) -> Iterator[str]:
    """The proven gap of soft students against cost and bound in fractions, or in 600 bits for kernels."""
    for X, S, rng in draw_sets(seed, number):
        X = _within_range(X)
        C, linear = float(10.0 ** rng.uniform(-2, 3)), bool(rng.random() < 0.5)
        if linear:
            how = {"fit_intercept": [True, False, "free"][rng.integers(3)]}
            student: Any = AdaTron(C=C, random_state=0, **how).fit(X, S)
            true = _linear_gap(student, X, S)
        else:
            student = KernelAdaTron(C=C, **{**_draw_kernel(rng), "kernel": ["rbf", "poly"][rng.integers(2)]})
            true = _kernel_gap(student.fit(X, S), X, S)
        good = true <= student.gap_ and _is_feasible(student, S)
        yield FALSE if not good else GOOD if student.gap_ < np.inf else UNDECIDED


def _is_feasible(student: Any, S: Floats) -> bool:
    """0 <= x <= C to one rounding, and sum x S = 0 for a free threshold: else the dual bounds nothing."""
    N = 1 if isinstance(student, KernelAdaTron) else student.n_features_in_ + bool(student.fit_intercept)
    x = [Fraction(v) for v in student.embedding_.tolist()]
    balance = sum((a * int(s) for a, s in zip(x, S, strict=True)), Fraction(0))
    inside = min(x) >= 0 and max(x) <= Fraction(student.C) * N * (1 + Fraction(1, 2**52))
    return inside and (balance == 0 or student.fit_intercept != "free")


def _linear_gap(student: AdaTron, X: Floats, S: Floats) -> Fraction:
    w, b = [Fraction(v) for v in student.coef_[0].tolist()], Fraction(float(student.intercept_[0]))
    rows, N = [[Fraction(v) for v in row] for row in X.tolist()], X.shape[1] + bool(student.fit_intercept)
    C, x = Fraction(student.C), [Fraction(v) / N for v in student.embedding_.tolist()]
    clamped = student.fit_intercept is True
    hinge = sum((max(1 - int(s) * (dot(w, row) + b), Fraction(0)) for row, s in zip(rows, S, strict=True)), Fraction(0))  # fmt: skip # noqa: E501
    primal = (dot(w, w) + (b * b if clamped else 0)) / 2 + C * hinge
    total = [sum((a * int(s) * row[j] for a, s, row in zip(x, S, rows, strict=True)), Fraction(0)) for j in range(X.shape[1])]  # fmt: skip # noqa: E501
    balance = sum((a * int(s) for a, s in zip(x, S, strict=True)), Fraction(0))
    dual = sum(x, Fraction(0)) - (dot(total, total) + (balance**2 if clamped else 0)) / 2
    return (primal - dual) / primal if primal else Fraction(0)


def _kernel_gap(student: KernelAdaTron, X: Floats, S: Floats) -> Any:
    with mpmath.workprec(BITS):
        E, W2, total = _potentials(student, X, S)
        b = mpmath.mpf(float(student.intercept_[0]))
        hinge = sum(max(1 - e - s * b, 0) for e, s in zip(E, S, strict=True))
        primal = W2 / 2 + mpmath.mpf(float(student.C)) * hinge
        return (primal - total + W2 / 2) / primal if primal else mpmath.mpf(0)
