"""Numbers, estimates and parameters as a reader wants to see them."""

from collections.abc import Mapping
from math import floor, isfinite, log10
from typing import Any

from markone.lab.summary import Estimate


def number(value: Any, digits: int = 4) -> str:
    """Four significant digits; what is no number is printed as it is."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return str(value)
    return f"{value:.{digits}g}"


def show(estimate: Estimate) -> str:
    """Mean and 95 % interval, cut after the second digit that the interval leaves certain."""
    if estimate.n == 0:
        return "–"
    low, high = estimate.low, estimate.high
    if not isfinite(low):
        return f"{number(estimate.mean)} (one run)"
    parts = rounded([estimate.mean, low, high], (high - low) / 2)
    return f"{parts[0]} [{parts[1]}, {parts[2]}]"


def rounded(values: list[float], half_width: float) -> list[str]:
    if half_width <= 0:
        return [number(value, 6) for value in values]
    decimals = 1 - floor(log10(half_width))
    if decimals > 7:
        return [f"{value:.3e}" for value in values]
    return [f"{value + 0.0:.{max(decimals, 0)}f}" for value in values]


def names(keys: Mapping[str, Any]) -> str:
    """hebb, N = 20, alpha = 1.5: a word speaks for itself, a number needs its name."""
    return ", ".join(
        value if isinstance(value, str) else f"{key} = {number(value, 6)}" for key, value in keys.items()
    )


def count(n: int, thing: str) -> str:
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def p_value(p: float) -> str:
    if not isfinite(p):
        return "–"
    return f"{p:.2g}" if p >= 1e-4 else ("below 1e-300" if p == 0 else f"{p:.0e}")
