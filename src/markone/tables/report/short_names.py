"""Shorten names so that they stay distinct."""

from __future__ import annotations


def shorten_name(name: str, most: int) -> str:
    """Shorten a name to its beginning and end."""
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-half:]}"


def shorten_names(names: list[str], most: int) -> list[str]:
    """Shorten names so that they stay distinct: by ends, by the differing middle, or numbered."""
    for made in ([shorten_name(name, most) for name in names], shorten_to_middles(names, most)):
        if len(set(made)) == len(set(names)):
            return made
    return [f"{k} {shorten_name(name, most - 4)}" for k, name in enumerate(names, 1)]


def shorten_to_middles(names: list[str], most: int) -> list[str]:
    """Shorten names to the part between their common prefix and suffix, with some context."""
    start = _common_prefix_length(names)
    end = _common_prefix_length([name[start:][::-1] for name in names])
    return [_cut_window(name, start, len(name) - end, most) for name in names]


def _common_prefix_length(names: list[str]) -> int:
    """Length of the common prefix."""
    letters = zip(*names, strict=False)
    return next((k for k, each in enumerate(letters) if len(set(each)) > 1), min(map(len, names)))


def _cut_window(name: str, start: int, stop: int, most: int) -> str:
    if len(name) <= most:
        return name
    spare = most - 2 - (stop - start)
    if spare < 0:
        return shorten_name(name[start:stop], most)
    left = max(start - spare // 2, 0)
    right = min(left + most - 2, len(name))
    return f"{'…' if left else ''}{name[left:right]}{'…' if right < len(name) else ''}"
