"""Scenarios, students and theories of a notebook in a declaration: every backend gives the same bits."""

import subprocess
import sys

import numpy as np
import pytest

from markone.lab import Experiment, Scenario, Theory, stream
from markone.lab.scenario import Settings
from markone.lab.scenarios import find_scenario

CELL = """
import numpy as np
from numba import njit
from pydantic import Field
from sklearn.base import BaseEstimator, ClassifierMixin
from markone.lab import Experiment, Scenario, Theory, stream
from markone.lab.scenario import Settings

SIZE = np.array([1.0, {size}])

class Coin(Settings):
    tosses: int = Field(ge=1)
    p: float = Field(0.5, ge=0, le=1)

@njit
def toss(rng, tosses, p):
    heads = 0
    for _ in range(tosses):
        heads += rng.random() < p
    return heads / tosses

def run(c, seed, start, stop):
    return {{"heads": np.array([toss(stream(seed, k), c.tosses, c.p) * SIZE[1] for k in range(start, stop)])}}

def mean(tosses, p):
    return p * SIZE[1]

coin = Scenario("coin", 1, Coin, {{"heads": "fraction of heads"}}, cost=lambda c: c.tosses, run=run)

@njit
def hebb(xi, S, rng):
    return S @ xi

class Mine(ClassifierMixin, BaseEstimator):
    def __init__(self, scale=1.0):
        self.scale = scale

    def fit(self, X, y):
        self.coef_, self.classes_ = self.scale * (y @ X)[None], np.unique(y)
        return self

    def predict(self, X):
        return np.sign(X @ self.coef_[0])

def declare():
    half = Theory("half", "heads", lambda _: 0.5)
    figure = {{"name": "f", "x": "p", "measures": ["heads"], "theory": ["expected", half]}}
    expect = {{"equals_theory": "expected", "within": 0.2}}
    coins = Experiment.declare(
        name="coins", title="Coins", scenario=coin, seed=3, repeats=6, grid={{"p": [0.3, 0.5]}},
        fixed={{"tosses": 50}}, theory={{"expected": mean}}, figure=[figure],
        claim=[{{"text": "as expected", "measure": "heads", "expect": expect}}],
    )
    rules = Experiment.declare(
        name="rules", title="Rules", scenario="teacher_student", seed=3, repeats=6,
        grid={{"student": [hebb, Mine(2.0), "hebb"]}}, fixed={{"N": 20, "alpha": 2.0}},
    )
    return coins, rules
"""
NOTEBOOK = """
import linecache, sys, __main__
CELL = {cell!r}
if __name__ == "__main__":
    linecache.cache["<cell>"] = (len(CELL), None, CELL.splitlines(True), "<cell>")
    exec(compile(CELL, "<cell>", "exec"), vars(__main__))
    for backend in sys.argv[1:]:
        for study in declare():
            name = f"{{backend}}-{{study.name}}"
            found = study.run(workers={workers}, backend=backend, store=name + ".sqlite", progress=False)
            assert not found.failures, found.failures
            found.frame().to_pickle(name + ".pickle")
            print(study.name, *(study.declaration.scenario_object.theories))
"""


def run_notebook(folder, *backends, size=1.0, workers=2):
    text = NOTEBOOK.format(cell=CELL.format(size=size), workers=workers)
    (folder / "notebook.py").write_text(text)
    found = subprocess.run(
        [sys.executable, "notebook.py", *backends],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


def read_values(folder, name):
    import pandas

    return pandas.read_pickle(folder / f"{name}.pickle")


def test_a_notebook_on_threads_and_processes(tmp_path):
    shown = run_notebook(tmp_path, "threads", "processes", workers=1)
    assert "coins expected __main__.half" in shown
    for study in ("coins", "rules"):
        assert read_values(tmp_path, f"threads-{study}").equals(read_values(tmp_path, f"processes-{study}"))
    coins = read_values(tmp_path, "threads-coins")
    assert coins["heads"].tolist() == [
        np.mean(stream(3, k).random(50) < p) for p in (0.3, 0.5) for k in range(6)
    ]
    rules = read_values(tmp_path, "threads-rules").groupby("student", sort=False)["epsilon_g"].mean()
    assert rules.iloc[0] == pytest.approx(rules.iloc[1], abs=1e-12) == pytest.approx(rules.iloc[2], abs=1e-9)


@pytest.mark.slow
def test_a_value_that_the_notebook_uses_is_part_of_the_results(tmp_path):
    run_notebook(tmp_path, "threads")
    before = read_values(tmp_path, "threads-coins")
    run_notebook(tmp_path, "threads", size=2.0)
    assert read_values(tmp_path, "threads-coins")["heads"].equals(2 * before["heads"])


@pytest.mark.slow
def test_a_notebook_on_loky_and_dask(tmp_path):
    run_notebook(tmp_path, "threads", "loky", "dask")
    for study in ("coins", "rules"):
        values = read_values(tmp_path, f"threads-{study}")
        assert all(read_values(tmp_path, f"{other}-{study}").equals(values) for other in ("loky", "dask"))


class Level(Settings):
    level: float


def run_level(p, seed, start, stop):
    return {"height": np.full(stop - start, p.level)}


LEVEL = Scenario("level", 1, Level, {"height": "its level"}, cost=lambda p: 1.0, run=run_level)
NUMBERS = {"name": "levels", "title": "Levels", "seed": 1, "repeats": 2, "grid": {"level": [0.5, 1.0]}}


def test_an_object_of_a_module_has_its_name_there(tmp_path):
    study = Experiment.declare(scenario=LEVEL, **NUMBERS)
    assert study.declaration.scenario == f"{__name__}.LEVEL"
    found = study.run(workers=1, store=tmp_path / "r.sqlite", progress=False)
    assert found.frame()["height"].tolist() == [0.5, 0.5, 1.0, 1.0]
    shipped = Experiment.declare(
        scenario=find_scenario("storage"), **NUMBERS | {"grid": {"N": [5], "alpha": [1.0]}}
    )
    assert shipped.declaration.scenario == "storage"


def test_an_object_without_a_name_in_its_module_is_refused():
    unnamed = Scenario("level", 2, Level, {"height": "its level"}, cost=lambda p: 1.0, run=run_level)
    with pytest.raises(ValueError, match="assign it to a name at the top level"):
        Experiment.declare(scenario=unnamed, **NUMBERS)
    with pytest.raises(ValueError, match="give a table, a Theory, a solution or a function"):
        Experiment.declare(scenario=LEVEL, theory={"half": 0.5}, **NUMBERS)


def test_streams_are_independent_and_repeatable():
    draws = [
        stream(seed, repeat, purpose).random(4) for seed in (1, 2) for repeat in (0, 1) for purpose in (0, 1)
    ]
    assert len({tuple(draw) for draw in draws}) == 8
    assert (stream(1, 0).random(4) == draws[0]).all()
    assert Theory("half", "height", lambda parameters: 0.5).function({}) == 0.5
