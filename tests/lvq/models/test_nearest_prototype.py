"""The nearest prototype classifier: class means, k-means, given vectors, any distance."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.neighbors import NearestCentroid

from markone.lvq.distances import Minkowski
from markone.lvq.models.nearest_neighbours import NearestPrototype

X, Y = load_iris(return_X_y=True)


def test_class_means_are_nearest_centroid():
    ours, theirs = NearestPrototype().fit(X, Y), NearestCentroid().fit(X, Y)
    assert ours.prototypes_ == pytest.approx(theirs.centroids_)
    assert np.array_equal(ours.predict(X), theirs.predict(X))


def test_every_example_a_prototype_is_one_nearest_neighbour():
    ours = NearestPrototype(initial_prototypes=X, initial_labels=Y).fit(X, Y)
    assert ours.score(X, Y) == 1


@pytest.mark.parametrize("p", [1.0, 3.0, np.inf])
def test_distances_by_object_and_function(p):
    ours = NearestPrototype(distance=Minkowski(p), prototypes_per_class=2, random_state=0).fit(X, Y)
    plain = np.linalg.norm(X[:, None] - ours.prototypes_, ord=p, axis=2)
    assert ours.distances(X) == pytest.approx(plain)
    assert np.array_equal(ours.predict(X), ours.prototype_labels_[plain.argmin(axis=1)])


def test_own_pair_of_functions():
    pair = (lambda X, w: ((X - w) ** 2).sum(axis=1), lambda X, w: 2 * (w - X))
    own, named = NearestPrototype(distance=pair).fit(X, Y), NearestPrototype().fit(X, Y)
    assert own.distances(X) == pytest.approx(named.distances(X))


def test_missing_values_and_weights():
    holes = X.copy()
    holes[::3, 0] = np.nan
    student = NearestPrototype().fit(holes, Y)
    assert student.prototypes_[0] == pytest.approx(np.nanmean(holes[Y == 0], axis=0))
    mask = ~np.isnan(holes)
    plain = (np.where(mask[:, None], holes[:, None] - student.prototypes_, 0) ** 2).sum(-1)
    assert student.distances(holes) == pytest.approx(plain, abs=1e-9)
    weights = np.arange(150) % 2
    assert NearestPrototype().fit(X, Y, sample_weight=weights).prototypes_ == pytest.approx(
        NearestPrototype().fit(X[1::2], Y[1::2]).prototypes_
    )


def test_nonsense():
    with pytest.raises(ValueError, match="holds only one class"):
        NearestPrototype().fit(X[:50], Y[:50])
    with pytest.raises(ValueError, match="compares histograms"):
        NearestPrototype(distance="kullback_leibler").fit(X, Y)
    with pytest.raises(ValueError, match="metric to be learned"):
        NearestPrototype(distance="local").fit(X, Y)
