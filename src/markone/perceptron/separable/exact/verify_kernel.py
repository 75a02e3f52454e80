"""Independent check of a KernelAdaTron in plain Python and fractions; see `verify`.

It reads what `predict` uses: the strengths, the kernel and its parameters. Of a linear kernel these are the
weights, which `verify` checks as those of any student.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np

from markone.perceptron.separable.exact.null_vector import Vector, exact_dot, find_null_vector

# exp(-v) is bounded by fractions this close to each other.
WIDTH = Fraction(1, 2**320)

Matrix = list[Vector]


def verify_kernel_student(X: Any, y: Any, student: Any) -> bool:
    """True if the bounds of a student of two classes are proven for X, y."""
    labels = sorted(set(y))
    if len(labels) != 2 or len(student.intercept_) != 1:
        raise ValueError(f"There are {len(labels)} classes: a certificate is about two.")
    S = [1 if label == labels[1] else -1 for label in y]
    strengths = student.embedding_ if student.proof_ is None else student.proof_
    if len(strengths) != len(S):
        raise ValueError(f"The certificate is about {len(strengths)} examples, but X has {len(S)}.")
    x, free = [Fraction(float(v)) for v in strengths], student.fit_intercept == "free"
    table = X.toarray().tolist() if hasattr(X, "toarray") else [list(row) for row in X]
    K, width = _kernel_matrix(student, table, [mu for mu, v in enumerate(x) if v > 0])
    if student.status_ == "not_separable":
        return student.stability_bounds_[1] == 0.0 and _balances(table, K, S, x, free, not width)
    return bool(student.stability_bounds_[1] >= 0.0) and _bounds_hold(student, table, K, S, x, width)


def read_upper_bound(bounds: Any) -> Fraction | None:
    """The second of two bounds as a fraction; None if it is infinite, which is true without a proof."""
    return None if float(bounds[1]) == math.inf else Fraction(float(bounds[1]))


def _kernel_matrix(student: Any, table: Any, support: list[int]) -> tuple[Matrix, Fraction]:
    """K + clamp of all examples (rows) and those of the support, and the largest error of an element."""
    kernel, clamp = student._kernel, _clamp(student)
    if kernel.name == "precomputed":
        return [[Fraction(float(row[mu])) + clamp for mu in support] for row in table], Fraction(0)
    if kernel.name == "callable":
        inputs = np.array(table, dtype=float)
        K = kernel.function(inputs, inputs[support])
        return [[Fraction(float(v)) + clamp for v in row] for row in K], Fraction(0)
    rows = [[Fraction(float(v)) for v in row] for row in table]
    gamma, coef0, power = Fraction(float(kernel.gamma)), Fraction(float(kernel.coef0)), int(kernel.degree)

    def element(a: Vector, b: Vector) -> Fraction:
        if kernel.name == "rbf":
            return exp_of_minus(gamma * sum(((p - q) ** 2 for p, q in zip(a, b, strict=True)), Fraction(0)))
        inner = exact_dot(a, b)
        return inner if kernel.name == "linear" else (gamma * inner + coef0) ** power

    K = [[element(row, rows[mu]) + clamp for mu in support] for row in rows]
    return K, WIDTH if kernel.name == "rbf" else Fraction(0)


def _longest_square(student: Any, table: Any) -> Fraction:
    """The largest K(xi, xi) + clamp = |Psi|^2, which are exact."""
    if student._kernel.name == "precomputed":
        return max(Fraction(float(row[mu])) for mu, row in enumerate(table)) + _clamp(student)
    return max(_kernel_matrix(student, [row], [0])[0][0][0] for row in table)


def _clamp(student: Any) -> Fraction:
    """The constant added to the kernel: the square of the clamped input, rounded."""
    clamped = student.fit_intercept and student.fit_intercept != "free"
    return Fraction(float(student.intercept_scaling) ** 2) if clamped else Fraction(0)


def exp_of_minus(v: Fraction) -> Fraction:
    """exp(-v) within WIDTH, v >= 0: the series at v / 2^k < 1 to 400 bits, squared k times."""
    if v > 300:
        return Fraction(0)
    halvings, one = int(v).bit_length(), 1 << 400
    small = v.numerator * one // (v.denominator << halvings)
    total, term, k = 0, one, 0
    while term:
        total += -term if k % 2 else term
        k += 1
        term = term * small // (k * one)
    for _ in range(halvings):
        total = total * total // one
    return Fraction(total, one)


def _balances(table: Any, K: Matrix, S: list[int], x: Vector, free: bool, exact: bool) -> bool:
    """Some x >= 0 on the support has sum x S Psi = 0: equal inputs of both classes, or G x = 0."""
    support = [mu for mu, v in enumerate(x) if v > 0]
    kinds = {sign: {tuple(table[mu]) for mu in support if S[mu] == sign} for sign in (1, -1)}
    if not exact or kinds[1] & kinds[-1]:
        # Gaussians of different inputs are independent.
        return bool(kinds[1] & kinds[-1])
    equations = [[S[mu] * S[nu] * K[mu][j] for j, nu in enumerate(support)] for mu in support]
    equations += [[Fraction(S[mu]) for mu in support]] if free else []
    return find_null_vector(equations, [x[mu] for mu in support]) is not None


def _bounds_hold(student: Any, table: Any, K: Matrix, S: list[int], x: Vector, width: Fraction) -> bool:
    """Facts 1, 2, 4 and 5 in feature space, or bounds beyond the longest Psi, which hold for any student."""
    lower, upper = Fraction(float(student.stability_bounds_[0])), read_upper_bound(student.stability_bounds_)
    support, free = [mu for mu, strength in enumerate(x) if strength > 0], student.fit_intercept == "free"
    a, total = [x[mu] * S[mu] for mu in support], sum(x, Fraction(0))
    v = [exact_dot(row, a) for row in K]
    square, error = exact_dot(a, [v[mu] for mu in support]), width * total
    shortest, longest = square - error * total, square + error * total
    if free and sum(a, Fraction(0)):
        return False
    if free:
        ends = [[value for value, s in zip(v, S, strict=True) if s == sign] for sign in (1, -1)]
        least = (min(ends[0]) - max(ends[1])) / 2 - error
    else:
        least = min(s * value for s, value in zip(S, v, strict=True)) - error
    if lower >= 0:
        reached = least > 0 and least**2 >= lower**2 * longest
    else:
        reached = square != 0 and (least >= 0 or least**2 <= lower**2 * shortest)
    bounded = upper is None or (total > 0 and longest <= (upper * total) ** 2)
    if reached and bounded:
        return True
    top = _longest_square(student, table)
    return (reached or (lower < 0 and lower**2 >= top)) and (bounded or (upper or 0) ** 2 >= top)
