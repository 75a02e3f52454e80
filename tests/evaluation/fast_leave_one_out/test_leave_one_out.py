"""Fast leave-one-out and folds equal those of all fits."""

import numpy as np
import pytest
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron, Ridge
from sklearn.model_selection import (
    LeaveOneOut,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    check_cv,
    cross_val_predict,
)
from sklearn.svm import LinearSVC

from markone.data import gaussian_mixture, load, teacher_examples
from markone.evaluation import fold_potentials, leave_one_out, ridge_left_out
from markone.evaluation.fast_leave_one_out import plain_leave_one_out, rosenblatt
from markone.perceptron import Adaline, AdaTron, KernelAdaTron, MinOver, Pocket, Rosenblatt, separability


def three(P=45, seed=1):
    drawn = gaussian_mixture(P, [[-4.0, 0, 1], [4, 0, 0], [0, 6, 0]], seed=seed)
    return drawn.X, np.array(["a", "b", "c"])[drawn.y]


def whole_numbers(seed=0):
    """Inputs 0 and 1: potentials of exactly zero, where the last bit decides."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (70, 24)).astype(float)
    g = X @ rng.standard_normal(24)
    return X, (g > np.median(g)).astype(int)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("student", [
    Rosenblatt(), Rosenblatt(fit_intercept=False, max_iter=40), Rosenblatt(c=0.5, eta=0.3),
    Rosenblatt(intercept_scaling=3.0),
], ids=str)  # fmt: skip
def test_rosenblatt_is_the_plain_way_bit_for_bit(student):
    for X, y in (teacher_examples(50, 15, seed=3)[:2], whole_numbers(), three()):
        fast, plain = leave_one_out(student, X, y), plain_leave_one_out(student, X, y)
        np.testing.assert_allclose(fast.potentials, plain.potentials, rtol=0, atol=1e-13)
        if len(set(y)) == 2:
            np.testing.assert_array_equal(fast.potentials, plain.potentials)
        np.testing.assert_array_equal(fast.predicted, plain.predicted)
        assert 0 < fast.refits < plain.refits * (1 if len(set(y)) == 2 else 3)


def test_only_examples_that_were_mistakes_are_refitted():
    X, y = whole_numbers()
    student = Rosenblatt().fit(X, y)
    assert leave_one_out(Rosenblatt(), X, y).refits == np.sum(student.embedding_ > 0)


def test_students_that_are_stopped_are_the_same_and_are_told():
    X, S, _ = teacher_examples(60, 10, noise=0.2, seed=0)
    student = Rosenblatt(max_iter=7)
    with pytest.warns(ConvergenceWarning, match="60 of 60 students stopped after max_iter = 7"):
        fast = leave_one_out(student, X, S)
    with pytest.warns(ConvergenceWarning):
        plain = plain_leave_one_out(student, X, S)
    np.testing.assert_array_equal(fast.potentials, plain.potentials)


def test_many_updates_do_not_let_rounding_grow():
    """Thousands of updates of the potentials, beyond the point where they are recomputed."""
    X, S, _ = teacher_examples(40, 9, noise=0.2, seed=4)
    student = Rosenblatt(max_iter=1500)
    shared = rosenblatt.SharedExamples(student, X, S)
    w, _, converged = shared.train_on(np.arange(40), shared.targets[0])
    with pytest.warns(ConvergenceWarning):
        student.fit(X, S)
    assert not converged
    assert student.n_updates_ > 10_000
    np.testing.assert_array_equal(w, student._weights()[0])


def test_sparse_inputs():
    X, y = whole_numbers()
    rows = sparse.csr_array(X)
    fast, plain = leave_one_out(Rosenblatt(), rows, y), plain_leave_one_out(Rosenblatt(), rows, y)
    # Sums over stored entries round otherwise than dense ones: where E = 0 they make another student.
    np.testing.assert_array_equal(fast.potentials, plain.potentials)
    for student in (AdaTron(), Adaline(ridge=0.1)):
        a, b = (leave_one_out(student, one, y) for one in (X, rows))
        np.testing.assert_allclose(a.potentials, b.potentials, atol=1e-8)


@pytest.mark.parametrize("C", [np.inf, 0.3, 0.02])
def test_adatron_refits_its_support_vectors_only(C):
    X, S, _ = teacher_examples(60, 40 if np.isinf(C) else 12, noise=0 if np.isinf(C) else 0.1, seed=2)
    fast, plain = leave_one_out(AdaTron(C=C), X, S), plain_leave_one_out(AdaTron(C=C), X, S)
    np.testing.assert_allclose(fast.potentials, plain.potentials, atol=1e-9)
    np.testing.assert_array_equal(fast.predicted, plain.predicted)
    assert fast.refits == len(AdaTron(C=C).fit(X, S).support_) < 60


def test_adatron_of_several_classes_and_weights():
    X, y = three()
    student = AdaTron(C=1, class_weight={"a": 2.0, "b": 1.0, "c": 0.5})
    fast, plain = leave_one_out(student, X, y), plain_leave_one_out(student, X, y)
    np.testing.assert_allclose(fast.potentials, plain.potentials, atol=1e-8)
    np.testing.assert_array_equal(fast.predicted, plain.predicted)


def test_adatron_without_a_hard_margin_says_so_and_refits_all():
    X, S, _ = teacher_examples(24, 3, noise=0.3, seed=1)
    with pytest.warns(ConvergenceWarning, match="AdaTron found that the data are not linearly separable"):
        fast = leave_one_out(AdaTron(), X, S)
    assert fast.refits == 24


@pytest.mark.parametrize("kernel", ["rbf", "poly", "linear", "precomputed"])
def test_support_vectors_in_feature_space(kernel):
    for X, y in (three(), teacher_examples(40, 6, noise=0.1, seed=6)[:2]):
        X = np.exp(-0.1 * cdist(X, X, "sqeuclidean")) if kernel == "precomputed" else X
        student = KernelAdaTron(kernel=kernel, gamma=0.1, C=1.0, degree=2)
        fast, plain = leave_one_out(student, X, y), _pairwise_left_out(student, X, y)
        np.testing.assert_allclose(fast.potentials, plain, atol=1e-8)
        assert fast.refits < len(y)


def _pairwise_left_out(student, X, y):
    if student.kernel != "precomputed":
        return plain_leave_one_out(student, X, y).potentials
    rest = [np.delete(np.arange(len(y)), mu) for mu in range(len(y))]
    return np.array(
        [student.fit(X[np.ix_(r, r)], y[r]).decision_function(X[[mu]][:, r])[0] for mu, r in enumerate(rest)]
    )


@pytest.mark.parametrize("ridge", [0.0, 0.5])
@pytest.mark.parametrize("shape", [(50, 8), (20, 30)])
def test_adaline_in_closed_form(shape, ridge):
    X, S, _ = teacher_examples(*shape, noise=0.1, seed=5)
    student = Adaline(ridge=ridge, class_weight={-1: 1.0, 1: 3.0})
    fast, plain = leave_one_out(student, X, S), plain_leave_one_out(student, X, S)
    np.testing.assert_allclose(fast.potentials, plain.potentials, atol=1e-9)
    assert fast.refits == 0


def test_an_example_alone_in_its_direction_is_refitted():
    rng = np.random.default_rng(0)
    X = np.vstack([np.hstack([rng.standard_normal((12, 3)), np.zeros((12, 1))]), [[1.0, 2, 3, 4]]])
    t = rng.standard_normal(13)
    fits, refits = ridge_left_out(X, t)
    assert refits == 1
    by_hand = [X[k] @ np.linalg.lstsq(np.delete(X, k, 0), np.delete(t, k), rcond=None)[0] for k in range(13)]
    np.testing.assert_allclose(fits, by_hand, atol=1e-10)


def test_ridge_regression_with_weights_is_scikit_learns():
    rng = np.random.default_rng(1)
    X, t, weights = rng.standard_normal((30, 5)), rng.standard_normal((30, 2)), rng.random(30) + 0.1
    fits, refits = ridge_left_out(X, t, 0.7, weights)
    assert refits == 0
    for k in range(30):
        rest = np.arange(30) != k
        model = Ridge(alpha=0.7, fit_intercept=False).fit(X[rest], t[rest], weights[rest])
        np.testing.assert_allclose(fits[k], model.predict(X[k : k + 1])[0], atol=1e-10)
    with pytest.raises(ValueError, match="ridge = -1"):
        ridge_left_out(X, t, -1)


@pytest.mark.parametrize("student", [
    MinOver(), Rosenblatt(order="shuffled"), Pocket(max_iter=5), LinearSVC(C=0.1),
    AdaTron(C=1, normalize=True), AdaTron(C=1, class_weight="balanced"), Adaline(class_weight="balanced"),
    AdaTron(C=1, solver="sequential"), Rosenblatt(start="random"), KernelAdaTron(C=1),
], ids=str)  # fmt: skip
def test_all_others_go_the_plain_way(student):
    X, S, _ = teacher_examples(16, 20, seed=0)
    student = student.set_params(random_state=0) if "random_state" in student.get_params() else student
    found = leave_one_out(student, X, S)
    assert found.refits == 16
    np.testing.assert_array_equal(found.predicted, cross_val_predict(student, X, S, cv=LeaveOneOut()))


def test_what_comes_out():
    X, y = three()
    found = leave_one_out(Rosenblatt(), X, y)
    assert found.potentials.shape == (45, 3)
    assert found.accuracy == np.mean(found.predicted == y)
    np.testing.assert_array_equal(found.outliers, np.flatnonzero(found.predicted != y))
    p = found.accuracy
    assert found.sd == pytest.approx(np.sqrt(p * (1 - p) * 45 / 44))
    with pytest.raises(ValueError, match="The class '1' has 1 of 3 examples, and there are 2 class"):
        leave_one_out(Rosenblatt(), [[0.0], [1.0], [2.0]], [0, 0, 1])
    with pytest.raises(ValueError, match="there are 1 class"):
        leave_one_out(Rosenblatt(), [[0.0], [1.0]], [0, 0])


@pytest.mark.parametrize(
    "cv", [4, ShuffleSplit(3, random_state=0), RepeatedStratifiedKFold(n_splits=3, random_state=0)]
)
@pytest.mark.parametrize("student", [Rosenblatt(), AdaTron(C=1, random_state=0)], ids=str)
def test_folds_are_the_plain_way(student, cv):
    for X, y in (three(), whole_numbers()):
        folds = fold_potentials(student, X, y, cv)
        plain = [
            (student.fit(X[a], y[a]).decision_function(X[b]), student.predict(X[b]))
            for a, b in _splits(cv, X, y)
        ]
        for k, (scores, labels) in enumerate(plain):
            np.testing.assert_array_equal(folds.potentials[k], scores)
            np.testing.assert_array_equal(folds.pairs()[k][1], labels)
            np.testing.assert_array_equal(folds.pairs()[k][0], y[folds.tests[k]])


def _splits(cv, X, y):
    return check_cv(cv, y, classifier=True).split(X, y)


def test_one_set_of_potentials_answers_every_question():
    X, y = three()
    folds = fold_potentials(Rosenblatt(), X, y, 3)
    for label in "abc":
        for k, (is_it, said, g) in enumerate(folds.binary(label)):
            np.testing.assert_array_equal(is_it, y[folds.tests[k]] == label)
            alone = fold_potentials(Rosenblatt(), X, y == label, list(_splits(3, X, y)))
            np.testing.assert_array_equal(said, alone.pairs()[k][1])
            np.testing.assert_allclose(g, alone.potentials[k], atol=1e-13)
    two = fold_potentials(Rosenblatt(), X, y == "a", 3)
    np.testing.assert_array_equal(two.binary(True)[0][2], -two.binary(False)[0][2])


def test_a_class_that_is_not_in_every_training_set_goes_the_plain_way():
    X, y = np.arange(6.0)[:, None], np.array([0, 0, 1, 1, 0, 1])
    with pytest.raises(ValueError, match="only one class"):
        fold_potentials(Rosenblatt(), X, y, [(np.array([0, 1]), np.array([2]))])


@pytest.mark.slow
def test_semeion_digit_one_left_out_one_by_one(semeion):
    """Leave-one-out of the digits report's Table II gives .967 to .972, not .8983."""
    y = semeion.y == 1
    found = leave_one_out(Rosenblatt(), semeion.X, y)
    assert 0.967 <= found.accuracy <= 0.972
    assert found.refits == np.sum(Rosenblatt().fit(semeion.X, y).embedding_ > 0)
    rng = np.random.default_rng(0)
    for mu in [*rng.choice(1593, 20, replace=False), *found.outliers[:20]]:
        rest = np.delete(np.arange(1593), mu)
        one = Rosenblatt().fit(semeion.X[rest], y[rest])
        assert one.decision_function(semeion.X[[mu]])[0] == found.potentials[mu]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_digits_by_folds_are_the_plain_way_and_scikit_learns_perceptron_is_near():
    digits = load("digits")
    cv = RepeatedStratifiedKFold(n_splits=3, n_repeats=1, random_state=0)
    folds = fold_potentials(Rosenblatt(max_iter=100), digits.X, digits.y, cv)
    right = [np.mean(y == answer) for y, answer in folds.pairs()]
    for k, (train, test) in enumerate(cv.split(digits.X, digits.y)):
        ours = Rosenblatt(max_iter=100).fit(digits.X[train], digits.y[train])
        np.testing.assert_array_equal(folds.potentials[k], ours.decision_function(digits.X[test]))
    theirs = Perceptron(max_iter=100, tol=None, random_state=0).fit(digits.X[train], digits.y[train])
    assert abs(theirs.score(digits.X[test], digits.y[test]) - right[-1]) < 0.04


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("student", "unique"), [
    (AdaTron(random_state=0), False), (AdaTron(order="cyclic"), False), (AdaTron(C=1.0), True),
    (AdaTron(C=100.0), True), (KernelAdaTron(kernel="linear"), False),
    (KernelAdaTron(kernel="linear", C=1.0), True),
], ids=str)  # fmt: skip
def test_data_that_are_not_separable(student, unique):
    """A hard margin is fitted P times and equal bit for bit, a soft one has a unique optimum."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(24, 2)), np.arange(24) % 2
        assert separability(X, y).separable is False
        fast, plain = leave_one_out(student, X, y), plain_leave_one_out(student, X, y)
        np.testing.assert_allclose(fast.potentials, plain.potentials, rtol=0, atol=1e-9 if unique else 0)
        np.testing.assert_array_equal(fast.predicted, plain.predicted)
        assert fast.refits == (len(student.fit(X, y).support_) if unique else 24)


@pytest.mark.parametrize("C", [0.1, np.inf])
def test_a_free_threshold_in_feature_space(C):
    """With a soft margin any threshold of an interval may be optimal: P fits."""
    student = KernelAdaTron(gamma=0.1, C=C, fit_intercept="free")
    for seed in range(12):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(10, 2)), np.arange(10) % 2
        fast, plain = leave_one_out(student, X, y), plain_leave_one_out(student, X, y)
        np.testing.assert_allclose(fast.potentials, plain.potentials, rtol=1e-6, atol=1e-6)
        assert np.isinf(C) or fast.refits == 10
