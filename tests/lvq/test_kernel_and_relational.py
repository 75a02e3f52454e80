"""GLVQ in feature space and on dissimilarities: gradients, equality with GLVQ, new rows, bad input."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import pairwise_distances
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler
from sklearn.utils import get_tags

from markone.lvq.costs import Targets
from markone.lvq.costs.glvq import GLVQCost
from markone.lvq.distances import Rows
from markone.lvq.models.glvq import GLVQ
from markone.lvq.models.kernel_glvq import KernelGLVQ
from markone.lvq.models.relational_glvq import RelationalGLVQ
from markone.lvq.spaces.embedding import Embedding, PseudoEuclidean
from markone.lvq.spaces.feature_map import choose_landmarks
from markone.perceptron.feature_space import make_kernel


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def glvq_cost(D, y, c, gamma=10.0):
    right, wrong = np.where(y[:, None] == c, D, np.inf).min(1), np.where(y[:, None] != c, D, np.inf).min(1)
    return (1 / (1 + np.exp(-gamma * (right - wrong) / (right + wrong)))).mean()


def test_landmarks_give_all_kernels_back(iris):
    X, _ = iris
    for kernel in ("rbf", "linear", "poly"):
        made = make_kernel(kernel, X)
        K = made.rows(np.arange(150))
        feature_map, Z = choose_landmarks(made, 150)
        assert pytest.approx(K, abs=1e-7 * np.abs(K).max()) == Z @ Z.T
        assert feature_map(K[:, feature_map.landmarks]) == pytest.approx(Z, abs=1e-5 * np.abs(Z).max())
        assert len(set(feature_map.landmarks)) == Z.shape[1]
    assert choose_landmarks(make_kernel("linear", X), 150)[1].shape == (150, 4)


def test_fewer_landmarks_are_nystroem(iris):
    X, _ = iris
    made = make_kernel("rbf", X)
    K, (feature_map, Z) = made.rows(np.arange(150)), choose_landmarks(made, 20)
    S = feature_map.landmarks
    assert pytest.approx(K[:, S] @ np.linalg.solve(K[np.ix_(S, S)], K[S]), abs=1e-6) == Z @ Z.T


def test_distances_are_those_of_the_coefficients(iris):
    """d = K_ii - 2 K_i gamma_j + gamma_j' K gamma_j for rows in the span."""
    X, y = iris
    student = KernelGLVQ(kernel="poly", degree=2).fit(X, y)
    made = make_kernel("poly", X, degree=2)
    K, S, gamma = made.rows(np.arange(150)), student.landmarks_, student.coefficients_
    d = np.diag(K)[:, None] - 2 * K[:, S] @ gamma.T + ((gamma @ K[np.ix_(S, S)]) * gamma).sum(axis=1)
    assert student.distances(X) == pytest.approx(d, rel=1e-5, abs=1e-6)


def test_the_cost_is_stationary_in_the_coefficients(iris):
    """dd/dgamma = 2 K gamma_j - 2 K_i, by differences of the plain cost."""
    X, y = iris
    student = KernelGLVQ(kernel="linear", max_iter=1000).fit(X, y)
    S, c = student.landmarks_, student.prototype_labels_
    K = X @ X.T

    def cost(gamma):
        d = np.diag(K)[:, None] - 2 * K[:, S] @ gamma.T + ((gamma @ K[np.ix_(S, S)]) * gamma).sum(axis=1)
        return glvq_cost(d, y, c)

    gamma = student.coefficients_
    best = cost(gamma)
    assert best == pytest.approx(student.cost_, rel=1e-9)
    for k in range(gamma.size):
        step = np.zeros(gamma.size)
        step[k] = 1e-5
        slope = (cost(gamma + step.reshape(gamma.shape)) - cost(gamma - step.reshape(gamma.shape))) / 2e-5
        assert abs(slope) < 2e-3


def test_linear_kernel_and_squared_distances_are_euclidean_glvq(iris):
    X, y = iris
    plain = GLVQ(phi="sigmoid", gamma=10.0).fit(X, y)
    new = X[::7] + 0.3
    kernel = KernelGLVQ(kernel="linear", max_iter=1000).fit(X, y)
    relational = RelationalGLVQ(max_iter=1000).fit(X, y)
    given = RelationalGLVQ(metric="precomputed", squared=True, max_iter=1000)
    given.fit(pairwise_distances(X, metric="sqeuclidean"), y)
    for student in (kernel, relational, given):
        assert student.cost_ == pytest.approx(plain.cost_, rel=1e-4)
        rows = new if student is not given else pairwise_distances(new, X, metric="sqeuclidean")
        assert student.distances(rows) == pytest.approx(plain.distances(new), rel=0.05, abs=0.05)
        assert np.array_equal(student.predict(rows), plain.predict(new))
        span = X[student.landmarks_] if student is kernel else X
        assert student.coefficients_ @ span == pytest.approx(plain.prototypes_, abs=0.05)
    assert relational.coefficients_.sum(axis=1) == pytest.approx(np.ones(3))
    assert relational.signature_ == (4, 0)


