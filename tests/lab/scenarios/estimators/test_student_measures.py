"""Measures of a fitted classifier."""

import threading
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Perceptron
from sklearn.svm import SVC

from markone import AdaTron
from markone.lab.scenarios.estimators import student_measures


@pytest.mark.parametrize("R", [-0.7, 0.0, 0.4, 0.95])
@pytest.mark.parametrize("b", [-1.2, 0.0, 0.3])
def test_disagreement_with_a_threshold(R, b):
    """P(u < 0 <= v + b) + P(u >= 0 > v + b) of two Gaussian fields with correlation R."""
    both = multivariate_normal(cov=[[1, R], [R, 1]]).cdf([0.0, -b])
    one = multivariate_normal().cdf(-b)
    assert student_measures.linear_disagreement(R, b) == pytest.approx(0.5 + one - 2 * both, abs=1e-6)


def test_disagreement_limits():
    assert student_measures.linear_disagreement(0.3, 0.0) == pytest.approx(np.arccos(0.3) / np.pi)
    assert student_measures.linear_disagreement(1.0, 0.0) == 0.0
    assert student_measures.linear_disagreement(-1.0, 0.0) == 1.0


def test_a_single_class_is_always_predicted():
    S, xi = np.ones(4), np.zeros((4, 2))
    student = student_measures.fit_student(Perceptron(), xi, S)
    assert student is None
    assert np.array_equal(student_measures.predict_labels(student, xi, S), S)
    assert student_measures.linear_weights(student, 2) is None


def test_convergence_warnings_are_silent_in_every_thread_and_back_after_it():
    inside, seen = threading.Barrier(2), []

    def work():
        with student_measures.ignore_convergence_warnings():
            inside.wait(10)
            warnings.warn("not converged", ConvergenceWarning, stacklevel=1)

    before = list(warnings.filters)
    threads = [threading.Thread(target=lambda: seen.append(work())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 2
    assert warnings.filters == before


def test_effort():
    class Told:
        n_iter_, max_iter = np.array([3, 5]), 5

    assert student_measures.training_effort(Told()) == (5.0, 0.0)
    assert np.isnan(student_measures.training_effort(object())).all()


def test_support():
    xi = np.array([[-3.0], [-1.0], [1.0], [3.0]])
    S = np.sign(xi[:, 0])
    assert student_measures.support_fraction(SVC(kernel="linear", C=1e3).fit(xi, S), 4) == 0.5
    assert student_measures.support_fraction(AdaTron().fit(xi, S), 4) == 0.5
    assert np.isnan(student_measures.support_fraction(Perceptron().fit(xi, S), 4))


@pytest.mark.parametrize("labels", [[1.0], [[1.0]] * 5, 1.0])
def test_labels_of_another_shape_are_not_broadcast(labels):
    student = SimpleNamespace(predict=lambda xi: labels)
    with pytest.raises(ValueError, match=r"predict returned the shape .* for 5 inputs"):
        student_measures.predict_labels(student, np.ones((5, 2)), np.ones(5))
