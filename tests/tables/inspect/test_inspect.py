"""Diagnostics of a validation, against plain twins."""

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import precision_score, recall_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

from markone.lvq import GMLVQ
from markone.tables.inspect.row_intervals import proportion_interval, scores_per_class
from markone.tables.inspect.validation_diagnostics import (
    column_importance,
    rejection_threshold,
)
from markone.tables.request import Folds
from markone.tables.scaling import Scaling
from markone.tables.scoring import ClassScoring
from markone.tables.validation import cross_validate


def validated(model, X, y, repeats=1, columns=None):
    classes = sorted(set(y.tolist()))
    judge = ClassScoring(classes, classes[0])
    steps = Pipeline([("scaling", Scaling(X.shape[1])), ("model", model)])
    return judge, cross_validate(steps, X, y, Folds(repeats, 5), judge, {}, 3, columns=columns)


@pytest.fixture(scope="module")
def cancer():
    X, k = load_breast_cancer(return_X_y=True)
    return X[:300, :10], np.array(["ill", "well"])[k[:300]]


def test_recall_and_precision_are_scikit_learns():
    X, k = load_iris(return_X_y=True)
    y = np.array(["a", "b", "c"])[k]
    judge, found = validated(KNeighborsClassifier(), X, y)
    predicted = np.empty_like(y)
    for fold in found.folds:
        predicted[fold.test] = fold.predicted
    each = scores_per_class(judge, found.confusion)
    assert [c.recall.mean for c in each] == pytest.approx(recall_score(y, predicted, average=None))
    assert [c.precision.mean for c in each] == pytest.approx(precision_score(y, predicted, average=None))
    assert {c.label: c.mistaken_for for c in each} == {"a": "", "b": "c", "c": "b"}


def test_shares_have_jeffreys_interval():
    found = proportion_interval(6, 13)
    assert (found.low, found.high) == pytest.approx(tuple(beta.ppf([0.025, 0.975], 6.5, 7.5)))
    assert (proportion_interval(0, 5).low, proportion_interval(5, 5).high) == (0.0, 1.0)
    assert np.isnan(proportion_interval(0, 0).mean)


def test_a_column_of_noise_is_worth_nothing_and_the_one_that_matters_much(cancer):
    X, y = cancer
    noise = np.random.default_rng(0).standard_normal(len(X))
    both = np.stack([noise, X[:, 7]], axis=1)
    _, found = validated(KNeighborsClassifier(9), both, y, 2, {"noise": [0], "concave": [1]})
    worth = column_importance(found)
    assert list(worth) == ["concave", "noise"]
    assert worth["concave"].low > 0.2
    assert abs(worth["noise"].mean) < 0.05
    assert [bool(fold.needed) for fold in found.folds] == [True] * 5 + [False] * 5


def test_answers_above_the_threshold_are_right_as_often_as_asked(cancer):
    X, y = cancer
    _, found = validated(GMLVQ(max_iter=10), X, y)
    rejected = rejection_threshold(found, y, 0.97)
    folds = found.first_repeat
    sure = np.concatenate([f.margins.max(axis=1) for f in folds]) >= rejected.threshold
    right = np.concatenate([f.predicted == y[f.test] for f in folds])
    assert right[sure].mean() == pytest.approx(rejected.accuracy)
    assert rejected.accuracy >= rejected.promised >= 0.97
    assert 0.5 < sure.mean() == pytest.approx(rejected.answered)
    assert rejection_threshold(found, y, None) is None
    with pytest.raises(ValueError, match=r"--reject 1.5 is the share"):
        rejection_threshold(found, y, 1.5)
