"""Validate a declaration: its shape, then its names and values against the scenario."""

import re
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
from markone.lab.scenarios.theories import add_theories
from markone.lab.schema import Declaration
from markone.lab.validate.parts import (
    numbered_items,
    part_problems,
    shape_problems,
    valid_parts,
    validation_message,
)
from markone.numerics.text import unknown_name_text

AXIS, MEASURE, THEORY, PICTURE, MARK = "axis of the grid", "measure", "theory", "picture", "mark"

# The keys of a part that name something, and what.
REFERENCES = {
    "figure": {"x": AXIS, "picture": PICTURE, "lines": AXIS, "measures": MEASURE}
    | {"theory": THEORY, "marks": MARK},
    "table": {"rows": AXIS, "across": AXIS, "columns": MEASURE},
    "claim": {"measure": MEASURE},
}
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
        name, text = parts["scenario"], str(error)
        if "." not in name:
            text = unknown_name_text("scenario", name, scenarios.scenario_names())
        # What can be found although the scenario is unknown.
        axes = [(at, key) for at, kind, key in _iterate_references(grid, parts) if kind == AXIS and key]
        wrong = [f"{at}: {unknown_name_text(AXIS, key, grid)}" for at, key in axes if key not in grid]
        return [*problems, f"scenario: {text}", *wrong, *part_problems(None, grid, parts)]
    named = [name for _, kind, name in _iterate_references(grid, parts) if kind == THEORY and name]
    scenario, refused = add_theories(scenario, parts.get("theory", {}), named)
    problems += [f"theory.{name}: {text}" for name, text in refused.items()]
    size = prod(len(values) for values in grid.values())
    if size > MOST:
        return [*problems, f"grid: {size} points are too many: at most {MOST}."]
    found = [*_parameter_problems(scenario, grid, fixed), *_unknown_names(scenario, grid, parts)]
    return [*problems, *found, *part_problems(scenario, grid, parts)]


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
                text = f"The scenario {scenario.name} needs this parameter: put it into [grid] or [fixed]."
                problems.append(f"{place}: {text if one['type'] == 'missing' else validation_message(one)}")
    return list(dict.fromkeys(problems))


def _iterate_tested_rows(axes: Mapping[str, list[Any]]) -> Iterator[tuple[Any, ...]]:
    if prod(map(len, axes.values())) <= MANY:
        yield from product(*axes.values())
        return
    first = tuple(values[0] for values in axes.values())
    for k, values in enumerate(axes.values()):
        step = 1 + len(values) * len(axes) // MANY
        yield from ((*first[:k], value, *first[k + 1 :]) for value in (*values[::step], values[-1]))


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


def _iterate_references(grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[Use]:
    """Yield (location, required kind, name) of each reference; the name is None if there is none."""
    yield "precision_of", MEASURE, parts.get("precision_of")
    for section, keys in REFERENCES.items():
        for k, part in numbered_items(parts, section):
            at = partial("{} {}, {}".format, section, k)
            for key, kind in keys.items():
                names = part[key] if isinstance(part[key], list) else [part[key] or None]
                yield from ((at(key), kind, name) for name in names)
            for key in part["where"]:
                # The axis of alpha, alpha_min and alpha_max.
                yield at("where"), AXIS, key if key in grid else re.sub("(_min|_max)$", "", key)
            yield from _expectation_references(at, part["expect"]) if section == "claim" else ()


def _expectation_references(at: Any, expect: Mapping[str, Any]) -> Iterator[Use]:
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
