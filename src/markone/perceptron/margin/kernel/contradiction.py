"""Exact proof of non-separability in feature space: x >= 0 with sum x S Psi = 0."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import sparse

from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.separable.exact import elimination
from markone.perceptron.separable.rows import Floats

# Largest support whose matrix of scalar products is computed in fractions.
MAX_SUPPORT = 40


def find_contradiction(kernel: Kernel, S: Floats, x: Floats) -> Floats | None:
    """Return x of a proof, sum x = 1, or None: a duplicate with both labels, else fractions near x."""
    found = _duplicates_with_both_labels(kernel, S)
    if found is None and kernel.name != "rbf":
        # Gaussians of different inputs are independent: for 'rbf' there is no other contradiction.
        found = _solve_in_fractions(kernel, S, x)
    return None if found is None else found / found.sum()


def _duplicates_with_both_labels(kernel: Kernel, S: Floats) -> Floats | None:
    if kernel.name == "precomputed":
        return None
    # Of the rbf kernel the inputs of the caller: centring rounds different ones to equal ones.
    X: Any = kernel.inputs if len(kernel.inputs) else kernel.X
    X = X.toarray() if sparse.issparse(X) else np.asarray(X, dtype=np.float64)
    _, which = np.unique(X + 0.0, axis=0, return_inverse=True)
    which = np.ravel(which)
    plus, minus = np.zeros(which.max() + 1, bool), np.zeros(which.max() + 1, bool)
    plus[which[S > 0]], minus[which[S < 0]] = True, True
    if not (plus & minus).any():
        return None
    same = which == np.flatnonzero(plus & minus)[0]
    return np.where(same, np.where(S > 0, 1.0 / (same & (S > 0)).sum(), 1.0 / (same & (S < 0)).sum()), 0.0)


def _solve_in_fractions(kernel: Kernel, S: Floats, x: Floats) -> Floats | None:
    """Solve G x = 0 on the support of x: then x . G x = |sum x S Psi|^2 = 0."""
    support = np.flatnonzero(x > 1e-9 * x.max(initial=0.0))
    support = support[np.argsort(-x[support], kind="stable")]
    if not 0 < len(support) <= MAX_SUPPORT:
        return None
    product = _exact_product(kernel, support)
    sign = [int(s) for s in S[support]]
    n = len(support)
    G = [[sign[i] * sign[j] * product(i, j) for j in range(n)] for i in range(n)]
    whole = [elimination.clear_denominators(row) for row in G]
    solved = elimination.solve_nullspace(whole, [Fraction(float(v)) for v in x[support]])
    if solved is None:
        return None
    out = np.zeros(len(x))
    out[support] = [float(v) for v in solved]
    return out


def _exact_product(kernel: Kernel, support: Any) -> Callable[[int, int], Fraction]:
    clamp = Fraction(kernel.clamp)
    if kernel.name in ("precomputed", "callable"):
        # Without the clamp, which is added exactly.
        K = replace(kernel, clamp=0.0, known_diagonal=None).kernel_block(support, support)
        # Only the lower triangle is used: the matrix is symmetric.
        return lambda i, j: Fraction(float(K[max(i, j), min(i, j)])) + clamp
    X = kernel.X[support]
    X = X.toarray() if sparse.issparse(X) else X
    rows = [[Fraction(v) for v in row] for row in np.asarray(X, dtype=np.float64).tolist()]
    gamma, constant, power = Fraction(kernel.gamma), Fraction(kernel.coef0), int(kernel.degree)

    def product(i: int, j: int) -> Fraction:
        inner = sum((a * b for a, b in zip(rows[i], rows[j], strict=True)), Fraction(0))
        return (inner if kernel.name == "linear" else (gamma * inner + constant) ** power) + clamp

    return product
