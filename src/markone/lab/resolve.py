"""Names that mean other names: a scenario may say that "handwritten" is "semeion" here."""

from collections.abc import Mapping
from typing import Any

from markone.lab.schema import ClaimSpec, Declaration, FigureSpec, TableSpec, complete

Meanings = Mapping[str, Mapping[Any, Any]]


def resolved(declaration: Declaration) -> Declaration:
    """The declaration with every name replaced by what the scenario's parameters make of it, so that grid,
    `where` and stored points speak of the same thing."""
    meanings = {key: found for key in declaration.grid if (found := renamed(declaration, key))}
    if not meanings:
        return declaration
    grid = {
        key: [meanings.get(key, {}).get(v, v) for v in values] for key, values in declaration.grid.items()
    }
    for key, values in grid.items():
        for value in values:
            if values.count(value) > 1:
                asked = [name for name in declaration.grid[key] if meanings[key].get(name, name) == value]
                raise ValueError(
                    f"grid.{key}: {' and '.join(map(repr, asked))} both mean {value!r} here: name it once."
                )
    changes: dict[str, Any] = {
        "grid": grid,
        "figure": [elsewhere(part, meanings) for part in declaration.figure],
        "table": [elsewhere(part, meanings) for part in declaration.table],
        "claim": [elsewhere(part, meanings) for part in declaration.claim],
    }
    return declaration.model_copy(update=changes)


def renamed(declaration: Declaration, key: str) -> dict[Any, Any]:
    """{asked: meant} for the words of an axis that mean another word."""
    model = declaration.scenario_object.parameters
    first = {name: values[0] for name, values in declaration.grid.items()} | declaration.fixed
    found = {}
    for value in declaration.grid[key]:
        if isinstance(value, str):
            meant = complete(model, first | {key: value})[key]
            if meant != value:
                found[value] = meant
    return found


def elsewhere(
    part: FigureSpec | TableSpec | ClaimSpec, meanings: Meanings
) -> FigureSpec | TableSpec | ClaimSpec:
    changes: dict[str, Any] = {"where": translated(part.where, meanings)}
    if isinstance(part, ClaimSpec):
        lines = {kind: getattr(part.expect, kind) for kind in ("below_line", "above_line")}
        lines = {kind: translated(line, meanings) for kind, line in lines.items() if line}
        changes["expect"] = part.expect.model_copy(update=lines)
    return part.model_copy(update=changes)


def translated(where: Mapping[str, Any], meanings: Meanings) -> dict[str, Any]:
    def meant(key: str, value: Any) -> Any:
        if isinstance(value, list):
            return [meant(key, one) for one in value]
        return meanings.get(key, {}).get(value, value)

    return {key: meant(key, value) for key, value in where.items()}
