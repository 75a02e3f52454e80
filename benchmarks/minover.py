"""MinOver in the stability report's setting against the plain transcription of its appendix."""

from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Row, compare_in_turn
from markone.data import teacher_examples
from markone.perceptron import MinOver


def train_like_appendix(X, y, n_max=250, min_update=0.001):
    """Transcription of the MATLAB code of the appendix."""
    P, N = X.shape
    w = np.zeros(N)
    updates, done = 0, False
    while updates < n_max * P and not done:
        updates += 1
        index = np.argmin((X @ w) * y)
        old = w
        w = old + X[index] * y[index] / N
        done = np.linalg.norm(old - w) / np.linalg.norm(w) < min_update
    return w, updates


def compare() -> Iterator[Row]:
    xi, S, _ = teacher_examples(400, 200, seed=0)
    ours = MinOver(stop="weight_change", tol=0.001, max_iter=250, fit_intercept=False).fit(xi, S)
    w, updates = train_like_appendix(xi, S)
    assert ours.n_updates_ == updates
    np.testing.assert_allclose(ours.coef_[0], w, rtol=1e-8)
    yield compare_in_turn(
        f"MinOver P=400 N=200, {updates} updates",
        lambda: ours.fit(xi, S),
        "numpy transcription",
        lambda: train_like_appendix(xi, S),
        target=100,
        rounds=5,
        note="same updates",
    )
