"""Theory of a scenario with several students, selected by the parameter `student`."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel

from markone.lab.scenario import Theory


def limit_theory(
    parameters: type[BaseModel], name: str, students: Mapping[str, Callable[[Any], Any]], title: str = ""
) -> Theory:
    """The value for N -> infinity, or as the title says; NaN for a student without theory or noise 1/2."""

    def function(given: Mapping[str, Any]) -> float:
        p: Any = parameters.model_construct(**given)
        if p.student not in students or not 0 <= p.noise < 0.5:
            return math.nan
        return float(students[p.student](p))

    return Theory(title or f"{name} for N to infinity", name, function)