def test_relational_distances_are_those_of_the_coefficients():
    """[D alpha]_i - 1/2 alpha' D alpha, for a dissimilarity that is no squared distance."""
    rng = np.random.default_rng(0)
    D = rng.random((12, 12)) ** 2
    D = D + D.T
    np.fill_diagonal(D, 0)
    space = Embedding.of(D, 1e-10, clip=False)
    assert (space.signs < 0).any()
    W = rng.normal(size=(3, len(space.signs))) * 0.1
    alpha = space.coefficients(W)
    assert alpha.sum(axis=1) == pytest.approx(np.ones(3))
    assert alpha @ space.Z == pytest.approx(W)
    d = (D @ alpha.T) - 0.5 * ((alpha @ D) * alpha).sum(axis=1)
    got, _ = PseudoEuclidean(space.signs).evaluate(Rows.of(space.Z), W)
    assert got == pytest.approx(np.maximum(d, 0), abs=1e-12)


def test_the_gradient_of_pseudo_euclidean_distances():
    rng = np.random.default_rng(1)
    Z, signs = rng.normal(size=(30, 5)), np.array([1.0, 1.0, 1.0, -1.0, -1.0])
    Z[:, 3:] *= 0.5
    y, c, W = np.arange(30) % 2, np.array([0, 1]), rng.normal(size=(2, 5))
    distance, cost, targets = PseudoEuclidean(signs), GLVQCost("sigmoid", 3.0), Targets(y, c)

    def value(W):
        D, pull = distance.evaluate(Rows.of(Z), W)
        E, R, _ = cost.evaluate(D, targets, 1.0)
        return E, pull(R)[0]

    gradient = value(W)[1]
    for j, k in np.ndindex(2, 5):
        step = np.zeros((2, 5))
        step[j, k] = 1e-6
        assert (value(W + step)[0] - value(W - step)[0]) / 2e-6 == pytest.approx(gradient[j, k], abs=1e-7)


def test_words_by_their_edit_distance():
    """Things without features: neither a vector nor a kernel."""

    def edits(a, b):
        row = np.arange(len(b) + 1)
        for i, x in enumerate(a, 1):
            new = [i]
            for j, z in enumerate(b, 1):
                new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != z)))
            row = new
        return row[-1]

    rng = np.random.default_rng(0)
    stems, words, y = ("learning", "quantise"), [], np.arange(40) % 2
    for label in y:
        word = list(stems[label])
        for place in rng.choice(8, 3, replace=False):
            word[place] = rng.choice(list("abcdefgh"))
        words.append("".join(word))
    D = np.array([[edits(a, b) for b in words] for a in words], dtype=float)
    for negative in ("clip", "keep"):
        student = RelationalGLVQ(metric="precomputed", negative=negative).fit(D[:30, :30], y[:30])
        assert student.score(D[30:, :30], y[30:]) >= 0.9
        assert (student.signature_[1] == 0) == (negative == "clip")


def test_precomputed_kernels_are_cut_along_both_sides(iris):
    X, y = iris
    K = rbf_kernel(X, gamma=0.25)
    given = KernelGLVQ(kernel="precomputed", n_components=60).fit(K, y)
    named = KernelGLVQ(gamma=0.25, n_components=60).fit(X, y)
    own = KernelGLVQ(kernel=lambda A, B: rbf_kernel(A, B, gamma=0.25), n_components=60).fit(X, y)
    assert np.array_equal(given.predict(K), named.predict(X))
    assert np.array_equal(own.predict(X), named.predict(X))
    for student in (KernelGLVQ(kernel="precomputed"), RelationalGLVQ(metric="precomputed")):
        assert get_tags(student).input_tags.pairwise
        matrix = K if isinstance(student, KernelGLVQ) else pairwise_distances(X)
        assert cross_val_score(student, matrix, y, cv=3).mean() > 0.9
    assert not get_tags(KernelGLVQ()).input_tags.pairwise


def test_weight_zero_is_not_there(iris):
    X, y = iris
    some = np.arange(150) % 3 > 0
    for student in (KernelGLVQ(n_components=30), RelationalGLVQ(), RelationalGLVQ(metric="precomputed")):
        A = pairwise_distances(X) if student.get_params().get("metric") == "precomputed" else X
        part = A[np.ix_(some, some)] if A is not X else A[some]
        new = A[:, some] if A is not X else A
        a = student.fit(A, y, sample_weight=some).predict(A)
        assert np.array_equal(a, student.fit(part, y[some]).predict(new))


def test_bad_matrices():
    y = [0, 1, 0, 1]
    D = 1.0 - np.eye(4)
    student = RelationalGLVQ(metric="precomputed")
    with pytest.raises(ValueError, match="must be square; this one is 4 x 3"):
        student.fit(D[:, :3], y)
    with pytest.raises(ValueError, match="is not symmetric: entries differ by up to 1"):
        student.fit(D + np.triu(D), y)
    with pytest.raises(ValueError, match="the diagonal holds 1"):
        student.fit(np.ones((4, 4)), y)
    with pytest.raises(ValueError, match="not be negative; the smallest is -1"):
        RelationalGLVQ(metric="precomputed", squared=True).fit(-D, y)
    with pytest.raises(ValueError, match="kernel is zero on all examples"):
        KernelGLVQ(kernel="linear").fit(np.zeros((4, 2)), y)
