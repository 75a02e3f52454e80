"""Input of every prototype classifier: precision, counts, constant rows, error messages."""

import numpy as np
import pytest
from labelled import scaled
from sklearn.base import clone

from markone.lvq import (
    GLVQ,
    GMLVQ,
    GRLVQ,
    LGMLVQ,
    LMRSLVQ,
    LVQ1,
    LVQ3,
    LVQ21,
    MRSLVQ,
    OLVQ1,
    RSLVQ,
    KernelGLVQ,
    MatrixLVQ1,
    NearestPrototype,
    RelationalGLVQ,
)

GRADIENT = [GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ(), MRSLVQ(), LMRSLVQ()]
OTHERS = [LVQ1(), LVQ21(), LVQ3(), OLVQ1(), MatrixLVQ1(), NearestPrototype(), KernelGLVQ(), RelationalGLVQ()]
every = pytest.mark.parametrize("student", [*GRADIENT, *OTHERS], ids=str)


@every
@pytest.mark.parametrize("C", [2, 3])
def test_single_precision_in_and_out(student, C):
    X, y = scaled("iris")
    X, y = X[y < C].astype(np.float32), y[y < C]
    student = clone(student).set_params(random_state=0).fit(X, y)
    assert student.distances(X).dtype == student.decision_function(X).dtype == np.float32
    # Asked in double precision, it answers so, and the same to seven digits.
    double = student.decision_function(X.astype(np.float64))
    assert double.dtype == np.float64
    assert student.decision_function(X) == pytest.approx(double, rel=2e-3, abs=2e-3)
    if hasattr(student, "predict_proba"):
        # What float32 keeps of 1 - P is too little for a logarithm.
        assert student.predict_proba(X).dtype == np.float64


@every
def test_prototypes_per_class_as_a_list(student):
    X, y = scaled("iris")
    names = np.array(["a", "b", "c"])[y]
    settings = {"random_state": 0, "initial": "means"}
    for counts in ([1, 3, 2], (1, 3, 2), np.array([1, 3, 2])):
        listed = clone(student).set_params(prototypes_per_class=counts, **settings).fit(X, names)
        assert listed.prototype_labels_.tolist() == ["a", "b", "b", "b", "c", "c"]
    named = clone(student).set_params(prototypes_per_class={"c": 2, "a": 1, "b": 3}, **settings).fit(X, names)
    np.testing.assert_array_equal(named.prototype_labels_, listed.prototype_labels_)
    # The same settings: other starts would differ in the first digits. In one run of all tests, with an
    # empty compile cache, two fits of MatrixLVQ1 differed by 4e-15.
    np.testing.assert_allclose(listed.distances(X), named.distances(X), rtol=1e-9, atol=1e-12)
    with pytest.raises(ValueError, match=r"lists 2 numbers for 3 classes. Give one for each of"):
        clone(student).set_params(prototypes_per_class=[1, 2]).fit(X, names)
    with pytest.raises(ValueError, match=r"gives \[1, 0, 2\]"):
        clone(student).set_params(prototypes_per_class=np.array([1, 0, 2])).fit(X, names)


def test_sentences_name_plain_numbers():
    X, y = scaled("iris")
    messages = []
    for student in (
        GLVQ(prototypes_per_class={np.int64(k): np.int64(0) for k in range(3)}),
        GLVQ(prototypes_per_class={np.int64(0): 1, np.int64(1): 1}),
        GMLVQ(fixed_relevance={np.int64(7): 0.1}),
        GLVQ(initial_prototypes=X[:2], initial_labels=y[:2]),
    ):
        with pytest.raises(ValueError) as refusal:
            student.fit(X, y)
        messages.append(str(refusal.value))
    with pytest.raises(ValueError) as refusal:
        GLVQ().partial_fit(X, y, classes=np.arange(3)).partial_fit(X, y, classes=np.arange(2))
    messages.append(str(refusal.value))
    assert all("np." not in sentence and "array(" not in sentence for sentence in messages), messages


@every
def test_constant_rows(student):
    """With a fixed distance all prototypes coincide; a metric or an embedding cannot be learned."""
    X, y = np.zeros((20, 3)), np.arange(20) % 2
    matrix = isinstance(student, GMLVQ | LGMLVQ | MRSLVQ | LMRSLVQ)
    if matrix or isinstance(student, RelationalGLVQ):
        with pytest.raises(
            ValueError, match="All rows of X are equal" if matrix else "All dissimilarities are zero"
        ):
            student.fit(X, y)
    else:
        assert np.isfinite(clone(student).fit(X, y).decision_function(X)).all()


