"""Probabilities for models that have none: scikit-learn's calibration of their scores, as the page says."""

import numpy as np
import pytest
from scipy.special import softmax
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.lvq import GLVQ, GMLVQ, MRSLVQ


def brier(p, y):
    return ((p - np.eye(p.shape[1])[y]) ** 2).sum(axis=1).mean()


@pytest.mark.parametrize(("load", "Model"), [(load_breast_cancer, GMLVQ), (load_digits, GLVQ)])
@pytest.mark.parametrize("method", ["sigmoid", "temperature"])
def test_calibrated_scores_are_better_than_a_softmax_of_them(load, Model, method):
    X, X_new, y, y_new = train_test_split(*load(return_X_y=True), test_size=0.5, random_state=0)
    pipeline = make_pipeline(StandardScaler(), Model(max_iter=30))
    calibrated = CalibratedClassifierCV(pipeline, method=method, ensemble=False).fit(X, y)
    p = calibrated.predict_proba(X_new)
    (one,) = calibrated.calibrated_classifiers_
    scores = one.estimator.decision_function(X_new)
    raw = softmax(np.column_stack([-scores, scores]) if scores.ndim == 1 else scores, axis=1)
    assert log_loss(y_new, p) < 0.7 * log_loss(y_new, raw)
    assert brier(p, y_new) < 0.7 * brier(raw, y_new)
    # As sure as right: mean confidence and accuracy agree within their standard errors.
    right = p.argmax(axis=1) == y_new
    assert abs(p.max(axis=1).mean() - right.mean()) < 3 * right.std() / np.sqrt(len(right)) + 0.01


def test_log_posteriors_stay_finite_where_probabilities_vanish():
    X, y = load_digits(return_X_y=True)
    model = MRSLVQ(max_iter=10).fit(X, y)
    far = 100 * X[:50]
    with np.errstate(divide="ignore"):
        direct = np.log(model.predict_proba(far))
    found = model.predict_log_proba(far)
    assert np.isneginf(direct).any()
    assert np.isfinite(found).all()
    there = np.isfinite(direct)
    np.testing.assert_allclose(found[there], direct[there], rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(found.argmax(axis=1), model.predict_proba(far).argmax(axis=1))
