"""The recipe "Add a scenario" of CONTRIBUTING.md, three files."""

import json

import pytest

SCENARIO = '''
"""End point of a random walk of +-1 steps."""

from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from markone.lab.scenario import Scenario, Theory, Values


class Parameters(BaseModel):
    """`steps` steps, to the left or to the right with equal probability."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    steps: int = Field(ge=1)


def run(parameters: Any, seed: int, start: int, stop: int) -> Values:
    """Draw each walk from its own stream (seed, steps, repeat): results do not depend on the blocks."""
    walks = (np.random.default_rng([seed, parameters.steps, k]) for k in range(start, stop))
    ends = [float(rng.choice([-1, 1], parameters.steps).sum()) for rng in walks]
    return {"end": np.array(ends), "squared": np.array(ends) ** 2}


SCENARIO = Scenario(
    name="walk",
    version=1,
    parameters=Parameters,
    measures={"end": "where the walk ends", "squared": "its squared distance from the start"},
    cost=lambda parameters: 2e4 + 10.0 * parameters.steps,  # mostly the making of a generator
    run=run,
    theories={"squared": Theory("the number of steps", "squared", lambda given: float(given["steps"]))},
    miniature={"steps": 4},
)
'''
EXPERIMENT = """
# How far does a random walk get?
# About 0.1 s on one core.
name = "random_walk"
title = "A random walk: the square root of the number of steps"
scenario = "walk"                 # steps to the left or to the right by coin toss
seed = 1                          # another seed, other walks
repeats = 2000                    # walks for each point

[grid]
steps = [4, 16, 64]               # of each walk

[[figure]]
name = "squared"
x = "steps"
measures = ["squared"]
theory = ["squared"]
xlabel = "steps"
ylabel = "squared distance"

[[claim]]
text = "The squared distance is the number of steps."
measure = "squared"
expect = { equals_theory = "squared", within = 12.0 }   # what counts as equal
"""
TEST = '''
"""The walk: independence of blocks, theory within its error bars."""

import numpy as np
from scenario_twins import far, in_pieces, same

from markone.lab.scenarios import find_scenario

WALK = find_scenario("walk")
POINT = WALK.parameters(steps=16)


def test_results_do_not_depend_on_blocks():
    same(WALK.run(POINT, 3, 0, 9), in_pieces(WALK, POINT, 3, [0, 1, 5, 9]))


def test_theory():
    assert far(WALK.run(POINT, 3, 0, 2000)["squared"], 16.0) < 4
    assert np.all(WALK.run(POINT, 3, 0, 50)["end"] % 2 == 0)
'''


@pytest.fixture(scope="module")
def copy(package_copy):
    copy = package_copy
    copy.write("src/markone/lab/scenarios/walks/__init__.py", '"""Random walks."""\n')
    copy.write("src/markone/lab/scenarios/walks/walk.py", SCENARIO.lstrip())
    copy.write("src/markone/experiments/random_walk.toml", EXPERIMENT.lstrip())
    copy.write("tests/lab/scenarios/walks/test_walk.py", TEST.lstrip())
    names = ("conftest.py", "scenario_twins.py", "test_experiments.py", "scenarios/test_scenarios.py")
    copy.add_tests(*(f"lab/{name}" for name in names))
    return copy


def test_its_own_test_passes(copy):
    assert copy.passed("tests/lab/scenarios/walks") == 2


def test_the_tests_of_all_scenarios_and_experiments_include_it(copy):
    tests = ("tests/lab/scenarios/test_scenarios.py", "tests/lab/test_experiments.py")
    assert copy.passed(*tests, "-k", "walk") == 7


def test_ruff_and_mypy_pass(copy):
    copy.check_style("src/markone/lab/scenarios/walks/walk.py")


def test_an_experiment_of_it_is_checked_run_and_reported(copy):
    assert json.loads(copy.run("-m", "markone", "check", "random_walk", "--json"))["tasks"] == 3
    copy.run("-m", "markone", "run", "random_walk", "--workers", "1", "--quiet")
    copy.run("-m", "markone", "report", "random_walk")
    page = (copy.folder / "runs" / "random_walk" / "report.html").read_text()
    assert "<strong>holds</strong> The squared distance is the number of steps." in page
