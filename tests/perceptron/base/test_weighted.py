"""Weights as repetition: the student equals that of repeated rows."""

import numpy as np
import pytest
from examples import teacher, three_clusters
from scipy import sparse
from sklearn.base import clone

from markone import LMS, PerceptronRule, Pocket, Rosenblatt

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
STUDENTS = [
    Rosenblatt(max_iter=30),
    Rosenblatt(max_iter=30, order="random", run_on="embeddings", random_state=0),
    Pocket(max_iter=30, random_state=0),
    Pocket(max_iter=30, method="ratchet", random_state=0),
    LMS(max_iter=30),
    PerceptronRule(max_iter=30, order="shuffled", random_state=0),
]


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("student", STUDENTS, ids=str)
@pytest.mark.parametrize("examples", [teacher(40, 10), three_clusters()], ids=["two classes", "three"])
def test_weight_k_is_the_example_k_times(student, examples, storage):
    X, y = examples
    times = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), times)
    weighted = clone(student).fit(storage(X), y, sample_weight=times)
    repeated = clone(student).fit(storage(X)[rows], y[rows])
    np.testing.assert_array_equal(weighted.coef_, repeated.coef_)
    np.testing.assert_array_equal(weighted.intercept_, repeated.intercept_)
    if hasattr(weighted, "embedding_"):
        x = np.atleast_2d(weighted.embedding_)
        assert x.shape == (len(weighted.coef_), len(y))
        assert not x[:, times == 0].any()
        np.testing.assert_allclose(x.sum(axis=1), np.atleast_2d(repeated.embedding_).sum(axis=1))


def test_weights_of_one_change_nothing_and_other_fractions_are_refused():
    X, y = teacher(40, 10)
    plain, ones = Rosenblatt().fit(X, y), Rosenblatt().fit(X, y, sample_weight=np.ones(40))
    np.testing.assert_array_equal(plain.coef_, ones.coef_)
    np.testing.assert_array_equal(plain.embedding_, ones.embedding_)
    with pytest.raises(ValueError, match=r"sample_weight contains 0\.5: .* must be integers"):
        Rosenblatt().fit(X, y, sample_weight=np.full(40, 0.5))
    with pytest.raises(ValueError, match="only one class"):
        Rosenblatt().fit(X, y, sample_weight=y > 0)
