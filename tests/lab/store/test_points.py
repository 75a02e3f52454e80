"""The columns of the points of a store agree with the points themselves."""

from itertools import groupby

import numpy as np
import pytest
from toy_declarations import study

from markone.lab import Experiment
from markone.lab.runner import worker
from markone.lab.runner.run import run
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.schedule.tasks import TaskGroup
from markone.lab.statistics import Points, measured_lines
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome

pytestmark = pytest.mark.usefixtures("toy")
WIDE = {"grid": {"N": [5, 20], "alpha": {"start": 0.5, "stop": 2.4, "step": 0.1}}, "fixed": {"cost": 1e4}}


def fill(store, declaration, size, chosen=slice(None)):
    tasks = list_remaining_tasks(declaration, store.done())[chosen]
    for _, some in groupby(tasks, key=lambda task: (task.start, task.stop)):
        same = list(some)
        for k in range(0, len(same), size):
            group = TaskGroup(tuple(same[k : k + size]))
            store.add_group(group, worker.run_group(group))


def check_columns(declaration, stored):
    """The columns against a list of the same points."""
    listed = Points(stored)
    assert stored.repeats.tolist() == listed.repeats.tolist()
    for measure in declaration.scenario_object.measures:
        assert stored.pool_values(measure).tobytes() == listed.pool_values(measure).tobytes()
    for name in ("with_results", "with_failures"):
        check_same(getattr(stored, name)(), getattr(listed, name)())
    check_same(*(one.without_copies(declaration.scenario_object) for one in (stored, listed)))
    assert list(stored.iterate_parameters()) == list(listed.iterate_parameters())


def check_same(stored, listed):
    assert len(stored) == len(listed)
    for one, other in zip(stored, listed, strict=True):
        assert (one.parameters, one.failures) == (other.parameters, other.failures)
        assert one.numbers.tolist() == other.numbers.tolist()
        assert {k: v.tobytes() for k, v in one.values.items()} == {
            k: v.tobytes() for k, v in other.values.items()
        }


@pytest.mark.parametrize("size", [1, 7, 40])
def test_columns_of_a_store_that_was_filled_in_pieces(tmp_path, size):
    few, many = (study(**WIDE | {"repeats": n}) for n in (3, 8))
    with Store(tmp_path / "study.sqlite") as store:
        fill(store, few, size, slice(0, 30))
        fill(store, many, 2 * size, slice(5, 33))
        failing = list_remaining_tasks(many, store.done())
        store.add(failing[1], TaskOutcome(error="Bad luck."))
        store.add(failing[-1], TaskOutcome(error="Mended."))
        store.add(failing[-1], worker.run_task(failing[-1]))
        for declaration in (few, many, study(**WIDE | {"repeats": 2})):
            points = store.points(declaration)
            check_columns(declaration, points)
            check_columns(declaration, points[3:31])
            for where in ({}, {"N": 20}, {"alpha_min": 1.0, "N": [5, 7]}, {"cost": 1e4, "alpha_max": 0.7}):
                check_same(points.select(where, {}), Points(points).select(where, {}))
            assert list(points.select({"cost": 5.0}, {})) == []
            with pytest.raises(ValueError, match="`where` names 'size'"):
                points.select({"size": 1}, {})
    assert [error for point in store_points(tmp_path, many) for error in point.failures] == ["Bad luck."]


def store_points(folder, declaration):
    with Store(folder / "study.sqlite", "r") as store:
        return store.points(declaration)


def test_columns_of_points_that_share_their_results(tmp_path):
    shared = Experiment.load("demo_capacity").with_(N=[5, 20], alpha=[1.5, 1.58, 1.6, 2.0], repeats=6)
    with Store(tmp_path / "shared.sqlite") as store:
        check_columns(shared.declaration, store.points(shared.declaration))  # nothing yet
        run(shared.declaration, store)
        points = store.points(shared.declaration)
    check_columns(shared.declaration, points)
    assert len(points.without_copies(shared.declaration.scenario_object)) < len(points)
    figure = shared.declaration.figures[0]
    for measure in figure.measures:
        one, other = (
            measured_lines(shared.declaration, some, figure, measure) for some in (points, list(points))
        )
        assert repr(one) == repr(other)
    assert np.isfinite(points.pool_values("converged")).all()
