"""Sparse rows (CSR) give what dense ones give, to rounding, and are never made dense."""

import tracemalloc

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

from markone.lvq import GLVQ, GMLVQ, LVQ1, LVQ21, RSLVQ, NearestPrototype

TAKE_IT = [
    NearestPrototype(),
    NearestPrototype(prototypes_per_class=2),
    NearestPrototype(prototypes_per_class=2, initial="means"),
    NearestPrototype(prototypes_per_class=2, initial="examples"),
    LVQ1(),
    LVQ1(keep="last", order="cyclic", prototypes_per_class=2),
    LVQ1(keep="last", order="random", schedule="exponential"),
    GLVQ(),
    GLVQ(solver="waypoint"),
    GLVQ(solver="stochastic", prototypes_per_class=2),
]
each = pytest.mark.parametrize("student", TAKE_IT, ids=str)


@pytest.fixture(scope="module")
def rows():
    """Counts with three quarters of zeros, no row twice (random draws would differ)."""
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.poisson(0.2 + 1.5 * np.eye(3)[y].repeat(4, axis=1) * rng.random((90, 12))).astype(float)
    kept = np.sort(np.unique(X, axis=0, return_index=True)[1])
    return X[kept], y[kept]


@each
@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix])
def test_sparse_equals_dense(student, make, rows):
    X, y = rows
    student = clone(student).set_params(random_state=0)
    dense, thin = clone(student).fit(X, y), clone(student).fit(make(X), y)
    np.testing.assert_allclose(thin.prototypes_, dense.prototypes_, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(thin.distances(make(X)), dense.distances(X), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(dense.distances(make(X)), dense.distances(X), rtol=1e-9, atol=1e-9)
    np.testing.assert_array_equal(dense.predict(make(X)), dense.predict(X))


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "random"])
def test_the_compiled_epoch_equals_its_twin(order, rows):
    """The dense loop is the twin: one pass, weights and all, to twelve digits."""
    X, y = rows
    weights = np.random.default_rng(1).random(len(y)) * 3
    start = NearestPrototype(prototypes_per_class=2, random_state=0).fit(X, y, weights)
    given = {"initial_prototypes": start.prototypes_, "initial_labels": start.prototype_labels_}
    thin = LVQ1(order=order, max_iter=3, keep="last", eta=0.3, random_state=3, **given)
    same = clone(thin).fit(X, y, weights)
    thin.fit(sparse.csr_matrix(X), y, weights)
    np.testing.assert_allclose(thin.prototypes_, same.prototypes_, rtol=1e-11, atol=1e-12)
    assert thin.trace_["errors"].tolist() == same.trace_["errors"].tolist()
    assert thin.trace_["cost"] == pytest.approx(same.trace_["cost"], rel=1e-10)


def test_weights_are_repetitions_of_sparse_rows_too(rows):
    X, y = sparse.csr_matrix(rows[0]), rows[1]
    counts = np.random.default_rng(2).integers(0, 4, len(y))
    many = X[np.repeat(np.arange(len(y)), counts)], np.repeat(y, counts)
    for student in (NearestPrototype(initial="examples"), GLVQ(solver="stochastic"), GLVQ()):
        student.set_params(random_state=0)
        weighed = clone(student).fit(X, y, sample_weight=counts).distances(X)
        np.testing.assert_allclose(clone(student).fit(*many).distances(X), weighed, rtol=1e-6)


@pytest.mark.parametrize("student", [LVQ1(), GLVQ()], ids=str)
def test_streams_and_single_precision(student, rows):
    X, y = rows
    dense, thin = clone(student).set_params(random_state=0), clone(student).set_params(random_state=0)
    for part in np.array_split(np.argsort(y, kind="stable"), 4):
        dense.partial_fit(X[part], y[part], classes=[0, 1, 2])
        thin.partial_fit(sparse.csr_matrix(X)[part], y[part], classes=[0, 1, 2])
    np.testing.assert_allclose(thin.prototypes_, dense.prototypes_, rtol=1e-8, atol=1e-9)
    single = sparse.csr_matrix(X, dtype=np.float32)
    assert clone(student).fit(single, y).decision_function(single).dtype == np.float32


@pytest.mark.parametrize(
    "student", [NearestPrototype(), LVQ1(prototypes_per_class=1), GLVQ(max_iter=3)], ids=str
)
def test_wide_rows_stay_sparse(student):
    """1000 x 20000 would be 160 MB dense."""
    X = sparse.random(1000, 20000, density=1e-3, format="csr", random_state=0)
    y = np.arange(1000) % 2
    tracemalloc.start()
    clone(student).fit(X, y).predict(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


def test_words():
    texts = ["good fine great", "bad awful poor", "great good", "poor bad", "fine day", "awful bad day"] * 5
    for student in (NearestPrototype(), LVQ1(random_state=0), GLVQ()):
        model = make_pipeline(TfidfVectorizer(), clone(student)).fit(texts, [1, 0, 1, 0, 1, 0] * 5)
        assert model.predict(["a good and fine thing", "a poor and awful thing"]).tolist() == [1, 0]


def test_who_does_not_take_it_says_so(rows):
    X, y = sparse.csr_matrix(rows[0]), rows[1]
    for student in (GMLVQ(), RSLVQ(), LVQ21(), GLVQ(distance="minkowski"), LVQ1(distance="angle")):
        with pytest.raises(TypeError, match="Sparse data was passed"):
            student.fit(X, y)
    gaps = X.copy()
    gaps.data[0] = np.nan
    with pytest.raises(ValueError, match="Sparse X cannot have missing values"):
        GLVQ().fit(gaps, y)
