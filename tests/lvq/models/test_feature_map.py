"""Landmarks of a kernel: all its values back, or those of Nystroem."""

import numpy as np
import pytest

from markone.lvq.models.kernel_glvq import choose_landmarks
from markone.perceptron.margin.kernel import make_kernel


def test_landmarks_give_all_kernels_back(iris):
    X, _ = iris
    for kernel in ("rbf", "linear", "poly"):
        made = make_kernel(kernel, X)
        K = made.rows(np.arange(150))
        landmarks, Z = choose_landmarks(made, 150)
        assert pytest.approx(K, abs=1e-7 * np.abs(K).max()) == Z @ Z.T
        images = np.linalg.solve(np.tril(Z[landmarks]), K[landmarks]).T
        assert images == pytest.approx(Z, abs=1e-5 * np.abs(Z).max())
        assert len(set(landmarks)) == Z.shape[1]
    assert choose_landmarks(make_kernel("linear", X), 150)[1].shape == (150, 4)


def test_fewer_landmarks_are_nystroem(iris):
    X, _ = iris
    made = make_kernel("rbf", X)
    K, (S, Z) = made.rows(np.arange(150)), choose_landmarks(made, 20)
    assert pytest.approx(K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S]), abs=1e-6) == Z @ Z.T
