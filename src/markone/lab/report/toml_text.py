"""Write a declaration as TOML, with ranges written out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from math import isfinite
from typing import Any

from markone.lab.schema import ClaimSpec, Declaration, FigureSpec, TableSpec

SECTIONS = ("grid", "fixed", "figure", "table", "claim")
HEAD = [key for key in Declaration.model_fields if key not in SECTIONS]


def toml_text(declaration: Any) -> str:
    parts = [_toml_fields(declaration, HEAD)]
    for section in ("grid", "fixed"):
        if values := getattr(declaration, section):
            parts.append([f"[{section}]", *(f"{_toml_key(k)} = {_toml_value(v)}" for k, v in values.items())])
    for name, table in getattr(declaration, "theory", {}).items():
        given = table.model_dump(exclude_defaults=True)
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
