"""No interval over folds is narrower than that of the rows."""

import numpy as np
import pytest
from scipy.stats import beta, binom

from markone.tables.inspect.row_intervals import widen_intervals
from markone.tables.scoring import ClassScoring, Interval

TWO, THREE = ClassScoring(["a", "b"], "a"), ClassScoring(["a", "b", "c"], "a")


def agreed(value, **other):
    """What folds without any spread say."""
    names = ("accuracy", "balanced_accuracy", "f1", "auc", "mcc")
    return {name: Interval(other.get(name, value), *[other.get(name, value)] * 2, 0.0) for name in names}


def test_no_error_in_two_hundred_rows_is_jeffreys_interval():
    found = widen_intervals(agreed(1.0), TWO, np.diag([100.0, 100.0]))
    assert found["accuracy"].low == pytest.approx(beta.ppf(0.025, 200.5, 0.5))
    assert all(each.high == 1.0 for each in found.values())
    assert all(0.9 < found[name].low < 1.0 for name in ("balanced_accuracy", "f1", "auc", "mcc"))


def test_many_classes_without_an_error():
    found = widen_intervals(agreed(1.0), THREE, np.diag([50.0, 50.0, 50.0]))
    # Equally many rows of each class: balanced accuracy and F1 are one share of all rows.
    for name in ("accuracy", "balanced_accuracy", "f1"):
        assert found[name].low == pytest.approx(beta.ppf(0.025, 150.5, 0.5))
    assert 0.95 < found["mcc"].low < 1.0
    assert 0.95 < found["auc"].low < 1.0


def test_always_one_answer_is_not_known_better_than_the_share_of_the_class():
    confusion = np.array([[0.0, 13.0], [0.0, 387.0]])
    found = widen_intervals(agreed(0.0, accuracy=387 / 400, balanced_accuracy=0.5, auc=0.5), TWO, confusion)
    low, high = beta.ppf([0.025, 0.975], 387.5, 13.5)
    assert (found["accuracy"].low, found["accuracy"].high) == pytest.approx((low, high))
    assert found["f1"].high > 0.1


def test_wider_intervals_stay_and_one_fold_has_none():
    wide, nan = Interval(0.8, 0.1, 1.0, 0.2), float("nan")
    one = Interval(0.8, nan, nan, nan)
    values = agreed(0.8) | {"accuracy": wide, "mcc": one}
    found = widen_intervals(values, TWO, np.array([[40.0, 10.0], [10.0, 40.0]]))
    assert found["accuracy"] == wide
    assert np.isnan(found["mcc"].low)


@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_the_widened_accuracy_covers_as_often_as_it_says(share):
    """Of all numbers of right answers, weighted by their chance: at least 93 % of the intervals cover."""
    n, covered = 60, 0.0
    for right in range(n + 1):
        confusion = np.array([[right / 2, (n - right) / 2], [(n - right) / 2, right / 2]])
        found = widen_intervals(agreed(right / n), TWO, confusion)["accuracy"]
        covered += binom.pmf(right, n, share) * (found.low <= share <= found.high)
    assert covered > 0.93
