"""Text of parameters, p-values and kinds of CPU."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from markone.numerics.text import format_count, format_number


def format_keys(keys: Mapping[str, Any]) -> str:
    """Text such as "hebb, N = 20, alpha = 1.5": numbers with their names, strings without. Values of a list
    are joined by "or": "hebb or adaline, N = 20 or 40"."""
    return ", ".join(_format_key(key, value) for key, value in keys.items())


def _format_key(key: str, value: Any) -> str:
    several = value if isinstance(value, list) else [value]
    text = " or ".join(one if isinstance(one, str) else format_number(one, 6) for one in several)
    return text if all(isinstance(one, str) for one in several) else f"{key} = {text}"


def column_label(group: Mapping[str, Any], measure: str, measures: int) -> str:
    """Label of a table column: "accuracy", "glvq", or "glvq, accuracy" if both are needed."""
    return ", ".join(filter(None, [format_keys(group), measure if not group or measures > 1 else ""]))


def format_p_value(p: float) -> str:
    if not isfinite(p):
        return "–"
    return f"{p:.2g}" if p >= 1e-4 else ("below 1e-300" if p == 0 else f"{p:.0e}")


def cpu_remarks(kinds: Sequence[Mapping[str, Any]]) -> list[str]:
    """Remark on several kinds of CPU; empty for one kind, whose values are the same to the bit."""
    if len(kinds) < 2:
        return []
    common = set.intersection(*(_cpu_feature_set(kind) for kind in kinds))
    parts = [f"{format_count(kind['tasks'], 'task')} {describe_cpu(kind, common)}" for kind in kinds]
    return [
        f"The results were computed by {len(kinds)} kinds of CPU: {'; '.join(parts)}. The last bits of a "
        "value may depend on which; `markone run --portable` gives the same on all."
    ]


def describe_cpu(kind: Mapping[str, Any], common: set[str] | None = None) -> str:
    """Target CPU, BLAS and numpy, and the features that not all kinds have."""
    words = [f"for {kind['compiled for']}"]
    words += [f"with {kind['BLAS']} and numpy {kind['numpy']}"] if "BLAS" in kind else []
    own = _cpu_feature_set(kind) - common if common is not None else set()
    return " ".join(words) + (f" ({', '.join(sorted(own))})" if own else "")


def _cpu_feature_set(kind: Mapping[str, Any]) -> set[str]:
    return set(kind.get("features", "").split())
