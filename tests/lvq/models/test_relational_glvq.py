"""GLVQ on dissimilarities: equality with GLVQ, words, bad matrices."""

import numpy as np
import pytest
from sklearn.metrics import pairwise_distances

from markone.lvq.models.glvq import GLVQ
from markone.lvq.models.kernel_glvq import KernelGLVQ
from markone.lvq.models.relational_glvq import RelationalGLVQ


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


def test_words_by_their_edit_distance():
    """Objects without features: neither vectors nor a kernel."""

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
