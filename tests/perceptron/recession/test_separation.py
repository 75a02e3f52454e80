"""Separation against one rational linear program per row and per coefficient, and its sentences."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse
from linear_program import random_set, separation_by_programs
from nasty_sets import nasty

from markone import separation
from markone.perceptron.recession.cone import decide_rows
from markone.perceptron.recession.null_space import MERSENNE, null_space


def rows_of(X, S):
    constant = ((X[0] == X).all(axis=0) & (X[0] != 0)).any()
    return (X if constant else np.c_[X, np.ones(len(X))]) * S[:, None]


def check_against_programs(X, S):
    found, Z = separation(X, S), rows_of(X, S)
    kind, strict, states = separation_by_programs(Z)
    assert (found.kind, found.rows.tolist(), found.states) == (kind, strict, states), (X.tolist(), S.tolist())
    if strict:
        for mu, z in enumerate(Z.tolist()):
            E = sum(Fraction(a) * b for a, b in zip(z, found.direction, strict=True))
            assert (E > 0) if mu in strict else (E == 0)


def test_equals_rational_linear_programs():
    rng = np.random.default_rng(5)
    for k in range(300):
        check_against_programs(*random_set(rng, k))


def test_equals_rational_linear_programs_on_nasty_sets():
    for X, S, _ in nasty(6, 84):
        check_against_programs(X, S.astype(float))


@pytest.mark.slow
def test_equals_rational_linear_programs_on_many_sets():
    rng = np.random.default_rng(20261118)
    for k in range(20_000):
        check_against_programs(*random_set(rng, k))
    for X, S, _ in nasty(20261118, 1400):
        check_against_programs(X, S.astype(float))


def test_a_factor_with_cases_only_is_named_with_its_rows():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    y = np.where(rng.random(79) < 0.4, "case", "control")
    neovasc = np.zeros(79)
    neovasc[rng.choice(np.flatnonzero(y == "control"), 13, replace=False)] = 1
    found = separation(pd.DataFrame({"PI": rng.standard_normal(79), "neovasc": neovasc}), y)
    assert found.kind == "quasi-complete"
    assert found.infinite == {"neovasc": "+"}
    assert found.rows.tolist() == np.flatnonzero(neovasc).tolist()
    assert found.message == (
        "Quasi-complete separation: a hyperplane has 13 of 79 rows strictly on their side and contains "
        "the others. "
        "The coefficient of neovasc (+) is infinite. All 13 rows with neovasc > 0 are of class control."
    )
    assert str(found) == found.message


def test_a_constant_column_is_the_intercept():
    X = np.c_[np.ones(6), [1.0, 2, 3, 4, 5, 6]]
    found = separation(X, [0, 0, 0, 1, 1, 1])
    assert found.names == ("x0", "x1")
    assert found.states == ("-inf", "+inf")
    assert found.states[::-1] == separation(X[:, 1:], [0, 0, 0, 1, 1, 1]).states


def test_a_baseline_level_moves_the_intercept():
    level = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    dummies = np.eye(3)[level][:, 1:]
    found = separation(dummies, [1, 1, 1, 0, 1, 1, 0, 0])
    assert found.kind == "quasi-complete"
    assert found.infinite == {"x0": "-", "x1": "-", "intercept": "+"}
    assert found.rows.tolist() == [0, 1, 2]
    trap = separation(np.eye(3)[level], [1, 1, 1, 0, 1, 1, 0, 0])
    assert trap.not_identified == ("x0", "x1", "x2", "intercept")
    assert "collinear" in trap.message


def test_without_an_intercept():
    assert separation([[1.0], [2.0], [1.0], [3.0]], [0, 0, 1, 1]).kind == "overlap"
    assert separation([[1.0], [2.0], [-1.0], [-3.0]], [0, 0, 1, 1], fit_intercept=False).states == ("-inf",)
    found = separation([[1.0], [2.0], [0.0], [0.0]], [0, 0, 1, 1], fit_intercept=False)
    assert (found.kind, found.rows.tolist()) == ("quasi-complete", [0, 1])


def test_sparse_and_scaled_inputs():
    rng = np.random.default_rng(3)
    X, S = random_set(rng, 2)
    found = separation(X, S)
    assert separation(scipy.sparse.csr_array(X), S).states == found.states
    assert separation(X * 2.0 ** np.arange(-100, -100 + X.shape[1]), S).states == found.states


def test_many_rows_with_an_exact_dependence():
    """300 x 6: two columns that agree on all rows but five; the direction is their difference."""
    rng = np.random.default_rng(4)
    X = np.round(rng.standard_normal((300, 6)), 3)
    y = (X[:, 0] + rng.standard_normal(300) > 0).astype(int)
    X[:, 5] = X[:, 4]
    X[np.flatnonzero(y)[:5], 5] += 1.0
    found = separation(X, y)
    assert (found.kind, found.rows.tolist()) == ("quasi-complete", np.flatnonzero(y)[:5].tolist())
    assert found.infinite == {"x4": "-", "x5": "+"}


def test_rows_that_no_float_holds():
    """Null spaces with long integers: rows of the second step are not floats."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        X = rng.standard_normal((6, 3))
        X[1] = X[0]
        S = np.array([1.0, -1, *rng.choice([-1.0, 1.0], 4)])
        check_against_programs(X, S)


def test_null_space_needs_a_larger_prime():
    rows = np.array([[1.0, 2.0**-40 + 1, 3e11, 1e-7], [0.1, 0.7, 1e-9, 5.0]])
    basis = null_space(rows)
    assert basis.shape == (4, 2)
    for row in rows.tolist():
        for v in basis.T:
            assert sum(Fraction(a) * int(b) for a, b in zip(row, v, strict=True)) == 0
    assert max(abs(int(v)) for v in basis.ravel()) > 2 ** MERSENNE[0]
    assert null_space(np.eye(3)).shape == (3, 0)


def test_integers_beyond_floats_are_decided():
    big = 10**40
    rows = np.array([[big, 1], [-big, 1]], dtype=object)
    separable, v, _ = decide_rows(rows)
    assert separable
    assert all(sum(int(a) * b for a, b in zip(row, v, strict=True)) > 0 for row in rows)
    rows = np.array([[big, 1], [-big, -1], [1, 3]], dtype=object)
    separable, _, support = decide_rows(rows)
    assert separable is False
    assert support.tolist() == [0, 1]


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="one class"):
        separation([[1.0], [2.0]], [1, 1])
    with pytest.raises(ValueError, match="NaN"):
        separation([[1.0], [float("nan")]], [0, 1])
