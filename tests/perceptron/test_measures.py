"""Measures on examples small enough to compute by hand."""

import numpy as np
import pytest
from scipy import sparse

from markone.perceptron import measures

XI = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, -2.0]])
S = np.array([1.0, 1.0, -1.0])
W = np.array([0.0, 2.0])


@pytest.mark.parametrize("xi", [XI, sparse.csr_array(XI)])
def test_potentials_stabilities_errors(xi):
    np.testing.assert_array_equal(measures.local_potentials(W, xi, S), [8.0, 0.0, 4.0])
    np.testing.assert_array_equal(measures.stabilities(W, xi, S), [4.0, 0.0, 2.0])
    assert measures.stability(W, xi, S) == 0.0
    assert measures.training_errors(W, xi, S) == 0, "sign(0) = +1 and S = +1"
    assert measures.training_errors(W, xi, -S) == 3
    assert measures.stability(np.zeros(2), xi, S) == -5.0, "no direction: the smallest possible value"


def test_the_bound_holds_for_any_student_and_any_strengths():
    rng = np.random.default_rng(0)
    for _ in range(200):
        w, x = rng.standard_normal(2), rng.random(3)
        assert measures.stability(w, XI, S) <= measures.stability_bound(x, XI, S) + 1e-12
    assert measures.stability_bound(-np.ones(3), XI, S) == np.inf
    assert measures.certify_student(W, None, XI, S) == (0.0, pytest.approx(np.linalg.norm([4, 6]) / 3))


def test_overlap_and_generalization_error():
    assert measures.overlap([1.0, 0.0] @ np.eye(2), np.array([1.0, 1.0])) == pytest.approx(np.sqrt(0.5))
    assert measures.overlap(np.zeros(2), W) == 0.0
    np.testing.assert_allclose(measures.generalization_error([1.0, 0.0, -1.0]), [0.0, 0.5, 1.0])


def test_support_vectors_free_and_clipped():
    free, clipped = measures.support_vectors(np.array([0.0, 0.5, 2.0, 3.0]), [2.0, 2.0, 2.0, np.inf])
    assert free.tolist() == [1, 3]
    assert clipped.tolist() == [2]


def test_kuhn_tucker_residuals():
    x, E, gamma = np.array([0.0, 0.0, 1.0, 2.0, 2.0]), np.array([1.5, 0.5, 1.25, 0.5, 1.5]), 2.0
    np.testing.assert_allclose(measures.kuhn_tucker_residuals(x, E, gamma), [0, 0.5, -0.25, 0, -0.5])


@pytest.mark.parametrize("xi", [XI, sparse.csr_array(XI)])
def test_convergence_bound(xi):
    w = np.array([1.0, 1.0])
    kappa = 1 / np.sqrt(2)
    assert measures.convergence_bound(xi, S, w, c=0.5, eta=2.0) == pytest.approx(
        2 * (2 * 0.25 + 25 / 2) / kappa**2
    )


def test_a_support_vector_is_clipped_at_its_bound_to_rounding_and_free_a_little_below():
    gamma = 2.0
    x = gamma * np.array([0.0, 0.5, 1 - 1e-5, 1 - 1e-12, 1.0])
    free, clipped = measures.support_vectors(x, gamma)
    assert (free.tolist(), clipped.tolist()) == ([1, 2], [3, 4])
