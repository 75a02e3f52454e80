"""Schema of a declaration, one TOML file: the grid, figures, tables and claims of an experiment."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.functional_validators import AfterValidator, BeforeValidator, field_validator

from markone.lab import scenarios
from markone.lab.ranges import axis_values, reject_large_integer
from markone.lab.run_paths import NAME
from markone.lab.scenario import Scenario
from markone.lab.scenarios.theories import TheorySpec, add_theories
from markone.numerics.text import escape_controls

Scalar = str | bool | int | float
AxisValues = Annotated[list[Scalar], BeforeValidator(axis_values)]
Where = dict[str, Scalar | list[Scalar]]
Name = Annotated[str, Field(pattern=f"^{NAME}$")]
# A Python module name; "__main__" is a script or a notebook.
Package = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]{0,99}$")]


def _check_integer_bound(value: Scalar) -> Scalar:
    reject_large_integer(value)
    return value


def _as_list(given: Any) -> Any:
    return [given] if isinstance(given, str) else given


class Strict(BaseModel):
    # Strict: "12" in quotes is not accepted as a number.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_control_characters(cls, value: Any) -> Any:
        if isinstance(value, str) and escape_controls(value) != value:
            raise ValueError(f"{value!r} has control characters: remove them.")
        return value


class FigureSpec(Strict):
    """Measures over x, one line for each combination of `lines`, with theory on the same axes; or a map or a
    surface over x and the one key in `lines`; or a picture drawn by the scenario from the points selected by
    `where`. x and measures are empty for a picture only (validate/parts.py)."""

    name: Name
    kind: Literal["lines", "map", "surface", "picture"] = "lines"
    picture: str = ""
    x: str = ""
    lines: list[str] = []
    measures: list[str] = []
    theory: Annotated[list[str], BeforeValidator(_as_list)] = []
    marks: list[str] = []
    where: Where = {}
    xlabel: str = ""
    ylabel: str = ""
    logx: bool = False
    logy: bool = False


MeanAndDeviation = Annotated[list[float], Field(min_length=2, max_length=2)]


class TableSpec(Strict):
    """Measures as numbers: a row for each combination of `rows`, a group of columns for each of `across`.

    `digits` are decimals. `published` holds the numbers of a `source`, printed beside the measured ones: by
    column name one for each row, and one for the average if there is one; nan where there is none, and
    [mean, standard deviation] where both are published.
    """

    name: Name
    title: str = ""
    rows: list[str] = Field(min_length=1)
    columns: list[str] = Field(min_length=1)
    across: list[str] = []
    where: Where = {}
    average: bool = False
    show: Literal["mean", "mean_sd", "mean_error"] = "mean_error"
    digits: int = Field(default=3, ge=0, le=12)
    published: dict[str, list[float | MeanAndDeviation]] = {}
    source: str = ""


class Ratio(Strict):
    """Ratio of a claim's measure to that of another line, or to another measure of the same runs."""

    line: dict[str, Scalar] | None = None
    measure: str | None = None
    above: float | None = None
    below: float | None = None


class Expect(Strict):
    """Expectations of a claim about its measure: at least one, and all that are given must hold.

    equals, equals_theory: within a margin, `within` (5 % of the scale if not given). below_line and
    above_line compare each point with the one where the named keys have other values; below_measure with
    another measure of the same runs. falls_with, rises_with: along the named key. grows_with =
    { N = [1.8, 2.2] }: as a power of the key between these. largest_at = { digit = 8 }: along that key.
    every_run = { at_most = 1.0 }, at_least or equals, a number or the name of a theory: for each run, not for
    the means. ratio = { line = { .. } or measure = "..", above = 2.0, below = 3.0 }.
    """

    equals: float | None = None
    above: float | None = None
    below: float | None = None
    falls_with: str | None = None
    rises_with: str | None = None
    equals_theory: str | None = None
    below_line: dict[str, Scalar] | None = None
    above_line: dict[str, Scalar] | None = None
    below_measure: str | None = None
    grows_with: dict[str, list[float]] | None = None
    largest_at: dict[str, Scalar] | None = None
    every_run: dict[Literal["at_most", "at_least", "equals"], float | str] | None = None
    ratio: Ratio | None = None
    within: float | None = Field(default=None, gt=0)


class ClaimSpec(Strict):
    """A sentence and the expectation that tests it. of = "spread": about the standard deviation of the runs
    instead of their mean. says: the sentence of a document that is tested, verbatim; "" if it is ours."""

    text: str
    says: str = ""
    measure: str
    of: Literal["mean", "spread"] = "mean"
    where: Where = {}
    expect: Expect


