"""The full kernel matrix: mirrored tiles, and detection of invalid matrices."""

import numpy as np
import pytest
from sklearn.base import clone

from markone.perceptron import KernelAdaTron
from markone.perceptron.margin.kernel import make_kernel
from markone.perceptron.margin.kernel._kernel_matrix import mirror_lower, scan_kernel_matrix
from markone.perceptron.margin.kernel.kernel_certificate import potential_sums
from markone.perceptron.margin.kernel.mercer_checks import TOGETHER, check_precomputed

SIZES = (1, 2, 7, 8, 9, 16, 23, 40)


@pytest.mark.parametrize("P", SIZES)
def test_the_lower_triangle_is_mirrored(P):
    K = np.random.default_rng(P).standard_normal((P, P))
    expected = np.tril(K) + np.tril(K, -1).T
    mirror_lower(K)
    np.testing.assert_array_equal(K, expected)


@pytest.mark.parametrize("P", SIZES)
def test_the_matrix_of_the_rbf_kernel(P):
    X = np.random.default_rng(P).standard_normal((P, 3))
    K = make_kernel("rbf", X, gamma=0.3).with_matrix().matrix
    distances = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    np.testing.assert_allclose(K, np.exp(-0.3 * distances), rtol=1e-13)
    np.testing.assert_array_equal(K, K.T)


@pytest.mark.parametrize("P", SIZES)
def test_the_largest_difference_is_found_wherever_it_is(P):
    rng = np.random.default_rng(P)
    K = rng.standard_normal((P, P))
    K = K + K.T
    lifted = rng.random(P)
    size, unlike, above = scan_kernel_matrix(K, lifted)
    assert (size, unlike) == (np.abs(K).max(), 0.0)
    larger = np.greater(K**2, lifted * lifted[:, None])
    assert np.tril(larger, -1).sum() <= above <= larger.sum()
    for i, j in rng.integers(0, P, (30, 2)):
        other = K.copy()
        other[i, j] += 0.5
        assert scan_kernel_matrix(other, lifted)[1] == np.abs(other - other.T).max()


@pytest.mark.parametrize("P", SIZES)
@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_detected(P, wrong):
    K = np.eye(P)
    for i, j in ((0, P - 1), (P - 1, 0), (P // 2, P // 2)):
        other = K.copy()
        other[i, j] = wrong
        assert not np.isfinite(scan_kernel_matrix(other, np.ones(P))[:2]).all()
        with pytest.raises(ValueError, match="NaN or infinity"):
            check_precomputed(other)


def test_two_examples_violating_mercer_are_found_among_many():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((700, 5))
    K = X @ X.T + np.eye(700)
    check_precomputed(K)
    together = np.linspace(0, 699, TOGETHER).astype(int)
    i, j = np.setdiff1d(np.arange(700), together)[[20, 80]]
    for size in (1.5 * K.max(), 0.9 * K.max()):
        other = K.copy()
        other[i, j] = other[j, i] = size
        two = np.linalg.eigvalsh(other[np.ix_([i, j], [i, j])])[0]
        with pytest.raises(ValueError, match=f"eigenvalue is {two:.4g}"[:-1]):
            check_precomputed(other)
    negative = K.copy()
    negative[i, i] = -1.0
    with pytest.raises(ValueError, match="not positive semi-definite"):
        check_precomputed(negative)


def test_a_read_only_matrix():
    X = np.random.default_rng(2).standard_normal((90, 4))
    K = np.exp(-0.2 * ((X[:, None] - X[None]) ** 2).sum(axis=-1))
    y = np.arange(90) % 3
    locked = K.copy()
    locked.flags.writeable = False
    for how in ("one_vs_rest", "one_vs_one"):
        student = KernelAdaTron(C=1.0, kernel="precomputed", multi_class=how)
        one, two = clone(student).fit(K, y), clone(student).fit(locked, y)
        np.testing.assert_array_equal(one.embedding_, two.embedding_)
        np.testing.assert_array_equal(one.stability_bounds_, two.stability_bounds_)


@pytest.mark.parametrize("chosen", ["all", "turned", "two runs", "scattered"])
@pytest.mark.parametrize("terms", [0, 1, 3, 4, 6])
def test_sums_of_a_proof(chosen, terms):
    rng = np.random.default_rng(terms)
    X, S = rng.standard_normal((30, 4)), rng.choice([-1.0, 1.0], 30)
    who = {
        "all": np.arange(30),
        "turned": np.arange(30)[::-1].copy(),
        "two runs": np.r_[3:9, 20:29],
        "scattered": rng.permutation(30)[:17],
    }[chosen]
    x = np.zeros(len(who))
    x[rng.permutation(len(who))[:terms]] = rng.random(terms)
    kernel = make_kernel("rbf", X, gamma=0.3, clamp=0.5).with_matrix()
    part = kernel.rows(np.arange(30))[np.ix_(who, who)]
    E = potential_sums(kernel.subset_kernel(who), S[who], x)
    np.testing.assert_allclose(E, S[who] * ((x * S[who]) @ part), atol=1e-13)
