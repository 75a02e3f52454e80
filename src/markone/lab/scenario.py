"""What one task does: a scenario turns (parameters, seed, repeats) into numbers, in compiled code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.own_code import CodeState
from markone.numerics.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = dict[str, Floats]


@dataclass(frozen=True)
class Point:
    """All that is known at one grid point: `values[measure][k]` belongs to repeat `numbers[k]`."""

    parameters: dict[str, Any]
    values: Values
    repeats: int
    seconds: float
    failures: list[str]
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))


TheoryKind = Literal["prediction", "lower bound", "upper bound", "asymptote", "guide"]


@dataclass(frozen=True)
class Theory:
    """A line of theory at given parameters, NaN where there is none, and what it says of its measure.

    kind: a "prediction" is what the mean is, for N to infinity or exactly; no mean lies below a "lower bound"
    or above an "upper bound"; an "asymptote" is where the mean goes at the end of the x axis; a "guide" says
    nothing about these runs. Each is judged by its own test (agreement.py).
    """

    title: str
    measure: str
    function: Callable[[Mapping[str, Any]], float]
    kind: TheoryKind = "prediction"


@dataclass(frozen=True)
class Picture:
    """Something to look at that is no curve: data points, decision surfaces, prototypes.

    `draw(figure, points, seed)` gets an empty figure of `size` inches, the grid points that the figure's
    `where` leaves, and the experiment's seed. Data are drawn again from (parameters, seed, repeat), since
    the store has measures only. It imports matplotlib itself: nobody else who reads the scenario needs it.
    """

    title: str
    draw: "Callable[[Figure, Sequence[Point], int], None]"
    size: tuple[float, float] = (6.4, 4.0)


@dataclass(frozen=True)
class Mark:
    """A place on the x axis for each line of a figure, a threshold or a transition; NaN if there is none."""

    title: str
    function: Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class Scenario:
    """`run(parameters, seed, start, stop)` does the repeats start .. stop-1 of one grid point.

    Each value depends only on (parameters, seed, repeat): blocks may be cut anywhere. `cost` is the
    number of multiplications of one repeat, roughly, and must not depend on the machine. `miniature` are
    parameters that make a point cheap, for a trial of a whole experiment. `code(parameters)`
    are the states of what a point runs that is not markone's: part of its identity. `steps[measure]` is the
    unit of a measure that counts (one of N neurons: 2/N of the overlap), given the parameters.
    `data(parameters)` is the name of the real set that a point reads (markone.data.load).
    """

    name: str
    version: int
    parameters: type[BaseModel]
    measures: Mapping[str, str]
    cost: Callable[[Any], float]
    run: Callable[[Any, int, int, int], Values]
    theories: Mapping[str, Theory] = field(default_factory=dict)
    pictures: Mapping[str, Picture] = field(default_factory=dict)
    marks: Mapping[str, Mark] = field(default_factory=dict)
    miniature: Mapping[str, Any] = field(default_factory=dict)
    code: Callable[[Mapping[str, Any]], tuple[CodeState, ...]] | None = None
    steps: Mapping[str, Callable[[Mapping[str, Any]], float]] = field(default_factory=dict)
    data: Callable[[Mapping[str, Any]], str] | None = None


def number_of_examples(alpha: float, N: int) -> int:
    """P = alpha N, rounded to the nearest whole number (half to even) and at least 1."""
    return max(1, round(alpha * N))
