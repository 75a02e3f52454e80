"""Validate the parts of a declaration: their shape with the names of the file, required keys, unused keys."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

from pydantic import BaseModel, ValidationError

from markone.lab.formatting import column_label
from markone.lab.ranges import axis_values
from markone.lab.scenario import Scenario
from markone.lab.scenarios.theories import TheorySpec
from markone.lab.schema import ClaimSpec, Declaration, Expect, FigureSpec, Scalar, TableSpec, matches_where
from markone.numerics.text import unknown_name_text

MODELS: dict[str, type[BaseModel]] = {
    "figure": FigureSpec,
    "table": TableSpec,
    "claim": ClaimSpec,
    "expect": Expect,
    "theory": TheorySpec,
}


def shape_problems(errors: list[Any]) -> list[str]:
    """Messages for pydantic's errors, with locations in the file."""
    return [f"{_format_location(error['loc'])}: {validation_message(error)}" for error in errors]


def _format_location(loc: tuple[int | str, ...]) -> str:
    """Location in the file, counted from one: ("figure", 0, "x") -> "figure 1, x"."""
    text = ""
    for part in loc:
        text += f" {part + 1}" if isinstance(part, int) else f", {part}" if " " in text else f".{part}"
    return text.removeprefix(".")


def validation_message(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        parents = [str(part) for part in error["loc"][:-1] if not isinstance(part, int)]
        # A table of theories has the name of its own between its section and its keys.
        part = parents[0] if parents[:1] == ["theory"] else "".join(parents[-1:])
        model = MODELS.get(part, Declaration)
        return unknown_name_text("key", str(error["loc"][-1]), model.model_fields)
    if error["type"] == "missing":
        return "This is required."
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])
    return f"{error['msg']}, but {error['input']!r} was given."


def valid_parts(data: Mapping[str, Any], errors: list[Any]) -> dict[str, Any]:
    """The declaration without its invalid parts; the others keep their numbers and are still checked."""
    wrong = {error["loc"][0] for error in errors}
    parts = {key: value for key, value in data.items() if key not in wrong}
    for key in ("figure", "table", "claim"):
        given = data.get(key)
        items = given if isinstance(given, list) else []
        kept = _valid_items(dict(enumerate(items)), partial(_validate_known_keys, MODELS[key]))
        parts[key] = [kept.get(k) for k in range(len(items))]
    grid, fixed = data.get("grid"), data.get("fixed")
    parts["grid"] = _valid_items(grid if isinstance(grid, dict) else {}, axis_values)
    values = fixed.items() if isinstance(fixed, dict) else ()
    parts["fixed"] = {key: value for key, value in values if isinstance(value, Scalar)}
    return parts


def _valid_items(given: Mapping[Any, Any], validate: Callable[[Any], Any]) -> dict[Any, Any]:
    kept = {}
    for key, value in given.items():
        with suppress(ValueError):
            kept[key] = validate(value)
    return kept


def _validate_known_keys(model: type[BaseModel], value: Any) -> dict[str, Any]:
    """Validate a part without its unknown keys."""
    if isinstance(value, dict):
        value = {key: part for key, part in value.items() if key in model.model_fields}
    return model.model_validate(value).model_dump()


# A picture draws its own axes.
NOT_IN_A_PICTURE = ("x", "lines", "measures", "theory", "marks", "xlabel", "ylabel", "logx", "logy")


def part_problems(
    scenario: Scenario | None, grid: Mapping[str, Any], parts: Mapping[str, Any]
) -> Iterator[str]:
    """Problems of figures, tables and claims, and duplicate names."""
    checks = {"figure": _figure_problems, "table": _table_problems, "claim": _claim_problems}
    for section, check in checks.items():
        for k, part in numbered_items(parts, section):
            yield from (f"{section} {k}, {problem}" for problem in check(part, grid))
    for section in checks if scenario else ():
        for k, part in numbered_items(parts, section):
            assert scenario is not None
            yield from (f"{section} {k}, {problem}" for problem in _value_problems(scenario, grid, part))
    for section in ("figure", "table"):
        names = [part["name"] for _, part in numbered_items(parts, section)]
        for name in dict.fromkeys(name for name in names if names.count(name) > 1):
            yield f"{section}, name: Two of them are called {name!r}: they would be one file."


