"""Kernels and potentials of the given inputs in long integers: exact, but for exp, which has 256 bits.

With them separability in feature space is decided: either some c has G c > 0, G = S S^T K, or some x >= 0 has
sum x S Psi = 0, that is G x = 0.

A number is an integer times a power of two, and an array of them (integers, exponent of two).
"""

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from markone.numerics.arrays import Array
from markone.perceptron.margin.kernel.mercer import Kernel
from markone.perceptron.separable.exact import elimination, simplex
from markone.perceptron.separable.rows import Floats

BITS = 256
GUARD = 40  # further bits in which exp is computed
# Kernel elements times inputs, of about 0.2 microseconds each, up to which potentials are computed exactly.
MOST_WORK = 1e7
# Largest support whose matrix of scalar products is computed in fractions.
MAX_SUPPORT = 40


class Scaled(NamedTuple):
    """Numbers whole * 2^power, `whole` being Python integers in an array of objects."""

    whole: Any
    power: int

    def __add__(self, other: Any) -> "Scaled":
        low = min(self.power, other.power)
        return Scaled((self.whole << (self.power - low)) + (other.whole << (other.power - low)), low)

    def __mul__(self, other: Any) -> "Scaled":
        return Scaled(self.whole * other.whole, self.power + other.power)

    def fractions(self) -> list[Fraction]:
        """The numbers of a vector."""
        unit = Fraction(2) ** self.power
        return [value * unit for value in self.whole.tolist()]


def scaled(values: Any) -> Scaled:
    """Floats without rounding."""
    mantissas, powers = np.frexp(np.asarray(values, dtype=np.float64))
    used = powers[mantissas != 0.0]
    low = int(used.min()) if used.size else 0
    shifts = np.where(mantissas != 0.0, powers - low, 0).astype(object)
    return Scaled((mantissas * 2.0**53).astype(np.int64).astype(object) << shifts, low - 53)


def exact_work(kernel: Kernel, rows: int, columns: int) -> float:
    """Estimate of the work of `exact_block`, to be compared with MOST_WORK."""
    each = 1 if kernel.name in ("precomputed", "callable") else 4 * kernel.X.shape[1]
    return float(rows) * columns * (each + 60 * (kernel.name == "rbf"))


def exact_block(kernel: Kernel, i: Any, j: Any) -> Scaled:
    """K + clamp between the training examples i and j; of the rbf kernel within 2^-BITS."""
    if kernel.name in ("precomputed", "callable"):
        bare = replace(kernel, clamp=0.0, known_diagonal=None)
        K = scaled(bare.kernel_block(i, j))
    elif kernel.name == "rbf":
        K = _exact_gaussian(kernel, i, j)
    else:
        X = scaled(_dense_inputs(kernel))
        K = Scaled(X.whole[i] @ X.whole[j].T, 2 * X.power)
        if kernel.name == "poly":
            base = scaled(kernel.gamma) * K + scaled(kernel.coef0)
            K = Scaled(base.whole ** int(kernel.degree), base.power * int(kernel.degree))
    return K + scaled(kernel.clamp) if kernel.clamp else K


def _dense_inputs(kernel: Kernel) -> Floats:
    """The inputs of the caller; centring, as for the rbf kernel, rounds different ones to equal ones."""
    X: Any = kernel.inputs if len(kernel.inputs) else kernel.X
    return X.toarray() if sparse.issparse(X) else np.asarray(X, dtype=np.float64)


def _exact_gaussian(kernel: Kernel, i: Any, j: Any) -> Scaled:
    X = scaled(_dense_inputs(kernel))
    squares: Any = 0
    for column in X.whole.T:
        squares = squares + (column[i][:, None] - column[j][None, :]) ** 2
    exponent = scaled(kernel.gamma) * Scaled(squares, 2 * X.power)
    shift = exponent.power + BITS + GUARD
    fixed = exponent.whole << shift if shift >= 0 else exponent.whole >> -shift
    return Scaled(np.frompyfunc(_exp_of_minus, 1, 1)(fixed), -BITS)


