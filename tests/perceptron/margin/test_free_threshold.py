"""A free threshold: SVC's student, its proof, invariance under shifts, on every path of the solver."""

import itertools
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC

from markone import AdaTron, Rosenblatt
from markone.perceptron import verify
from markone.perceptron.margin import small_problems
from markone.perceptron.separable.bounds import balance_exactly


def shifted_clouds(seed, noise=0.0):
    """Two separable clouds around a common shift; (X, y, shift)."""
    rng = np.random.default_rng(seed)
    P, N = int(rng.integers(10, 80)), int(rng.integers(1, 12))
    X, t = rng.standard_normal((P, N)), rng.standard_normal(N)
    y = (X @ t > np.median(X @ t)).astype(int)
    X += (2 * y - 1)[:, None] * 0.1 * t
    y = np.where(rng.random(P) < noise, 1 - y, y)
    return X, y, rng.standard_normal(N) * 10.0 ** rng.uniform(-1, 2)


def cost(w, b, X, y, C):
    """|w|^2 / 2 + C sum of (1 - E)_+."""
    return 0.5 * w @ w + C * np.maximum(1.0 - (2 * y - 1) * (X @ w + b), 0.0).sum()


@pytest.mark.parametrize("C", [np.inf, 1.0])
def test_it_is_the_student_of_svc_on_shifted_sets(C):
    for seed in range(50):
        X, y, shift = shifted_clouds(seed, 0.1 * np.isfinite(C))
        found = AdaTron(C=C, fit_intercept="free").fit(X + shift, y)
        # libsvm keeps kernels in single precision: a shift spoils its digits, its weights are good to 1e-5.
        peer = SVC(kernel="linear", C=min(C, 1e10), tol=1e-10).fit(X, y)
        w, b = found.coef_[0], found.intercept_[0] + found.coef_[0] @ shift
        assert found.status_ == "exact"
        assert found.gap_ < 1e-12
        assert np.linalg.norm(w - peer.coef_[0]) < 1e-5 * np.linalg.norm(w)
        if np.isinf(C):
            assert np.isclose(found.stability_, 1.0 / np.linalg.norm(peer.coef_), rtol=1e-6)
        else:
            best = cost(w, b, X, y, C)
            assert best <= cost(peer.coef_[0], peer.intercept_[0], X, y, C) * (1 + 1e-12)
            assert np.isclose(best, cost(peer.coef_[0], peer.intercept_[0], X, y, C), rtol=1e-6)


def test_it_is_the_minimum_of_its_cost():
    X, y, _ = shifted_clouds(3, 0.1)
    found = AdaTron(C=1.0, fit_intercept="free").fit(X, y)
    least = cost(found.coef_[0], found.intercept_[0], X, y, 1.0)
    rng = np.random.default_rng(0)
    for _ in range(20):
        start = np.append(found.coef_[0], found.intercept_[0]) + 0.1 * rng.standard_normal(X.shape[1] + 1)
        other = minimize(lambda v: cost(v[:-1], v[-1], X, y, 1.0), start, method="Powell")
        assert least <= other.fun * (1 + 1e-12)


@pytest.mark.parametrize("C", [np.inf, 1.0])
def test_the_bounds_are_those_of_the_exact_definition(C):
    X, y, shift = shifted_clouds(5)
    student = AdaTron(C=C, fit_intercept="free").fit(X + shift, y)
    assert verify(X + shift, y, student)
    S, exact = 2 * y - 1, [Fraction(float(a)) for a in student.embedding_]
    assert sum(a * int(s) for a, s in zip(exact, S, strict=True)) == 0
    lower, upper = student.stability_bounds_
    v = (X + shift) @ student.coef_[0]
    half = 0.5 * (v[y == 1].min() - v[y == 0].max()) / np.linalg.norm(student.coef_)
    assert np.isclose(lower, half, rtol=1e-10)
    means = [student.embedding_[y == k] @ X[y == k] / student.embedding_[y == k].sum() for k in (0, 1)]
    assert np.isclose(upper, 0.5 * np.linalg.norm(means[1] - means[0]), rtol=1e-10)
    # The bounds of another student are refuted.
    student.stability_bounds_ = (np.nextafter(upper * 1.01, 2), upper)
    assert not verify(X + shift, y, student)
    student.stability_bounds_ = (lower, lower * 0.99)
    assert not verify(X + shift, y, student)


