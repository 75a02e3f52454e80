"""Validate a declaration: its shape, then its names and values against the scenario."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product
from math import prod
from typing import Any

from pydantic import ValidationError

from markone.errors import DeclarationError
from markone.lab import scenarios
from markone.lab.ranges import MOST
from markone.lab.scenario import Scenario
from markone.lab.schema import Declaration
from markone.lab.theories.named import add_theories
from markone.lab.validate.parts import numbered_items, part_problems
from markone.lab.validate.shape import shape_problems, valid_parts, validation_message
from markone.numerics.text import unknown_name_text

AXIS, MEASURE, THEORY, PICTURE, MARK = "axis of the grid", "measure", "theory", "picture", "mark"

Use = tuple[str, str, Any]
# Grids up to this size are validated at every point when a declaration is read: tenths of a second.
MANY = 20_000
PRECISION = ("precision", "precision_of", "max_repeats")


def validate_declaration(data: Mapping[str, Any], source: str) -> Declaration:
    """The validated declaration, or one DeclarationError with all problems."""
    try:
        declaration = Declaration.model_validate(dict(data))
    except ValidationError as error:
        errors = error.errors()
        problems = [*shape_problems(errors), *_scenario_problems(valid_parts(data, errors))]
        raise DeclarationError(source, problems) from None
    problems = _scenario_problems(declaration.model_dump())
    if problems:
        raise DeclarationError(source, problems)
    return declaration


def _scenario_problems(parts: Mapping[str, Any]) -> list[str]:
    """Problems that depend on the scenario; the parts may be incomplete."""
    grid, fixed = parts.get("grid", {}), parts.get("fixed", {})
    problems = [f"fixed.{key}: {key} is in the grid already: remove one." for key in fixed if key in grid]
    problems += _precision_problems(parts)
    if "scenario" not in parts:
        return problems
    try:
        scenario = scenarios.find_scenario(parts["scenario"])
    except ValueError as error:
        own = "." in parts["scenario"]
        text = (
            str(error)
            if own
            else unknown_name_text("scenario", parts["scenario"], scenarios.scenario_names())
        )
        return [*problems, f"scenario: {text}", *_problems_without_scenario(grid, parts)]
    scenario, wrong = add_theories(scenario, parts.get("theory", {}), _referenced_theories(grid, parts))
    problems += [f"theory.{name}: {text}" for name, text in wrong.items()]
    size = prod(len(values) for values in grid.values())
    if size > MOST:
        return [*problems, f"grid: {size} points are too many: at most {MOST}."]
    found = [*_parameter_problems(scenario, grid, fixed), *_unknown_names(scenario, grid, parts)]
    return [*problems, *found, *part_problems(scenario, grid, parts)]


def _problems_without_scenario(grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[str]:
    """Problems that can be found although the scenario is unknown."""
    for where, kind, name in _iterate_references(grid, parts):
        if kind == AXIS and name is not None and name not in grid:
            yield f"{where}: {unknown_name_text(kind, name, grid)}"
    yield from part_problems(None, grid, parts)


def _precision_problems(parts: Mapping[str, Any]) -> Iterator[str]:
    given = [key for key in PRECISION if parts.get(key) is not None]
    if given and len(given) < 3:
        missing = [key for key in PRECISION if key not in given]
        yield f"{given[0]}: {', '.join(PRECISION)} belong together; {' and '.join(missing)} is missing."
    if len(given) == 3 and parts.get("repeats", 0) > parts["max_repeats"]:
        yield f"max_repeats: {parts['max_repeats']} is less than repeats = {parts['repeats']}."


def _parameter_problems(scenario: Scenario, grid: Mapping[str, Any], fixed: Mapping[str, Any]) -> list[str]:
    """Unknown names first; then each different problem of the points once. Of more than MANY points about
    MANY, where all axes but one have their first value: the others are validated when tasks are made."""
    known = scenario.parameters.model_fields
    where = {**dict.fromkeys(fixed, "fixed"), **dict.fromkeys(grid, "grid")}
    kind = f"parameter of the scenario {scenario.name}"
    problems = [
        f"{where[key]}.{key}: {unknown_name_text(kind, key, known)}" for key in where if key not in known
    ]
    axes = {key: values for key, values in grid.items() if key in known}
    rest = {key: value for key, value in fixed.items() if key in known}
    for row in _iterate_tested_rows(axes):
        try:
            scenario.parameters.model_validate(dict(zip(axes, row, strict=True)) | rest)
        except ValidationError as error:
            for one in error.errors():
                key = str(one["loc"][0]) if one["loc"] else "grid"
                place = f"{where[key]}.{key}" if key in where else key
                problems.append(f"{place}: {_parameter_sentence(scenario, one)}")
    return list(dict.fromkeys(problems))


def _iterate_tested_rows(axes: Mapping[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    if prod(map(len, axes.values())) <= MANY:
        yield from product(*axes.values())
        return
    first = tuple(values[0] for values in axes.values())
    for k, values in enumerate(axes.values()):
        step = 1 + len(values) * len(axes) // MANY
        yield from ((*first[:k], value, *first[k + 1 :]) for value in (*values[::step], values[-1]))


def _parameter_sentence(scenario: Scenario, error: Any) -> str:
    if error["type"] == "missing":
        return f"The scenario {scenario.name} needs this parameter: put it into [grid] or [fixed]."
    return validation_message(error)


def _unknown_names(scenario: Scenario, grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[str]:
    """References to axes, measures, theories, pictures or marks that do not exist."""
    valid: dict[str, Mapping[str, Any]] = {
        AXIS: grid,
        MEASURE: scenario.measures,
        THEORY: scenario.theories,
        PICTURE: scenario.pictures,
        MARK: scenario.marks,
    }
    for where, kind, name in _iterate_references(grid, parts):
        if name is not None and name not in valid[kind]:
            yield f"{where}: {unknown_name_text(kind, name, valid[kind])}"


def _referenced_theories(grid: Mapping[str, Any], parts: Mapping[str, Any]) -> list[str]:
    return [name for _, kind, name in _iterate_references(grid, parts) if kind == THEORY and name]


def _iterate_references(grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[Use]:
    """Yield (location, required kind, name) of each reference; the name is None if there is none."""
    yield "precision_of", MEASURE, parts.get("precision_of")
    for k, figure in numbered_items(parts, "figure"):
        yield from _figure_references(partial("figure {}, {}".format, k), figure, grid)
    for k, table in numbered_items(parts, "table"):
        yield from _table_references(partial("table {}, {}".format, k), table, grid)
    for k, claim in numbered_items(parts, "claim"):
        yield from _claim_references(partial("claim {}, {}".format, k), claim, grid)


def _figure_references(at: Any, figure: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    yield at("x"), AXIS, figure["x"] or None
    yield at("picture"), PICTURE, figure["picture"] or None
    yield from ((at("lines"), AXIS, name) for name in figure["lines"])
    yield from ((at("measures"), MEASURE, name) for name in figure["measures"])
    yield from ((at("theory"), THEORY, name) for name in figure["theory"])
    yield from ((at("marks"), MARK, name) for name in figure["marks"])
    yield from ((at("where"), AXIS, _axis_of_key(key, grid)) for key in figure["where"])


def _table_references(at: Any, table: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    yield from ((at("rows"), AXIS, name) for name in table["rows"])
    yield from ((at("across"), AXIS, name) for name in table["across"])
    yield from ((at("columns"), MEASURE, name) for name in table["columns"])
    yield from ((at("where"), AXIS, _axis_of_key(key, grid)) for key in table["where"])


def _claim_references(at: Any, claim: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    expect = claim["expect"]
    yield at("measure"), MEASURE, claim["measure"]
    yield from ((at("where"), AXIS, _axis_of_key(key, grid)) for key in claim["where"])
    yield at("expect"), AXIS, expect["falls_with"]
    yield at("expect"), AXIS, expect["rises_with"]
    yield at("expect"), THEORY, expect["equals_theory"]
    yield at("expect, below_measure"), MEASURE, expect["below_measure"]
    ratio = expect["ratio"] or {}
    yield at("expect, ratio, measure"), MEASURE, ratio.get("measure")
    yield from ((at("expect, ratio, line"), AXIS, key) for key in ratio.get("line") or {})
    for kind in ("below_line", "above_line", "grows_with", "largest_at"):
        yield from ((at(f"expect, {kind}"), AXIS, key) for key in expect[kind] or {})
    for bound in (expect["every_run"] or {}).values():
        yield at("expect, every_run"), THEORY, bound if isinstance(bound, str) else None


def _axis_of_key(key: str, grid: Mapping[str, Any]) -> str:
    """The axis of a `where` key: alpha for alpha, alpha_min and alpha_max."""
    return key if key in grid else key.removesuffix("_min").removesuffix("_max")
