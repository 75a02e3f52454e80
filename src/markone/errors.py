"""All exceptions of markone, and the exit code of each on the command line.

Invalid values raise a plain `ValueError`. The classes here distinguish which part of the package failed, for
callers and for the shell.
"""

from typing import ClassVar


class MarkoneError(Exception):
    """Base class of all errors that end a command with a message of markone."""

    exit_code: ClassVar[int] = 1


class DeclarationError(MarkoneError, ValueError):
    """All errors of a declaration in one message; `problems` lists them."""

    exit_code = 2

    def __init__(self, source: str, problems: list[str]) -> None:
        self.source, self.problems = source, problems
        count = "one error" if len(problems) == 1 else f"{len(problems)} errors"
        super().__init__("\n  ".join([f"{source} has {count}:", *problems]))

    def __reduce__(self) -> tuple[type, tuple[str, list[str]]]:
        return type(self), (self.source, self.problems)


class NotPortable(MarkoneError, RuntimeError):
    """Portable results were requested, but this machine cannot give them."""

    exit_code = 2


class BadTable(MarkoneError, ValueError):
    """A table, or a request about it, is invalid; the message says what is wrong and what to do."""

    exit_code = 2


class StoreError(MarkoneError, RuntimeError):
    """A store of results is invalid; the message says what to do."""

    exit_code = 3


class StoreBusy(StoreError):
    """Another process is writing to the store."""


class WorkersLost(MarkoneError, RuntimeError):
    """All workers have died."""


class ForeignCode(WorkersLost):
    """A worker runs another version of markone: its results are discarded."""

    exit_code = 2

    def __init__(self, worker: str, code: str, asked: str = "") -> None:
        self.worker, self.code, self.asked = worker, code, asked
        super().__init__(
            f"{worker} runs other code: {code}{f', not {asked}' if asked else ''}. Its results are "
            "discarded; those of other workers are saved. Install the same markone everywhere, then run the "
            "same again."
        )

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        return type(self), (self.worker, self.code, self.asked)


class Stopped(KeyboardInterrupt):
    """SIGTERM or SIGHUP, raised like Ctrl-C but with another exit code."""

    def __init__(self, signal: int) -> None:
        self.signal = signal
        super().__init__(signal)


class Interrupted(MarkoneError):
    """Stopped by the user or by a signal of the system."""

    exit_code = 130


class RunInterrupted(Interrupted):
    """A run stopped by the user; the store is consistent."""

    def __init__(self, done: int, total: int, signal: int = 2) -> None:
        self.done, self.total, self.signal = done, total, int(signal)
        super().__init__(f"Saved {done}/{total}; run the same command to continue.")
        # By the convention of shells: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
        self.exit_code = 128 + self.signal  # type: ignore[misc]  # of this one, not of its class

    def __reduce__(self) -> tuple[type, tuple[int, int, int]]:
        return type(self), (self.done, self.total, self.signal)
