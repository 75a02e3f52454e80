"""A declaration: one TOML file = one figure or table, checked before anything runs."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from itertools import product
from math import prod
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from markone.errors import DeclarationError
from markone.lab import scenarios
from markone.lab.declaring.names import no_such
from markone.lab.declaring.parts import Claim, Expect, Figure, Name, Scalar, Strict, Table
from markone.lab.declaring.ranges import values_of
from markone.lab.scenario import Scenario

Values = Annotated[list[str | bool | int | float], BeforeValidator(values_of)]

__all__ = ["Claim", "Declaration", "Expect", "Figure", "Table", "complete", "load", "parse", "shipped"]


class Declaration(Strict):
    """What is asked; `tasks` (blocks.py) says what is to be done."""

    name: Name
    title: str
    scenario: str
    seed: int = Field(ge=0, lt=2**63)
    repeats: int = Field(ge=1)
    precision: float | None = Field(default=None, gt=0)
    precision_of: str | None = None
    max_repeats: int | None = Field(default=None, ge=1)
    read_first: str = ""
    grid: dict[str, Values] = Field(min_length=1)
    fixed: dict[str, Scalar] = Field(default={})
    figure: list[Figure] = Field(default=[])
    table: list[Table] = Field(default=[])
    claim: list[Claim] = Field(default=[])

    @property
    def scenario_object(self) -> Scenario:
        return scenarios.find(self.scenario)

    @property
    def figures(self) -> list[Figure]:
        return self.figure

    @property
    def tables(self) -> list[Table]:
        return self.table

    @property
    def claims(self) -> list[Claim]:
        return self.claim

    @property
    def most_repeats(self) -> int:
        """No point gets more than these."""
        return self.max_repeats if self.precision and self.max_repeats else self.repeats

    def points(self) -> list[dict[str, Any]]:
        """All combinations, first key slowest, with the scenario's defaults filled in: alpha = 1 and
        alpha = 1.0 are the same point."""
        model = self.scenario_object.parameters
        rows = product(*self.grid.values())
        return [complete(model, dict(zip(self.grid, row, strict=True)) | self.fixed) for row in rows]

    def __len__(self) -> int:
        return prod(len(values) for values in self.grid.values())


def complete(model: type[BaseModel], given: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters as the scenario understands them; the given keys stay in front."""
    filled = model.model_validate(dict(given)).model_dump(mode="json")
    return {key: filled[key] for key in [*given, *(key for key in filled if key not in given)]}


def parse(data: Mapping[str, Any], source: str = "The declaration") -> Declaration:
    """All that is wrong is said at once: the shape of the file, and its names against the scenario."""
    from markone.lab.declaring.checks import meaning
    from markone.lab.declaring.resolve import resolved
    from markone.lab.declaring.shape import shape, sound_parts

    try:
        declaration, errors = Declaration.model_validate(dict(data)), []
        parts: Mapping[str, Any] = declaration.model_dump()
    except ValidationError as error:
        declaration, errors = None, error.errors()
        parts = sound_parts(data, errors)
    problems = [*shape(errors), *meaning(parts)]
    if problems or declaration is None:
        raise DeclarationError(source, problems)
    try:
        return resolved(declaration)
    except ValueError as error:
        raise DeclarationError(source, [str(error)]) from None


def folder() -> Path:
    return Path(str(files("markone"))) / "experiments"


def shipped() -> list[str]:
    """The experiments that come with the package."""
    return sorted(path.stem for path in folder().glob("*.toml"))


def load(path_or_name: str | Path) -> Declaration:
    """A TOML file, or an experiment that comes with the package, by its name."""
    path = Path(path_or_name)
    if not path.is_file():
        if path.suffix or str(path_or_name) not in shipped():
            raise DeclarationError(str(path_or_name), [no_such("file or experiment", str(path), shipped())])
        path = folder() / f"{path_or_name}.toml"
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeclarationError(path.name, [f"This is not TOML: {error}."]) from None
    return parse(data, path.name)
