"""Every answer compared with exact arithmetic, without any tolerance."""

import warnings
from itertools import product

import numpy as np
import pytest
import scipy.sparse
from exact import nearest_point, square
from nasty_sets import nasty
from sklearn.exceptions import ConvergenceWarning

from markone.perceptron import AdaTron, separability, verify


def signed(X, S, constant):
    return S[:, None] * (X if constant is None else np.column_stack([X, np.full(len(X), constant)]))


def check_bounds(bounds, kappa_squared):
    """(lower, upper) contain the exact kappa_max."""
    assert square(bounds[0]) <= kappa_squared <= square(bounds[1])


def check_separability(X, S, constant, p):
    options = {} if constant is None else {"fit_intercept": True, "intercept_scaling": constant}
    result = separability(X, S, **options)
    kappa_squared = sum(v * v for v in p)
    assert result.separable is (kappa_squared > 0)
    check_bounds(result.stability_bounds, kappa_squared)
    return result


def check_adatron(X, S, constant, p):
    options = {"fit_intercept": False} if constant is None else {"intercept_scaling": constant}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        student = AdaTron(random_state=0, **options).fit(X, S)
    kappa_squared = sum(v * v for v in p)
    check_bounds(student.stability_bounds_, kappa_squared)
    if student.status_ == "not_separable":
        assert kappa_squared == 0
    if student.converged_:
        assert kappa_squared > 0
    return student


def check_all(seed, number, verify_every=5, adatron_every=4):
    statuses = []
    for k, (X, S, constant) in enumerate(nasty(seed, number)):
        p = nearest_point(signed(X, S, constant))
        result = check_separability(X, S, constant, p)
        if k % verify_every == 0:
            assert verify(X, S, result)
        if k % adatron_every == 0:
            statuses.append(check_adatron(X, S, constant, p).status_)
    return statuses


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in (2, 3))])
def test_no_false_answer_on_nasty_sets(seed):
    statuses = check_all(seed, 500)
    assert statuses.count("undecided") == 0
    assert {"exact", "not_separable"} <= set(statuses)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_no_false_answer_on_twenty_thousand_nasty_sets(seed):
    check_all(seed, 2000, verify_every=23, adatron_every=9)


@pytest.mark.parametrize(("N", "count"), [(2, 14), (3, 104), pytest.param(4, 1882, marks=pytest.mark.slow)])
def test_boolean_functions_are_counted(N, count):
    # Muroga (1971): the threshold functions of N inputs.
    X = np.array(list(product([0.0, 1.0], repeat=N)))
    found = 0
    for number in range(1, 2 ** (2**N) - 1):
        S = np.where([number >> k & 1 for k in range(2**N)], 1, -1)
        found += separability(X, S, fit_intercept=True).separable
    # The two constant functions are threshold functions, too.
    assert found + 2 == count


@pytest.mark.parametrize("form", [np.asarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_sparse_and_single_precision_are_proven_alike(form, dtype):
    for X, S, constant in nasty(7, 60):
        if np.abs(X).max() > 1e14:
            continue  # squares of float32 would overflow, and AdaTron raises
        X = X.astype(dtype)
        p = nearest_point(signed(X.astype(float), S, constant))
        check_separability(form(X), S, constant, p)
        check_adatron(form(X), S, constant, p)
