"""Gibbs and BayesPoint as estimators."""

import math

import numpy as np
import pytest
from examples import random_labels, teacher, three_clusters
from sklearn.exceptions import ConvergenceWarning

from markone import BayesPoint, Gibbs
from markone.data import teacher_examples
from markone.perceptron.theory import bayes, gibbs


def error(student, w_star):
    w = student.coef_[0]
    return math.acos(w @ w_star / (np.linalg.norm(w) * np.linalg.norm(w_star))) / math.pi


def test_a_gibbs_student_is_any_member_of_version_space():
    xi, S = teacher(200, 40)
    students = [Gibbs(fit_intercept=False, random_state=k).fit(xi, S) for k in range(3)]
    for student in students:
        assert student.score(xi, S) == 1
        assert student.n_errors_ == 0
        assert student.converged_
        assert student.stability_ > 0
        assert student.noise_ == 0
        assert np.linalg.norm(student.coef_) == pytest.approx(1)
    assert students[0].coef_[0] @ students[1].coef_[0] < 0.99
    again = Gibbs(fit_intercept=False, random_state=0).fit(xi, S)
    np.testing.assert_array_equal(again.coef_, students[0].coef_)


def test_the_errors_meet_the_theory():
    N, alpha, errors = 60, 3.0, []
    for seed in range(40):
        xi, S, w_star = teacher_examples(round(alpha * N), N, seed=seed)
        pair = (Gibbs, {}), (BayesPoint, {"n_students": 100})
        errors.append(
            [
                error(make(fit_intercept=False, random_state=seed, **how).fit(xi, S), w_star)
                for make, how in pair
            ]
        )
    expected = [theory.generalization_error(alpha) for theory in (gibbs, bayes)]
    spread = np.std(errors, axis=0, ddof=1) / math.sqrt(len(errors))
    assert np.all(np.abs(np.mean(errors, axis=0) - expected) < 3.5 * spread + 0.3 / N)


def test_the_bayes_point_estimates_its_error():
    N, pairs = 60, []
    for seed in range(25):
        xi, S, w_star = teacher_examples(240, N, seed=seed)
        point = BayesPoint(fit_intercept=False, random_state=seed).fit(xi, S)
        pairs.append((point.expected_error_, error(point, w_star)))
        assert point.effective_size_ > 50
    expected, found = np.transpose(pairs)
    assert abs(np.mean(expected - found)) < 3.5 * np.std(expected - found) / 5
    assert point.overlap_ == pytest.approx(gibbs.overlap(4.0), abs=0.05)


def test_votes_are_calibrated():
    xi, S, w_star = teacher_examples(200, 40, seed=1)
    point = BayesPoint(fit_intercept=False, random_state=0).fit(xi, S)
    np.testing.assert_array_equal(point.votes(xi), S > 0)
    new = np.random.default_rng(0).standard_normal((2000, 40))
    votes, right = point.votes(new), np.sign(new @ w_star) == point.predict(new)
    sure = np.abs(votes - 0.5) > 0.4
    assert right[sure].mean() > 0.97 > 0.9 > right[~sure].mean() > 0.5
    # Votes are calibrated: the teacher is one of them.
    assert np.mean(votes) == pytest.approx(np.mean(new @ w_star > 0), abs=0.03)


def test_three_classes_one_against_the_rest():
    X, y = three_clusters()
    point = BayesPoint(random_state=0, noise=0.02).fit(X, y)
    assert point.score(X, y) > 0.9
    assert point.votes(X).shape == (60, 3)
    assert point.overlap_.shape == (3,)
    assert Gibbs(random_state=0, noise=0.02).fit(X, y).coef_.shape == (3, 2)


@pytest.mark.parametrize("make", [Gibbs, BayesPoint])
def test_an_empty_version_space_warns_and_uses_noise(make):
    xi, S = random_labels(100, 5)
    sentence = "has an empty version space.* wrong with probability 0.* set noise to the expected fraction"
    with pytest.warns(ConvergenceWarning, match=sentence):
        student = make(random_state=0).fit(xi, S)
    assert not student.converged_
    assert 0.01 <= student.noise_ <= 0.4
    student = make(noise=0.2, random_state=0).fit(xi, S)
    assert student.converged_
    assert student.noise_ == 0.2
    with pytest.raises(ValueError, match="noise"):
        make(noise=0.5).fit(xi, S)


def test_a_narrow_space_warns_of_aborted_turns(monkeypatch):
    xi, S = teacher(50, 5)
    monkeypatch.setattr("markone.perceptron.version_space.sampled_space.MOST_HITS", 0)
    with pytest.warns(ConvergenceWarning, match="aborted .* turn.* too narrow .* Scale the inputs"):
        Gibbs(random_state=0).fit(xi, S)
