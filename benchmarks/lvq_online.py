"""On-line prototypes against a plain numpy loop (to the same prototypes) and NearestCentroid."""

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_digits, make_blobs
from sklearn.neighbors import NearestCentroid
from sklearn.preprocessing import StandardScaler

from benchmarks.timing import Row, compare_in_turn
from markone.lvq import LVQ1, NearestPrototype


def plain_lvq1(
    X: np.ndarray, y: np.ndarray, w: np.ndarray, c: np.ndarray, eta: float, epochs: int
) -> np.ndarray:
    """(5.4) example by example, winners by vectorised numpy: a plain numpy loop."""
    w = w.copy()
    for _ in range(epochs):
        for x, label in zip(X, y, strict=True):
            difference = x - w
            winner = np.einsum("ij,ij->i", difference, difference).argmin()
            w[winner] += (eta if c[winner] == label else -eta) * difference[winner]
    return w


def compare() -> Iterator[Row]:
    X, y = load_digits(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    start = NearestPrototype(prototypes_per_class=3, random_state=0).fit(X, y)
    w, c = start.prototypes_, start.prototype_labels_
    ours = LVQ1(initial_prototypes=w, initial_labels=c, eta=0.01, schedule="constant", order="cyclic")
    ours.set_params(max_iter=10, keep="last", tol=0)
    np.testing.assert_allclose(ours.fit(X, y).prototypes_, plain_lvq1(X, y, w, c, 0.01, 10), rtol=1e-9)
    yield compare_in_turn(
        "LVQ1 digits, 30 prototypes, 10 epochs",
        lambda: ours.fit(X, y),
        "numpy loop",
        lambda: plain_lvq1(X, y, w, c, 0.01, 10),
        target=15,
        note="same prototypes",
    )
    X, y = make_blobs(100_000, 50, centers=5, cluster_std=10.0, random_state=0)
    once = LVQ1(prototypes_per_class=1, max_iter=1, keep="last", random_state=0)
    yield compare_in_turn(
        "LVQ1 100000 x 50, one epoch with its start",
        lambda: once.fit(X, y),
        "NearestCentroid",
        lambda: NearestCentroid().fit(X, y),
        target=0.2,
        note="means alone against means and an epoch",
    )
    yield compare_in_turn(
        "NearestPrototype 100000 x 50, fit and predict",
        lambda: NearestPrototype().fit(X, y).predict(X),
        "NearestCentroid",
        lambda: NearestCentroid().fit(X, y).predict(X),
        target=0.5,
        note="same answers",
    )
