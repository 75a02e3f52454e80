"""The parts of a declaration: what is drawn, what is printed, what is claimed."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Scalar = str | bool | int | float
Where = dict[str, Scalar | list[Scalar]]
Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]


class Strict(BaseModel):
    # Strict: "12" in quotes is a slip, not a number.
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Figure(Strict):
    """Measures over x, one line for each combination of `lines`, and the theory on the same axes; or a map
    or a surface over x and the one key in `lines`; or a picture that the scenario draws, of the points that
    `where` leaves. x and measures are empty for a picture only (checks.py)."""

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


class Table(Strict):
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


class Expect(Strict):
    """What a claim says about its measure: at least one of these, and all that are given.

    below_line and above_line compare each point with the one where the named keys have other values.
    """

    equals: float | None = None
    above: float | None = None
    below: float | None = None
    falls_with: str | None = None
    rises_with: str | None = None
    equals_theory: str | None = None
    below_line: dict[str, Scalar] | None = None
    above_line: dict[str, Scalar] | None = None


class Claim(Strict):
    """A sentence, and how the numbers are asked whether it holds."""

    text: str
    measure: str
    where: Where = {}
    expect: Expect
