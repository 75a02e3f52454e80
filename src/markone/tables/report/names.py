"""Names that fit: short, and still all different."""

from __future__ import annotations


def short(name: str, most: int) -> str:
    """Its beginning and its end: names of a family differ at either."""
    half = (most - 1) // 2
    return name if len(name) <= most else f"{name[:half]}…{name[-half:]}"


def shorts(names: list[str], most: int) -> list[str]:
    """Short names that are still all different: of a family that differs in the middle, the middle."""
    for made in ([short(name, most) for name in names], middles(names, most)):
        if len(set(made)) == len(set(names)):
            return made
    return [f"{k} {short(name, most - 4)}" for k, name in enumerate(names, 1)]


def middles(names: list[str], most: int) -> list[str]:
    """What is left between the beginning and the end that all share, with a little of both."""
    start = shared(names)
    end = shared([name[start:][::-1] for name in names])
    return [window(name, start, len(name) - end, most) for name in names]


def shared(names: list[str]) -> int:
    """How many letters all names begin with."""
    letters = zip(*names, strict=False)
    return next((k for k, each in enumerate(letters) if len(set(each)) > 1), min(map(len, names)))


def window(name: str, start: int, stop: int, most: int) -> str:
    if len(name) <= most:
        return name
    room = most - 2 - (stop - start)
    if room < 0:
        return short(name[start:stop], most)
    left = max(start - room // 2, 0)
    right = min(left + most - 2, len(name))
    return f"{'…' if left else ''}{name[left:right]}{'…' if right < len(name) else ''}"
