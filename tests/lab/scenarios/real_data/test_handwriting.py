"""The digits report as experiments: folds, votes, and its published numbers where semeion is available."""

import numpy as np
import pytest
from pydantic import ValidationError
from scenario_twins import in_pieces, same
from sklearn.neighbors import KNeighborsClassifier

from markone.lab.scenarios.plane import boundaries
from markone.lab.scenarios.real_data import all_digits, neighbour_grid, one_digit, separating_digits
from markone.lab.scenarios.real_data import data_sets as folds
from markone.lab.scenarios.real_data.data_sets import load_examples
from markone.lab.scenarios.real_data.students import predict_by_neighbours


def weigh_by_rank(distances):
    """Votes 1, 1/2, 1/3, ... for scikit-learn's classifier."""
    return np.tile(1.0 / np.arange(1, distances.shape[1] + 1), (len(distances), 1))


def test_votes_are_those_of_scikit_learn_where_no_two_neighbours_are_equally_far():
    X, y = load_examples("wine")
    train, test = np.arange(0, 178, 2), np.arange(1, 178, 2)
    for weights, theirs in (("equal", "uniform"), ("inverse", "distance"), ("rank", weigh_by_rank)):
        other = KNeighborsClassifier(7, weights=theirs).fit(X[train], y[train])
        np.testing.assert_array_equal(
            predict_by_neighbours("wine", y, train, test, 7, weights), other.predict(X[test])
        )
    with pytest.raises(ValueError, match="only 89 training examples"):
        predict_by_neighbours("wine", y, train, test, 90, "equal")


def test_ten_repeats_are_one_shuffle_and_each_example_is_tested_once():
    cuts = list(folds.fold_splits("digits", 3, 10, 1, 0, 20))
    for shuffle in (cuts[:10], cuts[10:]):
        np.testing.assert_array_equal(np.sort(np.concatenate([test for _, test in shuffle])), np.arange(1797))
    assert not np.array_equal(cuts[0][1], cuts[10][1])
    share = [np.mean(folds.binary_targets("digits", 3)[test] > 0) for _, test in cuts]
    assert np.ptp(share) < 0.006  # stratified: one example more or less
    train, test = next(folds.fold_splits("digits", 3, 0, 1, 5, 6))
    assert test.tolist() == [5]
    assert 5 not in train


@pytest.mark.parametrize(
    ("scenario", "point"),
    [
        (separating_digits.SCENARIO, {"data": "digits", "digit": 0}),
        (one_digit.SCENARIO, {"data": "digits", "digit": 0, "student": "perceptron"}),
        (all_digits.SCENARIO, {"data": "digits", "student": "knn"}),
        (neighbour_grid.SCENARIO, {"data": "digits", "k": 3, "weights": "rank", "rounds": 1}),
        (boundaries.SCENARIO, {"data": "tight"}),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_blocks_may_be_cut_anywhere(scenario, point):
    whole = scenario.run(point, 7, 0, 3)
    same(whole, in_pieces(scenario, point, 7, [0, 1, 3]))
    assert set(whole) == set(scenario.measures)
    assert scenario.cost(point) > 0


def test_the_name_stored_is_that_of_the_data(monkeypatch, tmp_path):
    monkeypatch.setenv("MARKONE_DATA", str(tmp_path))
    assert one_digit.Parameters(digit=1, student="knn").data == "digits"
    (tmp_path / "semeion.data").write_text("whatever it holds, it is there")
    assert one_digit.Parameters(digit=1, student="knn").data == "semeion"
    with pytest.raises(ValidationError, match="must be semeion, digits, or handwritten"):
        one_digit.Parameters(data="mnist", digit=1, student="knn")


def test_leave_one_out_of_the_neighbours_is_table_2_to_the_last_digit(semeion):
    point = {"data": "semeion", "digit": 1, "student": "knn", "folds": 0, "k": 5, "weights": "equal"}
    accuracy = one_digit.SCENARIO.run(point, 1, 0, 1593)["accuracy"]
    assert round(accuracy.mean(), 4) == 0.9743
    assert round(accuracy.std(ddof=1), 4) == 0.1584


def test_table_1(semeion):
    """Means over starts, as rebuilt from the report's text; the published row is one start."""
    expected = [12, 42, 24, 33, 25, 23, 22, 33, 178, 46]
    for digit, mean in enumerate(expected):
        values = separating_digits.SCENARIO.run({"data": "semeion", "digit": digit}, 1, 0, 20)
        assert np.all(values["separable"] == 1)
        error = values["epochs"].std(ddof=1) / np.sqrt(20)
        assert abs(values["epochs"].mean() - mean) < 4 * np.hypot(error, 0.3 + 0.02 * mean), digit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("student", "published"),
    [("knn", [0.985, 0.949, 0.904, 0.920]), ("perceptron", [0.970, 0.860, 0.850, 0.851])],
)
def test_the_averages_of_tables_3_and_4(semeion, student, published):
    """Published to three digits and with a spread of its own, as large as ours: 5 x 10 folds each."""
    tables = [
        one_digit.SCENARIO.run({"data": "semeion", "digit": digit, "student": student}, 1, 0, 50)
        for digit in range(10)
    ]
    for name, value in zip(("accuracy", "precision", "recall", "f1"), published, strict=True):
        folds_ = np.array([table[name] for table in tables])
        error = np.sqrt(2 * np.sum(folds_.var(axis=1, ddof=1) / 50)) / 10
        assert abs(folds_.mean() - value) < 4 * error, name