@pytest.mark.parametrize("model", [GLVQ(), GRLVQ(), RSLVQ(), KernelGLVQ()], ids=str)
@pytest.mark.parametrize(
    "X",
    [np.zeros((10, 3)), np.full((10, 3), 5.0), np.array([[0.0, 1.0], [1.0, 0.0]])],
    ids=["0", "5", "two rows"],
)
def test_the_cost_is_known_where_no_step_lowers_it(model, X):
    model = clone(model).fit(X, np.arange(len(X)) % 2)
    assert np.isfinite(model.cost_)
    assert np.isfinite(model.decision_function(X)).all()
    # RSLVQ merges equal examples, so that its trace counts distinct rows.
    if not isinstance(model, RSLVQ):
        assert model.trace_["errors"][-1] == (model.predict(X) != np.arange(len(X)) % 2).sum()


@pytest.mark.parametrize("model", [GLVQ(), GRLVQ(), GMLVQ(), RSLVQ(), KernelGLVQ(), MatrixLVQ1()], ids=str)
def test_values_whose_squares_vanish_are_refused(model):
    X, y = scaled("iris")
    for scale in (1e-200, 1e-160):
        with pytest.raises(ValueError, match="so small that all squared distances are zero, or have lost"):
            clone(model).fit(X * scale, y)
    small = clone(model).fit(X * 1e-100, y)
    assert np.isfinite(small.decision_function(X * 1e-100)).all()


def iris_pairs():
    X, y = scaled("iris")
    return X[::5], y[::5]


@pytest.mark.parametrize(
    ("parameters", "weight", "sentence"),
    [
        ({"class_weight": {0: 1e300, 1: 1, 2: 1}}, None, r"largest weight .* is 1e\+300: choose it nearer"),
        ({}, 1e-300, "largest weight of an example is 1e-300"),
        ({"cost_matrix": np.full((3, 3), 1e300)}, None, r"up to 1e\+100; .* the largest 1e\+300"),
        ({"prototypes_per_class": [np.nan, 1, 1]}, None, r"gives \[nan, 1.0, 1.0\]"),
        ({"prototypes_per_class": ["two", 1, 1]}, None, "Each class needs at least one prototype"),
        (
            {"initial_prototypes": np.full((3, 4), 1e120), "initial_labels": [0, 1, 2]},
            None,
            "squares overflow",
        ),
    ],
)
def test_extreme_weights_and_starts_are_refused(parameters, weight, sentence):
    X, y = iris_pairs()
    weights = None if weight is None else np.full(len(y), weight)
    with pytest.raises(ValueError, match=sentence):
        GLVQ(**parameters).fit(X, y, weights)


@pytest.mark.parametrize("omega", [np.zeros((4, 4)), np.full((4, 4), 1e300), np.full((4, 4), 1e-300)])
def test_a_start_of_the_metric_whose_squares_vanish_or_overflow_is_refused(omega):
    with pytest.raises(ValueError, match="squares of initial_omega vanish or overflow"):
        GMLVQ(initial_omega=omega).fit(*iris_pairs())


def test_a_relevance_fixed_at_zero_stays_zero_in_single_precision():
    X, y = iris_pairs()
    for rows in (X, X.astype(np.float32)):
        model = GRLVQ(fixed_relevance={0: 0.0}).fit(rows, y)
        assert model.relevance_[0] == 0
        assert model.relevance_.sum() == pytest.approx(1, abs=1e-6)


def test_larger_values_whose_products_of_squares_overflow_are_refused():
    X, y = iris_pairs()
    assert np.isfinite(MatrixLVQ1(random_state=0).fit(1e69 * X, y).trace_["cost"]).all()
    with pytest.raises(ValueError, match="squares overflow"):
        MatrixLVQ1().fit(1e120 * X, y)


def test_equal_bounds_of_all_prototypes_end_the_training():
    X = np.ones((8, 2))
    X[0, 0] = np.nan
    model = GLVQ().fit(X, np.arange(8) % 2)
    assert model.n_iter_ == 1
    assert np.isfinite(model.cost_)


def test_a_stream_of_one_class_has_no_cost_yet():
    X, y = iris_pairs()
    model = RSLVQ().partial_fit(X[y == 0], y[y == 0], classes=[0, 1, 2])
    assert not hasattr(model, "cost_")
    assert np.isfinite(model.partial_fit(X, y).cost_)


def test_divergence_is_said():
    far = {"initial_prototypes": [[1e10], [2e10]], "initial_labels": [0, 1]}
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="The training of RSLVQ diverged"):
        RSLVQ(**far).fit(np.array([[1.0], [-1.0], [0.5], [2.0]]) * 1e-150, [0, 1, 0, 1])


@pytest.mark.parametrize("model", [LGMLVQ(rank=True), MatrixLVQ1(rank=True)], ids=str)
def test_true_is_the_whole_number_one(model):
    assert model.fit(*iris_pairs()).omega_.shape[-2:] == (1, 4)


def test_prototypes_whose_squares_overflow_are_divergence_too():
    with pytest.raises(ValueError, match="The training of MRSLVQ diverged"):
        MRSLVQ()._set_prototypes(np.full((2, 3), 1e200), np.array([0, 1]))
