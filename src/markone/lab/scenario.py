"""What one task does: a scenario turns (parameters, seed, repeats) into numbers, in compiled code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel

from markone.lab.own_code import CodeState
from markone.numerics.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = dict[str, Floats]
# What a fraction and an overlap can be: ranges of measures.
SHARE, OVERLAP = (0.0, 1.0), (-1.0, 1.0)
# The column of an exported table that counts the repeats of a point.
COUNT = "repeat"


@dataclass(frozen=True, slots=True)
class Point:
    """All that is known at one grid point: `values[measure][k]` belongs to repeat `numbers[k]`.

    Parameters
    ----------
    parameters : dict
        The grid point.
    values : dict of str to array
        The values of each measure, one a repeat.
    repeats : int
        How many there are.
    seconds : float
        Time they took.
    failures : list of str
        What went wrong.
    numbers : array of int
        Which repeat each value belongs to.

    Examples
    --------
    >>> from markone.lab import Point
    >>> Point({"N": 10}, {"error": [0.1, 0.2]}, repeats=2, seconds=0.0, failures=[]).parameters
    {'N': 10}
    """

    parameters: dict[str, Any]
    values: Mapping[str, Floats]
    repeats: int
    seconds: float
    failures: list[str]
    numbers: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))


TheoryKind = Literal["prediction", "lower bound", "upper bound", "asymptote", "guide"]


@dataclass(frozen=True)
class Theory:
    """A line of theory at given parameters, NaN where there is none, and what it says of its measure.

    Parameters
    ----------
    title : str
        Its name in legends.
    measure : str
        The measure it is about.
    function : function (parameters) -> float
        The value.
    kind : {"prediction", "lower bound", "upper bound", "asymptote", "guide"}, default="prediction"
        A "prediction" is what the mean is, for N to infinity or exactly; no mean lies below a "lower bound"
        or above an "upper bound"; an "asymptote" is where the mean goes at the end of the x axis; a "guide"
        says nothing about these runs. Each is judged by its own test (agreement.py).

    Examples
    --------
    >>> from markone.lab import Theory
    >>> Theory("chance", "error", lambda parameters: 0.5, kind="upper bound").function({})
    0.5
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
    """What one grid point computes: `run(parameters, seed, start, stop)` does the repeats start .. stop-1.

    Each value depends only on (parameters, seed, repeat): blocks may be cut anywhere.

    Parameters
    ----------
    name : str
        As declarations call it.
    version : int
        Raised whenever the values change.
    parameters : type of pydantic model
        The parameters with their ranges.
    measures : mapping of str to str
        What is measured, and what it means.
    cost : function (parameters) -> float
        The number of multiplications of one repeat, roughly; must not depend on the machine.
    run : function (parameters, seed, start, stop) -> dict of str to array
        One value a repeat for each measure.
    theories : mapping of str to Theory
        Lines of theory by name.
    pictures : mapping of str to Picture
        Pictures by name.
    marks : mapping of str to Mark
        Marks in figures by name.
    miniature : mapping
        Parameters that make a point cheap, for a trial of a whole experiment.
    code : function (parameters) -> states of code
        Of what a point runs that is not markone's: part of its identity.
    steps : mapping of str to function (parameters) -> float
        The unit of a measure that counts (one of N neurons: 2/N of the overlap).
    ranges : mapping of str to (lowest, largest)
        What the mean of a measure can be, (0, 1) of a fraction: no interval goes beyond.
    data : function (parameters) -> str
        The name of the real set that a point reads (`markone.data.load`).
    former : mapping of str to str
        Names that measures had, each with its new one: stored results are read under the new name, and no
        task is done again.
    depends_on : function (parameters) -> mapping
        What the numbers depend on, where that is less than the parameters: P instead of alpha, say. Points
        that agree in it are computed once.
    in_bulk : bool, default=False
        Do `cost` and `depends_on` also take an array for one of the parameters that are numbers, and come to
        the same? A million points are then priced in no time.

    Examples
    --------
    >>> from markone.lab.scenarios import find
    >>> scenario = find("storage")
    >>> scenario.version > 0, list(scenario.measures)
    (True, ['converged', 'sweeps_used', 'updates', 'separable'])
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
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    data: Callable[[Mapping[str, Any]], str] | None = None
    former: Mapping[str, str] = field(default_factory=dict)
    depends_on: Callable[[Mapping[str, Any]], Mapping[str, Any]] | None = None
    in_bulk: bool = False

    def __post_init__(self) -> None:
        parameters = set(self.parameters.model_fields)
        twice = sorted((parameters | {COUNT}) & set(self.measures) | (parameters & {COUNT}))
        if twice:
            raise ValueError(
                f"The scenario {self.name!r} uses the name {twice[0]!r} twice: parameters, measures and "
                f"{COUNT!r} are columns of one exported table. Rename one of the two."
            )
        unknown = sorted(set(self.ranges) - set(self.measures))
        if unknown:
            raise ValueError(
                f"The scenario {self.name!r} has a range for {unknown[0]!r}, which is no measure."
            )


@overload
def number_of_examples(alpha: float, N: int) -> int: ...
@overload
def number_of_examples(alpha: Floats, N: Any) -> Floats: ...
def number_of_examples(alpha: Any, N: Any) -> Any:
    """P = alpha N, rounded to the nearest whole number (half to even), at least 1; of an array an array."""
    if isinstance(alpha, np.ndarray) or isinstance(N, np.ndarray):
        return np.maximum(1.0, np.rint(alpha * N))
    return max(1, round(alpha * N))
