"""LMS on overlapping clusters: the rule written out, and the minimum for a linear unit."""

import numpy as np
import pytest
from scenario_twins import in_pieces, same

from markone.lab.scenarios.plane.overlap import SCENARIO, Parameters, draw_clusters, wiener_minimum

POINT = {"distance": 1.5, "P": 12, "eta": 0.1, "passes": 4}


@pytest.mark.parametrize("schedule", ["constant", "search_then_converge"])
def test_it_equals_the_rule_written_out(schedule):
    p = Parameters(**POINT, schedule=schedule)
    values = SCENARIO.run(p, 3, 0, 2)
    for k in range(2):
        X, S = draw_clusters(p, 3, k)
        w, last = np.zeros(3), []
        for n in range(4):
            last = []
            for x, s in zip(X, S, strict=True):
                w = w + (0.1 if schedule == "constant" else 0.1 / (1 + n / 10)) * (s - x @ w) * x
                last.append(w)
        least = np.mean((S - X @ np.linalg.lstsq(X, S, rcond=None)[0]) ** 2)
        assert values["mse"][k] == pytest.approx(np.mean((S - X @ w) ** 2))
        assert values["wiener_mse"][k] == pytest.approx(least)
        assert values["excess"][k] == pytest.approx(values["mse"][k] - least)
        assert values["errors"][k] == np.mean(np.sign(X @ w) != S)
        away = np.array(last) - np.mean(last, axis=0)
        assert values["swing"][k] == pytest.approx(np.sqrt((away**2).sum(axis=1).mean()))


def test_blocks_cut_anywhere_give_the_same_bits():
    same(
        SCENARIO.run(Parameters(**POINT), 3, 0, 7), in_pieces(SCENARIO, Parameters(**POINT), 3, [0, 1, 4, 7])
    )


def test_the_minimum_of_many_points_is_wieners():
    """4/(4 + Delta^2), less 3/P of it that three weights take away."""
    point = {"distance": 1.9, "P": 400, "eta": 0.01, "passes": 1}
    found = SCENARIO.run(Parameters(**point), 5, 0, 100)["wiener_mse"]
    expected = wiener_minimum(point) * (1 - 3 / 400)
    assert abs(found.mean() - expected) < 4 * found.std(ddof=1) / 10


def test_without_threshold_the_minimum_depends_on_the_offset():
    """(1 + o^2)/(1 + o^2 + Delta^2/4), less 2/P of it for two weights; w_0 stays zero."""
    point = {"distance": 6.0, "P": 400, "eta": 0.01, "passes": 1, "offset": 3.0, "threshold": False}
    X, _ = draw_clusters(Parameters(**point), 5, 0)
    assert not X[:, 0].any()
    found = SCENARIO.run(Parameters(**point), 5, 0, 100)["wiener_mse"]
    assert wiener_minimum(point) == pytest.approx(10 / 19)
    assert abs(found.mean() - wiener_minimum(point) * (1 - 2 / 400)) < 4 * found.std(ddof=1) / 10
    assert wiener_minimum(point | {"threshold": True}) == pytest.approx(0.1)
