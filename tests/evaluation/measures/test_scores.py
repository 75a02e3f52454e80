"""Scores with intervals, confusion matrices, and measures for unbalanced classes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta
from sklearn import metrics

from markone.evaluation import (
    baseline_comparison,
    confusion_f1,
    confusion_percent,
    imbalance_report,
    scores,
)
from markone.evaluation.measures.confusion import measures_from_rates
from markone.evaluation.measures.score_table import confusion_measures, confusion_scores
from markone.numerics.intervals import wilson_interval

THEIRS = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "matthews": metrics.matthews_corrcoef,
}


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=4, max_size=40))
def test_values_are_scikit_learns_for_many_classes(cases):
    y, answer = np.array(cases).T
    if set(answer) - set(y) or len(set(y)) < 3:
        return
    found = scores(y, answer)
    for name, function in THEIRS.items():
        assert found[name].value == pytest.approx(function(y, answer))
    for name in ("precision", "recall", "f1"):
        theirs = getattr(metrics, f"{name}_score")(y, answer, average="macro", zero_division=0)
        assert found[name].value == pytest.approx(theirs)
        assert found[name].low <= found[name].value <= found[name].high


@pytest.mark.parametrize("positive", [None, "sick", "well"])
def test_values_are_scikit_learns_for_two_classes(positive):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(80) < 0.3, "sick", "well")
    answer = np.where(rng.random(80) < 0.2, "sick", y)
    g = rng.standard_normal(80) + (y == (positive or "well"))
    found, sought = scores(y, answer, g, positive=positive), positive or "well"
    for name, function in THEIRS.items():
        assert found[name].value == pytest.approx(function(y, answer))
    for name in ("precision", "recall", "f1"):
        theirs = getattr(metrics, f"{name}_score")(y, answer, pos_label=sought)
        assert found[name].value == pytest.approx(theirs)
    other = "sick" if sought == "well" else "well"
    assert found["specificity"].value == pytest.approx(metrics.recall_score(y, answer, pos_label=other))
    assert found["roc_auc"].value == pytest.approx(metrics.roc_auc_score(y == sought, g))
    assert found["average_precision"].value == pytest.approx(metrics.average_precision_score(y == sought, g))
    assert "interval (80 examples)" in str(found)
    with pytest.raises(KeyError, match="no measure 'kappa' here"):
        found["kappa"]


def test_the_interval_of_a_rate_is_jeffreys():
    y = np.repeat([0, 1], [40, 20])
    answer = np.concatenate([np.zeros(40), np.ones(13), np.zeros(7)]).astype(int)
    found = scores(y, answer)
    for name, right, n in (("recall", 13, 20), ("specificity", 40, 40)):
        low, high = beta.ppf([0.025, 0.975], right + 0.5, n - right + 0.5)
        assert found[name].low == pytest.approx(low, abs=0.01)
        assert found[name].high == pytest.approx(max(high, right / n), abs=0.01)


def test_the_interval_of_average_precision_covers():
    rng, hits = np.random.default_rng(0), 0
    S, many = np.repeat([0, 1], [80, 20]), np.repeat([0, 1], [32_000, 8_000])
    truth = metrics.average_precision_score(many, rng.standard_normal(40_000) + 1.5 * many)
    for _ in range(150):
        value = metrics.average_precision_score(S, rng.standard_normal(100) + 1.5 * S)
        low, high = wilson_interval(value, 20)
        hits += low <= truth <= high
    assert hits >= 0.92 * 150
    assert wilson_interval(1.0, 20)[0] < 0.9
    assert wilson_interval(1.0, 20)[1] == pytest.approx(1)


def test_no_error_seen_is_not_no_error():
    found = scores([0, 1] * 10, [0, 1] * 10)
    assert all(row.value == row.high == 1 for row in found.rows)
    assert all(0.6 < row.low < 0.95 for row in found.rows)
    assert scores([0, 1] * 10, [0, 1] * 10, level=0.5)["accuracy"].low > found["accuracy"].low


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: scores([0, 1], [0, 1, 1]), r"shape \(2,\), predicted \(3,\)"),
        (lambda: scores([], []), "of one length"),
        (lambda: scores([0, 1], [0, 1], level=2), "level = 2 must lie between"),
        (lambda: scores([0, 1, 2], [0, 1, 2], [0.0, 1, 2]), "name the positive one"),
        (lambda: measures_from_rates("A", 1.5, 0.5), "tpr = 1.5 is a proportion"),
        (lambda: baseline_comparison([1, 1], [1, 1]), "All labels are '1'"),
    ],
)
def test_nonsense_gets_a_sentence(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# The counts of a matrix like that of Fig 6.4: class 1 of 1000 examples.
COUNTS = np.array([[638, 108, 193, 55, 6], [31, 907, 1, 13, 48], [184, 17, 661, 135, 3]])


def test_confusion_in_per_cent_of_the_true_class():
    shares = confusion_percent(COUNTS)
    np.testing.assert_allclose(shares[0], [63.8, 10.8, 19.3, 5.5, 0.6])
    np.testing.assert_allclose(shares.sum(axis=1), 100)
    assert np.isnan(confusion_percent([[1, 1], [0, 0]])[1]).all()


@settings(max_examples=8)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60))
def test_the_f1_form_has_the_f1_scores_on_its_diagonal(cases):
    y, answer = np.array(cases).T
    cells = confusion_f1(metrics.confusion_matrix(y, answer, labels=range(4)))
    theirs = metrics.f1_score(y, answer, labels=range(4), average=None, zero_division=0)
    np.testing.assert_allclose(np.diag(cells), theirs)
    for i in range(4):
        for j in range(4):
            assert cells[i, j] == pytest.approx(metrics.f1_score(y == i, answer == j, zero_division=0))


def test_the_example_of_95_and_5_per_cent():
    A, B = imbalance_report()
    assert (A.accuracy, A.balanced_accuracy, A.f1, A.matthews) == pytest.approx((0.95, 0.5, 0, 0))
    assert (B.accuracy, B.balanced_accuracy) == pytest.approx((0.7, 0.7))
    # 5 % x 0.7 found beside 95 % x 0.3 false alarms.
    assert B.precision == pytest.approx(0.035 / (0.035 + 0.285))
    assert B.matthews > A.matthews


def test_answers_beside_the_most_frequent_class():
    y = np.repeat([0, 1], [95, 5])
    answer = np.concatenate([np.ones(28), np.zeros(67), np.zeros(2), np.ones(3)]).astype(int)
    beside = baseline_comparison(y, answer)
    assert beside.trivial["accuracy"].value == beside.share == 0.95
    assert beside.trivial["balanced_accuracy"].value == 0.5
    assert beside.answers["accuracy"].value == 0.70
    assert beside.answers["recall"].value == 0.6
    assert "the class 0 is 95.0 % of the examples" in str(beside)
    rare_first = baseline_comparison(1 - y, 1 - answer)
    assert rare_first.answers["recall"].value == 0.6
    word = np.array(["no", "yes"], dtype=object)  # as a column of a data frame has them
    words = baseline_comparison(word[y], word[answer])
    assert words.most_frequent == "no"
    assert words.answers == beside.answers


@pytest.mark.parametrize(("n", "rare", "tpr", "tnr"), [(100, 0.05, 0.7, 0.95), (200, 0.1, 0.6, 0.9)])
def test_intervals_cover_also_with_random_class_sizes(n, rare, tpr, tnr):
    """Nominal 95 %: with fixed class sizes F covered .86 and precision .80 of these cases."""
    true = np.array([[(1 - rare) * tnr, (1 - rare) * (1 - tnr)], [rare * (1 - tpr), rare * tpr]])
    value = {name: float(v[0]) for name, v in confusion_measures(true[None]).items()}
    rng, hits = np.random.default_rng(0), dict.fromkeys(value, 0)
    for seed in range(400):
        counts = rng.multinomial(n, true.ravel()).reshape(2, 2).astype(float)
        for row in confusion_scores(counts, 0.95, seed):
            hits[row.measure] += row.low <= value[row.measure] <= row.high
    # Three standard errors of 400 repeats below .93.
    assert min(hits.values()) >= 400 * (0.93 - 3 * (0.93 * 0.07 / 400) ** 0.5), hits
