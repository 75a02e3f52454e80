"""Invalid results of a scenario."""

from types import SimpleNamespace

import pytest
from toy_declarations import study

from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks


@pytest.fixture
def path(tmp_path):
    return tmp_path / "study.sqlite"


def test_the_version_and_the_shape_are_watched(toy, path, monkeypatch):
    scenario = study().scenario_object
    task = list_remaining_tasks(study(), {})[0]
    from markone.lab import scenarios

    def changed(**changes):
        return lambda name: SimpleNamespace(**(vars(scenario) | changes))

    for changes, sentence in [
        ({"version": 2}, "install the same markone everywhere"),
        ({"run": lambda *arguments: {"height": [1.0]}}, r"returned \['height'\] instead of"),
        ({"run": lambda *arguments: {"height": [1.0], "positive": [1.0]}}, "height has the shape"),
    ]:
        monkeypatch.setattr(scenarios, "find_scenario", changed(**changes))
        with pytest.raises(AssertionError, match=sentence):
            raise AssertionError(run_task(task).error)
