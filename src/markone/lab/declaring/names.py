"""Sentences about names: what does not exist, and what was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


def no_such(kind: str, name: str, valid: Iterable[str]) -> str:
    """There is no measure 'separabel'. Did you mean 'separable'?"""
    names = sorted(valid)
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"There is no {kind} {name!r}. Did you mean {near[0]!r}?"
    return f"There is no {kind} {name!r}. There are: {', '.join(names) or 'none'}."
