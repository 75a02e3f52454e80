"""AdaTron the estimator: solvers agree, certificates hold, limits, and messages if it fails."""

from fractions import Fraction

import numpy as np
import pytest
from examples import random_labels, teacher, three_clusters
from scipy.optimize import nnls
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from markone.perceptron import AdaTron, Hebb, Rosenblatt, verify
from markone.perceptron.measures import kuhn_tucker_residuals


def book(xi, S, gamma, epochs, eta=1.0):
    """(3.76) and (4.6), with the rate relative to C_mumu."""
    P, N = xi.shape
    Z = xi * S[:, None]
    C, x = Z @ Z.T / N, np.zeros(P)
    for _ in range(epochs):
        for mu in range(P):
            x[mu] = min(max(0.0, x[mu] + eta * (1 - C[mu] @ x) / C[mu, mu]), gamma)
    return x


def kappa_max(xi, S):
    Z = xi * S[:, None]
    x = nnls(np.vstack([Z.T, np.ones(len(S))]), np.append(np.zeros(xi.shape[1]), 1.0))[0]
    w = Z.T @ x
    return (Z @ w).min() / np.linalg.norm(w)


@pytest.mark.parametrize("C", [np.inf, 0.05])
def test_sequential_updates_equal_the_book(C):
    xi, S = teacher(40, 25, noise=0.0 if np.inf == C else 0.1)
    student = AdaTron(C=C, solver="sequential", order="cyclic", eta=0.7, max_iter=8, fit_intercept=False)
    with pytest.warns(ConvergenceWarning, match="raise max_iter"):
        student.fit(xi, S)
    np.testing.assert_allclose(student.embedding_, book(xi, S, C * 25, 8, 0.7), atol=1e-12)


@pytest.mark.parametrize("solver", ["fast", "sequential", "parallel"])
def test_all_solvers_find_the_optimal_stability(solver):
    xi, S = teacher(60, 40, seed=1)
    student = AdaTron(solver=solver, max_iter=100_000, tol=1e-9, fit_intercept=False).fit(xi, S)
    assert student.stability_ == pytest.approx(kappa_max(xi, S), rel=1e-8)
    low, high = student.stability_bounds_
    assert high - low <= 1e-9 * high
    assert student.gap_ <= 1e-9


def test_the_exact_finish_is_right_to_ten_digits():
    xi, S = teacher(100, 40, seed=2)
    student = AdaTron(fit_intercept=False).fit(xi, S)
    assert student.status_ == "exact"
    assert student.stability_ == pytest.approx(kappa_max(xi, S), rel=1e-10)
    E = S * (xi @ student.coef_[0])
    assert np.abs(kuhn_tucker_residuals(student.embedding_, E)).max() < 1e-10
    np.testing.assert_allclose(E[student.support_], 1.0, atol=1e-10)
    assert student.n_support_.tolist() == [len(student.support_), 0]


@pytest.mark.parametrize("solver", ["fast", "sequential", "parallel"])
def test_soft_margin_equals_liblinear(solver):
    xi, S = teacher(80, 10, noise=0.15)
    ours = AdaTron(C=0.3, solver=solver, tol=1e-9, max_iter=100_000, fit_intercept=False).fit(xi, S)
    theirs = LinearSVC(C=0.3, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000).fit(xi, S)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
    E, gamma = S * (xi @ ours.coef_[0]), 0.3 * 10
    primal = 0.5 * ours.coef_[0] @ ours.coef_[0] + 0.3 * np.maximum(1 - E, 0).sum()
    dual = ours.embedding_.sum() / 10 - 0.5 * ours.coef_[0] @ ours.coef_[0]
    assert (primal - dual) / primal <= 1.1e-9
    assert ours.embedding_.max() == pytest.approx(gamma)
    assert ours.n_support_[1] > 0


