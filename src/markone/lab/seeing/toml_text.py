"""A declaration as TOML again, ranges written out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

HEAD = [
    "name",
    "title",
    "scenario",
    "seed",
    "repeats",
    "precision",
    "precision_of",
    "max_repeats",
    "read_first",
]
FIGURE = ["name", "kind", "x", "lines", "measures", "theory", "where", "xlabel", "ylabel", "logx", "logy"]
CLAIM = ["text", "measure", "where", "expect"]


def toml_text(declaration: Any) -> str:
    parts = [fields(declaration, HEAD)]
    for table in ("grid", "fixed"):
        if getattr(declaration, table):
            parts.append(
                [f"[{table}]", *(f"{k} = {toml_value(v)}" for k, v in getattr(declaration, table).items())]
            )
    parts += [["[[figure]]", *fields(figure, FIGURE)] for figure in declaration.figures]
    parts += [["[[claim]]", *fields(claim, CLAIM)] for claim in declaration.claims]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def fields(thing: Any, keys: list[str]) -> list[str]:
    pairs = [(key, getattr(thing, key, None)) for key in keys]
    return [
        f"{key} = {toml_value(value)}" for key, value in pairs if value or (value == 0 and value is not False)
    ]


def toml_value(value: Any) -> str:
    if hasattr(value, "model_dump"):
        value = {k: v for k, v in value.model_dump().items() if v is not None}
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {toml_value(part)}" for key, part in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(part) for part in value) + "]"
    # JSON's strings, numbers and booleans are TOML's; nan and inf have to be said in small letters.
    return json.dumps(value, ensure_ascii=False).replace("NaN", "nan").replace("Infinity", "inf")
