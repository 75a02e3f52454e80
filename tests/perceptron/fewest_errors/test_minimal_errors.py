"""MinimalErrors: enumeration in fractions, an integer program, identities, limits, bad input."""

import warnings
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from exact import nearest_point
from examples import random_labels, teacher, three_clusters
from nasty_sets import nasty
from scipy.optimize import Bounds, LinearConstraint, milp
from sklearn.exceptions import ConvergenceWarning

from markone import MinimalErrors, Pocket
from markone.perceptron.fewest_errors import _search
from markone.perceptron.fewest_errors.minimum import minimise_errors, right_rows
from markone.perceptron.fewest_errors.tree import SearchTree, infeasible_subset

STOPPED = "ignore:MinimalErrors:sklearn.exceptions.ConvergenceWarning"


def enumerate_errors(Z):
    """The smallest number of rows without which the rest is separable, in fractions."""
    for n in range(len(Z)):
        for wrong in combinations(range(len(Z)), n):
            if any(nearest_point(np.delete(Z, wrong, axis=0))):
                return n
    return len(Z)


def signed(X, S, constant):
    return (X if constant is None else np.c_[X, np.full(len(X), constant)]) * S[:, None]


def exact_errors(student, X, S):
    """Errors of the weights returned, in fractions; E = 0 is an error."""
    w = [Fraction(v) for v in [*student.coef_[0].tolist(), student.intercept_[0].item()]]
    rows = [[*map(Fraction, row), Fraction(1)] for row in X.tolist()]
    return sum(
        s * sum(a * b for a, b in zip(row, w, strict=True)) <= 0 for s, row in zip(S, rows, strict=True)
    )


def check_nasty_sets(seed, number):
    """Number of sets that were not proved."""
    still_open = 0
    for k, (X, S, constant) in enumerate(nasty(seed, number, most=7)):
        where = {"fit_intercept": constant is not None, "intercept_scaling": constant or 1.0}
        student = MinimalErrors(random_state=0, **where).fit(X, S)
        lower, upper = student.errors_bounds_
        fewest = enumerate_errors(signed(X, S, constant))
        assert lower <= fewest <= upper == student.n_errors_, (k, X, S, constant)
        assert exact_errors(student, X, S) <= upper, (k, X, S, constant)
        assert student.proved_ == (lower == upper)
        still_open += not student.proved_
    return still_open


@pytest.mark.filterwarnings(STOPPED)
def test_bounds_contain_the_enumerated_minimum():
    assert check_nasty_sets(0, 98) <= 2


@pytest.mark.slow
@pytest.mark.filterwarnings(STOPPED)
def test_bounds_contain_the_enumerated_minimum_of_many_sets():
    assert check_nasty_sets(1, 2002) <= 45


def integer_program(Z):
    """min sum e with z . w + M e >= 1e-4, |w_j| <= 1, e of 0 and 1."""
    P, N = Z.shape
    wide = np.abs(Z).sum(axis=1) + 1e-4
    found = milp(
        np.r_[np.zeros(N), np.ones(P)],
        constraints=LinearConstraint(np.c_[Z, np.diag(wide)], 1e-4, np.inf),
        integrality=np.r_[np.zeros(N), np.ones(P)],
        bounds=Bounds(np.r_[-np.ones(N), np.zeros(P)], 1.0),
    )
    return round(found.fun)


@pytest.mark.parametrize(("P", "N"), [(20, 1), (30, 2), (40, 3), (30, 5)])
@pytest.mark.parametrize("kind", ["noise", "random", "integers"])
def test_equals_an_integer_program(P, N, kind):
    X, S = teacher(P, N, noise=0.15) if kind == "noise" else random_labels(P, N)
    if kind == "integers":
        X = np.rint(2 * X)
    student = MinimalErrors(random_state=0, time_limit=None).fit(X, S)
    assert student.proved_
    assert student.n_errors_ == integer_program(signed(X, S, 1.0)) == np.sum(student.predict(X) != S)


def test_not_more_errors_than_the_pocket_and_the_same_for_each_seed():
    for seed in range(10):
        X, S = teacher(60, 4, seed=seed, noise=0.15)
        students = [MinimalErrors(random_state=k, time_limit=None).fit(X, S) for k in (0, 0, 1)]
        assert all(s.proved_ and s.n_errors_ == students[0].n_errors_ for s in students)
        np.testing.assert_array_equal(students[0].coef_, students[1].coef_)
        assert students[0].n_errors_ <= Pocket(random_state=0).fit(X, S).n_errors_


def test_separable_examples_have_no_errors_and_the_optimal_stability():
    X, S = teacher(50, 40)
    student = MinimalErrors(random_state=0).fit(X, S)
    assert student.errors_bounds_ == (0, 0)
    lower, upper = student.stability_bounds_
    assert lower > 0.0
    assert upper == np.inf or lower <= upper


