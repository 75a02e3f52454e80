"""Points with identical results are computed once and reported at each."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

from markone.lab.claims.judge import judge_claims
from markone.lab.experiment import Experiment
from markone.lab.load import load_declaration
from markone.lab.runner.estimate import estimate_run_time
from markone.lab.runner.run import run
from markone.lab.scenario import drop_repeated_points
from markone.lab.schedule.grid import first_equal_points
from markone.lab.schedule.remaining import count_tasks, list_remaining_tasks, survey_tasks
from markone.lab.schedule.tasks import Task
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

FINE = Experiment.load("demo_capacity").with_(
    name="fine", N=[5, 20], alpha=[1.5, 1.58, 1.6, 1.62, 1.8, 2.0], repeats=40
)


def test_fine_steps_hold_few_different_problems():
    declaration = load_declaration("capacity_large")
    assert len(declaration) == 2804
    sizes = dict.fromkeys((5, 20, 40, 100), 0)
    for task in list_remaining_tasks(declaration, {}):
        sizes[task.parameters["N"]] += task.start == 0
    assert sizes == {5: 19, 20: 71, 40: 141, 100: 351}
    assert count_tasks(declaration, {}).repeats == 5000 * 582


def test_the_first_of_those_that_are_alike_keeps_its_name():
    """P = 8, 8, 8, 8, 9, 10 at N = 5 and 30, 32, 32, 32, 36, 40 at N = 20."""
    declaration = FINE.declaration
    first = first_equal_points(declaration)
    assert first.tolist() == [0, 0, 0, 0, 4, 5, 6, 7, 7, 7, 10, 11]
    asked = {task.point for task in list_remaining_tasks(declaration, {})}
    scenario = declaration.scenario_object
    every = [Task("storage", scenario.version, p, declaration.seed, 0, 0).point for p in declaration.points()]
    assert asked == {every[k] for k in set(first.tolist())}


def test_where_nothing_is_alike_nothing_changes():
    declaration = load_declaration("demo_capacity")
    assert first_equal_points(declaration).tolist() == list(range(len(declaration)))
    assert first_equal_points(load_declaration("learning_a_rule")) is None


def test_every_point_shows_what_its_own_run_would(tmp_path):
    result = FINE.run(store=tmp_path / "shared.sqlite", progress=False)
    assert len(result.points) == 12
    assert sum(point.seconds > 0 for point in result.points) == 7
    for point in result.points:
        alone = FINE.with_(N=point.parameters["N"], alpha=[point.parameters["alpha"]], name="alone")
        (own,) = alone.run(
            store=tmp_path / f"{hashlib.sha1(repr(point).encode()).hexdigest()}.sqlite", progress=False
        ).points
        assert own.parameters == point.parameters
        for measure, values in own.values.items():
            np.testing.assert_array_equal(point.values[measure], values)
    again = FINE.run(store=tmp_path / "shared.sqlite", progress=False)
    assert again.ran.done == 0


def test_a_store_with_rows_of_every_point_is_read_as_it_is(tmp_path):
    """As an older store, in which points did not share their runs."""
    declaration, scenario = FINE.declaration, FINE.declaration.scenario_object
    with Store(tmp_path / "old.sqlite") as store:
        for parameters in declaration.points():
            task = Task("storage", scenario.version, parameters, declaration.seed, 0, 40)
            values = scenario.run(scenario.parameters(**parameters), declaration.seed, 0, 40)
            store.add(task, TaskOutcome(values, seconds=0.5))
        assert run(declaration, store).done == 0
        points = store.points(declaration)
    assert all(point.repeats == 40 and point.seconds == 0.5 for point in points)


def test_rows_of_a_copy_count_until_the_first_is_computed(tmp_path):
    declaration, scenario = FINE.declaration, FINE.declaration.scenario_object
    parameters = declaration.points()[2]
    with Store(tmp_path / "old.sqlite") as store:
        task = Task("storage", scenario.version, parameters, declaration.seed, 0, 40)
        store.add(task, TaskOutcome(scenario.run(scenario.parameters(**parameters), declaration.seed, 0, 40)))
        assert [point.repeats for point in store.points(declaration)[:5]] == [0, 0, 40, 0, 0]
        assert run(declaration, store).done == 7
        assert {point.repeats for point in store.points(declaration)} == {40}


def test_copies_are_no_further_evidence(tmp_path):
    """A claim at each point: forty copies of one deviation count once."""
    result = FINE.run(store=tmp_path / "shared.sqlite", progress=False)
    different = drop_repeated_points(FINE.declaration.scenario_object, result.points)
    assert len(different) == 7
    assert judge_claims(FINE.declaration, result.points) == judge_claims(FINE.declaration, different)


def test_the_estimate_counts_what_is_computed():
    declaration = FINE.declaration
    found = estimate_run_time(
        declaration, survey_tasks(declaration, {}), clock=iter(np.arange(0, 1e3, 1e-3)).__next__
    )
    assert (found.points, found.tasks, found.repeats) == (7, 7, 280)
    assert survey_tasks(declaration, {}).number.tolist() == [0, 4, 5, 6, 7, 10, 11]


def test_a_scenario_that_says_nothing_shares_nothing():
    scenario = FINE.declaration.scenario_object
    points = [object(), object()]
    assert drop_repeated_points(replace(scenario, depends_on=None), points) == points


@pytest.mark.parametrize("alpha", [0.02, 0.5, 1.35, 3.995])
def test_what_decides_is_the_number_of_examples(alpha):
    scenario = FINE.declaration.scenario_object
    given = {"N": 40, "alpha": alpha, "sweeps": 7, "exact": False}
    P = scenario.parameters(**given).P
    assert scenario.depends_on(given) == {"N": 40, "sweeps": 7, "exact": False, "P": P}
