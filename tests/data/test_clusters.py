"""Clusters: their laws, their separability, and mixtures with unbalanced priors."""

import numpy as np
import pytest

from markone.data import gaussian_mixture, two_classes
from markone.perceptron import Rosenblatt, separability


@pytest.mark.parametrize("kind", ["halo", "dense", "arcs", "rings"])
def test_two_kinds_have_a_separating_line_and_two_have_none(kind):
    xi, S, teacher = two_classes(kind, 400, seed=3)
    assert teacher is None
    assert xi.shape == (400, 2)
    assert S.sum() == 0
    assert separability(xi, S).separable == (kind in ("halo", "dense"))
    np.testing.assert_array_equal(two_classes(kind, 400, seed=3).xi, xi)
    assert (two_classes(kind, 400, seed=3, repeat=1).xi != xi).any()


@pytest.mark.parametrize("kind", ["halo", "dense", "arcs", "rings"])
def test_the_mean_of_both_classes_is_zero(kind):
    xi = two_classes(kind, 40_000, seed=1).xi
    assert (np.abs(xi.mean(0)) < 4 * xi.std(0) / 200).all()


@pytest.mark.parametrize(
    "variances",
    [
        2.0,
        [2.0, 0.5],
        [[2.0, 1.0, 0.1], [1.0, 2.0, 3.0]],
        [np.diag([1.0, 2, 3]), [[2, 1, 0], [1, 2, 0], [0, 0, 0]]],
    ],
)
def test_a_mixture_has_the_means_variances_and_priors_asked_for(variances):
    means, P = np.array([[1.0, 0, -2], [0, 3, 0]]), 40_000
    drawn = gaussian_mixture(P, means, variances, [0.95, 0.05], seed=2)
    assert abs(np.mean(drawn.y == 1) - 0.05) < 4 * np.sqrt(0.05 * 0.95 / P)
    given = np.asarray(variances)
    if given.ndim < 3:
        each = np.broadcast_to(given[:, None] if given.ndim == 1 else given, (2, 3))
        given = np.stack([np.diag(v) for v in each])
    for k in range(2):
        X = drawn.X[drawn.cluster == k]
        spread = np.sqrt(np.diag(given[k]) / len(X))
        assert (np.abs(X.mean(0) - means[k]) <= 4.5 * spread).all()
        np.testing.assert_allclose(np.cov(X.T), given[k], atol=6 * given[k].max() * np.sqrt(2 / len(X)))


def test_several_clusters_make_one_class():
    drawn = gaussian_mixture(50, [[0.0], [5.0], [9.0]], 0.01, labels=["a", "b", "a"], seed=0)
    assert set(drawn.y) == {"a", "b"}
    assert ((drawn.y == "b") == (np.abs(drawn.X[:, 0] - 5) < 1)).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: two_classes("moons", 10), "no kind 'moons'.*halo, dense, arcs, rings"),
        (lambda: two_classes("halo", 1), "P = 1 points"),
        (lambda: two_classes("halo", 4, seed=-1), "seed = -1"),
        (lambda: gaussian_mixture(3, [[0.0], [1.0]], priors=[0.5, 0.6]), "add up to 1"),
        (lambda: gaussian_mixture(3, [[0.0], [1.0]], [1.0, 1.0, 1.0]), "3 values"),
        (lambda: gaussian_mixture(3, [[0.0], [1.0]], -1.0), "must not be negative"),
        (lambda: gaussian_mixture(3, [[0.0, 0.0]], [[1.0], [2.0]]), r"shape \(2, 1\)"),
        (lambda: gaussian_mixture(3, [[0.0, 0.0]], [[[1.0, 2.0], [2.0, 1.0]]]), "not a covariance"),
        (lambda: gaussian_mixture(3, [[0.0]], labels=[1, 2]), "one label for each of the 1 clusters"),
        (lambda: gaussian_mixture(0, [[0.0]]), "P = 0 points"),
    ],
)
def test_nonsense_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


@pytest.mark.parametrize("P", [2, 3, 41])
@pytest.mark.parametrize("kind", ["easy", "tight", "noisy"])
def test_sides_of_a_line_have_the_size_and_the_gap_asked_for(kind, P):
    xi, S, _ = two_classes(kind, P, seed=4)
    away = xi @ [0.6, 0.8] - 0.2
    gap = {"easy": 0.5, "tight": 0.005, "noisy": 0.2}[kind]
    assert xi.shape == (P, 2)
    assert np.abs(away).min() > gap
    assert kind == "noisy" or (S * away > 0).all()
    assert (two_classes(kind, P, seed=4, repeat=1).xi != xi).any()


def test_a_tight_set_takes_clearly_more_epochs_than_an_easy_one():
    """Over twenty draws: three times as many at the least, ten times in the middle."""

    def epochs(kind, seed):
        return Rosenblatt(max_iter=10_000).fit(*two_classes(kind, 40, seed=seed)[:2]).n_iter_

    ratios = [epochs("tight", seed) / epochs("easy", seed) for seed in range(20)]
    assert min(ratios) >= 3
    assert np.median(ratios) >= 10
