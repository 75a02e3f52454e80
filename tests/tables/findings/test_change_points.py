"""Units and rules that change half way."""

import numpy as np
import pytest
from misleading_tables import findings, labels, noise
from scipy.stats import mannwhitneyu

from markone.tables.findings.column_checks import unit_change


def change_by_loops(values):
    """The place with the largest |U / (n m) - 1/2| sqrt(n m) of Mann and Whitney."""
    found, P = {}, len(values)
    for k in range(20, P - 19):
        share = mannwhitneyu(values[:k], values[k:]).statistic / (k * (P - k))
        found[k] = abs(share - 0.5) * np.sqrt(k * (P - k))
    return max(found, key=found.get)


@pytest.mark.parametrize(("at", "factor"), [(60, 2.205), (100, 0.3048), (170, 25.4)])
def test_pounds_after_kilograms(at, factor):
    rng = np.random.default_rng(at)
    values = rng.normal(70, 9, 200)
    values[at:] *= factor
    assert unit_change(values)[0] == change_by_loops(values) == at
    assert unit_change(values)[1] == pytest.approx(factor, rel=0.05)


def test_what_is_no_change_of_unit():
    rng = np.random.default_rng(0)
    lengths = rng.normal(70, 9, 200)
    assert unit_change(lengths) is None
    assert unit_change(np.sort(lengths)) is None, "a sorted column"
    assert unit_change(lengths * np.repeat([1, 1.1], 100)) is None, "too small"
    assert unit_change(lengths + 200 * (np.arange(200) > 99)) is None, "another mean, the same deviation"
    assert unit_change(rng.integers(1, 4, 200) * np.repeat([1.0, 9.0], 100)) is None, "few values"


def test_a_unit_that_changes_doubts_the_score():
    weight = 70 + 9 * noise(200, seed=3)
    weight[120:] *= 2.205
    found = findings(labels(200), weight=weight, x=noise(200, seed=4))
    assert found["unit changes"].doubts_score
    assert found["unit changes"].columns == ("weight",)
    assert "From row 121 on" in found["unit changes"].sentence


def test_a_rule_that_turns_round_half_way_doubts_the_score():
    X = noise(400, 3)
    side = np.where(np.arange(400) < 200, X[:, 0], -X[:, 0]) > 0
    found = findings(np.where(side, "a", "b").tolist(), **{f"x{k}": X[:, k] for k in range(3)})
    assert found["rule changes"].doubts_score
    assert found["rule changes"].numbers["between"] < 0.2
    assert found["rule changes"].numbers["within"] > 0.85


def test_one_rule_for_all_rows_is_left_in_peace():
    for seed in range(5):
        X = noise(300, 3, seed)
        y = np.where(X[:, 0] + 0.5 * noise(300, seed=seed + 50) > 0, "a", "b").tolist()
        found = findings(y, **{f"x{k}": X[:, k] for k in range(3)})
        assert not {"rule changes", "unit changes"} & set(found)
