"""Dissimilarities as vectors of a pseudo-Euclidean space."""

import numpy as np
import pytest

from markone.lvq.costs import Targets
from markone.lvq.costs.glvq import GLVQCost
from markone.lvq.distances import Rows
from markone.lvq.models.relational_glvq import PseudoEuclidean, RelationalGLVQ, embed_dissimilarities


def test_relational_distances_are_those_of_the_coefficients():
    """[D alpha]_i - 1/2 alpha' D alpha, for a dissimilarity that is no squared distance."""
    rng = np.random.default_rng(0)
    D = rng.random((12, 12)) ** 2
    D = D + D.T
    np.fill_diagonal(D, 0)
    U, roots, signs = embed_dissimilarities(D, 1e-10, clip=False)
    assert (signs < 0).any()
    model = RelationalGLVQ(
        metric="precomputed",
        squared=True,
        negative="keep",
        max_iter=1,
        prototypes_per_class=2,
        random_state=0,
    ).fit(D, np.arange(12) % 2)
    alpha = model.coefficients_
    assert alpha.sum(axis=1) == pytest.approx(np.ones(4))
    d = (D @ alpha.T) - 0.5 * ((alpha @ D) * alpha).sum(axis=1)
    got, _ = PseudoEuclidean(signs).evaluate(Rows.from_array(U * roots), alpha @ (U * roots))
    assert got == pytest.approx(np.maximum(d, 0), abs=1e-12)
    assert model.distances(D) == pytest.approx(d, abs=1e-12)


def test_the_gradient_of_pseudo_euclidean_distances():
    rng = np.random.default_rng(1)
    Z, signs = rng.normal(size=(30, 5)), np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    Z[:, 3:] *= 0.5
    y, c, W = np.arange(30) % 2, np.array([0, 1]), rng.normal(size=(2, 5))
    distance, cost, targets = PseudoEuclidean(signs), GLVQCost("sigmoid", 3.0), Targets(y, c)

    def value(W):
        D, pull = distance.evaluate(Rows.from_array(Z), W)
        E, R, _ = cost.evaluate(D, targets, 1.0)
        return E, pull(R)[0]

    gradient = value(W)[1]
    for j, k in np.ndindex(2, 5):
        step = np.zeros((2, 5))
        step[j, k] = 1e-6
        assert (value(W + step)[0] - value(W - step)[0]) / 2e-6 == pytest.approx(gradient[j, k], abs=1e-7)
