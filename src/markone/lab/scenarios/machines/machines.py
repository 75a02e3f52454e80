"""Tree machines of K branches trained by least action: storage of random labels, learning of a rule.

N inputs in K branches of N/K, no thresholds; P = round(alpha N), so alpha counts examples per adaptive
weight. Gaussian inputs; random labels, or those of a teacher of the same type with w* = (1, .., 1).
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from markone.lab.scenario import (
    SHARE,
    ExampleSettings,
    Mark,
    Picture,
    Scenario,
    Theory,
    TheoryKind,
    Values,
    named_columns,
)
from markone.lab.scenarios.machines._machines import RANDOM, TEACHER, learn_machine_block
from markone.machines._units import COMMITTEE, PARITY
from markone.machines.measures import tree_error
from markone.machines.theory import bounds, capacity, tree_learning

KINDS = {"committee": COMMITTEE, "parity": PARITY}
LABELS = {"random": RANDOM, "teacher": TEACHER}


class Parameters(ExampleSettings):
    """`sweeps` sweeps of least action from each of at most `restarts` starts."""

    machine: Literal["committee", "parity"]
    K: int = Field(3, ge=1)
    N: int = Field(ge=1)
    labels: Literal["random", "teacher"] = "random"
    sweeps: int = Field(1000, ge=1)
    restarts: int = Field(1, ge=1)

    @model_validator(mode="after")
    def _check_tree(self) -> "Parameters":
        if self.machine == "committee" and self.K % 2 == 0:
            raise ValueError(f"K is {self.K}: a committee needs an odd number of units to have a majority.")
        if self.N % self.K:
            raise ValueError(
                f"N is {self.N}: it is divided among the branches of a tree, so K = {self.K} must divide it."
            )
        return self


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    shape = (p.P, p.K, p.N // p.K, KINDS[p.machine], LABELS[p.labels])
    table, R = learn_machine_block(seed, start, stop, *shape, p.sweeps, p.restarts)
    names = ("learned", "sweeps_used", "updates", "epsilon_t")
    values = named_columns(names, table)
    values["epsilon_t"] /= p.P
    of_teacher = p.labels == "teacher"
    values["epsilon_g"] = tree_error(R, p.machine) if of_teacher else np.full(stop - start, np.nan)
    return values


def cost(p: Parameters) -> float:
    """Multiplications for a set that is not learned: each sweep learns and counts errors."""
    return 2.0 * p.P * p.N * p.sweeps * p.restarts


def _cover_theory(p: Parameters) -> float:
    """Cover's fraction for one unit, a perceptron; for more units only bounds are known."""
    return bounds.learnable_bound(1, p.N, p.P) if p.K == 1 and p.labels == "random" else math.nan


def _error_theory(title: str, function: Callable[..., Any], kind: TheoryKind) -> Theory:
    """A learning curve; NaN where none is known."""

    def theory_value(p: Parameters) -> Any:
        known = (p.machine, p.K) in (("committee", 3), ("parity", 2), ("parity", 3)) and p.labels == "teacher"
        return function(p.alpha, p.machine, p.K) if known else math.nan

    return Parameters.theory_of(title, "epsilon_g", theory_value, kind)


def _capacity_mark(committee: Callable[[int], float], parity: Callable[[int], float]) -> Any:
    def theory_value(parameters: Mapping[str, Any]) -> float:
        K = int(parameters.get("K", 3))
        return committee(K) if parameters["machine"] == "committee" else parity(K)

    return theory_value


def _draw_planes(K: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw K lines around the origin, oriented at random, and points of the plane, for a picture."""
    rng = np.random.default_rng([seed, K])
    angle = 2 * np.pi * (np.arange(K) + rng.uniform(0.1, 0.6, K)) / K
    facing = rng.choice([-1.0, 1.0], K)
    weights = facing[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return weights, facing * rng.uniform(0.3, 0.5, K), rng.uniform(-1.35, 1.35, (60, 2))


def _draw_tessellation(figure: Any, points: Sequence[Any], seed: int) -> None:
    """Fig 4.3: the same planes in both machines, for the K of the first point."""
    from markone.machines.display import MachineDisplay

    K = int(points[0].parameters.get("K", 3))
    weights, thresholds, X = _draw_planes(K, seed)
    machines = ("committee", "parity") if K % 2 else ("parity",)
    for i, machine in enumerate(machines):
        axes = figure.add_subplot(1, len(machines), i + 1)
        MachineDisplay.from_planes(weights, thresholds, machine, X, ax=axes)
        axes.set(title=f"{machine} machine, K = {K}", xlabel="xi 1", ylabel="xi 2" if i == 0 else "")


SCENARIO = Scenario(
    name="machines",
    version=1,
    parameters=Parameters,
    measures={
        "learned": "1 if least action reproduces all labels within `sweeps` sweeps from one of the starts",
        "sweeps_used": "sweeps of all starts",
        "updates": "examples learned, each in one or several units",
        "epsilon_t": "fraction of examples wrong, at the end of the best sweep",
        "epsilon_g": "probability of disagreement with the teacher, exact, from the overlaps of the branches",
    },
    cost=cost,
    run=run,
    ranges=dict.fromkeys(("epsilon_t", "epsilon_g"), SHARE),
    theories={
        "cover": Parameters.theory_of("Cover's count (K = 1)", "learned", _cover_theory),
        "gibbs": _error_theory("Gibbs student", tree_learning.gibbs_error, "guide"),
        "bayes": _error_theory("best possible", tree_learning.bayes_error, "lower bound"),
    },
    pictures={
        "tessellation": Picture(
            "K planes and the two machines (Fig 4.3). Blue, full: output +1; arrows: sigma = +1; dotted: "
            "pieces of a plane that do not separate outputs",
            _draw_tessellation,
            (7.0, 3.7),
        )
    },
    marks={
        "capacity": Mark(
            "capacity for N to infinity (1RSB)",
            _capacity_mark(capacity.committee_one_step, capacity.parity_one_step),
        ),
        "capacity_bound": Mark(
            "bound of Mitchison and Durbin",
            lambda parameters: bounds.capacity_bound(int(parameters.get("K", 3))),
        ),
        "replica_symmetric": Mark(
            "replica-symmetric capacity, too large",
            _capacity_mark(capacity.committee_replica_symmetric, capacity.parity_replica_symmetric),
        ),
    },
    miniature={"sweeps": 10, "restarts": 1},
)
