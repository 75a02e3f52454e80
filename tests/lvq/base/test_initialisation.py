"""Initial prototypes."""

import numpy as np
import pytest
from labelled import clusters, with_gaps

from markone.lvq import GLVQ
from markone.lvq.base.initialisation import STARTS, counts_per_class, first_prototypes
from markone.lvq.distances.row_statistics import class_mean


def start(X, y, counts, how, **options):
    return first_prototypes(X, y, np.unique(y), counts, how, **options)


@pytest.mark.parametrize("how", STARTS)
def test_every_start_gives_the_numbers_asked_for(how):
    X, y = clusters()
    W, c = start(X, y, [1, 3, 2], how)
    assert W.shape == (6, 4)
    assert list(c) == [0, 1, 1, 1, 2, 2]
    assert len(np.unique(W, axis=0)) == 6
    W, _ = start(with_gaps(X), y, [1, 3, 2], how)
    assert np.isfinite(W).all()


@pytest.mark.parametrize("how", ["means", "kmeans"])
def test_one_prototype_is_the_class_mean(how):
    X, y = clusters()
    W, _ = start(X, y, [1, 1, 1], how)
    np.testing.assert_allclose(W, [X[y == k].mean(axis=0) for k in range(3)])
    s = np.random.default_rng(0).integers(1, 4, len(y))
    W, _ = start(X, y, [1, 1, 1], how, weights=s.astype(float))
    np.testing.assert_allclose(W, [X.repeat(s, axis=0)[y.repeat(s) == k].mean(axis=0) for k in range(3)])


def test_the_start_of_the_toolbox():
    X, y = clusters()
    W, _ = start(X, y, [1, 1, 1], "toolbox", rng=np.random.RandomState(7))
    means = np.array([X[y == k].mean(axis=0) for k in range(3)])
    np.testing.assert_allclose(W, means * (0.99 + 0.02 * np.random.RandomState(7).rand(4, 3).T))


def test_examples_are_examples_and_kmeans_finds_clusters():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0], [10, 0], [0, 10]])
    X = centres[np.arange(90) % 3] + 0.1 * rng.standard_normal((90, 2))
    y = np.zeros(90, dtype=int)
    W, _ = first_prototypes(X, y, np.array([0]), [3], "kmeans")
    assert sorted(np.rint(W).tolist()) == sorted(centres.tolist())
    W, _ = first_prototypes(X, y, np.array([0]), [5], "examples")
    assert all((w == X).all(axis=1).any() for w in W)


def test_a_feature_that_a_class_never_shows_starts_at_the_common_mean():
    X, y = clusters()
    X[y == 1, 2] = np.nan
    W, _ = start(X, y, [1, 1, 1], "kmeans")
    assert W[1, 2] == pytest.approx(np.nanmean(X[:, 2]))
    assert np.isnan(class_mean(X[y == 1], None)[2])


def test_numbers_by_class():
    assert counts_per_class(2, np.array(["a", "b"])) == [2, 2]
    assert counts_per_class({"b": 3, "a": 1}, np.array(["a", "b"])) == [1, 3]
    X, y = clusters()
    model = GLVQ(prototypes_per_class={0: 1, 1: 2, 2: 3}, random_state=0).fit(X, y)
    assert list(model.prototype_labels_) == [0, 1, 1, 2, 2, 2]
    given = GLVQ(initial_prototypes=X[:6], initial_labels=y[:6]).fit(X, y)
    assert list(given.prototype_labels_) == list(y[:6])


def refuses(model, match):
    X, y = clusters()
    with pytest.raises(ValueError, match=match):
        model.fit(X, y)


def test_bad_starts_in_sentences():
    X, y = clusters()
    refuses(GLVQ(prototypes_per_class={0: 1, 1: 1}), "no number for class 2")
    refuses(GLVQ(prototypes_per_class={0: 1, 1: 0, 2: 1}), "at least one prototype")
    refuses(GLVQ(initial_prototypes=X[:3]), "needs initial_labels")
    refuses(GLVQ(initial_prototypes=X[:3], initial_labels=[0, 1]), "one row for each of the 2")
    refuses(GLVQ(initial_prototypes=X[:3], initial_labels=[0, 1, 1]), "lacks 2")
    refuses(GLVQ(initial_prototypes=X[:4], initial_labels=[0, 1, 2, 3]), "holds 3, which is no class")
    with pytest.raises(ValueError, match="only 1 distinct"):
        GLVQ(prototypes_per_class=2).fit(np.repeat(X[:3], 5, axis=0), np.repeat(y[:3], 5))
