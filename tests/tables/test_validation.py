"""The scores of `markone fit` against plain twins: folds, scaling inside them, intervals, the search."""

import warnings
from math import sqrt

import numpy as np
import pytest
from scipy.stats import beta, t
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_predict,
)
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.errors import BadTable
from markone.perceptron import AdaTron, Rosenblatt
from markone.tables.request import Folds
from markone.tables.scaling import Scaling
from markone.tables.scoring import ClassScoring
from markone.tables.validation import cross_validate


def some(load, rows=None):
    X, k = load(return_X_y=True)
    names = np.array(["a", "b", "c"])
    return (X, names[k]) if rows is None else (X[rows], names[k[rows]])


def validated(model, X, y, how, grid=None, positive=None):
    judge = ClassScoring(sorted(set(y.tolist())), positive or str(max(y)))
    return cross_validate(
        Pipeline([("scaling", Scaling(X.shape[1])), ("model", model)]), X, y, how, judge, grid or {}, 3
    )


def twin(y, predicted, g):
    return {
        "accuracy": metrics.accuracy_score(y, predicted),
        "balanced_accuracy": metrics.balanced_accuracy_score(y, predicted),
        "f1": metrics.f1_score(y, predicted, pos_label="b"),
        "auc": metrics.roc_auc_score(y == "b", g),
        "mcc": metrics.matthews_corrcoef(y, predicted),
    }


def test_two_classes_fold_by_fold_against_scikit_learns_way():
    X, y = some(load_breast_cancer, slice(0, 200))
    found = validated(AdaTron(C=0.5), X, y, Folds(2, 5))
    values = {name: [] for name in found.estimates}
    confusion, wrong, splits = np.zeros((2, 2)), np.zeros(200, int), RepeatedStratifiedKFold
    for train, test in splits(n_splits=5, n_repeats=2, random_state=3).split(X, y):
        plain = make_pipeline(StandardScaler(), AdaTron(C=0.5)).fit(X[train], y[train])
        predicted = plain.predict(X[test])
        for name, value in twin(y[test], predicted, plain.decision_function(X[test])).items():
            values[name].append(value)
        confusion += metrics.confusion_matrix(y[test], predicted, labels=["a", "b"]) / 2
        wrong[test] += predicted != y[test]
    for name, v in values.items():
        assert [fold.measures[name] for fold in found.folds] == pytest.approx(v, abs=1e-12)
        error = np.std(v, ddof=1) * sqrt(1 / 10 + 40 / 160)
        half = t.ppf(0.975, 9) * error
        estimate = found.estimates[name]
        ends = (max(np.mean(v) - half, -1 if name == "mcc" else 0), min(np.mean(v) + half, 1))
        assert (estimate.mean, estimate.error) == pytest.approx((np.mean(v), error))
        # Nowhere narrower than the folds say, and the accuracy as wide as so many rows make it.
        assert estimate.low <= ends[0] + 1e-9
        assert estimate.high >= ends[1] - 1e-9
        if name == "accuracy":
            right = np.trace(confusion)
            low, high = beta.ppf([0.025, 0.975], right + 0.5, 200 - right + 0.5)
            both = (min(ends[0], low), max(ends[1], high))
            assert (estimate.low, estimate.high) == pytest.approx(both)
    assert np.allclose(found.confusion, confusion)
    assert np.array_equal(found.wrong, wrong)


def test_the_positive_class_can_be_the_other():
    X, y = some(load_breast_cancer, slice(0, 120))
    one = validated(AdaTron(C=0.5), X, y, Folds(1, 4), positive="a")
    other = validated(AdaTron(C=0.5), X, y, Folds(1, 4), positive="b")
    for name in ("accuracy", "auc", "mcc"):
        assert one.estimates[name].mean == pytest.approx(other.estimates[name].mean)
    assert one.estimates["f1"].mean != other.estimates["f1"].mean


def test_three_classes_take_means_over_classes():
    X, y = some(load_iris)
    found = validated(KNeighborsClassifier(), X, y, Folds(1, 3))
    fold = found.folds[0]
    truth = y[fold.test]
    areas = [metrics.roc_auc_score(truth == label, fold.scores[:, k]) for k, label in enumerate("abc")]
    assert fold.measures["auc"] == pytest.approx(np.mean(areas))
    assert fold.measures["f1"] == pytest.approx(metrics.f1_score(truth, fold.predicted, average="macro"))


def test_leave_one_out_pools_the_rows():
    X, y = some(load_iris, slice(50, 150, 2))
    y = np.where(y == "b", "a", "b")
    model = make_pipeline(StandardScaler(), KNeighborsClassifier())
    predicted = cross_val_predict(model, X, y, cv=LeaveOneOut())
    g = cross_val_predict(model, X, y, cv=LeaveOneOut(), method="predict_proba")[:, 1]
    found = validated(KNeighborsClassifier(), X, y, Folds(1, 0))
    for name, value in twin(y, predicted, g).items():
        estimate = found.estimates[name]
        assert estimate.mean == pytest.approx(value)
        assert estimate.low < value < estimate.high


def test_the_baseline_is_the_most_frequent_class():
    y = np.array(["a"] * 7 + ["b"] * 3)
    found = ClassScoring(["a", "b"], "b").constant_baseline(y)
    assert found == {"accuracy": 0.7, "balanced_accuracy": 0.5, "f1": 0.0, "auc": 0.5, "mcc": 0.0}
    assert ClassScoring(["a", "b"], "a").constant_baseline(y)["f1"] == pytest.approx(2 * 0.7 / 1.7)


def test_a_nested_search_sees_only_the_training_part():
    X, y = some(load_iris)
    values = {"n_neighbors": [1, 5, 25]}
    found = validated(KNeighborsClassifier(), X, y, Folds(1, 3), values)
    for fold in found.folds:
        train = np.setdiff1d(np.arange(len(y)), fold.test)
        model = make_pipeline(StandardScaler(), KNeighborsClassifier())
        inner = StratifiedKFold(5, shuffle=True, random_state=3)
        names = {"kneighborsclassifier__n_neighbors": values["n_neighbors"]}
        search = GridSearchCV(model, names, cv=inner, scoring="balanced_accuracy").fit(X[train], y[train])
        assert list(fold.chosen.values()) == list(search.best_params_.values())
        assert np.array_equal(fold.predicted, search.predict(X[fold.test]))


@pytest.mark.parametrize(
    ("rows", "how", "sentence"),
    [
        (
            [0, 1, 2, 50, 51, 52, 53],
            Folds(2, 5),
            r"Class 'a' has 3 rows, fewer than the 5 folds. Use --cv 2x3",
        ),
        ([0, 50, 51, 52], Folds(1, 0), "Class 'a' has one row"),
    ],
)
def test_classes_too_small_for_the_folds(rows, how, sentence):
    X, y = some(load_iris, rows)
    with pytest.raises(BadTable, match=sentence):
        validated(KNeighborsClassifier(1), X, y, how)


def test_warnings_are_counted_once_for_all_folds_and_none_escapes():
    X, y = some(load_iris, slice(50, 150))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = validated(Rosenblatt(max_iter=2), X, y, Folds(2, 3))
    assert list(found.warned.values()) == [6]
    assert "stopped after 2 epochs" in next(iter(found.warned))
