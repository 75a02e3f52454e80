"""Prediction sets: the definition in plain Python, coverage of fresh rows, and bad input."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from markone.evaluation import ConformalClassifier, class_margins, margin_thresholds


def test_margins_in_plain_python():
    scores = np.random.default_rng(0).normal(size=(20, 4))
    for row, found in zip(scores, class_margins(scores), strict=True):
        own = [row[k] - max(row[j] for j in range(4) if j != k) for k in range(4)]
        assert found.tolist() == own
    assert class_margins([2.0, -1.0]).tolist() == [[-2.0, 2.0], [1.0, -1.0]]


def test_thresholds_in_plain_python():
    rng = np.random.default_rng(1)
    margins, true = rng.normal(size=(30, 3)), rng.integers(0, 3, 30)
    own = sorted((margins[m, true[m]] for m in range(30)), reverse=True)
    # ceil(31 x 0.8) = 25: the 25th largest.
    assert margin_thresholds(margins, true, 0.8).tolist() == [own[24]] * 3
    for k, found in enumerate(margin_thresholds(margins, true, 0.5, per_class=True)):
        mine = sorted((margins[m, k] for m in range(30) if true[m] == k), reverse=True)
        assert found == mine[int(np.ceil((len(mine) + 1) * 0.5)) - 1]


def test_too_few_rows_put_every_class_into_the_set():
    assert margin_thresholds(np.zeros((5, 2)), np.zeros(5, int), 0.9).tolist() == [-np.inf, -np.inf]


def table(seed, P=4000, classes=3):
    return make_classification(
        P, 8, n_informative=5, n_classes=classes, class_sep=0.6, flip_y=0.1, random_state=seed
    )


@pytest.mark.parametrize("method", ["cross", "split"])
@pytest.mark.parametrize("estimator", [LogisticRegression(), LinearSVC(), KNeighborsClassifier(15)])
def test_coverage_of_fresh_rows(method, estimator):
    """Mean over ten tables of 600 rows: standard error of about 0.4 %."""
    covered = []
    for seed in range(10):
        X, y = table(seed)
        model = ConformalClassifier(estimator, level=0.9, method=method, folds=4, random_state=0)
        sets = model.fit(X[:600], y[:600]).predict_set(X[600:])
        covered.append(sets[np.arange(len(sets)), y[600:]].mean())
    # Votes of neighbours tie, which makes sets larger.
    assert 0.885 < np.mean(covered) < (0.93 if isinstance(estimator, KNeighborsClassifier) else 0.915)


def test_coverage_in_each_class():
    X, y = make_classification(8000, 8, n_informative=4, weights=[0.9], class_sep=0.5, random_state=3)
    plain, each = (
        ConformalClassifier(LogisticRegression(), per_class=per_class, random_state=0).fit(X[:4000], y[:4000])
        for per_class in (False, True)
    )
    rare = y[4000:] == 1
    assert plain.predict_set(X[4000:])[rare, 1].mean() < 0.8
    assert abs(each.predict_set(X[4000:])[rare, 1].mean() - 0.9) < 0.05
    assert (plain.predict(X) == plain.estimator_.predict(X)).all()


def test_labels_without_scores_are_refused():
    class Labels(KNeighborsClassifier):
        predict_proba = property()

    X, y = table(0, 60)
    with pytest.raises(ValueError, match="gives labels but no scores"):
        ConformalClassifier(Labels()).fit(X, y)
    with pytest.raises(ValueError, match="'level' parameter"):
        ConformalClassifier(LogisticRegression(), level=1.0).fit(X, y)


def test_a_class_with_one_example_is_refused():
    X, y = table(0, 60)
    with pytest.raises(ValueError, match="Class 7 has a single example"):
        ConformalClassifier(LogisticRegression()).fit(X, np.where(np.arange(60) == 0, 7, y))
