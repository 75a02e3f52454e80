"""Rejection: the curve against its twin, thresholds that reach the required accuracy out of fold."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ
from markone.lvq.inspect.rejection import Rejecting, accuracy_reject_curve, certainty


def halves(load):
    X, y = load(return_X_y=True)
    a, b, c, d = train_test_split(X, y, test_size=0.4, random_state=0, stratify=y)
    scale = StandardScaler().fit(a)
    return scale.transform(a), scale.transform(b), c, d


def test_the_curve_equals_its_twin():
    rng = np.random.default_rng(0)
    correct, sure = rng.random(50) < 0.8, rng.integers(0, 10, 50) / 10
    curve = accuracy_reject_curve(correct, sure)
    for threshold, answered, accuracy in zip(curve.threshold, curve.answered, curve.accuracy, strict=True):
        given = sure >= threshold
        assert answered == given.mean()
        assert accuracy == pytest.approx(correct[given].mean())
    assert curve.answered[-1] == 1
    assert curve.accuracy[-1] == pytest.approx(correct.mean())


def test_the_area_of_a_perfect_and_of_a_useless_certainty():
    correct = np.repeat([1.0, 0.0], [80, 20])
    assert accuracy_reject_curve(correct, correct).area == pytest.approx(0.8 + 0.2 * 0.9)
    assert accuracy_reject_curve(correct, np.zeros(100)).area == pytest.approx(0.8)


@pytest.mark.parametrize(("load", "required"), [(load_breast_cancer, 0.995), (load_digits, 0.98)])
@pytest.mark.parametrize("thresholds", ["global", "local"])
def test_the_answers_given_are_better_than_all_answers(load, required, thresholds):
    X, X_new, y, y_new = halves(load)
    model = Rejecting(GLVQ(), accuracy=required, thresholds=thresholds, reject_label=-1, random_state=0)
    model.fit(X, y)
    given = model.accepts(X_new)
    assert 0.3 < given.mean() < 1
    plain = model.estimator_.score(X_new, y_new)
    assert model.score(X_new, y_new) > plain
    assert model.score(X_new, y_new) >= 0.96
    label = model.predict(X_new)
    assert np.all(label[~given] == -1)
    np.testing.assert_array_equal(label[given], model.estimator_.predict(X_new)[given])
    assert len(set(model.threshold_)) == (1 if thresholds == "global" else len(model.classes_))


def test_what_cannot_be_promised_is_not_answered():
    X, X_new, y, y_new = halves(load_breast_cancer)
    noise = np.random.default_rng(0).permutation(y)
    model = Rejecting(GMLVQ(), accuracy=1.0).fit(X, noise)
    assert model.predict(X_new).dtype == object
    if np.isinf(model.threshold_).all():
        assert np.isnan(model.score(X_new, y_new))
        assert set(model.predict(X_new)) == {None}
    curve = model.curve_
    best = curve.threshold[curve.accuracy >= 1.0]
    assert model.threshold_[0] == (best[-1] if len(best) else np.inf)


@pytest.mark.parametrize(("other", "kind"), [("not sure", "U"), (-1, "O"), (None, "O")])
def test_what_is_said_instead_is_said_whole(other, kind):
    X, X_new, y, _ = halves(load_breast_cancer)
    words = np.array(["m", "b"])[y]
    model = Rejecting(GLVQ(), accuracy=0.995, reject_label=other, random_state=0).fit(X, words)
    label = model.predict(X_new)
    assert label.dtype.kind == kind
    assert set(label.tolist()) == {"m", "b", other}


def test_bad_input():
    with pytest.raises(ValueError, match="both need one number per prediction"):
        accuracy_reject_curve([1, 0], [0.5])
    X, _, y, _ = halves(load_breast_cancer)
    assert np.all(certainty(GLVQ().fit(X, y), X) >= 0)