@pytest.mark.parametrize("size", [1.0, 1e3, 1e6])
@pytest.mark.parametrize("C", [np.inf, 1.0])
def test_a_shift_of_the_inputs_changes_the_threshold_only(C, size):
    X, y, _ = shifted_clouds(7, 0.1 * np.isfinite(C))
    shift = size * np.ones(X.shape[1])
    # The same numbers before and after: a shift rounds.
    X = (X + shift) - shift
    here, there = (AdaTron(C=C, fit_intercept="free").fit(Z, y) for Z in (X, X + shift))
    assert there.status_ == "exact"
    np.testing.assert_allclose(there.coef_, here.coef_, rtol=1e-9)
    np.testing.assert_allclose(there.stability_bounds_, here.stability_bounds_, rtol=1e-8)
    np.testing.assert_allclose(
        there.decision_function(X + shift), here.decision_function(X), atol=1e-14 * size + 1e-9
    )


def test_clamped_thresholds_of_growing_value_approach_it():
    X, y, _ = shifted_clouds(11)
    free = AdaTron(fit_intercept="free").fit(X + 1.0, y).stability_
    clamped = [AdaTron(intercept_scaling=2.0**k).fit(X + 1.0, y).stability_ for k in range(0, 12, 2)]
    assert all(a <= b for a, b in itertools.pairwise(clamped))
    assert clamped[0] < free
    assert np.isclose(clamped[-1], free, rtol=1e-5)


@pytest.mark.parametrize("C", [np.inf, 1.0, 100.0])
def test_all_paths_of_the_solver_agree(C, monkeypatch):
    for seed in range(10):
        X, y, shift = shifted_clouds(100 + seed, 0.1 * np.isfinite(C))
        student = AdaTron(C=C, fit_intercept="free", random_state=0)
        small = clone(student).fit(X, y)
        with monkeypatch.context() as patch:
            patch.setattr(small_problems, "suits_active_set", lambda problem: False)
            others = [clone(student).fit(X + shift, y), clone(student).fit(sparse.csr_array(X), y)]
            loose = clone(student).set_params(exact=False, tol=1e-4).fit(X, y)
        assert all(other.status_ == "exact" for other in [small, *others])
        for other in others:
            np.testing.assert_allclose(other.coef_, small.coef_, atol=1e-8 * np.abs(small.coef_).max())
        assert loose.converged_
        assert loose.gap_ <= 1e-4
        assert np.isclose(loose.stability_bounds_[1], small.stability_bounds_[1], rtol=0.1)


@pytest.mark.parametrize("C", [1e-3, 0.1, 1.0, 100.0])
def test_active_sets_where_examples_tie_are_the_minimum_of_the_other_path(C, monkeypatch):
    """Equal and unbalanced examples: often none is between its bounds, and the offset is an interval.

    A tie may lead in a circle, which the largest number of changes ends: then the other path solves.
    """
    settled, solve = [], small_problems.solve_by_active_set

    def watched(*args):
        settled.append(solve(*args))
        return settled[-1]

    rng = np.random.default_rng(17)
    for _ in range(60):
        P, N = int(rng.integers(3, 60)), int(rng.integers(1, 6))
        X = rng.integers(-2, 3, (P, N)).astype(float)
        y = (rng.random(P) < rng.choice([0.1, 0.5])).astype(int)
        y[:2] = 0, 1
        student = AdaTron(C=C, fit_intercept="free", random_state=0)
        with monkeypatch.context() as patch, warnings.catch_warnings():
            # Where the best student ignores the inputs.
            warnings.simplefilter("ignore", ConvergenceWarning)
            patch.setattr(small_problems, "solve_by_active_set", watched)
            small = clone(student).fit(X, y)
            patch.setattr(small_problems, "solve_by_active_set", lambda *args: False)
            other = clone(student).fit(X, y)
        least = cost(small.coef_[0], small.intercept_[0], X, y, C)
        assert small.gap_ < 1e-9
        assert np.isclose(least, cost(other.coef_[0], other.intercept_[0], X, y, C), rtol=1e-9, atol=1e-12)
    assert np.mean(settled) >= 0.9


