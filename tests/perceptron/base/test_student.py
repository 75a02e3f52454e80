"""Behaviour common to all perceptrons: labels, classes, the clamped input, storage, bad input."""

import numpy as np
import pytest
from examples import teacher, three_clusters
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import markone.perceptron as perceptron
from markone.perceptron import Hebb, MinOver, Pocket, Rosenblatt
from markone.perceptron.version_space.gibbs import SampledStudent

LINEAR = [
    cls()
    for name in perceptron.__all__
    if isinstance(cls := getattr(perceptron, name), type) and hasattr(cls, "_append_clamped_input")
]


@pytest.mark.parametrize("student", LINEAR, ids=lambda s: type(s).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_dense_sparse_and_float32_are_the_same_student(student):
    rng = np.random.default_rng(0)
    # Multiples of 1/8 are exact in float32: the three inputs are the same numbers.
    X = np.round(8 * rng.standard_normal((40, 12))) / 8 * (rng.random((40, 12)) < 0.6)
    y = np.where(X.sum(axis=1) > 0, "yes", "no")
    params = {"random_state": 0} if "random_state" in student.get_params() else {}
    fits = [
        clone(student).set_params(**params).fit(x, y) for x in (X, X.astype(np.float32), sparse.csr_array(X))
    ]
    for other in fits[1:]:
        np.testing.assert_allclose(other.coef_, fits[0].coef_, rtol=1e-4, atol=1e-6)
        assert other.coef_.dtype == np.float64
    assert fits[0].predict(X[:3]).dtype == y.dtype


@pytest.mark.parametrize("student", LINEAR, ids=lambda s: type(s).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_bounds_hold_the_stability_in_the_space_with_the_clamped_input(student):
    xi, S = teacher(30, 20)
    student = clone(student).set_params(intercept_scaling=2.0).fit(xi, S)
    w = np.append(student.coef_, student.intercept_ / 2.0)
    Z = np.hstack([xi, np.full((30, 1), 2.0)]) * S[:, None]
    low, high = student.stability_bounds_
    assert student.stability_ == low == pytest.approx((Z @ w).min() / np.linalg.norm(w))
    assert low <= high


def test_more_classes_are_one_against_the_rest_by_the_largest_potential():
    X, y = three_clusters()
    student = Rosenblatt().fit(X, y)
    assert student.coef_.shape == (3, 2)
    assert student.stability_.shape == (3,)
    assert student.stability_bounds_.shape == (3, 2)
    assert student.embedding_.shape == (3, 60)
    for k, label in enumerate("abc"):
        alone = Rosenblatt().fit(X, y == label)
        np.testing.assert_allclose(student.coef_[k], alone.coef_[0])
    scores = student.decision_function(X)
    assert (student.predict(X) == np.array(list("abc"))[scores.argmax(axis=1)]).all()


def test_potentials_can_be_divided_by_the_length_of_the_weights():
    X, y = three_clusters()
    plain, scaled = Rosenblatt().fit(X, y), Rosenblatt(normalize=True).fit(X, y)
    lengths = np.hypot(np.linalg.norm(plain.coef_, axis=1), plain.intercept_)
    np.testing.assert_allclose(scaled.decision_function(X), plain.decision_function(X) / lengths)


def test_zero_potential_is_the_second_class():
    student = Hebb(fit_intercept=False).fit([[1.0], [-1.0]], ["b", "a"])
    assert student.predict([[0.0]]).tolist() == ["b"]


def test_works_in_a_pipeline():
    X, y = three_clusters(90)
    scores = cross_val_score(make_pipeline(StandardScaler(), Pocket(max_iter=50, random_state=0)), X, y, cv=3)
    assert scores.mean() > 0.9


def test_one_warning_for_many_classes_names_the_first():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 2)), np.arange(60) % 3
    with pytest.warns(
        ConvergenceWarning, match=r"class .*0.* against the rest; 3 of 3 classes alike"
    ) as caught:
        Rosenblatt(max_iter=5).fit(X, y)
    assert len(caught) == 1
    assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("X", "y", "message"),
    [
        ([[1.0, np.nan], [2.0, 3.0]], [0, 1], "contains NaN"),
        ([[1.0, np.inf], [2.0, 3.0]], [0, 1], "contains infinity"),
        ([[1.0], [2.0]], [1, 1], "needs examples of two classes at least, but y holds only one class"),
        ([[1.0], [2.0]], [0.3, 1.7], "Unknown label type: continuous"),
        ([[1.0], [2.0]], [0, 1, 1], "inconsistent numbers of samples"),
        (np.zeros((0, 2)), [], "0 sample"),
        ([[1.0], [2.0]], [0, np.nan], "Input y contains NaN"),
        ([[1e200], [2.0]], [0, 1], r"values up to 1e\+200, whose squares overflow. Scale X"),
        (np.array([[1e20], [2.0]], dtype=np.float32), [0, 1], "squares overflow"),
    ],
)
def test_bad_input_is_refused_with_a_reason(X, y, message):
    with pytest.raises(ValueError, match=message):
        MinOver().fit(X, y)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"c": -1.0}, "'c' parameter of Rosenblatt must be a float in the range"),
        ({"order": "backwards"}, "'order' parameter of Rosenblatt must be a str among"),
        ({"max_iter": 0}, "'max_iter' parameter"),
    ],
)
def test_bad_parameters_are_refused_with_a_reason(params, message):
    with pytest.raises(ValueError, match=message):
        Rosenblatt(**params).fit([[1.0], [2.0]], [0, 1])


def test_weights_that_leave_one_class():
    with pytest.raises(ValueError, match=r"here the weights leave 1 class\(es\)"):
        Hebb().fit([[1.0], [2.0]], [0, 1], sample_weight=[1.0, 0.0])


def test_warm_start_after_other_classes_starts_anew():
    xi, S = teacher(30, 20)
    student = Rosenblatt(warm_start=True).fit(xi, S)
    fresh = Rosenblatt().fit(xi, S > 0)
    np.testing.assert_array_equal(student.fit(xi, S > 0).coef_, fresh.coef_)


@pytest.mark.parametrize("student", LINEAR, ids=lambda s: type(s).__name__)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_inputs_that_are_all_zero(student):
    student = clone(student).set_params(fit_intercept=False).fit(np.zeros((4, 2)), [0, 1, 0, 1])
    assert student.stability_bounds_ == (0.0, 0.0)
    # w = 0 predicts sign(0) = +1; a random student may predict either.
    possible = {0, 1} if isinstance(student, SampledStudent) else {1}
    assert student.predict([[1.0, 1.0]])[0] in possible
