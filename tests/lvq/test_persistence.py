"""Every prototype classifier stored and loaded by every format."""

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from keeping import WAYS
from markone import lvq
from markone.lvq import GLVQ, GMLVQ, LGMLVQ, LVQ1, NearestPrototype, Rejecting, distances, solvers

ALL = [
    cls()
    for cls in (getattr(lvq, name) for name in lvq.__all__)
    if inspect.isclass(cls) and hasattr(cls, "fit") and cls is not Rejecting
]
SPECIAL = [
    GLVQ(distance="mahalanobis"),
    GLVQ(distance=distances.Minkowski(p=3.0), solver=solvers.Stochastic(epochs=3)),
    LVQ1(distance="tangent"),
    NearestPrototype(distance="gaussian"),
    LGMLVQ(per="prototype", prototypes_per_class=[1, 2, 1]),
    Rejecting(GMLVQ(), random_state=0),
    LVQ1(record="updates", max_iter=2),
    GMLVQ(record="updates"),
]
each = pytest.mark.parametrize("model", [*ALL, *SPECIAL], ids=str)


def test_all_are_here():
    assert len(ALL) == 16


@each
@pytest.mark.parametrize("way", WAYS)
def test_round_trip(model, way, iris):
    X, y = iris
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = clone(model)
    if hasattr(model, "random_state"):
        model.random_state = 0
    model.fit(X, names)
    again = way(model)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    if hasattr(model, "trace_"):
        assert type(again.trace_) is np.ndarray
        np.testing.assert_array_equal(again.trace_, model.trace_)
    if hasattr(model, "history_"):
        assert again.history_.table.tobytes() == model.history_.table.tobytes()
        np.testing.assert_array_equal(
            again.history_.states["prototypes"], model.history_.states["prototypes"]
        )
    assert again.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    # It is a model to go on with, not a picture of one.
    again.fit(X, names)
    np.testing.assert_array_equal(again.predict(X), clone(model).fit(X, names).predict(X))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("model", [m for m in ALL if hasattr(m, "partial_fit")], ids=str)
def test_a_stream_goes_on_after_a_round_trip(model, way, iris):
    X, y = iris
    model = clone(model).set_params(random_state=0).partial_fit(X[:100], y[:100], classes=[0, 1, 2])
    again = way(model).partial_fit(X, y)
    np.testing.assert_array_equal(again.prototypes_, model.partial_fit(X, y).prototypes_)
