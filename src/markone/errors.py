"""Every exception of markone, and the exit code each has on the command line.

Bad values are plain `ValueError`s, as everywhere in this field. What is here says which part of the house
could not go on, so that a caller (and the shell) can tell one from the other.
"""

from typing import ClassVar


class MarkoneError(Exception):
    """The base: anything that ends a command with a sentence of ours."""

    exit_code: ClassVar[int] = 1


class DeclarationError(MarkoneError, ValueError):
    """Everything that is wrong with a declaration, in one message; `problems` has it line by line."""

    exit_code = 2

    def __init__(self, source: str, problems: list[str]) -> None:
        self.source, self.problems = source, problems
        count = "one error" if len(problems) == 1 else f"{len(problems)} errors"
        super().__init__("\n  ".join([f"{source} has {count}:", *problems]))

    def __reduce__(self) -> tuple[type, tuple[str, list[str]]]:
        return type(self), (self.source, self.problems)


class NotPortable(MarkoneError, RuntimeError):
    """The same bits on every machine were asked for, and cannot be had here."""

    exit_code = 2


class BadTable(MarkoneError, ValueError):
    """A table, or what was asked of it, is wrong: one sentence what, one what to do."""

    exit_code = 2


class StoreError(MarkoneError, RuntimeError):
    """A store of results that is not what it should be; the sentence says what to do."""

    exit_code = 3


class StoreBusy(StoreError):
    """Another process writes to the store."""


class WorkersLost(MarkoneError, RuntimeError):
    """Nobody is left to do the work."""


class Interrupted(MarkoneError):
    """Stopped by its user."""

    exit_code = 130


class RunInterrupted(Interrupted):
    """A run stopped by its user; the store is consistent."""

    def __init__(self, done: int, total: int) -> None:
        self.done, self.total = done, total
        super().__init__(f"Saved {done}/{total}; run the same command to continue.")

    def __reduce__(self) -> tuple[type, tuple[int, int]]:
        return type(self), (self.done, self.total)
