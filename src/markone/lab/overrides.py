"""Change values of a declaration: `with_(N=[10, 20])` in Python, `--set N=10,20` in a shell."""

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from markone import theory as engine
from markone.lab import foreign_code, scenarios
from markone.lab.foreign_code import defining_module
from markone.lab.load import HEAD, parse_declaration
from markone.lab.scenario import Scenario
from markone.lab.scenarios.estimators import student_expressions
from markone.lab.scenarios.theories import is_theory_object
from markone.lab.schema import Declaration
from markone.lab.validate.parts import count_table_rows

# Keys of the declaration itself; every other name is a parameter of the scenario.
CHANGEABLE = {*HEAD} - {"scenario", "chapter", "source_data"}
# What the results depend on: a change makes another run. More repeats continue the old one.
ASKED = ("scenario", "seed", "grid", "fixed")


def change_declaration(declaration: Declaration, changes: Mapping[str, Any]) -> Declaration:
    """The declaration with other values, validated like a file.

    A list (or a range) becomes an axis of the grid, also for a parameter that was fixed; a single value for
    an axis leaves the axis with this value only, so that the figures keep their x and their lines.
    """
    data = {key: value for key, value in declaration.model_dump().items() if value is not None}
    grid, fixed = dict(data["grid"]), dict(data["fixed"])
    for key, value in changes.items():
        value, code = _as_toml_value(value), _allow_student_packages(value)
        data["packages"] = [*data["packages"], *(name for name in code if name not in data["packages"])]
        if key in CHANGEABLE:
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


def _changed_name(origin: Declaration, found: Declaration) -> str:
    """Name such as capacity-3f9a01c2, the same for the same changes."""
    after, before = ({key: getattr(one, key) for key in ASKED} for one in (found, origin))
    if after == before:
        return origin.name
    text = json.dumps(after, sort_keys=True)
    return f"{origin.name}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def write_objects(parts: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a declaration with names for the objects in them: a scenario, students, theories."""
    data = dict(parts)
    if isinstance(data.get("scenario"), Scenario):
        data["scenario"] = _name_scenario(data["scenario"])
    axes = {key: dict(data[key]) for key in ("grid", "fixed") if isinstance(data.get(key), Mapping)}
    packages = list(data.get("packages", []))
    for key, values in axes.items():
        packages += [name for value in values.values() for name in _allow_student_packages(value)]
        data[key] = {name: _as_toml_value(value) for name, value in values.items()}
    for part, place in (("figure", "theory"), ("claim", "expect")):
        data[part] = [
            one | {place: _name_theories(one[place])} if place in one else one for one in data.get(part, [])
        ]
    data["theory"] = {key: _write_theory(value, key) for key, value in data.get("theory", {}).items()}
    packages += [one["python"].split(".")[0] for one in data["theory"].values() if one.get("python")]
    return data | {"packages": list(dict.fromkeys(packages))}


def _name_scenario(scenario: Scenario) -> str:
    known = scenarios.scenario_names()
    if scenario.name in known and scenarios.find_scenario(scenario.name) is scenario:
        return scenario.name
    return foreign_code.name_object(scenario, scenario.name)


def _name_theories(given: Any) -> Any:
    """The theories of a figure or a claim, with names for the objects among them."""
    if isinstance(given, Mapping):
        return {key: _name_theories(value) for key, value in given.items()}
    if isinstance(given, list | tuple):
        return [_name_theories(one) for one in given]
    return _name_object(given, "theory") if is_theory_object(given) else given


def _write_theory(theory: Any, name: str) -> Mapping[str, Any]:
    """The table of a theory; of an object, its name."""
    if isinstance(theory, Mapping | BaseModel):
        return theory.model_dump() if isinstance(theory, BaseModel) else theory
    if isinstance(theory, engine.Curve):
        return {"curve": theory.name}
    if is_theory_object(theory):
        return {"python": _name_object(theory, name)}
    raise ValueError(f"theory {name} is {theory!r}: give a table, a Theory, a solution or a function.")


def _name_object(theory: Any, name: str) -> str:
    named: str = getattr(theory, "__name__", "") or getattr(theory, "title", name)
    return foreign_code.name_object(theory, named)


def _as_toml_value(value: Any) -> Any:
    """Convert numpy numbers and arrays, tuples, ranges and students to values of a TOML file."""
    if student_expressions.is_student(value):
        return student_expressions.write_student(value)
    if callable(value) and not isinstance(value, type):
        return foreign_code.name_object(value, getattr(value, "__name__", "student"))
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, list | tuple | range | set):
        return [_as_toml_value(one) for one in value]
    return value


def _allow_student_packages(value: Any) -> list[str]:
    """Packages of the given students; an instance made in Python is allowed to run."""
    if isinstance(value, list | tuple | set):
        return sorted({name for one in value for name in _allow_student_packages(one)})
    if student_expressions.is_student(value):
        classes = student_expressions.estimator_classes(value)
    else:
        classes = {value} if callable(value) and not isinstance(value, type) else set()
    found = {defining_module(cls).split(".")[0] for cls in classes} - foreign_code.OURS
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
