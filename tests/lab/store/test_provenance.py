"""Provenance of results."""

from dataclasses import replace

import pytest
from toy_declarations import study

from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.results import Store

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def filled(path, count=None):
    with Store(path) as store:
        for task in list_remaining_tasks(study(), {})[:count]:
            store.add(task, run_task(task))
    return path


def test_seconds_are_seconds_however_they_are_kept(path):
    """0.25 is kept as 250000 millionths; a third, which is not exact in these, as a float."""
    some = list_remaining_tasks(study(), {})[:3]
    with Store(path) as store:
        for task, seconds in zip(some, (0.25, 1.0 / 3.0, 2.0), strict=True):
            store.add(task, replace(run_task(task), seconds=seconds))
        spent = sum(point.seconds for point in store.points(study()))
        assert store.provenance()["seconds"] == pytest.approx(spent, abs=1e-6) == pytest.approx(2.583333)


def test_provenance_names_the_code_the_machine_and_the_time(path):
    filled(path)
    filled(path)
    with Store(path, "r") as store:
        found = store.provenance()
    assert found["seeds"] == [7]
    assert {"markone", "commit", "python", "numpy", "numba", "platform", "machine"} <= set(found)
    assert found["tasks"] == 18
    assert found["seconds"] > 0
    assert len(found["sessions"]) == 2
    assert found["sessions"][0]["started"] <= found["first"] <= found["last"]
