"""Each class against the rest: areas by pairs; the nearest prototype classifier is a point on its curve."""

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.evaluation import OneAgainstRestDisplay, discriminant, one_against_rest, prototype_margin
from markone.lvq import GMLVQ, RSLVQ

mpl.use("Agg")


def fitted(load, model):
    X, y = load(return_X_y=True)
    y = np.array(["a", "b", "c"])[y]
    X, X_new, y, y_new = train_test_split(X, y, test_size=0.5, random_state=0, stratify=y)
    return make_pipeline(StandardScaler(), model).fit(X, y), X_new, y_new


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
@pytest.mark.parametrize("per_class", [1, 2])
def test_the_npc_is_the_threshold_zero_of_6_10(load, per_class):
    model, X, y = fitted(load, GMLVQ(prototypes_per_class=per_class, random_state=0))
    found = one_against_rest(model, X, y)
    assert len(found) == (3 if load is load_wine else 1)
    D = model[-1].distances(model[:-1].transform(X))
    for one in found:
        g = prototype_margin(D, model[-1].prototype_labels_, one.label)
        np.testing.assert_array_equal(g, discriminant(model, X, positive=one.label))
        true = y == one.label
        assert one.fpr == np.mean(g[~true] > 0)
        assert one.tpr == np.mean(g[true] > 0)
        last = np.flatnonzero(one.curve.thresholds > 0)[-1]
        assert (one.curve.fpr[last], one.curve.tpr[last]) == pytest.approx((one.fpr, one.tpr))
        pairs = g[true][:, None] - g[~true][None]
        assert one.curve.area == pytest.approx(np.mean(pairs > 0) + 0.5 * np.mean(pairs == 0))


def test_prototypes_with_probabilities_have_the_curve_of_their_odds():
    model, X, y = fitted(load_breast_cancer, RSLVQ(prototypes_per_class=3, random_state=0))
    (one,) = one_against_rest(model, X, y)
    np.testing.assert_array_equal(discriminant(model, X), model.decision_function(X))
    said = model.predict(X) == "b"
    assert one.tpr == said[y == "b"].mean()
    at = np.flatnonzero(one.curve.thresholds > 0)[-1]
    assert one.curve.tpr[at] == pytest.approx(one.tpr)


def test_any_classifier_has_one():
    model, X, y = fitted(load_wine, LogisticRegression())
    assert [one.label for one in one_against_rest(model, X, y)] == ["a", "b", "c"]


def test_the_display_marks_the_working_point():
    import matplotlib.pyplot as plt

    model, X, y = fitted(load_wine, GMLVQ())
    shown = OneAgainstRestDisplay.from_estimator(model, X, y)
    for one, line, point in zip(shown.curves, shown.lines_, shown.points_, strict=True):
        np.testing.assert_array_equal(line.get_ydata(), one.curve.tpr)
        assert (point.get_xdata()[0], point.get_ydata()[0]) == (one.fpr, one.tpr)
    assert shown.figure_ is shown.ax_.figure
    plt.close("all")
