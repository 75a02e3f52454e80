"""Screens that an exported page computes by itself, and the values that it can show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ComputedScreen:
    """MODULE: its compiled functions. make_tables: what they read. limits: the values of some fields."""

    MODULE: str
    make_tables: Callable[[], dict[str, Any]]
    limits: Mapping[str, Sequence[Any]]
    seeds: range

    def restrict_schema(self, schema: dict[str, Any]) -> None:
        """Limit the JSON schema of the state, from which the page makes its controls."""
        fields = schema["properties"]
        fields["seed"]["maximum"] = max(self.seeds)
        for name, values in self.limits.items():
            if "items" in fields[name]:
                fields[name]["items"]["enum"] = list(values)
            else:
                kept = {k: v for k, v in fields[name].items() if k not in ("minimum", "maximum")}
                fields[name] = kept | {"enum": list(values)}

    def can_show(self, state: dict[str, Any]) -> bool:
        """True if the page can compute this part of a state."""

        def has(given: Any, values: Sequence[Any]) -> bool:
            return set(given if isinstance(given, list) else [given]) <= set(values)

        known = all(has(state[name], values) for name, values in self.limits.items() if name in state)
        return known and state.get("seed", 0) in self.seeds
