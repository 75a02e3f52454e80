"""Scenarios: functions of (parameters, seed, repeats) that return measures, in compiled code."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from markone.lab.foreign_code import CodeState
from markone.numerics.arrays import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Values = dict[str, Floats]
# Ranges of a fraction and of an overlap.
SHARE, OVERLAP = (0.0, 1.0), (-1.0, 1.0)
# The column of an exported table that counts the repeats of a point.
COUNT = "repeat"


class Settings(BaseModel):
    """Base of the parameters of a scenario: unknown names, infinite values and changes are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    @classmethod
    def theory_of(
        cls, title: str, measure: str, function: Callable[[Any], Any], kind: "TheoryKind" = "prediction"
    ) -> "Theory":
        """A theory whose function takes the parameters as attributes: p.alpha, p.noise."""
        return Theory(title, measure, lambda given: float(function(cls.model_construct(**given))), kind)


class ExampleSettings(Settings):
    """Parameters of a scenario with P = round(alpha N) examples of N inputs."""

    N: int = Field(ge=2)
    alpha: float = Field(gt=0)

    @property
    def P(self) -> int:
        return number_of_examples(self.alpha, self.N)


def each_repeat(measure: Callable[[Any, int, int], Any]) -> Callable[[Any, int, int, int], Any]:
    """The `run` of a scenario, from a function of (parameters, seed, repeat) that returns the measures of one
    repeat in their order."""
    return lambda p, seed, start, stop: [measure(p, seed, repeat) for repeat in range(start, stop)]


def named_columns(names: Sequence[str], table: Any) -> Values:
    """The columns of a table with one row a repeat, by the names of the measures."""
    rows = np.asarray(table, dtype=np.float64)
    rows = rows.reshape(len(rows), len(names))  # also of no repeats
    return {name: np.ascontiguousarray(column) for name, column in zip(names, rows.T, strict=True)}


@dataclass(frozen=True, slots=True)
class Point:
    """Results at one grid point: `values[measure][k]` belongs to repeat `numbers[k]`.

    Parameters
    ----------
    parameters : dict
        The grid point.
    values : dict of str to array
        The values of each measure, one a repeat.
    repeats : int
        Number of repeats.
    seconds : float
        Time they took.
    failures : list of str
        Messages of failed tasks.
    numbers : array of int
        Repeat of each value.

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
    """A theoretical value of a measure at given parameters, NaN where undefined, and its kind.

    Parameters
    ----------
    title : str
        Name in legends.
    measure : str
        The measure it describes.
    function : function (parameters) -> float
        The value.
    kind : {"prediction", "lower bound", "upper bound", "asymptote", "guide"}, default="prediction"
        A "prediction" is the mean, for N to infinity or exactly; no mean lies below a "lower bound" or above
        an "upper bound"; an "asymptote" is the limit at the end of the x axis; a "guide" is drawn only. Each
        has its own test (agreement.py).
    many : function (list of parameters) -> array, optional
        The values at many points at once, if that is faster.

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
    many: Callable[[Sequence[Mapping[str, Any]]], Any] | None = None

    def values(self, points: Sequence[Mapping[str, Any]]) -> Floats:
        """The values at many points."""
        if self.many is not None and len(points):
            return np.asarray(self.many(points), dtype=float)
        return np.array([float(self.function(point)) for point in points])


@dataclass(frozen=True)
class Picture:
    """A figure other than curves: data points, decision surfaces, prototypes.

    `draw(figure, points, seed)` gets an empty figure of `size` inches, the grid points selected by the
    figure's `where`, and the experiment's seed. Data are generated again from (parameters, seed, repeat),
    since the store has measures only. It imports matplotlib itself, so that scenarios do not depend on it.
    """

    title: str
    draw: "Callable[[Figure, Sequence[Point], int], None]"
    size: tuple[float, float] = (6.4, 4.0)


@dataclass(frozen=True)
class Mark:
    """A position on the x axis for each line of a figure, a threshold or a transition; NaN if undefined."""

    title: str
    function: Callable[[Mapping[str, Any]], float]