def test_each_class_against_the_rest():
    X, y = three_clusters()
    student = MinimalErrors(random_state=0).fit(X, y)
    assert student.errors_bounds_.shape == (3, 2)
    for k, label in enumerate(student.classes_):
        one = MinimalErrors(random_state=0).fit(X, y == label)
        assert one.n_errors_ == student.n_errors_[k]


def test_a_clamped_input_of_any_value_gives_the_same_minimum():
    X, S = teacher(40, 3, noise=0.2)
    found = {
        MinimalErrors(random_state=0, intercept_scaling=v).fit(X, S).errors_bounds_ for v in (0.1, 1.0, 1e3)
    }
    assert len(found) == 1


def test_rows_of_zeros_are_errors_and_opposite_rows_one():
    Z = np.array([[0.0, 0.0], [0.1, 0.3], [-0.1, -0.3], [1.0, 0.0]])
    found = minimise_errors(Z, np.zeros(2), 0, lambda nodes: True)
    assert (found.lower, found.upper) == (2, 2)
    assert minimise_errors(np.zeros((3, 2)), np.zeros(2), 0, lambda nodes: True).lower == 3


@pytest.mark.parametrize("options", [{"max_iter": 1}, {"time_limit": 1e-9}])
def test_a_stopped_search_says_its_bounds(options):
    X, S = random_labels(120, 6)
    with pytest.warns(ConvergenceWarning, match=r"errors, and at least \d+ are proven"):
        student = MinimalErrors(random_state=0, **options).fit(X, S)
    lower, upper = student.errors_bounds_
    assert 0 <= lower < upper == np.sum(student.predict(X) != S)
    assert not student.proved_


def test_many_inputs_get_the_bound_of_disjoint_subsets():
    X, S = random_labels(150, 50)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        student = MinimalErrors(random_state=0, fit_intercept=False).fit(X, S)
    assert 1 <= student.errors_bounds_[0] <= student.errors_bounds_[1]


def test_subsets_in_the_pool_are_infeasible_and_irreducible():
    X, S = random_labels(40, 3)
    tree = SearchTree(signed(X, S, 1.0))
    assert tree.find_student(3, lambda nodes: True) is False
    for subset in tree.pool[: min(tree.counts[_search.IN_POOL], 30)]:
        rows = tree.Z[subset[1 : subset[0] + 1]]
        assert not any(nearest_point(rows))
        assert all(any(nearest_point(np.delete(rows, a, axis=0))) for a in range(len(rows)))


def test_the_exact_route_finds_an_irreducible_subset_or_a_student():
    Z, w = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.zeros(2)
    assert infeasible_subset(Z, np.arange(4), w).tolist() == [0, 1]
    assert np.isnan(w).all()
    assert infeasible_subset(Z, np.array([0, 2, 3]), w) is None
    assert right_rows(Z, w).tolist() == [True, False, True, True]


def test_sparse_rows_are_the_same_problem():
    from scipy import sparse

    X, S = random_labels(30, 3)
    a, b = (MinimalErrors(random_state=0).fit(data, S) for data in (X, sparse.csr_array(X)))
    assert a.errors_bounds_ == b.errors_bounds_


@pytest.mark.parametrize("options", [{"time_limit": 0.0}, {"max_iter": 0}])
def test_bad_parameters_are_refused(options):
    with pytest.raises(ValueError, match=next(iter(options))):
        MinimalErrors(**options).fit(*teacher(10, 2))


def test_verbose_prints_each_raised_bound(capsys):
    X, S = teacher(60, 4, noise=0.15)
    student = MinimalErrors(random_state=0, time_limit=None, verbose=True).fit(X, S)
    lines = capsys.readouterr().out.splitlines()
    assert [int(line.split()[1]) for line in lines] == list(range(1, student.n_errors_ + 1))


def test_the_bound_of_the_pocket_contains_the_minimum():
    for k, (X, S, constant) in enumerate(nasty(3, 42, most=7)):
        if constant is None:
            continue
        pocket = Pocket(bound=True, max_iter=20, random_state=0, intercept_scaling=constant).fit(X, S)
        lower, upper = pocket.errors_bounds_
        assert lower <= enumerate_errors(signed(X, S, constant)) <= upper == pocket.n_errors_, k
    X, S = teacher(300, 5, noise=0.15)
    lower, upper = Pocket(bound=True, max_iter=20, random_state=0).fit(X, S).errors_bounds_
    assert 5 <= lower <= upper
    with pytest.raises(ValueError, match="fit_intercept=True"):
        Pocket(bound=True, fit_intercept=False).fit(X, S)
