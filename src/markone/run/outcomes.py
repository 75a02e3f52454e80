"""Terms and outcomes of tasks, and the messages of their errors."""

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Protocol

from markone.numerics.arrays import Floats
from markone.numerics.text import escape_controls


class Job(Protocol):
    """Anything that a pool can run: picklable, with an id."""

    @property
    def id(self) -> str: ...


@dataclass(frozen=True)
class Terms:
    """Conditions of a task: the required code and the time limit.

    `own_process`: the worker is a process that ends itself when the time is over.
    """

    code: str = ""
    seconds: float = inf
    own_process: bool = False


@dataclass(frozen=True)
class TaskOutcome:
    """Result of a task: values, or an error message."""

    values: Mapping[str, Floats] = field(default_factory=dict)
    seconds: float = 0.0
    worker: str = ""
    error: str = ""
    cpu: str = ""  # its kind (numerics/cpu.py)
    code: str = ""  # markone's version and a hash of its sources (worker_process.py)
    ended: bool = False  # the task ended its process or exceeded its time limit

    @property
    def repeats(self) -> int:
        """Number of values of each measure: a worker may return the first repeats of a task only."""
        return len(next(iter(self.values.values()), ()))


def exception_message(error: BaseException) -> str:
    """Type and message of an exception, and the innermost line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return clean_text(f"{type(error).__name__}: {error}{where}")


def clean_text(text: str, most: int = 4000) -> str:
    """Text without lone surrogates and control characters, cut to `most` characters."""
    text = escape_controls(text.encode("utf-8", "backslashreplace").decode())
    return text if len(text) <= most else f"{text[:most]} ... ({len(text)} characters)"
