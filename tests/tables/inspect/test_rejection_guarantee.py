"""The promised accuracy of the answered rows: the bound, and how often it holds."""

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict

from markone.tables import AnswerOptions, FitRequest, fit, headline
from markone.tables.inspect.validation_diagnostics import guaranteed_threshold, lowest_accuracy


def test_the_bound_is_the_smallest_share_that_explains_so_many_hits():
    p = lowest_accuracy(18, 20)
    assert binom.sf(17, 20, p) == pytest.approx(0.1)
    assert lowest_accuracy(0, 20) == 0.0


def test_the_sequence_in_plain_python():
    rng = np.random.default_rng(0)
    sure = rng.random(500)
    right = rng.random(500) < 0.7 + 0.3 * sure
    n, threshold = guaranteed_threshold(right, sure, 0.9)
    assert (sure >= threshold).sum() == n
    order = sorted(range(500), key=lambda k: -sure[k])
    last = 0
    for m in [*range(100, 500, 10), 500]:
        if lowest_accuracy(int(right[order[:m]].sum()), m) < 0.9:
            break
        last = m
    assert n == last > 0


def test_rows_of_equal_certainty_are_answered_together():
    sure, right = np.repeat([3.0, 2.0, 1.0], 100), np.repeat([True, True, False], 100)
    assert guaranteed_threshold(right, sure, 0.9) == (200, 2.0)
    assert guaranteed_threshold(~right, sure, 0.9) == (0, np.inf)


@pytest.mark.slow
def test_the_promise_holds_in_nine_of_ten_tables():
    """200 tables: a share of 0.9 has a standard error of 0.021."""
    kept = answered = 0
    for seed in range(200):
        X, y = make_classification(5400, 6, n_informative=4, flip_y=0.05, class_sep=0.7, random_state=seed)
        g = cross_val_predict(LogisticRegression(), X[:400], y[:400], cv=5, method="decision_function")
        n, threshold = guaranteed_threshold((g > 0) == y[:400], np.abs(g), 0.9)
        g = LogisticRegression().fit(X[:400], y[:400]).decision_function(X[400:])
        sure = np.abs(g) >= threshold
        answered += n > 0
        kept += not sure.any() or ((g > 0) == y[400:])[sure].mean() >= 0.9
    assert answered > 20  # the others cannot reach 0.9 with so few rows
    assert kept >= 0.88 * 200


def test_nothing_answered_is_in_the_headline():
    asked = FitRequest("iris", "hebb", cv="1x3", answers=AnswerOptions(reject=0.999))
    assert "No row can be answered so that 99.9 % of the answers are right." in headline(fit(asked))


def test_sets_are_reported_and_saved(tmp_path):
    from markone.tables import load_model, predict, save_model
    from markone.tables.table_prediction import read_new_table

    found = fit(FitRequest("iris", "gmlvq", cv="1x5", answers=AnswerOptions(sets=0.9)))
    assert 0.82 < found.sets.covered < 0.98
    save_model(found, tmp_path / "m.skops")
    model = load_model(tmp_path / "m.skops")
    told = predict(model, read_new_table(model, "iris"))
    assert told.header[-2:] == ["set", "remark"]
    sets = [row[-2].split(" | ") for row in told.cells]
    truth = read_new_table(model, "iris").columns["class"].texts()
    assert 0.85 < np.mean([label in found for label, found in zip(truth, sets, strict=True)]) < 1.0
    with pytest.raises(ValueError, match="between 0 and 1"):
        fit(FitRequest("iris", "hebb", cv="1x3", answers=AnswerOptions(sets=90.0)))
