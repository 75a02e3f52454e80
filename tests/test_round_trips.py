"""Every estimator through every way of keeping it, with all it may have recorded; prototypes in tests/lvq."""

import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris

from keeping import WAYS
from markone import (
    LMS,
    Adaline,
    AdaTron,
    BayesPoint,
    CommitteeMachine,
    FeedForwardClassifier,
    FeedForwardRegressor,
    Hebb,
    Hopfield,
    KernelAdaTron,
    LinearUnit,
    MarginCost,
    MinOver,
    OnlineStudent,
    ParityMachine,
    PerceptronRule,
    Pocket,
    Rosenblatt,
)
from markone.base import registry
from markone.base.history import History

BOTH = {"trace": True, "record": "updates"}
DEFAULTS = [
    cls()
    for cls in registry.public_estimators().values()
    if not cls.__module__.startswith("markone.lvq") and cls not in (Hopfield, ParityMachine)
]
SETS = [
    Rosenblatt(max_iter=20, **BOTH),
    Rosenblatt(max_iter=20, run_on="embeddings", record="presentations", order="random"),
    Pocket(max_iter=20, **BOTH),
    Pocket(max_iter=20, method="ratchet", **BOTH),
    MinOver(max_iter=20, **BOTH),
    Adaline(solver="sequential", max_iter=20, **BOTH),
    Adaline(solver="parallel", max_iter=20, trace=True),
    AdaTron(solver="sequential", C=1.0, max_iter=20, **BOTH),
    AdaTron(C=1.0, class_weight="balanced"),
    KernelAdaTron(solver="sequential", C=1.0, max_iter=20, record="updates"),
    KernelAdaTron(kernel="linear", C=1.0),
    KernelAdaTron(C=1.0, multi_class="one_vs_one", n_jobs=2),
    KernelAdaTron(kernel="poly", degree=2, C=1.0),
    MarginCost(k=1),
    LMS(max_iter=20, **BOTH),
    PerceptronRule(max_iter=20, **BOTH),
    OnlineStudent(rule="optimal", record="updates"),
    OnlineStudent(rule="eta * max(0, 1 - E) / h"),
    BayesPoint(noise=0.1, n_students=20),
    CommitteeMachine(3, max_iter=20, n_restarts=1, trace=True),
    CommitteeMachine(3, architecture="tree", groups=[[0, 1], [2], [3]], max_iter=20),
    ParityMachine(validation_fraction=0.25, student=Hebb()),
    ParityMachine(2, rule="least_action", max_iter=20, trace=True),
    Hopfield(threshold=2.0),
    Hopfield(couplings="pseudo_inverse", threshold=5.0, dynamics="parallel"),
    Hopfield(couplings="optimal", threshold=2.0, temperature=0.1),
    FeedForwardClassifier(loss="squared", solver="online", max_iter=20),
    FeedForwardRegressor(output="erf", architecture="soft_committee", max_iter=20),
    LinearUnit(ridge=0.1),
]
ANSWERS = ("decision_function", "predict_proba", "predict", "transform", "energy")
RECORDS = ("trace_", "growth_", "history_")


def data(model):
    X, y = (part[::3] for part in load_iris(return_X_y=True))  # MinimalErrors is slow on all
    return X, np.array(["setosa", "versicolor", "virginica"])[y] if is_classifier(model) else np.tanh(X[:, 0])


def same(one, other):
    """Equal records: structured arrays and plain ones, histories, lists of them."""
    assert type(one) is type(other)
    if isinstance(one, list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            same(a, b)
    elif isinstance(one, History):
        same(one.table, other.table)
        assert one.states.keys() == other.states.keys()
        for name, states in one.states.items():
            same(states, other.states[name])
    else:
        assert type(one) is np.ndarray
        assert one.dtype == other.dtype
        # Bytes, since NaN of a structured array is unequal to itself.
        assert one.tobytes() == other.tobytes()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", [*DEFAULTS, *SETS], ids=str)
def test_round_trip(model, way):
    X, y = data(model)
    model = clone(model)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    if "time_limit" in model.get_params():
        model.set_params(time_limit=None)  # two fits are equal only if no clock ends them
    again = way(model.fit(X, y))
    asked = [name for name in ANSWERS if hasattr(model, name)]
    assert asked
    for name in asked:
        np.testing.assert_array_equal(getattr(again, name)(X), getattr(model, name)(X))
    for name in RECORDS:
        assert hasattr(model, name) == hasattr(again, name)
        if hasattr(model, name):
            same(getattr(model, name), getattr(again, name))
    # It is a model to go on with, not a picture of one.
    again.fit(X, y)
    for name in asked:
        np.testing.assert_array_equal(getattr(again, name)(X), getattr(model, name)(X))


STREAMS = [model for model in [*DEFAULTS, Hopfield(threshold=2.0)] if hasattr(model, "partial_fit")]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", STREAMS, ids=str)
def test_a_stream_goes_on_after_a_round_trip(model, way):
    X, y = data(model)
    model = clone(model)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    first = {"classes": np.unique(y)} if is_classifier(model) else {}
    again = way(model.partial_fit(X[:30], y[:30], **first)).partial_fit(X[30:], y[30:])
    model.partial_fit(X[30:], y[30:])
    for name in ANSWERS:
        if hasattr(model, name):
            np.testing.assert_array_equal(getattr(again, name)(X), getattr(model, name)(X))


def test_every_room_is_here():
    packages = {type(model).__module__.split(".")[1] for model in [*DEFAULTS, *SETS]}
    assert packages == set(registry.SUBJECTS) - {"lvq"}
    assert len(STREAMS) >= 8
