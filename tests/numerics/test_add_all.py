"""Rows added four at a time: the bits of rows added one by one."""

import numpy as np
import pytest
import scipy.sparse

from markone.numerics._rows import Sparse, add_example, add_weighted_examples
from markone.numerics.compiling import entry


@entry
def together(xi, a, w):
    return add_weighted_examples(xi, a, w)


@entry
def one_by_one(xi, a, w):
    total = 0.0
    for mu in range(a.shape[0]):
        if a[mu] != 0.0:
            add_example(xi, mu, a[mu], w)
            total += a[mu]
    return total


@pytest.mark.parametrize("N", [1, 3, 4, 7, 20, 101])
def test_the_same_bits_as_one_by_one(N):
    rng = np.random.default_rng(N)
    for P in (1, 2, 3, 4, 5, 8, 30):
        for share in (0.0, 0.3, 1.0):
            xi, a = rng.standard_normal((P, N)), rng.random(P) * (rng.random(P) < share)
            w = rng.standard_normal(N)
            v = w.copy()
            assert together(xi, a, w) == one_by_one(xi, a, v)
            assert np.array_equal(w, v)


def test_sparse_rows_too():
    rng = np.random.default_rng(0)
    X = scipy.sparse.random_array((20, 9), density=0.3, rng=rng, format="csr")
    a, w = rng.random(20), np.zeros(9)
    assert together(Sparse(X.data, X.indices, X.indptr, 9), a, w) == pytest.approx(a.sum(), rel=1e-15)
    np.testing.assert_allclose(w, X.T @ a, rtol=1e-13)
