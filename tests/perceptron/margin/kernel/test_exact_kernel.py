"""Kernels in long integers against mpmath; proofs that floats alone do not give."""

import warnings
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from markone import KernelAdaTron
from markone.perceptron import verify
from markone.perceptron.margin.kernel import make_kernel
from markone.perceptron.margin.kernel.exact_kernel import BITS, exact_block, exact_potentials, scaled
from markone.perceptron.separable.exact.verify_kernel import WIDTH, exp_of_minus


def test_floats_are_kept_exactly():
    values = np.array([0.0, 1.5, -3e17, 5e-324, 1e300, 0.1])
    assert scaled(values).fractions() == [Fraction(v) for v in values.tolist()]


@pytest.mark.parametrize(("name", "degree"), [("rbf", 1), ("poly", 1), ("poly", 5), ("linear", 1)])
@pytest.mark.parametrize("shift", [0.0, 1e8])
def test_kernels_of_the_inputs_given(name, degree, shift):
    with mpmath.workprec(600):
        X = shift + np.random.default_rng(degree).standard_normal((6, 3)) * 10.0 ** np.arange(-3, 3)[:, None]
        kernel = make_kernel(name, X, gamma=0.7, degree=degree, coef0=0.3, clamp=0.1)
        K = exact_block(kernel, np.arange(6), np.arange(6))
        rows = [[mpmath.mpf(v) for v in row] for row in X.tolist()]
        for i, a in enumerate(rows):
            for j, b in enumerate(rows):
                inner = sum(p * q for p, q in zip(a, b, strict=True))
                distance = sum((p - q) ** 2 for p, q in zip(a, b, strict=True))
                value = {
                    "rbf": mpmath.exp(-mpmath.mpf(0.7) * distance),
                    "poly": (mpmath.mpf(0.7) * inner + mpmath.mpf(0.3)) ** degree,
                    "linear": inner,
                }[name] + mpmath.mpf(0.1)
                off = mpmath.mpf(int(K.whole[i, j])) * mpmath.mpf(2) ** K.power - value
                assert abs(off) <= mpmath.mpf(2) ** -BITS * 1.01


def test_exponentials_of_the_independent_check():
    with mpmath.workprec(600):
        for v in [
            Fraction(0),
            Fraction(1, 10**30),
            Fraction(1, 3),
            Fraction(7),
            Fraction(250.5),
            Fraction(1000),
        ]:
            true = mpmath.exp(-mpmath.mpf(v.numerator) / v.denominator)
            found = exp_of_minus(v)
            assert abs(mpmath.mpf(found.numerator) / found.denominator - true) <= mpmath.mpf(2) ** -320
    assert Fraction(1, 2**320) == WIDTH


def test_potentials_and_their_square():
    X, a = np.arange(8.0).reshape(4, 2), np.array([0.5, 0.0, -1.25, 2.0])
    v, square, error = exact_potentials(make_kernel("poly", X, degree=2, gamma=1.0), a)
    K = (X @ X.T + 1.0) ** 2
    assert [float(value) for value in v.fractions()] == (K @ a).tolist()
    assert float(square) == a @ K @ a
    assert error == 0


def test_years_are_decided_by_a_polynomial_kernel():
    """K is of the order 10^20, the differences of order one: floats say nothing, integers do."""
    X, y = np.array([[2000.0], [2001.0], [2002.0], [2003.0]]), [0, 1, 1, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        parabola = KernelAdaTron(kernel="poly", degree=2, gamma=1.0).fit(X, y)
        line = KernelAdaTron(kernel="poly", degree=1, gamma=1.0).fit(X, y)
    assert parabola.status_ in ("exact", "converged", "max_epochs")
    assert line.status_ == "not_separable"
    assert verify(X, y, parabola)
    assert verify(X, y, line)


def test_a_wide_gaussian_is_proven_exactly():
    """The strengths are of order 10^5: the a priori rounding of K hides E, exact kernels do not."""
    X = np.random.default_rng(0).standard_normal((7, 2))
    student = KernelAdaTron(gamma=3e-3).fit(X, [0, 1, 0, 1, 1, 0, 1])
    assert student.embedding_.max() > 1e4
    assert student.status_ in ("exact", "converged")
    assert student.gap_ <= 1e-6
    assert verify(X, [0, 1, 0, 1, 1, 0, 1], student)
