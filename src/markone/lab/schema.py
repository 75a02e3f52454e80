"""A declaration, one TOML file = one figure or table: what is run, drawn, printed and claimed."""

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from markone.lab import scenarios
from markone.lab.places import NAME
from markone.lab.ranges import too_large, values_of
from markone.lab.scenario import Scenario

Scalar = str | bool | int | float
AxisValues = Annotated[list[Scalar], BeforeValidator(values_of)]
Where = dict[str, Scalar | list[Scalar]]
Name = Annotated[str, Field(pattern=f"^{NAME}$")]
# As Python imports it; "__main__" is a script or a notebook.
Package = Annotated[str, Field(pattern="^[A-Za-z_][A-Za-z0-9_]{0,99}$")]


def bounded(value: Scalar) -> Scalar:
    too_large(value)
    return value


class Strict(BaseModel):
    # Strict: "12" in quotes is a slip, not a number.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class FigureSpec(Strict):
    """Measures over x, one line for each combination of `lines`, and the theory on the same axes; or a map
    or a surface over x and the one key in `lines`; or a picture that the scenario draws, of the points that
    `where` leaves. x and measures are empty for a picture only (validate/parts.py)."""

    name: Name
    kind: Literal["lines", "map", "surface", "picture"] = "lines"
    picture: str = ""
    x: str = ""
    lines: list[str] = []
    measures: list[str] = []
    theory: list[str] = []
    marks: list[str] = []
    where: Where = {}
    xlabel: str = ""
    ylabel: str = ""
    logx: bool = False
    logy: bool = False


class TableSpec(Strict):
    """Measures as numbers: a row for each combination of `rows`, a group of columns for each of `across`.

    `digits` are decimals. `published` holds the numbers of a `source`, printed beside ours: under the
    column's name one for each row, and one for the average if there is one; nan where it gives none.
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
    published: dict[str, list[float]] = {}
    source: str = ""


class Ratio(Strict):
    """Of a claim's measure to that of another line, or to another measure of the same runs."""

    line: dict[str, Scalar] | None = None
    measure: str | None = None
    above: float | None = None
    below: float | None = None


class Expect(Strict):
    """What a claim says about its measure: at least one of these, and all that are given.

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
    """A sentence, and how the numbers are asked whether it holds. of = "spread": about the standard deviation
    of the runs instead of their mean."""

    text: str
    measure: str
    of: Literal["mean", "spread"] = "mean"
    where: Where = {}
    expect: Expect


class Declaration(Strict):
    """What is asked; tasks.py says what is to be done. `packages` are those it takes code from that is not
    markone's or scikit-learn's: none of it runs before its user allows it (own_code.py). `source_data`
    names the real set that the published numbers and the claims are about (data_used.py)."""

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
    # Seconds after which a task is given up; runner/limits.py chooses if nothing is said.
    task_limit: float | None = Field(default=None, gt=0)
    read_first: str = ""
    source_data: str = ""
    grid: dict[str, AxisValues] = Field(min_length=1)
    fixed: dict[str, Annotated[Scalar, AfterValidator(bounded)]] = Field(default={})
    figure: list[FigureSpec] = Field(default=[])
    table: list[TableSpec] = Field(default=[])
    claim: list[ClaimSpec] = Field(default=[])

    @property
    def scenario_object(self) -> Scenario:
        return scenarios.find(self.scenario)

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
        """No point gets more than these."""
        return self.max_repeats if self.precision and self.max_repeats else self.repeats

    def points(self) -> list[dict[str, Any]]:
        """All combinations, first key slowest, with the scenario's defaults filled in: alpha = 1 and
        alpha = 1.0 are the same point."""
        return list(self.each_point())

    def each_point(self) -> Iterator[dict[str, Any]]:
        """The same one after the other: there may be millions."""
        return (complete(given, settings) for given, settings in self.each_setting())

    def each_setting(self) -> Iterator[tuple[dict[str, Any], BaseModel]]:
        """Each point as it is written, and as the scenario understands it: the latter is most of the work of
        counting a million."""
        understood = self.scenario_object.parameters.model_validate
        keys, fixed = (*self.grid, *self.fixed), tuple(self.fixed.values())
        for row in product(*self.grid.values()):
            given = dict(zip(keys, row + fixed, strict=True))
            try:
                settings = understood(given)
            except ValidationError as error:
                told = "; ".join(str(one["msg"]).removeprefix("Value error, ") for one in error.errors())
                point = " ".join(f"{key}={value}" for key, value in given.items())
                raise ValueError(f"{self.name}: the scenario does not take {point}: {told}") from None
            yield given, settings

    def point(self, k: int) -> dict[str, Any]:
        """The k-th of them."""
        row: dict[str, Any] = {}
        for key in reversed(self.grid):
            k, rest = divmod(k, len(self.grid[key]))
            row = {key: self.grid[key][rest], **row}
        given = row | self.fixed
        return complete(given, self.scenario_object.parameters.model_validate(given))

    def __len__(self) -> int:
        return prod(len(values) for values in self.grid.values())


def complete(given: Mapping[str, Any], settings: BaseModel) -> dict[str, Any]:
    """The parameters as the scenario understands them; the given keys stay in front."""
    filled = settings.model_dump(mode="json")
    return {key: filled[key] for key in [*given, *(key for key in filled if key not in given)]}


def matches(parameters: Mapping[str, Any], where: Mapping[str, Any]) -> bool:
    """Is the point one of those that `where` chooses?

    `key = value`, `key = [one, of, these]`, `key_min`, `key_max`; the value itself is included.
    A parameter may itself be called n_max: a name that exists is a name, not a bound.
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
