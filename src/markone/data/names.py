"""Names of columns: the nearest one, those that will not do, lists of them for a sentence."""

from collections import Counter
from difflib import get_close_matches
from pathlib import Path
from typing import Any


def nearest(name: str, names: list[str]) -> str:
    """ " Did you mean ..?", or nothing."""
    small = {known.lower(): known for known in reversed(names)}
    near = get_close_matches(name.lower(), list(small), n=1, cutoff=0.5)
    return f" Did you mean {small[near[0]]!r}?" if near else ""


def check_names(path: Path, names: list[str]) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if not any(names):
        raise ValueError(f"{path} does not begin with a line of column names.")
    if twice:
        raise ValueError(f"{path} has more than one column {twice[0]!r}: give each column its own name.")
    if all(is_number(name) for name in names):
        raise ValueError(
            f"The first line of {path} holds only numbers ({names[0]}, ...): it must name the columns."
        )


def is_number(text: Any) -> bool:
    try:
        float(text)
    except (TypeError, ValueError):
        return False
    return True


def listed(names: Any) -> str:
    shown = ", ".join(repr(str(name)) for name in list(names)[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")
