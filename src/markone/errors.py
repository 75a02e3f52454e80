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


class ForeignCode(WorkersLost):
    """A worker that is not the same markone: nothing of it is kept."""

    exit_code = 2

    def __init__(self, worker: str, code: str, asked: str = "") -> None:
        self.worker, self.code, self.asked = worker, code, asked
        super().__init__(
            f"{worker} runs other code: {code}{f', not {asked}' if asked else ''}. Nothing of it is kept; "
            "what others computed is saved. Install the same markone everywhere, then run the same again."
        )

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.worker, self.code, self.asked)


class Stopped(KeyboardInterrupt):
    """SIGTERM or SIGHUP, where a program can do something about it: as Ctrl-C, with another exit code."""

    def __init__(self, signal: int) -> None:
        self.signal = signal
        super().__init__(signal)


class Interrupted(MarkoneError):
    """Stopped by its user, or by the system with a signal that asks for it."""

    exit_code = 130


class RunInterrupted(Interrupted):
    """A run stopped by its user; the store is consistent."""

    def __init__(self, done: int, total: int, signal: int = 2) -> None:
        self.done, self.total, self.signal = done, total, int(signal)
        super().__init__(f"Saved {done}/{total}; run the same command to continue.")
        # As shells count: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
        self.exit_code = 128 + self.signal  # type: ignore[misc]  # of this one, not of its class

    def __reduce__(self) -> tuple[type, tuple[int, int, int]]:
        return type(self), (self.done, self.total, self.signal)
