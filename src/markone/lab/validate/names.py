"""The names that figures, tables and claims use, and what they must be names of."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from markone.lab.scenario import Scenario
from markone.numerics.text import no_such

AXIS, MEASURE, THEORY, PICTURE, MARK = "axis of the grid", "measure", "theory", "picture", "mark"

Use = tuple[str, str, Any]


def unknown_names(scenario: Scenario, grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[str]:
    """Each name that must be an axis, or something that the scenario has."""
    valid: dict[str, Mapping[str, Any]] = {
        AXIS: grid,
        MEASURE: scenario.measures,
        THEORY: scenario.theories,
        PICTURE: scenario.pictures,
        MARK: scenario.marks,
    }
    for where, kind, name in used(grid, parts):
        if name is not None and name not in valid[kind]:
            yield f"{where}: {no_such(kind, name, valid[kind])}"


def used(grid: Mapping[str, Any], parts: Mapping[str, Any]) -> Iterator[Use]:
    """(where it stands, what it must be, the name); None where nothing is named."""
    yield "precision_of", MEASURE, parts.get("precision_of")
    for k, figure in numbered(parts, "figure"):
        yield from by_figure(partial("figure {}, {}".format, k), figure, grid)
    for k, table in numbered(parts, "table"):
        yield from by_table(partial("table {}, {}".format, k), table, grid)
    for k, claim in numbered(parts, "claim"):
        yield from by_claim(partial("claim {}, {}".format, k), claim, grid)


def numbered(parts: Mapping[str, Any], section: str) -> list[tuple[int, Any]]:
    """The readable items of a section with their numbers in the file, from one."""
    return [(k + 1, part) for k, part in enumerate(parts.get(section, [])) if part is not None]


def by_figure(at: Any, figure: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    yield at("x"), AXIS, figure["x"] or None
    yield at("picture"), PICTURE, figure["picture"] or None
    yield from ((at("lines"), AXIS, name) for name in figure["lines"])
    yield from ((at("measures"), MEASURE, name) for name in figure["measures"])
    yield from ((at("theory"), THEORY, name) for name in figure["theory"])
    yield from ((at("marks"), MARK, name) for name in figure["marks"])
    yield from ((at("where"), AXIS, axis(key, grid)) for key in figure["where"])


def by_table(at: Any, table: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    yield from ((at("rows"), AXIS, name) for name in table["rows"])
    yield from ((at("across"), AXIS, name) for name in table["across"])
    yield from ((at("columns"), MEASURE, name) for name in table["columns"])
    yield from ((at("where"), AXIS, axis(key, grid)) for key in table["where"])


def by_claim(at: Any, claim: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[Use]:
    expect = claim["expect"]
    yield at("measure"), MEASURE, claim["measure"]
    yield from ((at("where"), AXIS, axis(key, grid)) for key in claim["where"])
    yield at("expect"), AXIS, expect["falls_with"]
    yield at("expect"), AXIS, expect["rises_with"]
    yield at("expect"), THEORY, expect["equals_theory"]
    for kind in ("below_line", "above_line"):
        yield from ((at(f"expect, {kind}"), AXIS, key) for key in expect[kind] or {})


def axis(key: str, grid: Mapping[str, Any]) -> str:
    """alpha, alpha_min and alpha_max are all about alpha."""
    return key if key in grid else key.removesuffix("_min").removesuffix("_max")
