"""Scores of cross-validation fold by fold, and intervals of their mean."""

import numpy as np
import pytest
from scipy.stats import norm, t
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from markone.data import load
from markone.evaluation import FoldTable, cross_validated
from markone.perceptron import Adaline, AdaTron


def test_the_interval_is_nadeaus_and_bengios_by_hand():
    values = np.array([0.6, 0.7, 0.65, 0.75, 0.5])
    table = FoldTable({"accuracy": values}, np.full(5, 80), np.full(5, 20))
    sd = np.sqrt(((values - values.mean()) ** 2).sum() / 4)
    half = t.ppf(0.975, 4) * sd * np.sqrt(1 / 5 + 20 / 80)
    assert table.sd("accuracy") == pytest.approx(sd)
    assert table.standard_error("accuracy") == pytest.approx(sd / np.sqrt(5))
    assert table.interval("accuracy") == pytest.approx((values.mean() - half, values.mean() + half))
    assert "0.6400" in str(table)
    (row,) = table.rows(level=0.5)
    assert row.low > table.interval("accuracy")[0]


def test_a_share_is_never_above_one_but_a_correlation_may_be_below_zero():
    values = np.array([0.9, 1.0, 1.0, 1.0])
    scores = {"f1_macro": values, "matthews_corrcoef": values - 1}
    table = FoldTable(scores, np.full(4, 30), np.full(4, 10))
    assert table.interval("f1_macro")[1] == 1
    assert table.interval("matthews_corrcoef")[1] > 0


def test_no_correlation_is_above_one():
    values = np.array([0.9, 1.0, 1.0, 1.0])
    table = FoldTable({"matthews_corrcoef": values, "mine": values}, np.full(4, 30), np.full(4, 10))
    assert table.interval("matthews_corrcoef")[1] == 1
    assert table.interval("mine")[1] > 1


@pytest.mark.parametrize(
    ("measure", "values", "least", "most"),
    [
        ("matthews_corrcoef", [0.6, 1.0, 1.0, 1.0], -1, 1),
        ("matthews_corrcoef", [-0.4, -1.0, -1.0, -1.0], -1, 1),
        ("roc_auc", [0.5, 1.0, 1.0, 1.0], 0, 1),
        ("jaccard_macro", [0.0, 0.0, 0.3, 0.0], 0, 1),
        ("r2", [0.4, 1.0, 1.0, 1.0], -np.inf, 1),
        ("neg_mean_squared_error", [-0.1, -5.0, -0.1, -0.1], -np.inf, 0),
    ],
)
def test_no_interval_leaves_the_range_of_its_measure(measure, values, least, most):
    low, high = FoldTable({measure: np.array(values)}, np.full(4, 30), np.full(4, 10)).interval(measure)
    assert least <= low < np.mean(values) < high <= most
    assert low == least or high == most


def test_one_fold_has_no_spread():
    table = FoldTable({"accuracy": np.array([0.5])}, np.array([8]), np.array([2]))
    assert np.isnan([table.sd("accuracy"), *table.interval("accuracy")]).all()
    with pytest.raises(ValueError, match="no measure 'f1' here: there are accuracy"):
        table.mean("f1")


def nearest_mean(X, y, train, test):
    """Accuracy of the nearest class mean in one dimension."""
    low, high = X[train][y[train] == 0].mean(), X[train][y[train] == 1].mean()
    return np.mean(((X[test] > (low + high) / 2) == (high > low)) == (y[test] == 1))


def test_the_corrected_error_is_that_of_the_mean_and_the_plain_one_is_far_too_small():
    """5 x 10-fold on many sets of examples: the variance of the mean accuracy over sets."""
    rng, y, rows = np.random.default_rng(0), np.tile([0, 1], 50), []
    for k in range(150):
        X = rng.standard_normal(100) + 2.0 * y - 1
        cv = RepeatedStratifiedKFold(n_splits=10, n_repeats=5, random_state=k)
        values = np.array([nearest_mean(X, y, *split) for split in cv.split(X, y)])
        table = FoldTable({"a": values}, np.full(50, 90), np.full(50, 10))
        rows.append((table.mean("a"), table.standard_error("a") ** 2, table.corrected_error("a") ** 2))
    means, plain, corrected = np.array(rows).T
    real = means.var(ddof=1)
    assert plain.mean() < 0.3 * real
    # 150 sets give the variance to 12 per cent.
    assert 0.7 * real < corrected.mean() < 1.6 * real


def test_it_is_scikit_learns_cross_validation():
    iris = load("iris")
    table = cross_validated(AdaTron(C=1), iris.X, iris.y, cv=5)
    assert list(table.scores) == ["accuracy", "balanced_accuracy", "f1_macro", "matthews_corrcoef"]
    np.testing.assert_array_equal(
        table.scores["accuracy"], cross_val_score(AdaTron(C=1), iris.X, iris.y, cv=StratifiedKFold(5))
    )
    assert table.train_sizes.tolist() == [120] * 5


def test_two_classes_with_names_have_areas():
    two = load("breast_cancer")
    names = np.array(two.class_names)[two.y]
    table = cross_validated(make_pipeline(StandardScaler(), Adaline()), two.X, names, cv=3)
    expected = cross_validated(make_pipeline(StandardScaler(), Adaline()), two.X, two.y == 0, cv=3)
    # "malignant" is the later name, and label 0.
    np.testing.assert_allclose(table.scores["roc_auc"], expected.scores["roc_auc"])
    assert table.mean("roc_auc") > 0.97


def test_folds_that_agree_have_an_interval_of_positive_width():
    sizes = np.full(10, 36), np.full(10, 4)
    table = FoldTable({"accuracy": np.ones(10), "matthews_corrcoef": np.ones(10)}, *sizes)
    low, high = table.interval("accuracy")
    # Wilson's interval of 40 of 40: n / (n + z^2).
    assert (low, high) == (pytest.approx(40 / (40 + 1.959964**2), abs=1e-6), 1.0)
    assert table.interval("matthews_corrcoef") == (pytest.approx(2 * low - 1), 1.0)


def test_the_interval_covers_the_accuracy_of_nearly_perfect_folds():
    """Nearest class means in one dimension, error 1 %: without the floor .33 of nominal 95 % cover."""
    rng, d, P, covered = np.random.default_rng(0), 4.7, 40, 0
    for _ in range(300):
        y = np.arange(P) % 2
        x = rng.normal(size=P) + d * (y - 0.5)
        scores, true = [], []
        for fold in np.array_split(rng.permutation(P), 10):
            train = np.ones(P, bool)
            train[fold] = False
            cut = (x[train & (y == 0)].mean() + x[train & (y == 1)].mean()) / 2
            scores.append(np.mean((x[fold] > cut) == y[fold]))
            true.append((norm.cdf(cut + d / 2) + norm.cdf(d / 2 - cut)) / 2)
        low, high = FoldTable({"accuracy": np.array(scores)}, np.full(10, 36), np.full(10, 4)).interval(
            "accuracy"
        )
        covered += low <= np.mean(true) <= high
    assert covered >= 0.93 * 300
