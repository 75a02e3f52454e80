"""k nearest neighbours: the plain vote; the condensed subset: consistent, small, near the border."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from markone.data import gaussian_mixture, load
from markone.lvq import NearestNeighbours, condensed_subset


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


def vote(X, y, x, k, weights):
    """Neighbours by distance, then by place; votes added up; the first of the classes that tie."""
    d = [np.sqrt(np.sum((row - x) ** 2)) for row in X]
    nearest = sorted(range(len(X)), key=lambda i: (d[i], i))[:k]
    votes = dict.fromkeys(sorted(set(y)), 0.0)
    for rank, i in enumerate(nearest):
        inverse = float(d[i] == 0) if d[nearest[0]] == 0 else 1 / d[i]
        votes[y[i]] += {"equal": 1.0, "rank": 1 / (rank + 1), "inverse": inverse}[weights]
    total = sum(votes.values())
    return max(votes, key=votes.get), [value / total for value in votes.values()]


@pytest.mark.parametrize("weights", ["equal", "inverse", "rank"])
@pytest.mark.parametrize("k", [1, 2, 5, 60])
def test_it_is_the_plain_vote_with_all_its_ties(k, weights):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (60, 5)).astype(float)
    y = np.array(["a", "b", "c"])[rng.integers(0, 3, 60)]
    new = np.vstack([X[:20], rng.standard_normal((20, 5))])
    model = NearestNeighbours(k=k, weights=weights).fit(X, y)
    expected = [vote(X, y, x, k, weights) for x in new]
    assert model.predict(new).tolist() == [label for label, _ in expected]
    np.testing.assert_allclose(model.predict_proba(new), [share for _, share in expected], atol=1e-12)


def test_it_is_scikit_learn_where_nothing_ties_with_another_metric():
    data = gaussian_mixture(150, [[-1.0, 0, 0], [1, 0, 0], [0, 1, 0]], seed=1)
    for weights, theirs in (("equal", "uniform"), ("inverse", "distance")):
        other = KNeighborsClassifier(7, weights=theirs, metric="manhattan").fit(data.X, data.y)
        model = NearestNeighbours(k=7, weights=weights, metric="manhattan").fit(data.X, data.y)
        np.testing.assert_allclose(model.predict_proba(data.X), other.predict_proba(data.X), atol=1e-12)


def test_condensed_neighbours_keep_harts_subset_and_label_everything_right():
    iris = load("iris")
    model = NearestNeighbours(condense=True).fit(iris.X, iris.y)
    assert model.kept_.tolist() == condensed_subset(iris.X, iris.y).tolist()
    assert model.score(iris.X, iris.y) == 1.0


def test_more_neighbours_than_examples_are_refused():
    with pytest.raises(ValueError, match="k = 5 neighbours, but 4 examples are kept: lower k"):
        NearestNeighbours(k=5).fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


def test_votes_by_distance_are_finite_or_refused():
    X = np.array([[0.0], [1.0], [3.0]])
    for scale in (1e-150, 1e140):
        model = NearestNeighbours(k=3, weights="inverse").fit(scale * X, [0, 1, 1])
        found = model.predict_proba([[0.5 * scale]])
        np.testing.assert_allclose(found, [[1 / 2.2, 1.2 / 2.2]], rtol=1e-6)
    with pytest.raises(ValueError, match="so small that all squared distances are zero"):
        NearestNeighbours().fit(1e-200 * X, [0, 1, 1])
