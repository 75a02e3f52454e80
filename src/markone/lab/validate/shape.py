"""Validate the shape of a declaration: pydantic's errors with the names of the TOML file."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from pydantic import BaseModel

from markone.lab.ranges import axis_values
from markone.lab.schema import ClaimSpec, Declaration, Expect, FigureSpec, Scalar, TableSpec
from markone.lab.theories.declared import TheorySpec
from markone.numerics.text import unknown_name_text

MODELS: dict[str, type[BaseModel]] = {
    "figure": FigureSpec,
    "table": TableSpec,
    "claim": ClaimSpec,
    "expect": Expect,
    "theory": TheorySpec,
}
SECTIONS: dict[str, Callable[[Any], Any]] = {
    "grid": axis_values,
    "fixed": lambda value: _require_scalar(value),
    "figure": lambda value: _validate_known_keys(FigureSpec, value),
    "table": lambda value: _validate_known_keys(TableSpec, value),
    "claim": lambda value: _validate_known_keys(ClaimSpec, value),
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
    for key in SECTIONS:
        given = data.get(key)
        if key in MODELS:
            items = given if isinstance(given, list) else []
            kept = _valid_items(key, dict(enumerate(items)))
            parts[key] = [kept.get(k) for k in range(len(items))]
        else:
            parts[key] = _valid_items(key, given if isinstance(given, dict) else {})
    return parts


def _valid_items(section: str, given: Mapping[Any, Any]) -> dict[Any, Any]:
    """The valid items of a section."""
    kept = {}
    for key, value in given.items():
        with suppress(ValueError):
            kept[key] = SECTIONS[section](value)
    return kept


def _validate_known_keys(model: type[BaseModel], value: Any) -> dict[str, Any]:
    """Validate a part without its unknown keys."""
    known = (
        {key: part for key, part in value.items() if key in model.model_fields}
        if isinstance(value, dict)
        else value
    )
    return model.model_validate(known).model_dump()


def _require_scalar(value: Any) -> Any:
    if not isinstance(value, Scalar):
        raise ValueError
    return value
