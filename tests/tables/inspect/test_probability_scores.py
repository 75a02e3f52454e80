"""Calibrated probabilities of left-out rows, against plain twins."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from markone.lvq import GMLVQ
from markone.tables import FitRequest, fit
from markone.tables.answers.decision import PENALTY, calibrate_scores, scores_or_labels
from markone.tables.inspect.validation_diagnostics import (
    calibrate_validated,
    calibrated_shares,
    logistic_shares,
    score_probabilities,
)
from markone.tables.request import Folds
from markone.tables.row_splits import NO_TIES
from markone.tables.scaling import Scaling
from markone.tables.scoring import ClassScoring
from markone.tables.validation import cross_validate


class Labels(ClassifierMixin, BaseEstimator):
    """Labels without scores: the nearest mean."""

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.means_ = np.stack([X[y == label].mean(axis=0) for label in self.classes_])
        return self

    def predict(self, X):
        return self.classes_[((X[:, None] - self.means_) ** 2).sum(axis=2).argmin(axis=1)]


def validate(model, X, y, folds=5, repeats=2):
    classes = np.unique(y).tolist()
    judge = ClassScoring(classes, classes[0])
    steps = Pipeline([("scaling", Scaling(X.shape[1])), ("model", model)])
    return judge, steps, cross_validate(steps, X, y, Folds(repeats, folds), judge, {}, 3)


@pytest.fixture(scope="module")
def cancer():
    X, k = load_breast_cancer(return_X_y=True)
    return X[:300, :10], np.array(["ill", "well"])[k[:300]]


def calibrate_by_loops(folds, y):
    """Each fold: a logistic regression of the classes on the scores of the other folds of its repeat."""
    found = []
    for k, fold in enumerate(folds):
        others = [other for j, other in enumerate(folds) if j != k]
        g = np.concatenate([other.scores for other in others])
        labels = np.concatenate([y[other.test] for other in others])
        model = LogisticRegression(C=PENALTY, max_iter=1000).fit(g.reshape(len(g), -1) / g.std(), labels)
        found.append(model.predict_proba(fold.scores.reshape(len(fold.test), -1) / g.std()))
    return found


@pytest.mark.parametrize("model", [LinearSVC(random_state=0), GMLVQ(max_iter=5)], ids=["svc", "gmlvq"])
def test_each_fold_is_calibrated_by_the_others(cancer, model):
    X, y = cancer
    judge, _, validation = validate(model, X, y)
    found = calibrated_shares(judge, validation, y)
    for ours, twin in zip(found.shares, calibrate_by_loops(validation.folds[:5], y), strict=True):
        assert ours == pytest.approx(twin, rel=1e-6)


def test_the_final_calibration_is_scikit_learns_up_to_the_penalty(cancer):
    X, y = cancer
    judge, steps, validation = validate(LinearSVC(random_state=0), X, y)
    ours = calibrate_validated(judge, validation, y)
    splits = [(np.setdiff1d(np.arange(len(y)), fold.test), fold.test) for fold in validation.folds[:5]]
    twin = CalibratedClassifierCV(steps, cv=splits, ensemble=False).fit(X, y)
    fitted = steps.fit(X, y)
    found = ours.probabilities(scores_or_labels(fitted, X, judge.classes), judge.classes)
    assert np.abs(found - twin.predict_proba(X)).max() < 0.05


def test_log_loss_and_brier_score_are_scikit_learns(cancer):
    X, y = cancer
    judge, _, validation = validate(LinearSVC(random_state=0), X, y)
    shares = calibrated_shares(judge, validation, y)
    found = score_probabilities(judge, shares, None)
    tests = [fold.test for fold in validation.folds[:5]]
    pairs = list(zip(shares.shares, tests, strict=True))
    each = [brier_score_loss(y[test] == "ill", p[:, 0]) for p, test in pairs]
    assert found.scores["brier"].mean == pytest.approx(np.mean(each))
    assert found.scores["log_loss"].mean == pytest.approx(np.mean([log_loss(y[t], p) for p, t in pairs]))
    share_ill = np.mean(y == "ill")
    assert found.frequencies["brier"] == pytest.approx(share_ill * (1 - share_ill))
    assert sum(b.rows for b in found.bins) == len(y)
    assert found.scores["brier"].high < found.frequencies["brier"]


def test_logistic_regression_on_the_same_folds(cancer):
    X, y = cancer
    judge, steps, validation = validate(LogisticRegression(max_iter=1000), X, y)
    beside = logistic_shares(judge, X, y, validation, NO_TIES, 3, steps["scaling"])
    for ours, fold in zip(beside.shares, validation.folds[:5], strict=True):
        train = np.setdiff1d(np.arange(len(y)), fold.test)
        twin = steps.fit(X[train], y[train]).predict_proba(X[fold.test])
        assert ours == pytest.approx(twin, abs=1e-6)


def test_probabilities_of_two_clusters_are_those_of_bayes():
    """For two Gaussian clusters of equal width the posterior is logistic in the score."""

    def draw(P, seed):
        rng = np.random.default_rng(seed)
        ill = rng.random(P) < 0.1
        return rng.standard_normal((P, 2)) + 1.5 * ill[:, None], np.where(ill, "ill", "well")

    X, y = draw(4000, 0)
    judge, steps, validation = validate(LinearSVC(random_state=0, class_weight="balanced"), X, y, repeats=1)
    calibration = calibrate_validated(judge, validation, y)
    new, _ = draw(500, 2)
    found = calibration.probabilities(scores_or_labels(steps.fit(X, y), new, judge.classes), judge.classes)
    odds = np.log(0.1 / 0.9) + 1.5 * new.sum(axis=1) - 1.5**2
    assert np.abs(found[:, 0] - 1 / (1 + np.exp(-odds))).max() < 0.06


def test_a_model_without_scores_is_calibrated_by_its_labels():
    X, k = load_iris(return_X_y=True)
    y = np.array(["a", "b", "c"])[k]
    judge, steps, validation = validate(Labels(), X, y)
    fitted = steps.fit(X, y)
    found = calibrate_validated(judge, validation, y).probabilities(
        scores_or_labels(fitted, X, judge.classes), judge.classes
    )
    assert np.array_equal(np.array(judge.classes)[found.argmax(axis=1)], fitted.predict(X))
    assert len(np.unique(found.round(12), axis=0)) == 3


def test_a_class_without_a_score_has_probability_zero():
    found = calibrate_scores(np.array([-1.0, 1.0, 2.0]), np.array(["a", "c", "c"]))
    shares = found.probabilities(np.array([0.0, 5.0]), ["a", "b", "c"])
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert (shares[:, 1] == 0).all()


def test_leave_one_out_has_probabilities_too():
    found = fit(FitRequest("iris", "hebb", cv="loo")).probabilities
    assert found.logistic is None
    assert found.scores["brier"].mean < found.frequencies["brier"]
