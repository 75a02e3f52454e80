"""Values of a grid axis: a list, or { start, stop, step } with the stop included."""

from math import floor, isfinite
from typing import Any

from markone.numerics.text import unknown_name_text

MOST = 1_000_000
KEYS = ("start", "stop", "step")


def axis_values(given: Any) -> list[Any]:
    """The validated values in their order; ValueError if they are not an axis."""
    values = _expand_range(given) if isinstance(given, dict) else given
    if not isinstance(values, list):
        raise ValueError(
            f"One value is not an axis: write a list, [{values!r}], or a range, or move it to [fixed]."
        )
    if not values:
        raise ValueError("The list is empty: name at least one value.")
    if isinstance(given, dict) and len(set(values)) == len(values):
        return values  # the ends were checked: a million values take a tenth of a second
    seen = set()
    for value in values:
        if value != value:
            raise ValueError("NaN is not a value: leave it out.")
        reject_large_integer(value)
        if not isinstance(value, str | bool | int | float):
            raise ValueError(f"{value!r} is not a value: write numbers, strings, true or false.")
        if value in seen:
            raise ValueError(f"{value!r} is there twice: name each value once.")
        seen.add(value)
    return values


def reject_large_integer(value: Any) -> None:
    """Raise for integers that do not fit into 64 bits."""
    if isinstance(value, int) and abs(value) >= 2**63:
        digits = len(str(abs(value) // 2**63)) + 19
        raise ValueError(f"A whole number of about {digits} digits is too large: at most 2^63 - 1.")


def _expand_range(given: dict[str, Any]) -> list[Any]:
    """start, start + step, ... , stop; whole numbers stay whole, others are rounded to 10 digits."""
    for key in given:
        if key not in KEYS:
            raise ValueError(unknown_name_text("part of a range", key, KEYS))
    missing = [key for key in KEYS if key not in given]
    if missing:
        raise ValueError(f"A range needs start, stop and step, but {' and '.join(missing)} is missing.")
    start, stop, step = (given[key] for key in KEYS)
    for key in KEYS:
        reject_large_integer(given[key])
        if (
            isinstance(given[key], bool)
            or not isinstance(given[key], int | float)
            or not isfinite(given[key])
        ):
            raise ValueError(f"{key} of a range must be a finite number, not {given[key]!r}.")
    if step == 0 or (stop - start) / step < 0:
        raise ValueError(f"A step of {step:g} does not lead from {start:g} to {stop:g}.")
    # A stop missed by rounding only (0.1 + 0.1 + ...) is included.
    intervals = (stop - start) / step + 1e-9
    if intervals >= MOST:
        raise ValueError(f"The range from {start:g} to {stop:g} by {step:g} has more than {MOST} values.")
    values = [start + k * step for k in range(floor(intervals) + 1)]
    return [value if isinstance(value, int) else round(value, 10) for value in values]


def grid(start: float, stop: float, step: float) -> list[Any]:
    """The values of an axis from start to stop by step, the stop included: a range of a TOML file.

    Parameters
    ----------
    start : float
        The first value.
    stop : float
        The last value.
    step : float
        Distance of neighbouring values.

    Returns
    -------
    list
        The values; whole numbers stay whole.

    Examples
    --------
    >>> from markone.lab import grid
    >>> grid(0.5, 2.0, 0.5)
    [0.5, 1.0, 1.5, 2.0]
    """
    return _expand_range({"start": start, "stop": stop, "step": step})
