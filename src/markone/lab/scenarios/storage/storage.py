"""Storage of random labels: by Rosenblatt within a number of sweeps, and by any perceptron.

The inputs are standard normal numbers rounded to multiples of 2^-20 (half to even), the labels +-1 with
equal probability. The rounding is part of the definition: with it the weights are free of rounding and
the mistakes are those of the algorithm in real arithmetic, for each of the compiled loops.
P = round(alpha N), half to even as Python rounds, and at least 1.
"""

import math
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, field_validator

from markone.lab.scenario import Mark, Scenario, Theory, Values, number_of_examples
from markone.lab.scenarios.separable import decide_storage_sets
from markone.lab.scenarios.storage._lanes import LIMIT, SIDE_BY_SIDE, learn_in_lanes
from markone.lab.scenarios.storage._split_integers import learn_in_halves
from markone.perceptron.theory.capacity import separable_fraction


def _at_least_one(name: str, value: int) -> int:
    if value < 1:
        raise ValueError(f"{name} is {value}: it counts and must be at least 1.")
    return value


class Parameters(BaseModel):
    """P = round(alpha N) examples of N inputs, `sweeps` sweeps; `exact`: also decide separability."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    # Validated separately: a million points are then checked axis by axis (expansion.py).
    N: Annotated[int, AfterValidator(partial(_at_least_one, "N"))]
    alpha: float
    sweeps: Annotated[int, AfterValidator(partial(_at_least_one, "sweeps"))] = 100
    exact: bool = True

    @field_validator("alpha")
    @classmethod
    def _check_alpha(cls, value: float) -> float:
        if not 0 < value < math.inf:
            raise ValueError(f"alpha is {value}: examples per input, P/N, must be positive and finite.")
        return value

    @property
    def P(self) -> int:
        return number_of_examples(self.alpha, self.N)


def run(parameters: Parameters, seed: int, start: int, stop: int) -> Values:
    """Run repeats start .. stop-1: one compiled call, and a second one for `exact`."""
    P, N, n_sets = parameters.P, parameters.N, stop - start
    converged, used, updates = np.empty(n_sets), np.empty(n_sets), np.empty(n_sets)
    learn_all = learn_in_lanes if P * N <= SIDE_BY_SIDE else learn_in_halves
    learn_all(seed, start, P, N, parameters.sweeps, LIMIT, converged, used, updates)
    values = {"converged": converged, "sweeps_used": used, "updates": updates}
    values["separable"] = np.full(n_sets, np.nan)
    if parameters.exact:
        decide_storage_sets(seed, start, P, N, converged, values["separable"])
    return values


def cost(parameters: Parameters) -> float:
    """Number of multiplications for a set that is not learned, and about ten Newton steps for `exact`."""
    P, N = parameters.P, parameters.N
    return P * N * (parameters.sweeps + 1.0) + (10.0 * P * N * (N + 10) if parameters.exact else 0.0)


def depends_on(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that determine the data: alpha enters only through P."""
    P = number_of_examples(parameters["alpha"], parameters["N"])
    return {key: value for key, value in parameters.items() if key != "alpha"} | {"P": P}


def _cover_fraction(parameters: Mapping[str, Any]) -> float:
    """Cover's count C(P, N) / 2^P."""
    N = int(parameters["N"])
    return float(separable_fraction(number_of_examples(float(parameters["alpha"]), N), N))


SCENARIO = Scenario(
    name="storage",
    version=1,
    parameters=Parameters,
    measures={
        "converged": "1 if all E > 0 after at most `sweeps` sweeps of Rosenblatt, from w = 0, cyclic order",
        "sweeps_used": "sweeps after which all E > 0, or `sweeps`",
        "updates": "number of updates M",
        "separable": "1 if the set is linearly separable, 0 if not, NaN if undecided or exact = false",
    },
    cost=cost,
    run=run,
    theories={
        "cover": Theory("Cover's count", "separable", _cover_fraction),
        "cover_limit": Theory(
            "Cover's count, for infinitely many sweeps", "converged", _cover_fraction, "upper bound"
        ),
    },
    marks={"capacity": Mark("alpha = 2: half of all sets, any N", lambda parameters: 2.0)},
    depends_on=depends_on,
    in_bulk=True,
)
