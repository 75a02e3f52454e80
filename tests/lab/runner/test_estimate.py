from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from pydantic import BaseModel

from markone.lab.runner import estimate
from markone.lab.scenario import Scenario
from markone.lab.schedule.remaining import Survey


class Parameters(BaseModel):
    N: int
    alpha: float


@dataclass
class Machine:
    """One unit of cost takes `speed[N]` seconds, compiling takes a hundred."""

    speed: dict
    now: float = 0.0
    warm: bool = False
    blocks: list = field(default_factory=list)

    def run(self, p, seed, start, stop):
        self.now += (0 if self.warm else 100.0) + self.speed[p.N] * p.N * p.alpha * (stop - start)
        self.warm = True
        self.blocks.append((p.N, start, stop))
        return {"x": np.zeros(stop - start)}


def declared(machine, precision=None, most_repeats=50):
    scenario = Scenario("fake", 1, Parameters, {"x": ""}, lambda p: p.N * p.alpha, machine.run)
    points = [{"N": N, "alpha": a} for N in (10, 1000) for a in (0.5, 1.0, 2.0)]
    return SimpleNamespace(
        scenario_object=scenario,
        seed=1,
        grid={"N": [10, 1000], "alpha": [0.5, 1.0, 2.0]},
        fixed={},
        point=lambda k: points[k],
        precision=precision,
        most_repeats=most_repeats,
    )


def asked(declaration):
    points = [declaration.point(k) for k in range(6)]
    one = np.ones(6, dtype=np.int64)
    cost = np.array([point["N"] * point["alpha"] for point in points])
    return Survey(np.arange(6), cost, 0 * one, one, 50 * one)


@pytest.fixture
def machine():
    return Machine({10: 1e-9, 1000: 3e-9})


def test_each_size_is_timed_apart_and_compilation_does_not_count(machine):
    declaration = declared(machine)
    todo = asked(declaration)
    found = estimate.estimate_run_time(declaration, todo, lambda: machine.now)
    assert (found.points, found.tasks, found.repeats) == (6, 6, 300)
    assert found.seconds == pytest.approx(50 * 3.5 * (10 * 1e-9 + 1000 * 3e-9), rel=1e-3)
    assert found.at_most == found.seconds


def test_blocks_are_small_and_never_longer_than_the_experiment(machine):
    declaration = declared(machine, most_repeats=7)
    estimate.estimate_run_time(declaration, asked(declaration), lambda: machine.now)
    assert len(machine.blocks) <= 4 * 2
    assert max(stop for _, _, stop in machine.blocks) == 7


def test_the_budget_is_kept_however_slow_the_machine():
    """A unit costs a hundred times its declared cost: not every size can be timed."""
    machine = Machine({10: 1e-2, 1000: 1e-2}, warm=True)
    declaration = declared(machine)
    found = estimate.estimate_run_time(declaration, asked(declaration), lambda: machine.now)
    assert machine.now < 2.0
    assert found.seconds == pytest.approx(50 * 3.5 * 1010 * 1e-2, rel=1e-3)


def test_precision_gives_an_upper_bound(machine):
    declaration = declared(machine, precision=0.01, most_repeats=500)
    todo = asked(declaration)
    found = estimate.estimate_run_time(declaration, todo, lambda: machine.now)
    assert found.at_most == pytest.approx(10 * found.seconds)


def test_a_compiler_is_heard_even_where_a_repeat_is_said_to_cost_much():
    """A cost of 1e12 would allow for hours: a hundred seconds of compiling must not count as a repeat."""
    import numba

    clock = {"now": 0.0}

    def run(p, seed, start, stop):
        @numba.njit
        def one_more(x):
            return x + 1

        if clock["now"] == 0.0:
            one_more(1)
            clock["now"] += 100.0
        clock["now"] += 0.2 * (stop - start)
        return {"x": np.zeros(stop - start)}

    scenario = Scenario("fake", 1, Parameters, {"x": ""}, lambda p: 1e12, run)
    point = {"N": 10, "alpha": 1.0}
    speed, spent = estimate.seconds_per_unit(scenario, point, 1, 50, lambda: clock["now"], 1.0)
    assert speed == pytest.approx(0.2 / 1e12)
    assert spent < 1.0
