"""Local matrices with posteriors: the mixture by hand, its limits, and a case for local matrices."""

import numpy as np
import pytest
from labelled import clusters, scaled
from sklearn.model_selection import cross_val_score

from markone.lvq import LMRSLVQ, MRSLVQ


def posteriors_by_hand(model, X):
    """P(k|x) from prototypes, matrices and width, row by row."""
    found = []
    for x in X:
        mass = dict.fromkeys(model.classes_, 0.0)
        for w, label, g in zip(model.prototypes_, model.prototype_labels_, model.omega_of_, strict=True):
            u = model.omega_[g] @ (x - w)
            mass[label] += np.exp(-(u @ u) / (2 * model.sigma2_))
        found.append([mass[label] / sum(mass.values()) for label in model.classes_])
    return np.array(found)


@pytest.mark.parametrize("per", ["class", "prototype"])
@pytest.mark.parametrize("solver", ["lbfgs", "waypoint", "stochastic"])
def test_posteriors_are_those_of_the_mixture(per, solver):
    X, y = clusters()
    model = LMRSLVQ(per=per, solver=solver, max_iter=5, prototypes_per_class=[2, 1, 1], random_state=0)
    model.fit(X, y)
    assert model.predict_proba(X) == pytest.approx(posteriors_by_hand(model, X), abs=1e-9)
    assert len(model.omega_) == (3 if per == "class" else 4)
    traces = np.trace(model.lambda_, axis1=1, axis2=2)
    assert traces.mean() == pytest.approx(1)
    assert model.cost_ < -np.log(1 / 3)


def test_before_training_it_is_the_one_with_one_matrix():
    """Both begin at the same identity: their first costs agree."""
    X, y = scaled("iris")
    local, common = LMRSLVQ(solver="waypoint", max_iter=1), MRSLVQ(solver="waypoint", max_iter=1)
    local.fit(X, y), common.fit(X, y)
    assert local.prototypes_ == pytest.approx(common.prototypes_, abs=1e-9)


def test_classes_of_different_shape_need_it():
    """A narrow class within a wide one: no common matrix can separate them."""
    rng = np.random.default_rng(0)
    y = np.arange(400) % 2
    X = rng.standard_normal((400, 2)) * np.where(y[:, None] == 1, [3.0, 0.3], [0.3, 3.0])
    local = cross_val_score(LMRSLVQ(), X, y, cv=5).mean()
    assert local > 0.85
    assert local > cross_val_score(MRSLVQ(), X, y, cv=5).mean() + 0.2


def test_real_tables():
    for name, least in (("iris", 0.95), ("wine", 0.95)):
        assert cross_val_score(LMRSLVQ(), *scaled(name), cv=5).mean() > least
