"""The power of an experiment's size: the probability that runs of this size decide a claim."""

import numpy as np
import pytest
from scipy.stats import norm, t

from markone.lab import Experiment, Point
from markone.lab.claims.judge import FEWEST, decision_power, describe_decision_power


def declared(repeats, limit):
    claim = {"text": "It is large.", "measure": "slope", "expect": {"above": limit}}
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


def test_too_few_runs_say_nothing():
    declaration = declared(100, 0.0)
    assert decision_power(declaration, stored(np.ones(FEWEST - 1))) == []
    assert f"after {FEWEST} runs" in describe_decision_power(declaration, [])


def test_only_weak_claims_are_named():
    declaration = declared(100, 0.0)
    assert describe_decision_power(declaration, [1.0]).startswith("Each of the 1 claims")
    assert describe_decision_power(declaration, [0.5]).endswith("50%: It is large.")