@dataclass(frozen=True)
class Scenario:
    """The computation at a grid point: `run(parameters, seed, start, stop)` returns repeats start .. stop-1.

    Each value depends only on (parameters, seed, repeat): blocks may be cut anywhere.

    Parameters
    ----------
    name : str
        Name in declarations.
    version : int
        Raised whenever the values change.
    parameters : type of pydantic model
        The parameters with their ranges.
    measures : mapping of str to str
        Names and meanings of the measures.
    cost : function (parameters) -> float
        Approximate number of multiplications of one repeat; must not depend on the machine.
    run : function (parameters, seed, start, stop) -> dict of str to array, or table
        One value per repeat for each measure; a table has a row for each repeat and a column for each of
        `measures`. `run` and `cost` get an instance of `parameters`; a dictionary
        that they are called with is validated first.
    theories : mapping of str to Theory
        Theories by name.
    pictures : mapping of str to Picture
        Pictures by name.
    marks : mapping of str to Mark
        Marks in figures by name.
    miniature : mapping
        Parameters that make a point cheap, for a test of a whole experiment.
    code : function (parameters) -> states of code
        States of the foreign code that a point runs: part of its name.
    steps : mapping of str to function (parameters) -> float
        The unit of a discrete measure (one of N neurons: 2/N of the overlap).
    ranges : mapping of str to (lowest, largest)
        Range of the mean of a measure, (0, 1) for a fraction: intervals are clipped to it.
    data : function (parameters) -> str
        The name of the real data set that a point reads (`markone.data.load`).
    former : mapping of str to str
        Former names of measures, each with its new one: stored results are read under the new name.
    depends_on : function (parameters) -> mapping
        What the results depend on, if that is less than the parameters, e.g. P instead of alpha. Points that
        agree in it are computed once.
    version_of : function (parameters) -> int
        Version of a point, where a change affected some points only; `version` if not given.
    remark : function (parameters) -> str
        A sentence of the report on how the data of a point are made.
    in_bulk : bool, default=False
        True if `cost` and `depends_on` also take an array for one numeric parameter. The cost of a million
        points is then computed at once.
    world : function (parameters) -> mapping or None
        teacher, noise and inputs of a point, as in `theory.solve`: declared theories use them. None where the
        theory engine has no such world.

    Examples
    --------
    >>> from markone.lab.scenarios import find_scenario
    >>> scenario = find_scenario("storage")
    >>> scenario.version > 0, list(scenario.measures)
    (True, ['converged', 'sweeps_used', 'updates', 'separable'])
    """

    name: str
    version: int
    parameters: type[BaseModel]
    measures: Mapping[str, str]
    cost: Callable[[Any], float]
    run: Callable[[Any, int, int, int], Any]
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
    version_of: Callable[[Mapping[str, Any]], int] | None = None
    remark: Callable[[Mapping[str, Any]], str] | None = None
    in_bulk: bool = False
    world: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] | None = None

    def __post_init__(self) -> None:
        for name, columns in (("cost", None), ("run", list(self.measures))):
            checked = _validate_first(self.parameters, getattr(self, name), columns)
            object.__setattr__(self, name, checked)
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
                f"The scenario {self.name!r} has a range for {unknown[0]!r}, which is not a measure."
            )


def _validate_first(
    model: type[BaseModel], function: Callable[..., Any], columns: list[str] | None
) -> Callable[..., Any]:
    """The function of validated parameters, which also takes them as a dictionary. A table that it returns
    becomes a dictionary of `columns`."""

    @wraps(function)
    def validated(parameters: Any, *rest: int, **named: int) -> Any:
        known = isinstance(parameters, model)
        found = function(parameters if known else model.model_validate(parameters), *rest, **named)
        return found if columns is None or isinstance(found, Mapping) else named_columns(columns, found)

    return validated


def stream(seed: int, repeat: int, purpose: int = 0) -> np.random.Generator:
    """Random numbers of one repeat: the same for each seed, repeat and purpose, in any order of the repeats.

    A counter-based stream (Philox, with these numbers as its key): compiled functions take it as an argument
    and draw the same bits.

    Parameters
    ----------
    seed : int
        Seed of the experiment.
    repeat : int
        Number of the repeat, below 2^48.
    purpose : int, default=0
        Each one, below 2^16, is an independent stream: for example 0 for the data and 1 for the student.

    Returns
    -------
    numpy.random.Generator
        The stream at its start.

    Examples
    --------
    >>> from markone.lab import stream
    >>> bool(stream(7, 3).random() == stream(7, 3).random() != stream(7, 4).random())
    True
    """
    return np.random.Generator(np.random.Philox(key=[seed, repeat + (purpose << 48)]))


def iterate_streams(seed: int, start: int, stop: int, purpose: int = 0) -> Iterator[np.random.Generator]:
    """The streams of consecutive repeats: one generator, set again for each, in a tenth of the time."""
    made = stream(seed, start, purpose)
    state: Any = made.bit_generator.state
    for repeat in range(start, stop):
        state["state"]["key"][1] = repeat + (purpose << 48)
        made.bit_generator.state = state
        yield made


def point_version(scenario: Scenario, parameters: Mapping[str, Any]) -> int:
    """Version of the computation at a point."""
    return scenario.version_of(parameters) if scenario.version_of else scenario.version


@overload
def number_of_examples(alpha: float, N: int) -> int: ...
@overload
def number_of_examples(alpha: Floats, N: Any) -> Floats: ...
def number_of_examples(alpha: Any, N: Any) -> Any:
    """P = alpha N, rounded to the nearest whole number (half to even), at least 1; elementwise for arrays."""
    if isinstance(alpha, np.ndarray) or isinstance(N, np.ndarray):
        return np.maximum(1.0, np.rint(alpha * N))
    return max(1, round(alpha * N))


def sharing_key(scenario: Scenario, parameters: Mapping[str, Any]) -> str:
    """Text key of what the results of a point depend on."""
    deciding = scenario.depends_on(parameters) if scenario.depends_on else parameters
    return repr(sorted(deciding.items()))


def drop_repeated_points(scenario: Scenario, points: Iterable[Point]) -> list[Point]:
    """Drop points that repeat the runs of another: they are no further evidence."""
    if scenario.depends_on is None:
        return list(points)
    found: dict[str, Point] = {}
    for point in points:
        found.setdefault(sharing_key(scenario, point.parameters), point)
    return list(found.values())
