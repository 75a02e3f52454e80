"""Number of units a growing parity machine needs to reproduce random labels   (4.9).

Gaussian inputs and random labels, the data of the scenario `machines`; P = round(alpha N). The student of
step III is trained with its own seed, derived from (seed, N, P, repeat).
"""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, ExampleSettings, Scenario, each_repeat
from markone.lab.scenarios.machines._machines import RANDOM, draw_machine_examples
from markone.machines._units import PARITY
from markone.machines.growth import AnsweredExamples, GrowthOptions, grow_machine
from markone.machines.theory.bounds import fewest_units
from markone.perceptron.students.pocket import Pocket


class Parameters(ExampleSettings):
    """`student`: the default of `ParityMachine`, the pocket algorithm, or none: grandmother units only."""

    N: int = Field(ge=1)
    student: Literal["default", "pocket", "grandmothers"] = "default"
    epochs: int = Field(default=100, ge=1)


class ConstantStudent:
    """A student that always answers +1, so that a grandmother unit is used instead."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {}

    def __sklearn_clone__(self) -> "ConstantStudent":
        return self

    def fit(self, X: Any, y: Any) -> "ConstantStudent":
        self.coef_, self.intercept_ = np.zeros((1, X.shape[1])), np.ones(1)
        return self


def _grow_machine(p: Parameters, seed: int, repeat: int) -> tuple[float, ...]:
    xi, S = np.empty((p.P, p.N)), np.empty(p.P)
    one, none = np.ones((1, p.N)), np.zeros(1, dtype=np.int64)
    draw_machine_examples(seed, repeat, PARITY, RANDOM, none, none + p.N, one, xi, S)
    students = {"default": None, "pocket": Pocket(max_iter=p.epochs), "grandmothers": ConstantStudent()}
    own = int(np.random.SeedSequence([seed, p.N, p.P, repeat]).generate_state(1)[0] >> 1)
    built = grow_machine(
        AnsweredExamples(xi, S), None, GrowthOptions(students[p.student], None, p.P, 1.0), own
    )
    kinds = [row[1] for row in built.growth]
    first = built.growth[0][2] / p.P
    outcome = (
        len(built.layer),
        kinds.count("grandmother"),
        first,
        float(built.converged),
        float((S < 0).sum()),
    )
    # A threshold is one more input.
    return (*outcome, p.P, fewest_units(p.N + 1, p.P))


def cost(p: Parameters) -> float:
    """About one unit per five examples, each trained by pocket epochs at a cost of P per update."""
    units = p.P / (2 if p.student == "grandmothers" else 5) + 1
    epochs = 1 if p.student == "grandmothers" else p.epochs
    return units * p.P**2 * (epochs / 3 + p.N)


SCENARIO = Scenario(
    name="growth",
    version=1,
    parameters=Parameters,
    measures={
        "units": "hidden units of the machine that reproduces the labels",
        "grandmothers": "number of grandmother units, used where the student did not help",
        "first_errors": "fraction of examples wrong after the first unit",
        "reproduced": "1 if all labels are reproduced",
        "negatives": "examples with label -1, an upper bound: without units the output is +1",
        "bound": "P: this many units are always sufficient (4.15)",
        "fewest": "lower bound from counting: fewer units cannot realise all labellings",
    },
    cost=cost,
    run=each_repeat(_grow_machine),
    ranges={"first_errors": SHARE},
    miniature={"epochs": 2},
)
