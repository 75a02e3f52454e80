"""Text of parameters and p-values in reports."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from markone.numerics.text import format_number


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
