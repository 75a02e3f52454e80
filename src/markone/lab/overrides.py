"""Change values of a declaration: `with_(N=[10, 20])` in Python, `--set N=10,20` in a shell."""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from markone.lab import foreign_code
from markone.lab.foreign_code import defining_module
from markone.lab.load import parse_declaration
from markone.lab.scenarios.estimators import student_expressions
from markone.lab.schema import Declaration
from markone.lab.validate.parts import count_table_rows

# Keys of the declaration itself; every other name is a parameter of the scenario.
HEAD = (
    "name",
    "title",
    "packages",
    "seed",
    "repeats",
    "precision",
    "precision_of",
    "max_repeats",
    "task_limit",
    "read_first",
)
# What the results depend on: a change makes another run. More repeats continue the old one.
ASKED = ("scenario", "seed", "grid", "fixed")


def change_declaration(declaration: Declaration, changes: Mapping[str, Any]) -> Declaration:
    """The declaration with other values, validated like a file.

    A list (or a range) becomes an axis of the grid, also for a parameter that was fixed; a single value for
    an axis leaves the axis with this value only, so that the figures keep their x and their lines.
    """
    data = _declared_values(declaration)
    grid, fixed = dict(data["grid"]), dict(data["fixed"])
    for key, value in changes.items():
        value, code = _as_toml_value(value), _allow_student_packages(value)
        data["packages"] = [*data["packages"], *(name for name in code if name not in data["packages"])]
        if key in HEAD:
            data[key] = value
        elif isinstance(value, list | dict):
            fixed.pop(key, None)
            grid[key] = value
        elif key in grid:
            grid[key] = [value]
        else:
            fixed[key] = value
    data = {key: value for key, value in data.items() if value is not None} | {"grid": grid, "fixed": fixed}
    data["table"] = [_drop_stale_numbers(table, declaration.grid, grid) for table in data["table"]]
    found = parse_declaration(data, f"{declaration.name} with {', '.join(changes)}")
    return (
        found if "name" in changes else found.model_copy(update={"name": _changed_name(declaration, found)})
    )


def _drop_stale_numbers(
    table: dict[str, Any], before: Mapping[str, Any], grid: Mapping[str, Any]
) -> dict[str, Any]:
    """The table, without published numbers if its rows are no longer those of the source."""
    axes = {key: values for key, values in grid.items() if isinstance(values, list)}
    if axes == dict(before) or not table["published"]:
        return table
    numbers = len(next(iter(table["published"].values())))
    return table if count_table_rows(table, axes) == numbers else table | {"published": {}, "source": ""}


def _declared_values(declaration: Declaration) -> dict[str, Any]:
    """The keys of the declaration that have a value."""
    return {key: value for key, value in declaration.model_dump().items() if value is not None}


def _changed_name(origin: Declaration, found: Declaration) -> str:
    """Name such as capacity-3f9a01c2, the same for the same changes."""
    after, before = ({key: getattr(one, key) for key in ASKED} for one in (found, origin))
    if after == before:
        return origin.name
    text = json.dumps(after, sort_keys=True)
    return f"{origin.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _as_toml_value(value: Any) -> Any:
    """Convert numpy numbers and arrays, tuples, ranges and classifiers to values of a TOML file."""
    if student_expressions.is_student(value):
        return student_expressions.write_student(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple | range | set):
        return [_as_toml_value(one) for one in value]
    return value


def _allow_student_packages(value: Any) -> list[str]:
    """Packages of the given students; an instance made in Python is allowed to run."""
    if isinstance(value, list | tuple | set):
        return sorted({name for one in value for name in _allow_student_packages(one)})
    if not student_expressions.is_student(value):
        return []
    found = {
        defining_module(cls).split(".")[0] for cls in student_expressions.estimator_classes(value)
    } - foreign_code.OURS
    foreign_code.allow_packages(*found)
    return sorted(found)


def parse_settings(texts: Iterable[str]) -> dict[str, Any]:
    """Parse --set options: N=10,20 is a list, alpha=0.5:3:0.5 a range with its end, student=hebb a value."""
    found = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not (key and equals and value):
            raise ValueError(
                f"--set {text!r} must be name=value, for example N=10,20 or alpha=0.5:3:0.5 or student=hebb."
            )
        if key in found:
            raise ValueError(f"--set {key} is given twice: write {key}=one,other for several values.")
        found[key] = _parse_setting_values(value)
    return found


def _parse_setting_values(text: str) -> Any:
    if text.count(":") == 2:
        return dict(zip(("start", "stop", "step"), map(_parse_setting_value, text.split(":")), strict=True))
    if "," in text:
        return [_parse_setting_value(word) for word in text.split(",") if word.strip()]
    return _parse_setting_value(text)


def _parse_setting_value(word: str) -> Any:
    """A TOML number or boolean; anything else is a string."""
    word = word.strip()
    try:
        found = tomllib.loads(f"value = {word}")
    except tomllib.TOMLDecodeError:
        return word
    known = len(found) == 1 and isinstance(found["value"], str | bool | int | float)
    return found["value"] if known else word
