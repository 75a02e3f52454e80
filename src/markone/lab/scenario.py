"""What one task does: a scenario turns (parameters, seed, repeats) into numbers, in compiled code."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

Values = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Theory:
    """What a measure must show: an exact prediction at given parameters, NaN where there is none."""

    title: str
    measure: str
    function: Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class Scenario:
    """`run(parameters, seed, start, stop)` does the repeats start .. stop-1 of one grid point.

    Each value depends only on (parameters, seed, repeat): blocks may be cut anywhere. `cost` is the
    number of multiplications of one repeat, roughly, and must not depend on the machine.
    """

    name: str
    version: int
    parameters: type[BaseModel]
    measures: Mapping[str, str]
    cost: Callable[[Any], float]
    run: Callable[[Any, int, int, int], Values]
    theories: Mapping[str, Theory] = field(default_factory=dict)


def find(name: str) -> Scenario:
    """The scenario in markone/lab/scenarios/<name>.py."""
    try:
        module = import_module(f"markone.lab.scenarios.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"markone.lab.scenarios.{name}":
            raise
        raise ValueError(f"There is no scenario {name!r}.") from None
    scenario: Scenario = module.SCENARIO
    return scenario
