"""Many classes in feature space: pairs and their votes, threads, one shared kernel matrix."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris, load_wine
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.multiclass import OneVsOneClassifier
from sklearn.preprocessing import StandardScaler

from markone.perceptron import KernelAdaTron
from markone.perceptron.margin.kernel.prediction import one_vs_one, one_vs_rest, pair_votes

X, Y = load_iris(return_X_y=True)
WINE, GRAPES = load_wine(return_X_y=True)
WINE = StandardScaler().fit_transform(WINE)
ORDER = np.random.default_rng(0).permutation(len(Y))


def plain_votes(potentials, K):
    """One point per pair won; potentials break ties."""
    out = np.zeros((len(potentials), K))
    for row, scores in zip(out, potentials, strict=True):
        sums, k = np.zeros(K), 0
        for a in range(K):
            for b in range(a + 1, K):
                row[b if scores[k] >= 0 else a] += 1
                sums[a] -= scores[k]
                sums[b] += scores[k]
                k += 1
        row += sums / (3 * (np.abs(sums) + 1))
    return out


@pytest.mark.parametrize("K", [3, 4, 7])
def test_votes_are_those_counted_pair_by_pair(K):
    potentials = np.random.default_rng(K).standard_normal((20, K * (K - 1) // 2)).round(1)
    np.testing.assert_allclose(pair_votes(potentials, K), plain_votes(potentials, K), rtol=1e-14)


def test_problems_name_their_examples_and_classes():
    codes = np.array([2, 0, 1, 0, 2])
    first, second, third = one_vs_one(codes, 3)
    assert (first.negative, first.positive) == (0, 1)
    np.testing.assert_array_equal(first.indices, [1, 3, 2])
    np.testing.assert_array_equal(first.S, [-1, -1, 1])
    np.testing.assert_array_equal(second.of(codes), [0, 0, 2, 2])
    assert (third.negative, third.positive) == (1, 2)
    assert [p.indices for p in one_vs_rest(codes, 3)] == [None] * 3
    np.testing.assert_array_equal(one_vs_rest(codes, 3)[1].S, [-1, -1, 1, -1, -1])
    with pytest.raises(ValueError, match="no example of a weight above zero"):
        one_vs_one(np.zeros(3, int), 3)


@pytest.mark.parametrize("C", [1.0, 100.0])
def test_one_vs_one_is_each_pair_by_itself(C):
    """Against scikit-learn's wrapper of the binary student: the same potentials, the same votes."""
    ours = KernelAdaTron(C=C, gamma=0.1, multi_class="one_vs_one").fit(WINE[::2], GRAPES[::2])
    peer = OneVsOneClassifier(KernelAdaTron(C=C, gamma=0.1)).fit(WINE[::2], GRAPES[::2])
    np.testing.assert_allclose(ours.decision_function(WINE), peer.decision_function(WINE), atol=1e-6)
    np.testing.assert_array_equal(ours.predict(WINE), peer.predict(WINE))
    np.testing.assert_array_equal(ours.pairs_, [[0, 1], [0, 2], [1, 2]])
    assert ours.embedding_.shape == (3, len(GRAPES[::2]))
    for (a, b), x, status in zip(ours.pairs_, ours.embedding_, ours.status_, strict=True):
        assert set(GRAPES[::2][x > 0]) <= {a, b}
        assert status == "exact"
    for pair, student in enumerate(peer.estimators_):
        np.testing.assert_allclose(ours.stability_bounds_[pair], student.stability_bounds_, rtol=1e-6)


@pytest.mark.parametrize("multi_class", ["one_vs_rest", "one_vs_one"])
def test_the_order_of_the_examples_the_kind_of_kernel_and_the_cores_do_not_matter(multi_class):
    options = {"C": 10.0, "multi_class": multi_class}
    ready = KernelAdaTron(gamma=0.5, **options).fit(X, Y)
    expected = ready.decision_function(X)
    shuffled = KernelAdaTron(gamma=0.5, **options).fit(X[ORDER], Y[ORDER])
    np.testing.assert_allclose(shuffled.decision_function(X), expected, atol=1e-7)
    np.testing.assert_allclose(shuffled.embedding_, ready.embedding_[:, ORDER], atol=1e-4)
    K = rbf_kernel(X, gamma=0.5)
    matrix = KernelAdaTron(kernel="precomputed", **options).fit(K[np.ix_(ORDER, ORDER)], Y[ORDER])
    np.testing.assert_allclose(matrix.decision_function(K[:, ORDER]), expected, atol=1e-7)
    thin = KernelAdaTron(gamma=0.5, **options).fit(sparse.csr_array(X), Y)
    np.testing.assert_allclose(thin.decision_function(X), expected, atol=1e-7)
    threads = KernelAdaTron(gamma=0.5, n_jobs=2, **options).fit(X, Y)
    np.testing.assert_array_equal(threads.decision_function(X), expected)
    small = KernelAdaTron(gamma=0.5, cache_size=0.05, **options).fit(X, Y)
    np.testing.assert_allclose(small.decision_function(X), expected, atol=1e-6)
    book = KernelAdaTron(gamma=0.5, solver="sequential", tol=1e-9, max_iter=20_000, **options).fit(X, Y)
    np.testing.assert_allclose(book.decision_function(X), expected, atol=1e-4)


def test_two_classes_are_one_problem_either_way():
    some = Y > 0
    rest = KernelAdaTron(C=1.0).fit(X[some], Y[some])
    pair = KernelAdaTron(C=1.0, multi_class="one_vs_one").fit(X[some], Y[some])
    np.testing.assert_allclose(pair.decision_function(X), rest.decision_function(X), atol=1e-9)
    assert pair.decision_function(X).ndim == 1
    assert not hasattr(pair, "pairs_")
    many = pair.fit(X, Y)
    assert many.decision_function(X).shape == (150, 3)
    assert not hasattr(many.set_params(multi_class="one_vs_rest").fit(X, Y), "pairs_")


def test_weights_and_records_go_to_the_right_pairs():
    weight = (np.arange(len(Y)) % 3 > 0).astype(float)
    some = weight > 0
    absent = KernelAdaTron(gamma=0.5, C=1.0, multi_class="one_vs_one").fit(X[some], Y[some])
    weighted = KernelAdaTron(gamma=0.5, C=1.0, multi_class="one_vs_one").fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(weighted.decision_function(X), absent.decision_function(X), atol=1e-7)
    np.testing.assert_allclose(weighted.embedding_[:, some], absent.embedding_, atol=1e-6)
    recorded = KernelAdaTron(C=1.0, multi_class="one_vs_one", solver="sequential", record="updates", tol=1e-3)
    assert [len(h.S) for h in recorded.fit(X, Y).history_] == [100, 100, 100]


def test_a_pair_that_is_not_separable_is_named():
    twice, labels = np.vstack([X, X[:1]]), np.append(Y, 2)
    with pytest.warns(UserWarning, match=r"\(class 0 against 2\) found that the examples are not separable"):
        student = KernelAdaTron(gamma=10.0, multi_class="one_vs_one").fit(twice, labels)
    assert student.status_.tolist()[1] == "not_separable"
