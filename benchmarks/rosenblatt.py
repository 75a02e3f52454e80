"""Rosenblatt against scikit-learn's Perceptron, to the same weights: a wide table, and a long one."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron

from benchmarks.timing import Row, compare_in_turn
from markone.data import teacher_examples
from markone.perceptron import Rosenblatt


def compare_rosenblatt(P: int, N: int, target: float, max_iter: int = 1000) -> Row:
    xi, S, _ = teacher_examples(P, N, seed=0)
    ours = Rosenblatt(fit_intercept=False, max_iter=max_iter)
    epochs = ours.fit(xi, S).n_iter_
    theirs = Perceptron(shuffle=False, fit_intercept=False, tol=None, max_iter=epochs)
    np.testing.assert_allclose(theirs.fit(xi, S).coef_, N * ours.coef_, rtol=1e-9)
    return compare_in_turn(
        f"Rosenblatt P={P} N={N}, {epochs} epochs",
        lambda: ours.fit(xi, S),
        "sklearn Perceptron",
        lambda: theirs.fit(xi, S),
        target=target,
        note="same weights",
    )


def compare() -> Iterator[Row]:
    yield compare_rosenblatt(2000, 500, 4)
    yield compare_rosenblatt(20_000, 50, 3, max_iter=50)
