"""Formatting of numbers, counts and names for messages."""

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from math import floor, log10
from typing import Any

CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]"


def format_number(value: Any, digits: int = 4) -> str:
    """Format a float with four significant digits; other values by `str`."""
    if isinstance(value, bool) or not isinstance(value, float):
        return str(value)
    return f"{value:.{digits}g}"


def to_python_scalar(value: Any) -> Any:
    """Convert a numpy scalar to Python: 0, not np.int64(0), in a message."""
    # Without importing numpy, which the command line needs only later.
    return value.item() if getattr(value, "shape", None) == () else value


def escape_controls(text: str) -> str:
    """Write control characters, except tabs and ends of lines, as \\x1b: a terminal would obey them. Those
    that reverse the direction of writing become \\u202e: a name would be read as another."""
    for found in set(re.findall(CONTROLS, text)):
        code = ord(found)
        text = text.replace(found, f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}")
    return text


def format_count(n: int, thing: str) -> str:
    """1 run, 2 runs."""
    return f"{n} {thing}" if n == 1 else f"{n} {thing}s"


def nearest_names(name: str, names: Iterable[str], cutoff: float = 0.5, most: int = 3) -> list[str]:
    """Names similar to `name`, ignoring case, the nearest first."""
    lower = {known.lower(): known for known in reversed(list(names))}
    return [lower[near] for near in get_close_matches(name.lower(), list(lower), n=most, cutoff=cutoff)]


def nearest_name(name: str, names: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The most similar name, ignoring case; None if none is similar."""
    near = nearest_names(name, names, cutoff, most=1)
    return near[0] if near else None


def suggestion_text(name: str, names: Iterable[str], cutoff: float = 0.5) -> str:
    """ " Did you mean 'bayes'?" with the leading space, or an empty text."""
    near = nearest_name(name, names, cutoff)
    return f" Did you mean {near!r}?" if near else ""


def unknown_name_text(kind: str, name: str, names: Iterable[str]) -> str:
    """There is no measure 'separabel'. Did you mean 'separable'?"""
    known = sorted(names)
    hint = suggestion_text(name, known) or f" There are: {', '.join(known) or 'none'}."
    return f"There is no {kind} {name!r}.{hint}"


def format_names(names: Iterable[Any], most: int = 8) -> str:
    """'a', 'b' and 3 more."""
    known = [repr(str(name)) for name in names]
    return ", ".join(known[:most]) + (f" and {len(known) - most} more" if len(known) > most else "")


def shorten_list(texts: Sequence[str], most: int = 12) -> str:
    """The first texts on one line, each cut to 60 characters: a, b, ... (30 in all)."""
    words = [" ".join(text.split()) for text in texts[:most]]
    shown = ", ".join(word if len(word) <= 60 else f"{word[:57]}..." for word in words)
    return shown + (f", ... ({len(texts)} in all)" if len(texts) > most else "")


def format_rounded(values: Iterable[float], half_width: float) -> list[str]:
    """Round to the digits that an interval of this half width leaves certain, and one more."""
    if half_width <= 0:
        return [format_number(float(value), 6) for value in values]
    decimals = 1 - floor(log10(half_width))
    if decimals > 7:
        return [f"{value:.3e}" for value in values]
    return [f"{value + 0.0:.{max(decimals, 0)}f}" for value in values]
