"""Decision thresholds, and classes of least expected cost."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from markone.errors import BadTable
from markone.tables.answers.decision import DecisionPipeline, add_decision_rule, cheapest_threshold
from markone.tables.row_splits import NO_TIES
from markone.tables.scaling import Scaling
from markone.tables.scoring import ClassScoring


def clusters(P=600, rare=0.1, seed=0):
    rng = np.random.default_rng(seed)
    second = rng.random(P) < rare
    return rng.standard_normal((P, 2)) + 1.5 * second[:, None], np.where(second, "ill", "well")


def pipeline(model, N=2):
    return Pipeline([("scaling", Scaling(N)), ("model", model)])


def by_trying(g, second, prices):
    """Every threshold between two scores."""
    best = []
    for cut in np.r_[-np.inf, np.sort(g)]:
        called = g > cut
        paid = second * ~called * prices[1][0] + ~second * called * prices[0][1]
        best.append(paid.sum())
    return min(best)


@pytest.mark.parametrize("price", [0.1, 1.0, 7.0])
def test_the_cheapest_threshold_is_that_of_trying_them_all(price):
    rng = np.random.default_rng(1)
    for _ in range(20):
        g, second = rng.integers(0, 6, 15) / 2.0, rng.random(15) < 0.4
        prices = [[0.0, 1.0], [price, 0.0]]
        called = g >= cheapest_threshold(g, second, prices)
        paid = (second * ~called * price + ~second * called).sum()
        assert paid == pytest.approx(by_trying(g, second, prices))


def test_the_dearer_a_miss_the_more_is_called_ill_and_the_less_is_paid():
    X, y = clusters()
    new, truth = clusters(seed=1)
    called, paid = [], []
    for price in (1.0, 10.0, 100.0):
        judge = ClassScoring(["ill", "well"], "ill", [[0.0, price], [1.0, 0.0]])
        made = add_decision_rule(pipeline(LinearSVC(random_state=0)).fit(X, y), X, y, judge, 0, NO_TIES)
        answers = made.predict(new)
        called.append((answers == "ill").mean())
        plain = made.pipeline.predict(new)
        paid.append(
            (judge.prediction_costs(truth, answers).mean(), judge.prediction_costs(truth, plain).mean())
        )
    assert called[0] < called[1] < called[2]
    assert paid[2][0] < 0.5 * paid[2][1]


def test_many_classes_are_answered_at_the_least_expected_price():
    X, k = load_wine(return_X_y=True)
    y = np.array(["a", "b", "c"])[k]
    prices = [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [50.0, 50.0, 0.0]]
    judge = ClassScoring(["a", "b", "c"], "c", prices)
    made = add_decision_rule(
        pipeline(LinearSVC(random_state=0), 13).fit(X[:, :13], y), X, y, judge, 0, NO_TIES
    )
    expected = made.probabilities(X) @ np.array(prices)
    assert np.array_equal(made.predict(X), np.array(["a", "b", "c"])[expected.argmin(axis=1)])
    assert (made.predict(X)[y == "c"] == "c").all()


def test_nothing_asked_nothing_changed():
    X, y = clusters(80)
    fitted = pipeline(LogisticRegression()).fit(X, y)
    assert add_decision_rule(fitted, X, y, ClassScoring(["ill", "well"], "ill"), 0, NO_TIES) is fitted
    assert DecisionPipeline(fitted)["model"] is fitted["model"]


def test_a_model_without_scores_is_refused():
    class Labels(LogisticRegression):
        decision_function = property()
        predict_proba = property()

    X, y = clusters(80)
    with pytest.raises(BadTable, match="gives labels but no scores"):
        add_decision_rule(
            pipeline(Labels()).fit(X, y),
            X,
            y,
            ClassScoring(["ill", "well"], "ill", [[0.0, 2.0], [1.0, 0.0]]),
            0,
            NO_TIES,
        )
