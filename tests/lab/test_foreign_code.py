"""Foreign code: it runs only if allowed, and each result belongs to one state of it."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from importlib.metadata import EntryPoint

import pytest

from markone.cli.main import run_command_line
from markone.errors import DeclarationError
from markone.lab import Experiment, Result, foreign_code, scenarios
from markone.lab.runner.worker import run_task
from markone.lab.schedule.remaining import list_remaining_tasks
from markone.lab.store.verify import examine_store, repair_store

RULE = '''
from sklearn.base import BaseEstimator, ClassifierMixin
import numpy as np
import {helper}

class MyRule(ClassifierMixin, BaseEstimator):
    """Hebb rule."""
    def __init__(self, eta=1.0):
        self.eta = eta
    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.coef_ = self.eta * (y @ X)[None, :]
        return self
    def predict(self, X):
        return {helper}.sign(X @ self.coef_[0])
'''
HELPER = "import numpy as np\ndef sign(x):\n    return np.where(x >= 0, 1.0, -1.0)\n"
SCENARIO = """
import numpy as np
from pydantic import BaseModel, ConfigDict
from markone.lab import Scenario

class Parameters(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    side: int

def run(p, seed, start, stop):
    return {"area": np.array([float(p.side**2 + seed + k) for k in range(start, stop)])}

SCENARIO = Scenario("squares", 3, Parameters, {"area": "of a square"}, lambda p: 1e6, run)
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working folder with foreign code; permissions are reset."""
    name = f"own_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}_help.py").write_text(HELPER)
    (tmp_path / f"{name}.py").write_text(RULE.format(helper=f"{name}_help"))
    (tmp_path / f"{name}_lab.py").write_text(SCENARIO)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(foreign_code, "_allowed", set())
    monkeypatch.setattr(sys, "path", list(sys.path))
    return tmp_path, name


def declaration(folder, **changes):
    path, name = folder
    asked = {
        "name": "mine",
        "title": "My rule",
        "scenario": "teacher_student",
        "packages": [name],
        "seed": 1,
        "repeats": 3,
        "grid": {"alpha": [1.0], "student": ["hebb", f"{name}.MyRule", f"{name}.MyRule(eta=2.0)"]},
        "fixed": {"N": 10},
    } | changes
    lines = [f"{k} = {json.dumps(v)}" for k, v in asked.items() if not isinstance(v, dict)]
    for key in ("grid", "fixed"):
        lines += [f"[{key}]", *(f"{k} = {json.dumps(v)}" for k, v in asked[key].items())]
    (path / "mine.toml").write_text("\n".join(lines))
    return path / "mine.toml"


def test_a_strangers_declaration_runs_no_strangers_code(folder):
    _, name = folder
    with pytest.raises(DeclarationError, match=rf"allow it: --allow {name}"):
        Experiment.load(declaration(folder))
    with pytest.raises(DeclarationError, match="which the declaration does not name: add packages"):
        Experiment.load(declaration(folder, packages=[]), allow=[name])
    assert name not in sys.modules
    with pytest.raises(ValueError, match="'my-rules' is not the name of a package"):
        Experiment.load(declaration(folder), allow=["my-rules"])


def test_a_rule_of_ones_own_on_the_data_of_ours(folder):
    _, name = folder
    result = Experiment.load(declaration(folder), allow=[name]).run(progress=False)
    table = result.frame().pivot_table(index="repeat", columns="student", values="R")
    assert result.failures == []
    assert table["hebb"].to_numpy() == pytest.approx(table[f"{name}.MyRule"].to_numpy(), abs=1e-12)
    assert f"{name} (sources " in result.provenance["own code"]


def test_the_state_of_the_code_is_in_the_ids_and_a_worker_with_another_refuses(folder):
    _, name = folder
    asked = Experiment.load(declaration(folder), allow=[name])
    todo = {task.parameters["student"]: task for task in list_remaining_tasks(asked.declaration, {})}
    assert todo["hebb"].code == ()
    mine = todo[f"{name}.MyRule"]
    assert [state.package for state in mine.code] == [name]
    other = replace(mine, code=(replace(mine.code[0], state="sources 0123456789abcdef"),))
    assert other.id != mine.id
    assert "install or copy the same code here" in run_task(other).error
    assert run_task(mine).error == ""


def test_an_edited_helper_is_another_state(folder):
    path, name = folder
    asked = Experiment.load(declaration(folder), allow=[name])
    (path / f"{name}_help.py").write_text(HELPER + "\n# changed\n")
    with pytest.raises(DeclarationError, match="have changed since this process imported them"):
        asked.with_(N=12)


def test_a_worker_process_finds_the_code_where_it_was(folder):
    """A new interpreter that has only the task."""
    import pickle

    path, name = folder
    asked = Experiment.load(declaration(folder), allow=[name])
    mine = next(task for task in list_remaining_tasks(asked.declaration, {}) if task.code)
    (path / "task").write_bytes(pickle.dumps(mine))
    code = "import pickle; from markone.lab.runner.worker import run_task; "
    code += "out = run_task(pickle.load(open('task', 'rb'))); assert not out.error, out.error"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=path)


def test_a_scenario_of_ones_own(folder):
    _, name = folder
    asked = {"scenario": f"{name}_lab.py", "packages": [], "grid": {"side": [2, 3]}, "fixed": {}}
    toml = declaration(folder, **asked)
    with pytest.raises(DeclarationError, match=rf"--allow {name}_lab"):
        Experiment.load(toml)
    result = Experiment.load(toml, allow=[f"{name}_lab"]).run(progress=False)
    assert result.frame()["area"].tolist() == [5, 6, 7, 10, 11, 12]
    assert run_command_line(["report", str(toml), "--allow", f"{name}_lab"]) == 0
    assert Result.open("mine").frame().equals(result.frame())
    dotted = Experiment.load(declaration(folder, **asked | {"scenario": f"{name}_lab.SCENARIO"}))
    assert dotted.declaration.scenario_object.measures == {"area": "of a square"}


def test_instances_from_python_are_allowed_and_named(folder):
    path, name = folder
    sys.path.append(str(path))
    rule = __import__(name).MyRule(eta=0.5)
    asked = Experiment.load("demo_rule").with_(N=8, alpha=[1.0], student=["hebb", rule], repeats=2)
    assert asked.declaration.packages == [name]
    assert asked.grid["student"] == ["hebb", f"{name}.MyRule(eta=0.5)"]
    result = asked.run(progress=False)
    assert result.failures == []
    assert set(result.frame()["student"]) == set(asked.grid["student"])
    assert f'packages = ["{name}"]' in asked.toml()


def test_a_scenario_of_an_installed_package_is_found_by_its_entry_point(folder, monkeypatch):
    path, name = folder
    monkeypatch.setattr(foreign_code, "_trusted", set(foreign_code.OURS))
    sys.path.append(str(path))
    offered = EntryPoint("squares", f"{name}_lab:SCENARIO", scenarios.GROUP)
    monkeypatch.setattr(scenarios, "plugin_scenarios", lambda: {"squares": offered})
    assert "squares" in scenarios.scenario_names()
    toml = declaration(folder, scenario="squares", packages=[], grid={"side": [2]}, fixed={})
    asked = Experiment.load(toml)
    (task,) = list_remaining_tasks(asked.declaration, {})
    assert [state.package for state in task.code] == [f"{name}_lab"]
    assert run_task(task).values["area"].tolist() == [5, 6, 7]


def test_what_is_no_scenario(folder):
    _, name = folder
    toml = declaration(folder, scenario=f"{name}_lab.Parameters", grid={"side": [2]}, fixed={})
    with pytest.raises(DeclarationError, match="is a ModelMetaclass, not a Scenario"):
        Experiment.load(toml, allow=[f"{name}_lab"])
    with pytest.raises(DeclarationError, match="There is no package 'nobody_has_it' here"):
        Experiment.load(declaration(folder, scenario="nobody_has_it.SCENARIO"), allow=["nobody_has_it"])


def test_what_own_code_has_computed_is_sound_and_a_repair_keeps_it(folder):
    path, name = folder
    Experiment.load(declaration(folder), allow=[name]).run(progress=False)
    store = path / "runs" / "mine" / "results.sqlite"
    assert examine_store(store).problems == []
    kept, _ = repair_store(store)
    assert (kept, examine_store(store).problems) == (3, [])


def test_a_damaged_description_is_found_among_own_code_too(folder):
    path, name = folder
    Experiment.load(declaration(folder), allow=[name]).run(progress=False)
    store = path / "runs" / "mine" / "results.sqlite"
    with closing(sqlite3.connect(store)) as raw:
        raw.execute("UPDATE points SET parameters = '9' || parameters WHERE id = 2")
        raw.commit()
    assert len(examine_store(store).problems) == 1


SCRIPT = """
import sys
from markone.lab import Experiment, Result

{rule}

if __name__ == "__main__":
    asked = Experiment.load("demo_rule").with_(
        student=["hebb", MyRule(eta=2.0)], alpha=[1.0], N=10, repeats=2, name="script"
    )
    result = asked.run(workers=1, backend=sys.argv[1], progress=False)
    assert result.failures == [], result.failures
    assert "__main__.MyRule (sources " in result.provenance["own code"]
    print(result.ran.done)
"""


@pytest.mark.slow
def test_a_class_of_a_script_is_a_student_in_its_processes_too(folder):
    """The same tasks on threads and in processes; a redefined helper function makes other tasks."""
    path, _ = folder
    rule = HELPER + RULE.replace("import {helper}", "").replace("{helper}.", "")

    def done(text, backend):
        (path / "script.py").write_text(SCRIPT.format(rule=text))
        found = subprocess.run([sys.executable, "script.py", backend], capture_output=True, text=True)
        assert found.returncode == 0, found.stderr
        return int(found.stdout)

    assert done(rule, "processes") == 4
    assert done(rule, "threads") == 0
    # The helper, which only `predict` uses.
    assert done(rule.replace("1.0, -1.0)", "1.0, -1.0) * 1.0"), "threads") == 2
    assert examine_store(path / "runs" / "script" / "results.sqlite").problems == []
