"""A piece of work with a permanent name."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Task:
    """Repeats start .. stop-1 of one grid point. Its id is a hash of all that its result depends on."""

    scenario: str
    version: int
    parameters: Mapping[str, Any]
    seed: int
    start: int
    stop: int

    @cached_property
    def point(self) -> str:
        """Name of the grid point: what different blocks of repeats share."""
        return _digest([self.scenario, self.version, dict(self.parameters), self.seed])

    @cached_property
    def id(self) -> str:
        return _digest([self.point, self.start, self.stop])


@dataclass(frozen=True)
class Outcome:
    """What came back: values, or the sentence of the error."""

    values: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    seconds: float = 0.0
    worker: str = ""
    error: str = ""
    cpu: str = ""  # its kind (numerics/cpu.py)


def _digest(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:20]
