"""Rosenblatt against scikit-learn's Perceptron, to the same weights."""

from collections.abc import Iterator

import numpy as np
from sklearn.linear_model import Perceptron

from benchmarks.timing import Row, side_by_side
from markone.data import teacher_examples
from markone.perceptron import Rosenblatt


def compare() -> Iterator[Row]:
    xi, S, _ = teacher_examples(2000, 500, seed=0)
    ours = Rosenblatt(fit_intercept=False)
    epochs = ours.fit(xi, S).n_iter_
    theirs = Perceptron(shuffle=False, fit_intercept=False, tol=None, max_iter=epochs)
    np.testing.assert_allclose(theirs.fit(xi, S).coef_, 500 * ours.coef_, rtol=1e-9)
    yield side_by_side(
        f"Rosenblatt P=2000 N=500, {epochs} epochs",
        lambda: ours.fit(xi, S),
        "sklearn Perceptron",
        lambda: theirs.fit(xi, S),
        target=3,
        note="same weights",
    )
