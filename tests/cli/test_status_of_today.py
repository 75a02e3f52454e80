"""`markone status` of a store whose total predates the sharing of runs."""

import json

import pytest

from markone.cli.main import run_command_line
from markone.lab.experiment import Experiment
from markone.lab.store.results import Store
from markone.lab.tasks import Task
from markone.run.outcomes import TaskOutcome

FINE = Experiment.load("demo_capacity").with_(
    name="fine", N=[5, 20], alpha=[1.5, 1.58, 1.6, 1.62, 1.8, 2.0], repeats=40
)


@pytest.fixture
def old(tmp_path, monkeypatch):
    """Rows of every one of twelve points, of which seven differ; a row of the first is missing."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "runs" / "fine" / "results.sqlite"
    path.parent.mkdir(parents=True)
    declaration, scenario = FINE.declaration, FINE.declaration.scenario_object
    with Store(path) as store:
        store.declare(declaration, 12)
        for parameters in declaration.points()[1:]:
            task = Task("storage", scenario.version, parameters, declaration.seed, 0, 40)
            values = scenario.run(scenario.parameters(**parameters), declaration.seed, 0, 40)
            store.add(task, TaskOutcome(values))
        with store.transaction():
            store.execute("UPDATE declarations SET total = -total")
    return path


def test_it_speaks_of_what_is_asked_today(old, capsys):
    assert run_command_line(["status", "fine"]) == 0
    assert "6 of 7 tasks" in capsys.readouterr().out
    FINE.run(store=old, progress=False)
    assert run_command_line(["status", "fine", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["done"], said["total"], said["finished"]) == (7, 7, True)


def test_without_its_scenario_it_says_what_was_counted_then(old, capsys, monkeypatch):
    def gone(*_):
        raise ValueError("There is no scenario 'storage'.")

    monkeypatch.setattr("markone.lab.result.last_declaration", gone)
    assert run_command_line(["status", "fine"]) == 0
    assert "11 of 12 tasks" in capsys.readouterr().out
