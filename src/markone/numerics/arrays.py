"""Type aliases for arrays, conversion and validation of arguments, and release of freed memory."""

import ctypes
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]


def release_freed_memory() -> None:
    """Call glibc's malloc_trim, since glibc keeps freed memory; no operation on other systems."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (OSError, AttributeError, TypeError):
        return
    trim(0)


def check_at_least(lowest: float, name: str, value: ArrayLike) -> Floats:
    """`value` as an array of floats, none below `lowest` (NaN passes and comes out as NaN)."""
    values = np.asarray(value, dtype=np.float64)
    if np.any(values < lowest):
        raise ValueError(f"{name} must be at least {lowest:g}, but {np.nanmin(values):g} was given.")
    return values


# Beyond this many examples per weight squares overflow; flows are integrated no further than FLOW_END.
ENDLESS, FLOW_END = 1e100, 1e12


def examples_per_weight(alpha: ArrayLike, most: float = ENDLESS) -> Floats:
    """alpha = P/N as an array, none negative; NaN stays NaN, and so does everything beyond `most`."""
    values = check_at_least(0, "alpha", alpha)
    return np.where(values <= most, values, np.nan)


def check_between(lowest: float, highest: float, name: str, value: ArrayLike) -> Floats:
    """`value` as an array of floats in [lowest, highest] (NaN passes and comes out as NaN)."""
    values = np.asarray(value, dtype=np.float64)
    wrong = values[(values < lowest) | (values > highest)]
    if wrong.size:
        raise ValueError(f"{name} must lie between {lowest:g} and {highest:g}, but {wrong[0]:g} was given.")
    return values


def check_noise_rate(noise: float) -> float:
    """The probability lambda that a label is flipped; must be below 1/2, or there is no rule to learn."""
    if not 0 <= noise < 0.5:
        raise ValueError(
            f"noise is the probability of a flipped label and must be in [0, 1/2), not {noise}: "
            "at 1/2 the labels carry no information about the rule."
        )
    return float(noise)


def check_positive(name: str, value: float) -> float:
    """One number above zero."""
    if not value > 0 or not np.isfinite(value):
        raise ValueError(f"{name} must be a positive number, not {value}.")
    return float(value)


def check_whole_number(name: str, value: Any, lowest: int) -> int:
    """One whole number, at least `lowest`."""
    # NaN and infinity have no integer; whole numbers beyond the largest float have no isfinite.
    if abs(value) == np.inf or value != value or int(value) != value or value < lowest:
        raise ValueError(f"{name} must be a whole number, at least {lowest}, not {value}.")
    return int(value)


def apply_elementwise(function: Callable[..., float]) -> Callable[..., Any]:
    """Decorate a function of one number to accept an array as its first argument."""

    @wraps(function)
    def of_array(first: Any, *rest: Any, **named: Any) -> Any:
        if np.ndim(first) == 0:
            return function(first, *rest, **named)
        values = [function(one, *rest, **named) for one in np.ravel(first)]
        return np.array(values, dtype=np.float64).reshape(np.shape(first))

    return of_array


def scalar_or_array(values: Floats) -> Any:
    """A float for a scalar argument, else the array."""
    return values[()]
