"""The difference that is seen in 80 % of all runs, against simulated runs."""

import numpy as np
import pytest

from markone.lab import Experiment
from markone.lab.claims.power import describe_power, detectable_difference
from markone.lab.claims.verdicts import Measured, judge_above
from markone.lab.statistics import estimate_mean

RNG = np.random.default_rng(30)


def share_shown(draw, bound, times=1500):
    """The definition: how many of all runs show that the mean is above the bound."""
    samples = [Measured({}, estimate_mean(draw(), fraction=set(draw()) <= {0.0, 1.0})) for _ in range(times)]
    return np.mean([judge_above([sample], bound, "m", []).shown for sample in samples])


@pytest.mark.parametrize("n", [5, 20, 100])
def test_the_difference_is_seen_in_80_percent_of_simulated_runs(n):
    size = detectable_difference(2.0, n)
    assert share_shown(lambda: size + 2.0 * RNG.standard_normal(n), 0.0) == pytest.approx(0.8, abs=0.04)


def test_fractions():
    size = detectable_difference(np.sqrt(0.3 * 0.7), 400)
    seen = share_shown(lambda: (RNG.random(400) < 0.3).astype(float), 0.3 - size)
    assert seen == pytest.approx(0.8, abs=0.06)


def test_one_repeat_shows_nothing_and_more_points_need_more():
    assert detectable_difference(1.0, 1) == np.inf
    assert detectable_difference(1.0, 50, 10) > detectable_difference(1.0, 50)
    assert detectable_difference(1.0, 400) == pytest.approx(detectable_difference(1.0, 100) / 2, rel=0.01)


def asked(expect, repeats=100, **more):
    claim = {"text": "So.", "measure": "epsilon_g", "expect": expect, **more}
    parts = {"name": "power", "title": "Power", "scenario": "teacher_student", "seed": 1, "claim": [claim]}
    grid = {"student": ["hebb", "adatron"], "alpha": [1.0, 2.0, 3.0]}
    return Experiment.declare(**parts, repeats=repeats, grid=grid, fixed={"N": 10})


def said(experiment):
    (line,) = describe_power(experiment.declaration)
    return float(line.split("difference of ")[1].split(" ")[0]), line


def test_the_sentence_of_check(tmp_path):
    size, line = said(asked({"below": 0.4}, where={"student": "hebb", "alpha": 2.0}))
    seen = f"a difference of {size:g} in epsilon_g is seen in 80 % of all runs (1 claim)."
    assert line == f"Power: with 100 repeats {seen}"
    runs = asked({"below": 0.4}, 300).with_(student="hebb", alpha=2.0, repeats=300)
    values = (
        runs.run(workers=1, progress=False, store=tmp_path / "results.sqlite").points[0].values["epsilon_g"]
    )
    assert size == pytest.approx(detectable_difference(np.std(values, ddof=1), 100), rel=0.25)
    assert line in "\n".join(asked({"below": 0.4}, where={"student": "hebb", "alpha": 2.0}).check().lines())


def test_lines_are_compared_run_by_run():
    """The students have the same data: their difference scatters less than independent means would."""
    paired, _ = said(asked({"below_line": {"student": "adatron"}}, where={"student": "hebb"}))
    alone, _ = said(asked({"below": 0.4}, where={"student": "hebb"}))
    assert paired < np.sqrt(2) * alone


def test_no_sentence_where_nothing_is_compared_or_nothing_scatters():
    assert describe_power(asked({"every_run": {"at_most": 1.0}}).declaration) == []
    assert describe_power(asked({"below": 0.4}, of="spread").declaration) == []
    assert describe_power(asked({"below": 0.4}, repeats=1).declaration) == []
