"""Sentences about names: what does not exist, and what was probably meant."""

from collections.abc import Iterable
from difflib import get_close_matches


class DeclarationError(ValueError):
    """Everything that is wrong with a declaration, in one message; `problems` has it line by line."""

    def __init__(self, source: str, problems: list[str]) -> None:
        self.source, self.problems = source, problems
        count = "one error" if len(problems) == 1 else f"{len(problems)} errors"
        super().__init__("\n  ".join([f"{source} has {count}:", *problems]))

    def __reduce__(self) -> tuple[type, tuple[str, list[str]]]:
        return DeclarationError, (self.source, self.problems)


def no_such(kind: str, name: str, valid: Iterable[str]) -> str:
    """There is no measure 'separabel'. Did you mean 'separable'?"""
    names = sorted(valid)
    near = get_close_matches(name, names, n=1, cutoff=0.6)
    if near:
        return f"There is no {kind} {name!r}. Did you mean {near[0]!r}?"
    return f"There is no {kind} {name!r}. There are: {', '.join(names) or 'none'}."