class Declaration(Strict):
    """A declared experiment. `packages` are those with foreign code (not markone's or scikit-learn's), which
    the user must allow (foreign_code.py). `source_data` names the real data set of the published numbers and
    the claims (recorded_facts.py)."""

    name: Name
    title: str
    scenario: str
    chapter: int | None = Field(default=None, ge=1)
    packages: list[Package] = []
    seed: int = Field(ge=0, lt=2**63)
    repeats: int = Field(ge=1, le=2**53)
    precision: float | None = Field(default=None, gt=0)
    precision_of: str | None = None
    max_repeats: int | None = Field(default=None, ge=1, le=2**53)
    # Time limit of a task in seconds; the default is in runner/run.py.
    task_limit: float | None = Field(default=None, gt=0)
    read_first: str = ""
    source_data: str = ""
    grid: dict[str, AxisValues] = Field(min_length=1)
    fixed: dict[str, Annotated[Scalar, AfterValidator(_check_integer_bound)]] = Field(default={})
    theory: dict[Name, TheorySpec] = Field(default={})
    figure: list[FigureSpec] = Field(default=[])
    table: list[TableSpec] = Field(default=[])
    claim: list[ClaimSpec] = Field(default=[])

    @property
    def scenario_object(self) -> Scenario:
        """The scenario, with the theories that figures and claims name besides its own."""
        found = scenarios.find_scenario(self.scenario)
        return add_theories(found, self.theory, self._theory_names())[0]

    def _theory_names(self) -> list[str]:
        names = [name for figure in self.figure for name in figure.theory]
        return names + [claim.expect.equals_theory for claim in self.claim if claim.expect.equals_theory]

    @property
    def figures(self) -> list[FigureSpec]:
        return self.figure

    @property
    def tables(self) -> list[TableSpec]:
        return self.table

    @property
    def claims(self) -> list[ClaimSpec]:
        return self.claim

    @property
    def most_repeats(self) -> int:
        """Largest number of repeats of a point."""
        return self.max_repeats if self.precision and self.max_repeats else self.repeats

    def points(self) -> list[dict[str, Any]]:
        """All combinations, first key slowest, with the scenario's defaults; alpha = 1 and alpha = 1.0 are
        the same point."""
        return list(self.iterate_points())

    def iterate_points(self) -> Iterator[dict[str, Any]]:
        """Yield the points one after the other: there may be millions."""
        return (fill_defaults(given, settings) for given, settings in self.iterate_settings())

    def iterate_settings(self) -> Iterator[tuple[dict[str, Any], BaseModel]]:
        """Yield each point as written and as validated parameters."""
        validate = self.scenario_object.parameters.model_validate
        keys, fixed = (*self.grid, *self.fixed), tuple(self.fixed.values())
        for row in product(*self.grid.values()):
            given = dict(zip(keys, row + fixed, strict=True))
            try:
                settings = validate(given)
            except ValidationError as error:
                reasons = "; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())
                point = " ".join(f"{key}={value}" for key, value in given.items())
                raise ValueError(f"{self.name}: the scenario does not take {point}: {reasons}") from None
            yield given, settings

    def point(self, k: int) -> dict[str, Any]:
        """The k-th point."""
        row: dict[str, Any] = {}
        for key in reversed(self.grid):
            k, rest = divmod(k, len(self.grid[key]))
            row = {key: self.grid[key][rest], **row}
        given = row | self.fixed
        return fill_defaults(given, self.scenario_object.parameters.model_validate(given))

    def __len__(self) -> int:
        return prod(len(values) for values in self.grid.values())


def fill_defaults(given: Mapping[str, Any], settings: BaseModel) -> dict[str, Any]:
    """Parameters with the scenario's defaults; the given keys come first, also those that it leaves out."""
    filled = settings.model_dump(mode="json")
    filled |= {key: getattr(settings, key) for key in given if key not in filled}
    return {key: filled[key] for key in [*given, *(key for key in filled if key not in given)]}


def matches_where(parameters: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """True if `where` selects the point.

    `key = value`, `key = [one, of, these]`, `key_min`, `key_max` (inclusive). A key that is a parameter
    itself, such as n_max, is not a bound.
    """
    for key, value in where.items():
        name, _, bound = key.rpartition("_")
        if key in parameters:
            right = parameters[key] in value if isinstance(value, list) else parameters[key] == value
        elif bound in ("min", "max") and name in parameters:
            right = parameters[name] >= value if bound == "min" else parameters[name] <= value
        else:
            raise ValueError(
                f"`where` names {key!r}, but the points have {', '.join(parameters)}. "
                "Use one of these, or one of these followed by _min or _max."
            )
        if not right:
            return False
    return True
