"""Load a declaration from a TOML file or by the name of a shipped experiment; write it as TOML.

A scenario may resolve one name to another, for example "handwritten" to "semeion": it is replaced everywhere.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from markone.errors import DeclarationError
from markone.lab import catalogue, foreign_code
from markone.lab.schema import ClaimSpec, Declaration, FigureSpec, TableSpec, fill_defaults
from markone.lab.validate.declaration import validate_declaration
from markone.numerics.text import unknown_name_text

# Largest declaration in bytes; the largest that ships has 10 kB.
LARGEST = 1_000_000

Meanings = Mapping[str, Mapping[Any, Any]]


def load_declaration(path_or_name: str | Path, allow: Iterable[str] = ()) -> Declaration:
    """Load a TOML file, or a shipped experiment by its name. Code of the packages in `allow` may run, if the
    file names them."""
    foreign_code.allow_packages(*allow)
    path = Path(path_or_name)
    if not path.is_file():
        shipped = catalogue.experiment_names()
        if path.suffix or str(path_or_name) not in shipped:
            raise DeclarationError(
                str(path_or_name), [unknown_name_text("file or experiment", str(path), shipped)]
            )
        path = catalogue.FOLDER / f"{path_or_name}.toml"
    if path.stat().st_size > LARGEST:
        raise DeclarationError(path.name, [f"The file has more than {LARGEST} bytes: is it a declaration?"])
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DeclarationError(path.name, [f"This is not TOML: {error}."]) from None
    except RecursionError:
        raise DeclarationError(path.name, ["It is nested too deeply to be read."]) from None
    return parse_declaration(data, path.name, path.parent)


def parse_declaration(
    data: Mapping[str, Any], source: str = "The declaration", folder: Path | None = None
) -> Declaration:
    """Validate a declaration; one DeclarationError has all problems. Foreign code is searched in `folder`."""
    with foreign_code.restrict_packages(_named_packages(data), folder):
        declaration = validate_declaration(data, source)
        try:
            foreign_code.require_unchanged_packages()
            return _resolve_names(declaration)
        except ValueError as error:
            raise DeclarationError(source, [str(error)]) from None


def _named_packages(data: Mapping[str, Any]) -> set[str]:
    """Packages that the declaration names, also by its scenario: "mine.py" or "my_lab.mine.SCENARIO"."""
    given, scenario = data.get("packages", []), data.get("scenario", "")
    named = {str(name) for name in given} if isinstance(given, list) else set()
    return named | ({scenario.split(".")[0]} if isinstance(scenario, str) and "." in scenario else set())


def _resolve_names(declaration: Declaration) -> Declaration:
    """The declaration with every name as resolved by the scenario's parameters, the same in grid, `where` and
    stored points."""
    meanings = {key: found for key in declaration.grid if (found := _resolve_axis_names(declaration, key))}
    if not meanings:
        return declaration
    grid = {
        key: [meanings.get(key, {}).get(v, v) for v in values] for key, values in declaration.grid.items()
    }
    for key, values in grid.items():
        for value in values:
            if values.count(value) > 1:
                given = [name for name in declaration.grid[key] if meanings[key].get(name, name) == value]
                raise ValueError(
                    f"grid.{key}: {' and '.join(map(repr, given))} both mean {value!r} here: name it once."
                )
    changes: dict[str, Any] = {
        "grid": grid,
        "figure": [_resolve_part_names(part, meanings) for part in declaration.figure],
        "table": [_resolve_part_names(part, meanings) for part in declaration.table],
        "claim": [_resolve_part_names(part, meanings) for part in declaration.claim],
    }
    return declaration.model_copy(update=changes)


def _resolve_axis_names(declaration: Declaration, key: str) -> dict[Any, Any]:
    """{given: resolved} for the names of an axis that the scenario resolves to another one."""
    model = declaration.scenario_object.parameters
    first = {name: values[0] for name, values in declaration.grid.items()} | declaration.fixed
    found = {}
    for value in declaration.grid[key]:
        if isinstance(value, str):
            given = first | {key: value}
            meant = fill_defaults(given, model.model_validate(given))[key]
            if meant != value:
                found[value] = meant
    return found


def _resolve_part_names(
    part: FigureSpec | TableSpec | ClaimSpec, meanings: Meanings
) -> FigureSpec | TableSpec | ClaimSpec:
    changes: dict[str, Any] = {"where": _resolve_where_names(part.where, meanings)}
    if isinstance(part, ClaimSpec):
        lines = {kind: getattr(part.expect, kind) for kind in ("below_line", "above_line")}
        lines = {kind: _resolve_where_names(line, meanings) for kind, line in lines.items() if line}
        changes["expect"] = part.expect.model_copy(update=lines)
    return part.model_copy(update=changes)


def _resolve_where_names(where: Mapping[str, Any], meanings: Meanings) -> dict[str, Any]:
    def meant(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [meant(key, one) for one in value]
        return meanings.get(key, {}).get(value, value)

    return {key: meant(key, value) for key, value in where.items()}


SECTIONS = ("grid", "fixed", "theory", "figure", "table", "claim")
HEAD = [key for key in Declaration.model_fields if key not in SECTIONS]


def toml_text(declaration: Any) -> str:
    parts = [_toml_fields(declaration, HEAD)]
    for section in ("grid", "fixed"):
        if values := getattr(declaration, section):
            parts.append([f"[{section}]", *(f"{_toml_key(k)} = {_toml_value(v)}" for k, v in values.items())])
    for name, table in getattr(declaration, "theory", {}).items():
        given = table.model_dump(mode="json", exclude_defaults=True)
        parts.append([f"[theory.{_toml_key(name)}]", *(f"{k} = {_toml_value(v)}" for k, v in given.items())])
    parts += [
        ["[[figure]]", *_toml_fields(figure, FigureSpec.model_fields)] for figure in declaration.figures
    ]
    parts += [["[[table]]", *_toml_fields(table, TableSpec.model_fields)] for table in declaration.tables]
    for claim in declaration.claims:
        parts.append(
            [
                "[[claim]]",
                *(line for line in _toml_fields(claim, ClaimSpec.model_fields) if line != 'of = "mean"'),
            ]
        )
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _toml_fields(thing: Any, keys: Iterable[str]) -> list[str]:
    pairs = [(key, getattr(thing, key, None)) for key in keys]
    return [
        f"{key} = {_toml_value(value)}"
        for key, value in pairs
        if value or (value == 0 and value is not False)
    ]


def _toml_value(value: Any) -> str:
    if hasattr(value, "model_dump"):
        value = {k: v for k, v in value.model_dump().items() if v is not None}
    if isinstance(value, Mapping):
        return (
            "{ " + ", ".join(f"{_toml_key(key)} = {_toml_value(part)}" for key, part in value.items()) + " }"
        )
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml_value(part) for part in value) + "]"
    # Strings, numbers and booleans of JSON are TOML; nan and inf need small letters.
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    return json.dumps(value, ensure_ascii=False)


def _toml_key(key: str) -> str:
    """The key, quoted unless it is a bare key: a column may be called "minover, accuracy"."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