def test_large_c_is_the_hard_margin_and_small_c_is_hebb():
    xi, S = teacher(60, 40)
    hard, large = AdaTron(fit_intercept=False).fit(xi, S), AdaTron(C=1e6, fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(large.coef_, hard.coef_, rtol=1e-8)
    small, hebb = AdaTron(C=1e-6, fit_intercept=False).fit(xi, S), Hebb(fit_intercept=False).fit(xi, S)
    np.testing.assert_allclose(small.coef_ / (1e-6 * 40), hebb.coef_, rtol=1e-9)


def test_no_other_student_is_more_stable():
    xi, S = teacher(60, 40)
    best = AdaTron().fit(xi, S)
    for other in (Rosenblatt(), Rosenblatt(c=2.0)):
        assert other.fit(xi, S).stability_ < best.stability_ <= other.stability_bounds_[1]


def test_inseparable_data_are_proven_so():
    xi, S = random_labels(100, 20)
    with pytest.warns(ConvergenceWarning, match=r"not linearly separable: x >= 0 with .* Set C to allow"):
        student = AdaTron(fit_intercept=False).fit(xi, S)
    x = student.embedding_
    assert (x >= 0).all()
    assert np.linalg.norm(xi.T @ (x * S)) <= 1e-9 * x @ np.linalg.norm(xi, axis=1)
    assert student.status_ == "not_separable"
    assert student.stability_ < 0
    assert not student.converged_


@pytest.mark.parametrize("solver", ["sequential", "parallel"])
def test_textbook_solvers_stop_on_inseparable_data(solver):
    xi, S = random_labels(100, 20)
    with pytest.warns(ConvergenceWarning, match=r"kappa = -.* <= 0: the data may not be separable. Set C"):
        AdaTron(solver=solver, max_iter=50, fit_intercept=False).fit(xi, S)


def test_weights_multiply_the_cost_of_errors():
    xi, S = teacher(60, 8, noise=0.2)
    twice = AdaTron(C=0.1).fit(np.vstack([xi, xi[:20]]), np.append(S, S[:20]))
    weighted = AdaTron(C=0.1).fit(xi, S, sample_weight=np.where(np.arange(60) < 20, 2.0, 1.0))
    np.testing.assert_allclose(weighted.coef_, twice.coef_, atol=1e-8)
    without = AdaTron().fit(xi[:8], S[:8])
    zero = AdaTron().fit(xi, S, sample_weight=np.arange(60) < 8)
    np.testing.assert_allclose(zero.coef_, without.coef_, atol=1e-10)


def test_the_trace_rises_to_the_optimum():
    xi, S = teacher(60, 40)
    student = AdaTron(solver="sequential", trace=True, fit_intercept=False).fit(xi, S)
    assert len(student.trace_) == student.n_iter_
    assert student.trace_["errors"][-1] == 0
    assert student.trace_["stability"][-1] == pytest.approx(student.stability_)


def test_warm_start_saves_epochs():
    xi, S = teacher(60, 40)
    student = AdaTron(solver="sequential", warm_start=True, fit_intercept=False).fit(xi, S)
    first = student.n_iter_
    assert student.fit(xi, S).n_iter_ < first


def test_support_vectors_of_many_classes_are_lists():
    X, y = three_clusters()
    student = AdaTron(C=1.0).fit(X, y)
    assert [len(s) for s in student.support_] == student.n_support_.sum(axis=1).tolist()
    assert student.score(X, y) > 0.95


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"trace": True}, "keeps no trace"),
        ({"order": "random"}, "order 'shuffled' or 'cyclic'"),
        ({"eta": 2.5}, r"eta = 2.5 does not converge"),
        ({"C": 0.0}, "'C' parameter of AdaTron"),
    ],
)
def test_invalid_options_are_reported(params, message):
    xi, S = teacher(10, 5)
    with pytest.raises(ValueError, match=message):
        AdaTron(**params).fit(xi, S)


def test_a_student_that_ignores_the_inputs_has_zero_weights_and_warns():
    """Few positives near many negatives: the optimum of the soft margin is the threshold alone."""
    rng = np.random.default_rng(0)
    y = np.where(rng.random(3000) < 0.033, 1, -1)
    X = rng.standard_normal((3000, 2)) + 0.55 * (y[:, None] + 1)
    with pytest.warns(ConvergenceWarning, match="ignores the inputs.*class_weight='balanced'"):
        student = AdaTron(C=1.0).fit(X, y)
    assert student.status_ == "exact"
    np.testing.assert_array_equal(student.coef_, 0.0)
    assert student.intercept_[0] == pytest.approx(-1.0)
    assert student.gap_ < 1e-9
    assert AdaTron(C=1.0, class_weight="balanced").fit(X, y).coef_.all()


def test_blank_examples_are_named():
    xi, S = teacher(10, 20)
    xi[3] = 0
    with pytest.warns(ConvergenceWarning, match=r"not linearly separable: 1 example\(s\) are all zero"):
        student = AdaTron(fit_intercept=False).fit(xi, S)
    assert student.status_ == "not_separable"
    assert (student.embedding_ > 0).tolist() == (np.arange(10) == 3).tolist()


# With these weights the best student ignores the inputs.
@pytest.mark.filterwarnings("ignore:AdaTron found that the best student")
def test_an_integer_C_equals_the_float():
    xi, S = random_labels(60, 5, seed=1)
    integer, number = AdaTron(C=1).fit(xi, S), AdaTron(C=1.0).fit(xi, S)
    np.testing.assert_array_equal(integer.coef_, number.coef_)
    weights = np.where(S > 0, 0.5, 2.0)
    np.testing.assert_array_equal(
        AdaTron(C=1).fit(xi, S, weights).coef_, AdaTron(C=1.0).fit(xi, S, weights).coef_
    )


def exactly_reached(student, X, y, scaling):
    """Whether `lower` holds for coef_ and intercept_ / scaling in fractions."""
    w = [*map(Fraction, student.coef_[0].tolist()), Fraction(student.intercept_[0]) / Fraction(scaling)]
    S = 2 * np.asarray(y) - 1
    rows = [[int(s) * Fraction(v) for v in [*row, scaling]] for row, s in zip(X.tolist(), S, strict=True)]
    least = min(sum(a * b for a, b in zip(row, w, strict=True)) for row in rows)
    lower, square = Fraction(student.stability_bounds_[0]), sum(a * a for a in w)
    return least * abs(least) >= lower * abs(lower) * square


@pytest.mark.parametrize("scaling", [3.0, 0.1, 1000.0, 0.7])
def test_the_lower_bound_holds_for_the_numbers_returned(scaling):
    rng = np.random.default_rng(0)
    for _ in range(15):
        X = rng.standard_normal((int(rng.integers(4, 10)), int(rng.integers(1, 4)))) + rng.choice(
            [0, 10, 1000]
        )
        y = (X[:, 0] > np.median(X[:, 0])).astype(int)
        for student in (AdaTron(intercept_scaling=scaling), Hebb(intercept_scaling=scaling)):
            assert exactly_reached(student.fit(X, y), X, y, scaling)


def test_a_clamped_input_of_any_value_is_verified_on_years():
    years = np.arange(1990, 2010)[:, None]
    y = (years[:, 0] > 1999).astype(int)
    assert verify(years, y, AdaTron(intercept_scaling=1000.0).fit(years, y))
