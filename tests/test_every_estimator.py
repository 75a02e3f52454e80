"""Less common uses of every estimator: float32, warm starts, streams, arrays of other libraries."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris

from markone import AssociationLayer, Hopfield, OnlineStudent, ParityMachine, Rejecting, Rosenblatt
from markone.base import registry
from markone.base.sklearn_compat import check_partial_fit_first_call

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
X, Y = load_iris(return_X_y=True)
ALL = [
    Hopfield(threshold=2.0) if cls is Hopfield else cls()
    for cls in registry.public_estimators().values()
    if cls is not Rejecting
]
CLASSIFIERS = [model for model in ALL if is_classifier(model)]


def each(models):
    return pytest.mark.parametrize("model", models, ids=lambda model: type(model).__name__)


def targets(model, rows=slice(None)):
    return Y[rows] if is_classifier(model) else X[rows, 0]


def seeded(model, **parameters):
    random = {"random_state": 0} if "random_state" in model.get_params() else {}
    return clone(model).set_params(**random, **parameters)


@each(ALL)
@pytest.mark.parametrize("rows", [slice(0, 100), slice(None)], ids=["two classes", "three"])
def test_what_comes_out_of_float32_is_float32(model, rows):
    single, y = X[rows].astype(np.float32), targets(model, rows)
    model = seeded(model).fit(single, y)
    ways = ["decision_function", "transform"] + ([] if is_classifier(model) else ["predict"])
    ways = [way for way in ways if hasattr(model, way) and not isinstance(model, Hopfield)]
    assert ways or isinstance(model, Hopfield)
    for way in ways:
        narrow, wide = (getattr(model, way)(rows) for rows in (single, single.astype(np.float64)))
        assert (narrow.dtype, wide.dtype) == (np.float32, np.float64)
        # A sum of the association layer may lie at its threshold, on either side in other precision.
        if not isinstance(model, AssociationLayer):
            np.testing.assert_allclose(narrow, wide, rtol=1e-4, atol=1e-4 * np.abs(wide).max())


@each([model for model in ALL if "warm_start" in model.get_params()])
def test_a_warm_start_with_other_features_is_refused_with_a_sentence(model):
    y = targets(model)
    model = seeded(model, warm_start=True, max_iter=3).fit(X, y)
    with pytest.raises(ValueError, match=r"the last fit, which had 4 feature.*X has 3\. Give X the same"):
        model.fit(X[:, :3], y)
    assert len(model.set_params(warm_start=False).fit(X[:, :3], y).predict(X[:, :3])) == len(y)


@each([model for model in CLASSIFIERS if hasattr(model, "partial_fit")])
def test_the_classes_of_a_stream_are_told_once(model):
    model = seeded(model).partial_fit(X, Y, classes=[0, 1, 2])
    message = r"classes=\[0, 1, 2, 3\] differs from the classes of the first call: \[0, 1, 2\]\. Leave it out"
    with pytest.raises(ValueError, match=message):
        model.partial_fit(X, Y, classes=[0, 1, 2, 3])
    with pytest.raises(ValueError, match=r"label 7, which is not among the classes seen first: \[0, 1, 2\]"):
        model.partial_fit(X, np.where(Y == 0, 7, Y))
    model.partial_fit(X, Y, classes=[2, 1, 0])


@each([model for model in CLASSIFIERS if hasattr(model, "partial_fit")])
def test_a_class_may_first_appear_in_the_last_batch(model):
    order = np.argsort(Y, kind="stable")
    model = seeded(model)
    for rows in np.split(order, 15):
        model.partial_fit(X[rows], Y[rows], classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert set(model.predict(X)) <= {0, 1, 2}
    # The class of the last five batches is known by what was shown of it.
    assert 2 in model.predict(X[Y == 2])


@each([model for model in CLASSIFIERS if not isinstance(model, (OnlineStudent,))])
def test_one_class_alone_is_refused_with_a_plain_label(model):
    with pytest.raises(ValueError, match=r"holds only one class: 0\."):
        seeded(model).fit(X[:50], Y[:50])


def test_labels_in_sentences_are_plain_numbers():
    twice = np.vstack([X[:100], X[:1]])
    with pytest.raises(ValueError, match=r"labels are 0 and 1 \(1 such pairs\)"):
        ParityMachine().fit(twice, np.append(Y[:100], 1))


FOREIGN = """
import os
os.environ["SCIPY_ARRAY_API"] = "1"
import array_api_strict as xp
import numpy as np
import sklearn
from sklearn.datasets import load_iris
from markone import AdaTron, CommitteeMachine, FeedForwardClassifier, Hopfield, KernelAdaTron, PolynomialMap
from markone.lvq import GMLVQ
X, y = load_iris(return_X_y=True)
X, y = X[:100], y[:100]
kinds = [AdaTron(), KernelAdaTron(), CommitteeMachine(), FeedForwardClassifier(max_iter=5), GMLVQ()]
kinds += [Hopfield(threshold=2.0, random_state=0), PolynomialMap()]
for dispatch in (False, True):
    with sklearn.config_context(array_api_dispatch=dispatch):
        for model in kinds:
            model = sklearn.clone(model)
            if "random_state" in model.get_params():
                model.set_params(random_state=0)
            model.fit(xp.asarray(X), xp.asarray(y))
            method = "predict" if hasattr(model, "predict") else "transform"
            found = getattr(model, method)(xp.asarray(X))
            assert type(found) is np.ndarray, model
            assert np.array_equal(found, getattr(sklearn.clone(model).fit(X, y), method)(X)), model
            try:
                model.fit(xp.asarray(X, device=xp.Device("device1")), y)
            except TypeError as error:
                assert "X is an array of array_api_strict that numpy cannot read" in str(error), error
                assert "markone computes with numpy on the CPU: move it there first." in str(error), error
            else:
                raise AssertionError(model)
        AdaTron(C=1.0).fit(X, y, sample_weight=xp.ones(len(y)))
"""


def test_arrays_of_other_libraries_are_read_or_refused_with_a_sentence():
    pytest.importorskip("array_api_strict")
    subprocess.run([sys.executable, "-W", "ignore", "-c", FOREIGN], check=True)


def test_a_first_call_without_classes_says_so():
    with pytest.raises(ValueError, match="classes must be passed on the first call to partial_fit"):
        Rosenblatt().partial_fit(X, Y)
    assert check_partial_fit_first_call(Rosenblatt(), [0, 1])
