"""GLVQ in feature space: distances and cost of the coefficients, precomputed kernels."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

from markone.lvq.models.kernel_glvq import KernelGLVQ
from markone.lvq.models.relational_glvq import RelationalGLVQ
from markone.perceptron.margin.kernel import make_kernel


def glvq_cost(D, y, c, gamma=10.0):
    right, wrong = np.where(y[:, None] == c, D, np.inf).min(1), np.where(y[:, None] != c, D, np.inf).min(1)
    return (1 / (1 + np.exp(-gamma * (right - wrong) / (right + wrong)))).mean()


def test_distances_are_those_of_the_coefficients(iris):
    """d = K_ii - 2 K_i gamma_j + gamma_j' K gamma_j for rows in the span."""
    X, y = iris
    student = KernelGLVQ(kernel="poly", degree=2).fit(X, y)
    made = make_kernel("poly", X, degree=2)
    K, S, gamma = made.rows(np.arange(150)), student.landmarks_, student.coefficients_
    d = np.diag(K)[:, None] - 2 * K[:, S] @ gamma.T + ((gamma @ K[np.ix_(S, S)]) * gamma).sum(axis=1)
    assert student.distances(X) == pytest.approx(d, rel=1e-5, abs=1e-6)


def test_the_cost_is_stationary_in_the_coefficients(iris):
    """dd/dgamma = 2 K gamma_j - 2 K_i, by differences of the plain cost."""
    X, y = iris
    student = KernelGLVQ(kernel="linear", max_iter=1000).fit(X, y)
    S, c = student.landmarks_, student.prototype_labels_
    K = X @ X.T

    def cost(gamma):
        d = np.diag(K)[:, None] - 2 * K[:, S] @ gamma.T + ((gamma @ K[np.ix_(S, S)]) * gamma).sum(axis=1)
        return glvq_cost(d, y, c)

    gamma = student.coefficients_
    best = cost(gamma)
    assert best == pytest.approx(student.cost_, rel=1e-9)
    for k in range(gamma.size):
        step = np.zeros(gamma.size)
        step[k] = 1e-5
        slope = (cost(gamma + step.reshape(gamma.shape)) - cost(gamma - step.reshape(gamma.shape))) / 2e-5
        assert abs(slope) < 2e-3


def test_precomputed_kernels_are_cut_along_both_sides(iris):
    X, y = iris
    K = rbf_kernel(X, gamma=0.25)
    given = KernelGLVQ(kernel="precomputed", n_components=60).fit(K, y)
    named = KernelGLVQ(gamma=0.25, n_components=60).fit(X, y)
    own = KernelGLVQ(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.25), n_components=60).fit(X, y)
    assert np.array_equal(given.predict(K), named.predict(X))
    assert np.array_equal(own.predict(X), named.predict(X))
    for student in (KernelGLVQ(kernel="precomputed"), RelationalGLVQ(metric="precomputed")):
        assert get_tags(student).input_tags.pairwise
        matrix = K if isinstance(student, KernelGLVQ) else pairwise_distances(X)
        assert cross_val_score(student, matrix, y, cv=3).mean() > 0.9
    assert not get_tags(KernelGLVQ()).input_tags.pairwise
