"""Prototypes stay within the observed values if values are missing."""

import numpy as np
import pytest

from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, RSLVQ
from markone.lvq.base.training_loop import observed_box


def tank():
    """Noise alone; the first feature is missing in 57 of 100 rows of one class."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((200, 3)), np.repeat(["a", "b"], 100)
    X[rng.choice(100, 57, replace=False), 0] = np.nan
    return X, y


MODELS = [GLVQ(), GRLVQ(), GMLVQ(), LGMLVQ(), RSLVQ()]


@pytest.mark.parametrize("solver", ["lbfgs", "waypoint", "stochastic"])
@pytest.mark.parametrize("model", MODELS, ids=str)
def test_prototypes_stay_among_the_observed_values_of_their_class(model, solver):
    X, y = tank()
    model.set_params(solver=solver, max_iter=30, random_state=0).fit(X + 1000.0, y)
    for place, label in zip(model.prototypes_ - 1000.0, model.prototype_labels_, strict=True):
        mine = X[y == label]
        assert (place >= np.nanmin(mine, axis=0) - 1e-9).all()
        assert (place <= np.nanmax(mine, axis=0) + 1e-9).all()


def test_a_feature_that_a_class_never_shows_has_the_range_of_all():
    X = np.array([[np.nan, 1.0], [np.nan, 3.0], [5.0, 2.0], [7.0, 9.0]])
    low, high = observed_box(X, np.array([0, 0, 1, 1]), np.array([0, 1]), np.array([1.0, 1.0]), 2.0)
    np.testing.assert_array_equal(low, [[2.0, 0.0], [2.0, 0.5]])
    np.testing.assert_array_equal(high, [[3.0, 1.0], [3.0, 4.0]])
