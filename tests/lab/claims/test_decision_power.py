"""The power of an experiment's size: the probability that runs of this size decide a claim."""

import numpy as np
import pytest
from scipy.stats import norm, t

from markone.lab import Experiment, Point
from markone.lab.claims.decision_power import FEWEST, decision_power, describe_decision_power
from markone.lab.claims.judge import judge_claims


def declared(repeats, limit=0.0, **expect):
    claim = {"text": "It is large.", "measure": "slope", "expect": expect or {"above": limit}}
    experiment = Experiment.declare(
        name="power", title="Power", scenario="linear_regression", seed=1, repeats=repeats,
        grid={"gamma": [0.0]}, fixed={}, claim=[claim],
    )  # fmt: skip
    return experiment.declaration


def stored(values):
    return [Point({"gamma": 0.0}, {"slope": values}, len(values), 0.0, [], np.arange(len(values)))]


@pytest.mark.parametrize("repeats", [40, 160, 640])
def test_power_is_that_of_a_t_test_of_new_runs(repeats):
    """Plain twin: the mean of new runs is normal; the claim holds if its interval is above the limit."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=400)
    values = (values - values.mean()) / values.std()
    found = decision_power(declared(repeats, -0.2), stored(values), draws=400)[0]
    needed = t.ppf(0.975, repeats - 1) / np.sqrt(repeats)
    expected = norm.cdf((0.2 - needed) * np.sqrt(repeats))
    assert abs(found - expected) < 4 * np.sqrt(0.25 / 400) + 0.03


@pytest.mark.parametrize("fraction", [False, True])
def test_the_error_of_an_equality_counts_once(fraction):
    """Simulation: of new experiments of the same size so many show a true equality. About the stored mean the
    power would be that of twice the variance."""
    rng = np.random.default_rng(1)
    n, target, deviation = 400, 0.3 if fraction else 0.0, np.sqrt(0.21) if fraction else 1.0
    declaration = declared(n, equals=target, within=3.5 * deviation / np.sqrt(n))

    def experiment():
        return (rng.random(n) < target).astype(float) if fraction else rng.normal(size=n)

    results = [stored(experiment()) for _ in range(300)]
    shown = np.mean([judge_claims(declaration, points)[0].answer == "holds" for points in results])
    assert abs(shown - (2 * norm.cdf(3.5 - 1.96) - 1)) < 0.06
    found = np.mean([decision_power(declaration, points, draws=300) for points in results[:10]])
    twice = 2 * norm.cdf((3.5 - 1.96) / np.sqrt(2)) - 1
    assert abs(found - shown) < 0.05 < 0.8 * (shown - twice)


def test_an_equality_that_the_stored_runs_contradict_is_not_taken_to_be_true():
    """The mean is 10 standard errors off, on the edge of the margin: the size decides it in few runs."""
    values = np.random.default_rng(2).normal(size=400)
    values += 0.5 - values.mean()
    declaration = declared(400, equals=0.0, within=0.5)
    assert decision_power(declaration, stored(values), draws=100)[0] < 0.2


def test_too_few_runs_say_nothing():
    declaration = declared(100, 0.0)
    assert decision_power(declaration, stored(np.ones(FEWEST - 1))) == []
    assert f"after {FEWEST} runs" in describe_decision_power(declaration, [])


def test_only_weak_claims_are_named():
    declaration = declared(100, 0.0)
    assert describe_decision_power(declaration, [1.0]).startswith("Each of the 1 claims")
    assert describe_decision_power(declaration, [0.5]).endswith("50%: It is large.")