def _figure_problems(figure: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[str]:
    if figure["kind"] == "picture":
        if not figure["picture"]:
            yield "picture: This is required of the kind 'picture'."
        for key in NOT_IN_A_PICTURE:
            if figure[key]:
                yield f"{key}: A picture does not use it: remove it."
        return
    if not figure["x"]:
        yield "x: This is required."
    if not figure["measures"]:
        yield "measures: List should have at least 1 item: name what is drawn."
    if figure["picture"]:
        yield f"picture: The kind {figure['kind']!r} does not use it: remove it, or choose kind = 'picture'."
    if figure["kind"] != "lines" and not figure["lines"]:
        yield f"lines: The kind {figure['kind']!r} needs a second axis: name it here."
    if figure["kind"] != "lines" and figure["marks"]:
        yield f"marks: The kind {figure['kind']!r} does not use them: remove them."


def _table_problems(table: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[str]:
    for name in table["rows"]:
        if name in table["across"]:
            yield f"across: {name} is in `rows` already: remove one."
    if table["published"] and not table["source"]:
        yield "source: Say where the published numbers come from."
    labels = _table_column_labels(table, grid) if table["published"] else []
    for name in table["published"]:
        if name not in labels:
            yield f"published: {unknown_name_text('column', name, labels)}"
    n = count_table_rows(table, grid) if table["published"] else 0
    for name, numbers in table["published"].items():
        if n and len(numbers) != n:
            average = ", the last of them the average" if table["average"] else ""
            yield f"published: {name} has {len(numbers)} numbers for {n} rows{average}: write nan for a gap."


def _table_column_labels(table: Mapping[str, Any], grid: Mapping[str, Any]) -> list[str]:
    """Labels of the columns, as printed."""
    across = [key for key in table["across"] if key in grid]
    groups = [dict(zip(across, values, strict=True)) for values in product(*(grid[key] for key in across))]
    return [column_label(group, name, len(table["columns"])) for group in groups for name in table["columns"]]


def count_table_rows(table: Mapping[str, Any], grid: Mapping[str, Any]) -> int:
    """Number of combinations of the axes that are not in `across`, plus the average; 0 if unknown."""
    keys = [key for key in grid if key not in table["across"]]
    rows = (dict(zip(grid, row, strict=True)) for row in product(*grid.values()))
    try:
        found = {tuple(row[key] for key in keys) for row in rows if matches_where(row, table["where"])}
    except ValueError:
        return 0
    return len(found) + bool(table["average"])


def _claim_problems(claim: Mapping[str, Any], grid: Mapping[str, Any]) -> Iterator[str]:
    expect = claim["expect"]
    if all(value is None for kind, value in expect.items() if kind != "within"):
        yield f"expect: Say what is expected: {', '.join(Expect.model_fields)}."
    if expect["within"] is not None and expect["equals"] is None and expect["equals_theory"] is None:
        yield "expect, within: It is the margin of equals or equals_theory: remove it, or add one of them."
    yield from _expectation_problems(expect)
    for kind in ("below_line", "above_line"):
        other = claim["expect"][kind]
        if other == {}:
            yield f"expect, {kind}: Say which line, e.g. {kind} = {{ student = 'hebb' }}."
        elif other and all(claim["where"].get(key) == value for key, value in other.items()):
            yield f"expect, {kind}: `where` chooses the same line: nothing is below or above itself."


def _expectation_problems(expect: Mapping[str, Any]) -> Iterator[str]:
    for kind in ("largest_at", "grows_with"):
        if expect[kind] is not None and len(expect[kind]) != 1:
            yield f"expect, {kind}: Name one key, not {len(expect[kind])}."
    for powers in (expect["grows_with"] or {}).values():
        if len(powers) != 2 or not powers[0] < powers[1]:
            yield f"expect, grows_with: Give the least and the largest power, e.g. [1.8, 2.2], not {powers}."
    if expect["every_run"] == {}:
        yield "expect, every_run: Say what: at_most, at_least or equals."
    ratio = expect["ratio"]
    if ratio and ratio["line"] is None and ratio["measure"] is None:
        yield "expect, ratio: Say to what: line = { student = 'hebb' }, or measure = '..'."
    if ratio and ratio["above"] is None and ratio["below"] is None:
        yield "expect, ratio: Say how large: above, below, or both."


def _value_problems(scenario: Scenario, grid: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[str]:
    """Values that a parameter cannot have. Valid values that are not in the grid are accepted: a copy of an
    experiment may have a part of its grid only."""
    expect = part.get("expect") or {}
    conditions = [("where", key, value) for key, value in part["where"].items()]
    for kind in ("below_line", "above_line"):
        conditions += [(f"expect, {kind}", key, value) for key, value in (expect.get(kind) or {}).items()]
    for place, key, value in conditions:
        if key in grid and key in scenario.parameters.model_fields:
            for one in value if isinstance(value, list) else [value]:
                yield from (f"{place}: {text}" for text in _rejection_messages(scenario, grid, key, one))


def _rejection_messages(scenario: Scenario, grid: Mapping[str, Any], key: str, value: Any) -> list[str]:
    """Errors about the key when the first grid point is validated with this value."""
    first = {name: values[0] for name, values in grid.items() if values}
    try:
        scenario.parameters.model_validate({**first, key: value})
    except ValidationError as error:
        return [validation_message(one) for one in error.errors() if one["loc"] == (key,)]
    return []


def numbered_items(parts: Mapping[str, Any], section: str) -> list[tuple[int, Any]]:
    """The valid items of a section with their numbers in the file, from one."""
    return [(k + 1, part) for k, part in enumerate(parts.get(section, [])) if part is not None]
