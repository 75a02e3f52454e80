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
        feature_map, Z = choose_landmarks(made, 150)
        assert pytest.approx(K, abs=1e-7 * np.abs(K).max()) == Z @ Z.T
        assert feature_map(K[:, feature_map.landmarks]) == pytest.approx(Z, abs=1e-5 * np.abs(Z).max())
        assert len(set(feature_map.landmarks)) == Z.shape[1]
    assert choose_landmarks(make_kernel("linear", X), 150)[1].shape == (150, 4)


def test_fewer_landmarks_are_nystroem(iris):
    X, _ = iris
    made = make_kernel("rbf", X)
    K, (feature_map, Z) = made.rows(np.arange(150)), choose_landmarks(made, 20)
    S = feature_map.landmarks
    assert pytest.approx(K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S]), abs=1e-6) == Z @ Z.T
