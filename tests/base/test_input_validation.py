"""The fast check of X and y accepts nothing that scikit-learn would change or refuse."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data as slow

from markone import AdaTron, BayesPoint, Hopfield, LinearUnit
from markone.base import input_validation
from markone.base.sklearn_compat import draw_seeds

OPTIONS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "order": "C"}
X = np.arange(12.0).reshape(4, 3)
Y = np.array([0, 1, 0, 1])
BAD = np.where(X == 5, np.nan, X)
CASES = {
    "plain": (X, Y),
    "float32": (X.astype(np.float32), Y.astype(float)),
    "columns first": (np.asfortranarray(X), Y),
    "whole numbers": (X.astype(int), Y),
    "a list": (X.tolist(), Y.tolist()),
    "words": (X, np.array(["a", "b", "a", "b"])),
    "huge": (X * 1e200, Y),
    "other byte order": (X.astype(">f8"), Y),
    "every other row": (np.repeat(X, 2, axis=0)[::2], Y),
    "NaN": (BAD, Y),
    "infinity": (np.where(X == 5, np.inf, X), Y),
    "NaN in y": (X, np.array([0.0, np.nan, 1.0, 1.0])),
    "a column": (X, Y[:, None]),
    "too few labels": (X, Y[:3]),
    "one dimension": (X[0], Y),
    "no features": (X[:, :0], Y),
    "no rows": (X[:0], Y[:0]),
    "complex": (X + 1j, Y),
}


def outcome(look, X, y):
    estimator = BaseEstimator()
    try:
        found = look(estimator, X, y, **OPTIONS)
    except ValueError as error:
        return str(error)
    return [(a.dtype, a.flags.c_contiguous, a.tolist()) for a in found], estimator.n_features_in_


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", CASES)
def test_what_comes_out_is_what_scikit_learn_makes_of_it(case):
    assert outcome(input_validation.validate_data, *CASES[case]) == outcome(slow, *CASES[case])


def test_a_plain_table_is_handed_on_as_it_is_without_scikit_learn(monkeypatch):
    monkeypatch.setattr(input_validation, "_validate_data", None)
    found, labels = input_validation.validate_data(BaseEstimator(), X, Y, **OPTIONS)
    assert found is X
    assert labels is Y


def test_other_numbers_of_features_are_refused_after_the_fit():
    student = AdaTron(C=1.0).fit(X, Y)
    with pytest.raises(ValueError, match="2 features"):
        student.predict(X[:, :2].copy())


def test_names_of_an_earlier_fit_are_forgotten():
    pandas = pytest.importorskip("pandas")
    student = AdaTron(C=1.0).fit(pandas.DataFrame(X, columns=["a", "b", "c"]), Y)
    assert student.feature_names_in_.tolist() == ["a", "b", "c"]
    assert not hasattr(student.fit(X, Y), "feature_names_in_")


def test_good_parameters_are_checked_once_bad_ones_each_time():
    AdaTron(C=1.0, max_iter=7).fit(X, Y)
    for C in (-1.0, "1", np.nan):
        for _ in range(2):
            with pytest.raises(ValueError, match="C"):
                AdaTron(C=C, max_iter=7).fit(X, Y)


def test_what_was_not_checked_is_not_taken_for_good():
    with config_context(skip_parameter_validation=True):
        AdaTron(C=1.0, exact="yes").fit(X, Y)
    with pytest.raises(ValueError, match="exact"):
        AdaTron(C=1.0, exact="yes").fit(X, Y)


def test_seeds_are_those_of_the_generator_each_time():
    expected = np.random.RandomState(5).randint(2**31 - 1, size=3).tolist()
    for _ in range(2):
        assert list(draw_seeds(5, 3)) == expected
    generator = np.random.RandomState(5)
    assert list(draw_seeds(generator, 1)) + list(draw_seeds(generator, 2)) == expected


DATES = np.arange("2020-01-01", "2020-01-05", dtype="M8[D]")
WORDS = np.array(["a", "b", "a", "b"])


@pytest.mark.parametrize(
    ("model", "inputs", "labels", "sentence"),
    [
        (AdaTron(), DATES[:, None], Y, r"X holds dates \(datetime64\[D\]\), not numbers"),
        (AdaTron(), DATES[:, None] - DATES[0], Y, "X holds durations"),
        (LinearUnit(), X, WORDS, r"y holds text \(<U1\), not numbers"),
        (LinearUnit(), X, DATES, "y holds dates"),
        (LinearUnit(), X, WORDS.astype(object), "LinearUnit needs numbers, but 'a' is text"),
        (
            Hopfield(threshold=0.5),
            WORDS.astype(object)[:, None],
            None,
            "threshold = 0.5 needs numbers|is text",
        ),
        (BayesPoint(n_jobs=False), X, Y, "n_jobs = False is no number of cores"),
    ],
)
def test_what_is_no_number_gets_a_sentence(model, inputs, labels, sentence):
    with pytest.raises(ValueError, match=sentence):
        model.fit(inputs, labels)


def test_tables_with_columns_of_dates_or_categories():
    frames = pytest.importorskip("pandas", reason="tables of pandas need markone[tables]")
    with pytest.raises(ValueError, match="X holds dates"):
        AdaTron().fit(frames.DataFrame({"day": DATES, "size": range(4)}), Y)
    categories = frames.DataFrame({"a": frames.Categorical(WORDS), "b": frames.Categorical(WORDS)})
    with pytest.raises(ValueError, match=r"threshold = 0.5 needs numbers, but X holds 'a'"):
        Hopfield(threshold=0.5).fit(categories)