# log 2 = sum of 1 / (k 2^k), in units of 2^-(2 BITS).
LOG_OF_TWO = sum((1 << (2 * BITS + 8)) // (k << k) for k in range(1, 2 * BITS + 8)) >> 8


@lru_cache(maxsize=1 << 14)
def _exp_of_minus(v: int) -> int:
    """exp(-v) for v >= 0 in units of 2^-(BITS + GUARD); the result, in units of 2^-BITS, is good to one."""
    unit = BITS + GUARD
    halvings = v * (1 << (BITS - GUARD)) // LOG_OF_TWO
    if halvings > BITS + 2:
        return 0
    # exp(-v) = 2^-halvings exp(-r); of r a 256-th is expanded, and its exponential squared eight times.
    rest = (v - (halvings * LOG_OF_TWO >> (BITS - GUARD))) >> 8
    total, term, k = 1 << unit, 1 << unit, 0
    while term:
        k += 1
        term = (term * rest >> unit) // k
        total += -term if k % 2 else term
    for _ in range(8):
        total = total * total >> unit
    return total >> (GUARD + halvings)


def exact_potentials(kernel: Kernel, a: Floats) -> tuple[Scaled, Fraction, Fraction]:
    """v = K a, a . v, and a bound on the error of v, for signed strengths a."""
    support = np.flatnonzero(a)
    strengths = scaled(a[support])
    K = exact_block(kernel, np.arange(len(a)), support)
    v = Scaled(K.whole @ strengths.whole, K.power + strengths.power)
    square = Scaled(v.whole[support] @ strengths.whole, v.power + strengths.power)
    total = sum(abs(value) for value in strengths.whole.tolist()) * Fraction(2) ** strengths.power
    error = 2 * total / (1 << BITS) if kernel.name == "rbf" else Fraction(0)
    return v, square.whole * Fraction(2) ** square.power, error


def decide_in_fractions(kernel: Kernel, S: Floats, x: Floats) -> tuple[bool | None, Floats | None]:
    """(separable, None), (False, x of a proof with sum x = 1), or (None, None) if neither was found."""
    found = _duplicates_with_both_labels(kernel, S)
    if found is not None:
        return False, found / found.sum()
    if kernel.name == "rbf":
        # Gaussians of different inputs are independent: there is no other contradiction.
        return True, None
    every = np.arange(kernel.P)
    if simplex.simplex_affordable(kernel.P, kernel.P + kernel.free):
        _, balance = simplex.decide_integers(_signed_products(kernel, S, every))
        found = None if balance is None else simplex.strengths_as_floats(balance, kernel.P)
        return found is None, None if found is None else found / found.sum()
    found = _solve_in_fractions(kernel, S, x)
    return (None, None) if found is None else (False, found / found.sum())


def _duplicates_with_both_labels(kernel: Kernel, S: Floats) -> Floats | None:
    if kernel.name == "precomputed":
        return None
    _, which = np.unique(_dense_inputs(kernel) + 0.0, axis=0, return_inverse=True)
    which = np.ravel(which)
    plus, minus = np.zeros(which.max() + 1, bool), np.zeros(which.max() + 1, bool)
    plus[which[S > 0]], minus[which[S < 0]] = True, True
    if not (plus & minus).any():
        return None
    same = which == np.flatnonzero(plus & minus)[0]
    return np.where(same, np.where(S > 0, 1.0 / (same & (S > 0)).sum(), 1.0 / (same & (S < 0)).sum()), 0.0)


def _signed_products(kernel: Kernel, S: Floats, some: Array) -> list[list[int]]:
    """Rows of G on the examples `some`, as integers of one unit; of a free threshold S is one more column."""
    K = exact_block(kernel, some, some).whole
    # A matrix given by the caller is symmetric to rounding only.
    K, sign = np.tril(K) + np.tril(K, -1).T, S[some].astype(int).astype(object)
    rows = (sign[:, None] * K * sign).tolist()
    return [[*row, int(s)] for row, s in zip(rows, sign, strict=True)] if kernel.free else rows


def _solve_in_fractions(kernel: Kernel, S: Floats, x: Floats) -> Floats | None:
    """Solve G x = 0 on the support of x: then x . G x = |sum x S Psi|^2 = 0."""
    support = np.flatnonzero(x > 1e-9 * x.max(initial=0.0))
    support = support[np.argsort(-x[support], kind="stable")]
    if not 0 < len(support) <= MAX_SUPPORT:
        return None
    equations = [list(column) for column in zip(*_signed_products(kernel, S, support), strict=True)]
    solved = elimination.solve_nullspace(equations, [Fraction(float(v)) for v in x[support]])
    if solved is None:
        return None
    out = np.zeros(len(x))
    out[support] = [float(v) for v in solved]
    return out
