"""Splits: copies, groups and later rows are never in the training part of a test row."""

import numpy as np
import pytest
from sklearn.model_selection import LeaveOneOut, RepeatedStratifiedKFold

from markone.errors import BadTable
from markone.tables.request import Folds
from markone.tables.row_splits import RowTies, inner_splits, make_splits

Y = np.array(["a", "b"] * 60)


def test_free_rows_are_split_as_scikit_learn_does():
    X = np.zeros((120, 1))
    twin = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=3).split(X, Y)
    for (train, test), (other, left) in zip(make_splits(Folds(2, 5), Y, 3), twin, strict=True):
        assert np.array_equal(train, other)
        assert np.array_equal(test, left)
    assert len(make_splits(Folds(1, 0), Y, 3)) == len(list(LeaveOneOut().split(X)))


def test_groups_never_stand_on_both_sides_and_each_row_is_tested_once_a_repeat():
    groups = np.arange(120) // 4
    for how in (Folds(3, 5), Folds(1, 0)):
        found = make_splits(how, Y, 0, RowTies(groups))
        tested = np.zeros(120, int)
        for train, test in found:
            assert not set(groups[train]) & set(groups[test])
            tested[test] += 1
        assert (tested == how.repeats).all()
    assert len({tuple(test) for _, test in make_splits(Folds(3, 5), Y, 0, RowTies(groups))}) > 5


def test_the_past_predicts_the_future():
    times = np.random.default_rng(0).permutation(np.arange(120) // 3).astype(float)
    found = make_splits(Folds(1, 4), Y, 0, RowTies(None, times))
    assert len(found) == 4
    for train, test in found:
        assert times[train].max() < times[test].min()
    assert [len(test) for _, test in found] == [24] * 4


def test_groups_and_times_together():
    times, groups = np.arange(120.0), np.arange(120) % 7
    with pytest.raises(BadTable, match="By time, the rows before fold 1 contain no"):
        make_splits(Folds(1, 3), Y, 0, RowTies(groups, times))
    groups = np.arange(120) // 10
    for train, test in make_splits(Folds(1, 3), Y, 0, RowTies(groups, times)):
        assert not set(groups[train]) & set(groups[test])
        assert times[train].max() < times[test].min()


@pytest.mark.parametrize(
    ("how", "ties", "sentence"),
    [
        (Folds(1, 5), RowTies((Y == "a").astype(int)), "All rows of class 'a' belong to one group"),
        (Folds(2, 5), RowTies(np.arange(120) // 40), r"belong to 3 groups .* Use --cv 2x3"),
        (Folds(1, 0), RowTies(None, np.arange(120.0)), "--time has no leave-one-out"),
        (Folds(1, 5), RowTies(None, np.arange(120) // 40 * 1.0), "3 different times, too few for 5 folds"),
    ],
)
def test_what_cannot_be_split_is_said(how, ties, sentence):
    with pytest.raises(BadTable, match=sentence):
        make_splits(how, Y, 0, ties)


def test_a_class_that_comes_late_cannot_be_learned_early():
    y = np.repeat(["a", "b"], 60)
    with pytest.raises(BadTable, match="rows before fold 1 contain no 'b'"):
        make_splits(Folds(1, 4), y, 0, RowTies(None, np.arange(120.0)))


def test_choices_inside_a_training_part_keep_groups_together_too():
    groups = np.arange(120) // 4
    for train, test in inner_splits(5, Y, 0, RowTies(groups)):
        assert not set(groups[train]) & set(groups[test])
    assert inner_splits(5, np.array(["a", "b", "b"]), 0) is None
