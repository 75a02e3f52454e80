"""Condensed nearest neighbours: consistent, small, near the border."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from markone.data import gaussian_mixture, load
from markone.evaluation import condensed_subset


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_what_is_kept_labels_everything_right(seed):
    for X, y in ((load("iris").X, load("iris").y), (load("wine").X, load("wine").y)):
        kept = condensed_subset(X, y, seed=seed)
        # Some rows of iris occur twice, with one label.
        assert KNeighborsClassifier(1).fit(X[kept], y[kept]).score(X, y) == 1.0
        assert len(kept) == len(set(kept)) < len(y)


def plain(X, y):
    kept, grown = [0], True
    while grown:
        grown = False
        for k in range(len(y)):
            if k in kept:
                continue
            distances = [((X[k] - X[j]) ** 2).sum() for j in kept]
            if y[kept[int(np.argmin(distances))]] != y[k]:
                kept.append(k)
                grown = True
    return sorted(kept)


def test_equals_the_plain_algorithm():
    data = gaussian_mixture(60, [[0.0, 0.0], [1.5, 1.0]], 0.5, seed=0)
    assert condensed_subset(data.X, data.y).tolist() == plain(data.X, data.y)


def test_clear_classes_need_one_each_and_the_kept_lie_near_the_border():
    data = gaussian_mixture(400, [[0.0, 0.0], [20.0, 0.0]], 0.5, seed=0)
    assert len(condensed_subset(data.X, data.y)) == 2
    near = gaussian_mixture(600, [[-1.5, 0.0], [1.5, 0.0]], 0.6, seed=1)
    kept = condensed_subset(near.X, near.y)
    assert np.abs(near.X[kept, 0]).mean() < 0.6 * np.abs(near.X[:, 0]).mean()


def test_contradictions_end_and_are_kept():
    X = np.array([[0.0], [0.0], [1.0]])
    # The second is at distance 0 from the first, which was kept first and so decides there and for the third.
    assert condensed_subset(X, [0, 1, 1]).tolist() == [0, 1, 2]
    assert condensed_subset(X, [0, 0, 0]).tolist() == [0]
