"""partial_fit batch by batch, for models with and without a cost."""

import numpy as np
import pytest
from labelled import scaled
from sklearn.base import clone

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LVQ1, LVQ3, LVQ21, MRSLVQ, OLVQ1, RSLVQ, MatrixLVQ1

X, y = scaled("iris")
NAMES = np.array(["a", "b", "c"])[y]
STUDENTS = [GLVQ(), GMLVQ(), RSLVQ(), LVQ1(), OLVQ1(), MatrixLVQ1()]
EVERYWHERE = [*STUDENTS, GRLVQ(), LGMLVQ(), LGMLVQ(per="prototype"), MRSLVQ(), LVQ21(), LVQ3()]
everywhere = pytest.mark.parametrize("student", EVERYWHERE, ids=str)
every = pytest.mark.parametrize("student", STUDENTS, ids=lambda student: type(student).__name__)


def started(student, **parameters):
    student = clone(student).set_params(random_state=0, **parameters)
    return student.partial_fit(X, NAMES, classes=["a", "b", "c"])


@every
def test_a_batch_of_one_class_counts_with_weights_as_without(student):
    with_weights, without = started(student), started(student)
    with_weights.partial_fit(X[:10], NAMES[:10], sample_weight=np.ones(10))
    without.partial_fit(X[:10], NAMES[:10])
    np.testing.assert_allclose(with_weights.prototypes_, without.prototypes_, rtol=1e-12)


@pytest.mark.parametrize("student", STUDENTS[:3], ids=lambda student: type(student).__name__)
def test_class_weights_are_weights_of_the_examples(student):
    prices = {"a": 1.0, "b": 2.0, "c": 0.5}
    weighed = started(student, class_weight=prices).partial_fit(X[:60], NAMES[:60])
    given = clone(student).set_params(random_state=0)
    given.partial_fit(X, NAMES, classes=["a", "b", "c"], sample_weight=[prices[label] for label in NAMES])
    given.partial_fit(X[:60], NAMES[:60], sample_weight=[prices[label] for label in NAMES[:60]])
    np.testing.assert_allclose(weighed.prototypes_, given.prototypes_, rtol=1e-10)


@every
def test_a_refused_first_batch_leaves_nothing_behind(student):
    refused = clone(student).set_params(random_state=0)
    with pytest.raises(ValueError, match="y holds the label 'd'"):
        refused.partial_fit(X[:3], ["a", "b", "d"], classes=["a", "b", "c"])
    refused.partial_fit(X, NAMES)
    np.testing.assert_array_equal(refused.prototypes_, started(student).prototypes_)


def stream(student, order, sizes, **parameters):
    """The model after batches of these sizes of the rows in this order."""
    student = clone(student).set_params(random_state=0, **parameters)
    for rows in np.split(order, np.cumsum(sizes)[:-1]):
        student.partial_fit(X[rows], NAMES[rows], classes=["a", "b", "c"])
    return student


@everywhere
@pytest.mark.parametrize("late", ["a", "b", "c"])
def test_a_class_that_first_appears_in_the_last_batch(student, late):
    """Its prototypes are placed at the mean of its class."""
    rng = np.random.default_rng(0)
    early, last = np.flatnonzero(late != NAMES), np.flatnonzero(late == NAMES)
    before = stream(student, rng.permutation(early), [50, 50], prototypes_per_class=1)
    assert set(before.prototype_labels_) == {"a", "b", "c"} - {late}
    assert set(before.predict(X)) == {"a", "b", "c"} - {late}
    scores = before.decision_function(X)
    assert scores.shape == (150, 3)
    assert (scores.argmin(axis=1) == "abc".index(late)).all()
    after = before.partial_fit(X[last], NAMES[last])
    assert sorted(after.prototype_labels_) == ["a", "b", "c"]
    (where,) = after.prototypes_[after.prototype_labels_ == late]
    assert np.linalg.norm(where - X[last].mean(axis=0)) < 1.0
    assert after.score(X, NAMES) > 0.8
    if hasattr(after, "predict_proba"):
        assert after.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(150))


@everywhere
def test_one_class_after_the_other(student):
    """A sorted stream: the first batch contains a single class."""
    model = stream(student, np.arange(150), [50, 50, 50], prototypes_per_class=2)
    assert sorted(model.prototype_labels_) == ["a", "a", "b", "b", "c", "c"]
    assert np.isfinite(model.distances(X)).all()
    alone = clone(student).partial_fit(X[:50], NAMES[:50], classes=["a", "b", "c"])
    assert set(alone.predict(X)) == {"a"}


@everywhere
def test_row_by_row(student):
    """Prototypes are added as examples arrive; no two are equal."""
    order = np.random.default_rng(1).permutation(150)
    model = stream(student, order, [1] * 150, prototypes_per_class=2)
    assert sorted(model.prototype_labels_) == ["a", "a", "b", "b", "c", "c"]
    assert model.score(X, NAMES) > 0.75


def test_local_matrices_of_late_classes():
    early, last = np.flatnonzero(NAMES != "c"), np.flatnonzero(NAMES == "c")
    for per, groups in (("class", 3), ("prototype", 6)):
        model = stream(LGMLVQ(per=per, prototypes_per_class=2), np.r_[early, last], [100, 50])
        assert len(model.omega_) == groups
        assert np.trace(model.lambda_, axis1=1, axis2=2) == pytest.approx(np.ones(groups))


def test_tangents_need_all_classes_at_first():
    with pytest.raises(ValueError, match="from the first batch of a stream, which must therefore show every"):
        stream(LVQ1(distance="tangent"), np.arange(150), [100, 50])


@everywhere
def test_a_stream_keeps_its_classes_and_features(student):
    begun = started(student)
    with pytest.raises(
        ValueError, match=r"classes=\['a', 'b'\] differs from the classes of the first call: \['a'"
    ):
        begun.partial_fit(X, NAMES, classes=["a", "b"])
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 4 features as input"):
        begun.partial_fit(X[:, :3], NAMES)
    begun.partial_fit(X, NAMES, classes=["c", "b", "a"])


@every
def test_labels_never_announced_are_refused(student):
    with pytest.raises(ValueError, match="'d', which is not among the classes seen first"):
        started(student).partial_fit(X[:2], ["a", "d"])
