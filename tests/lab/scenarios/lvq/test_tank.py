"""The scenario `tank`: gaps in one class, errors on collected rows and in the field."""

import numpy as np
import pytest
from scenario_twins import far, in_pieces, same

from markone.lab.scenarios.lvq import tank


def test_gaps_have_the_declared_fractions():
    p = tank.Parameters(q=0.6, gaps="mask", P=4000)
    X, y = tank.draw_rows(p, np.random.default_rng(0), (0.6, 0.0))
    gone = np.isnan(X)
    assert not gone[:, 1:].any()
    assert gone[y == 0, 0].mean() == pytest.approx(0.6, abs=0.03)
    assert not gone[y == 1].any()


def test_treatment_of_gaps():
    X = np.array([[np.nan, 2.0], [1.0, 3.0]])
    assert tank.treat_gaps(X, "mask") is X
    np.testing.assert_array_equal(tank.treat_gaps(X, "mean"), [[0.0, 2.0], [1.0, 3.0]])
    np.testing.assert_array_equal(tank.treat_gaps(X, "indicator"), [[0.0, 2.0, 1.0], [1.0, 3.0, 0.0]])


@pytest.mark.parametrize("gaps", ["mask", "mean", "indicator"])
def test_field_error_is_one_half_and_gap_rule_is_a_lower_bound(gaps):
    found = tank.SCENARIO.run({"q": 0.6, "gaps": gaps}, 3, 0, 12)
    assert far(found["field_error"], 0.5) < 4
    assert found["collected_error"].mean() < 0.45
    best = tank.SCENARIO.theories["gaps"].function({"q": 0.6})
    assert best == pytest.approx(0.2)
    assert found["collected_error"].mean() > best - 0.03


def test_without_gaps_nothing_is_learned():
    found = tank.SCENARIO.run({"q": 0.0, "gaps": "mask"}, 3, 0, 8)
    assert far(found["collected_error"], 0.5) < 4


def test_blocks_may_be_cut_anywhere():
    point = {"q": 0.4, "gaps": "mask", "P": 40}
    same(tank.SCENARIO.run(point, 7, 0, 9), in_pieces(tank.SCENARIO, point, 7, [0, 1, 5, 9]))