def test_weights_repeat_examples_and_classes_get_one_problem_each():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 60)
    X = rng.standard_normal((60, 4)) + 3.0 + 2.0 * np.eye(3, 4)[y]
    weights = rng.integers(0, 3, 60)
    weighted = AdaTron(C=1.0, fit_intercept="free").fit(X, y, sample_weight=weights)
    repeated = AdaTron(C=1.0, fit_intercept="free").fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert weighted.coef_.shape == (3, 4)
    assert set(weighted.status_) == {"exact"}
    np.testing.assert_allclose(weighted.coef_, repeated.coef_, atol=1e-8)
    assert (weighted.embedding_[:, weights == 0] == 0).all()


def test_data_that_are_not_separable_are_proven_so():
    X, y = np.array([[0.0], [1.0], [2.0]]) + 1e3, [0, 1, 0]
    with pytest.warns(ConvergenceWarning, match="not linearly separable"):
        student = AdaTron(fit_intercept="free").fit(X, y)
    assert student.status_ == "not_separable"
    assert student.stability_bounds_[1] == 0.0
    assert student.stability_bounds_[0] <= 0.0
    assert verify(X, y, student)


def test_the_inputs_are_ignored_where_that_is_best():
    X, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0]]), [0, 0, 1, 0, 0]
    with pytest.warns(ConvergenceWarning, match="ignores the inputs"):
        student = AdaTron(C=0.01, fit_intercept="free").fit(X, y)
    assert student.coef_[0, 0] == 0.0
    assert (student.predict(X) == 0).all()


@pytest.mark.parametrize("C", [1e-6, 1e-3])
def test_small_strengths_still_move_the_threshold(C):
    """Bounds of x far below the lengths of the inputs: the threshold is of the order one all the same."""
    for seed in range(30):
        rng = np.random.default_rng(seed)
        P, N = int(rng.integers(4, 12)), int(rng.integers(1, 4))
        X, y = rng.standard_normal((P, N)), np.arange(P) == 0
        with warnings.catch_warnings():
            # In some sets the best student ignores the inputs, which is not the subject here.
            warnings.filterwarnings("ignore", "AdaTron found that the best student ignores")
            student = AdaTron(C=C, fit_intercept="free").fit(X, y)
        assert student.gap_ < 1e-6
        assert np.isclose(student.intercept_[0], -1.0, atol=100 * C)


def test_single_precision_and_potentials_divided_by_the_length():
    X, y, _ = shifted_clouds(1)
    few, many = X.astype(np.float32), X.astype(np.float32).astype(np.float64)
    a, b = (AdaTron(fit_intercept="free", normalize=True).fit(Z, y) for Z in (few, many))
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-9)
    assert np.isclose(((2 * y - 1) * b.decision_function(many)).min(), b.stability_)


@pytest.mark.parametrize("solver", ["sequential", "parallel"])
def test_the_textbook_has_no_free_threshold(solver):
    with pytest.raises(ValueError, match="clamped input: set fit_intercept=True, or solver='fast'"):
        AdaTron(fit_intercept="free", solver=solver).fit([[0.0], [1.0]], [0, 1])


def test_other_students_refuse_it():
    with pytest.raises(ValueError, match="fit_intercept"):
        Rosenblatt(fit_intercept="free").fit([[0.0], [1.0]], [0, 1])


def test_strengths_balance_exactly_and_only_fall():
    rng = np.random.default_rng(0)
    for _ in range(300):
        S = rng.choice([-1.0, 1.0], int(rng.integers(1, 12)))
        x = np.where(rng.random(len(S)) < 0.3, 0.0, 10.0 ** rng.uniform(-30, 30, len(S)))
        found = balance_exactly(x, S)
        assert (found >= 0).all()
        assert (found <= x).all()
        assert sum(Fraction(a) * int(s) for a, s in zip(found.tolist(), S, strict=True)) == 0
