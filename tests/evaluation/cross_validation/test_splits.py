"""Splits with some of every class left out: scikit-learn's protocol, counts, proportions."""

from math import comb

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from markone.evaluation import LeaveOneOutPerClass, LeavePOutPerClass, MonteCarloPerClass

Y = np.array(list("abbacbabcb"))
X = np.arange(10.0)[:, None]
ALL = [
    LeaveOneOutPerClass(),
    LeaveOneOutPerClass(shuffle=True, random_state=1),
    LeavePOutPerClass(1),
    MonteCarloPerClass(1, 7, random_state=0),
]


@pytest.mark.parametrize("cv", ALL, ids=str)
def test_each_test_set_has_as_many_of_every_class_and_the_rest_trains(cv):
    splits = list(cv.split(X, Y))
    assert len(splits) == cv.get_n_splits(X, Y)
    for train, test in splits:
        assert sorted(Y[test]) == ["a", "b", "c"]
        assert sorted([*train, *test]) == list(range(10))
    again = list(cv.split(X, Y))
    assert all((a[1] == b[1]).all() for a, b in zip(splits, again, strict=True))


def test_one_per_class_asks_about_every_example():
    for cv in ALL[:2]:
        tested = np.concatenate([test for _, test in cv.split(X, Y)])
        assert cv.get_n_splits(X, Y) == 5
        assert np.bincount(tested, minlength=10).min() == 1
        assert (np.bincount(tested)[Y == "b"] == 1).all()
    orders = [[tuple(t) for _, t in cv.split(X, Y)] for cv in ALL[:2]]
    assert orders[0] != orders[1]
    assert orders[0][0] == (0, 1, 4)


def test_leave_p_out_is_all_ways_once():
    y = np.repeat([0, 1], [4, 3])
    cv = LeavePOutPerClass(2)
    sets = {frozenset(test.tolist()) for _, test in cv.split(y, y)}
    assert len(sets) == cv.get_n_splits(y, y) == comb(4, 2) * comb(3, 2)
    assert all(sum(mu < 4 for mu in one) == 2 for one in sets)


def test_monte_carlo_draws_fairly():
    y = np.repeat([0, 1], [8, 4])
    tested = np.concatenate([t for _, t in MonteCarloPerClass(2, 2000, random_state=3).split(y, y)])
    expected = np.repeat([500.0, 1000.0], [8, 4])
    assert (np.abs(np.bincount(tested) - expected) < 4.5 * np.sqrt(expected)).all()


def test_scikit_learn_takes_them():
    y = np.repeat([0, 1], 5)
    values = cross_val_score(LogisticRegression(), X, y, cv=LeaveOneOutPerClass())
    assert values.shape == (5,)
    assert values.mean() > 0.7
    assert "p=2" in repr(LeavePOutPerClass(2))


@pytest.mark.parametrize(
    ("cv", "y", "sentence"),
    [
        (LeaveOneOutPerClass(), np.array([0, 0, 1]), "Class '1' has 1 examples: leaving out 1"),
        (LeavePOutPerClass(3), Y, "Class 'c' has 2 examples: leaving out 3"),
        (LeavePOutPerClass(0), Y, "p = 0 must be a whole number"),
        (MonteCarloPerClass(1, 0), Y, "n_splits = 0 must be"),
        (LeaveOneOutPerClass(), None, "give y"),
        (LeaveOneOutPerClass(), np.linspace(0, 1, 10), "Unknown label type"),
    ],
)
def test_nonsense_gets_a_sentence(cv, y, sentence):
    with pytest.raises(ValueError, match=sentence):
        list(cv.split(X if y is None else np.zeros((len(y), 1)), y))
