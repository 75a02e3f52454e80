"""Limits of one request on processor time and memory, set in the process that computes it."""

import contextlib
import signal
from collections.abc import Iterator

# Seconds of processor time of one request; bytes of one process.
CPU_BUDGET = 120.0
MEMORY_BUDGET = 3 * 2**30
# Seconds of processor time of one step, which takes a fraction of one, unless code has to be compiled first.
# Processor time, not wall-clock time: a busy machine does not end a step.
LONGEST_STEP = 90.0
HAS_TIMERS = hasattr(signal, "setitimer")


def limit_memory() -> None:
    """Limit the memory of this process: beyond it a MemoryError is raised."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BUDGET, MEMORY_BUDGET))


def limit_time(seconds: float) -> None:
    """Let the operating system end this process after `seconds` of processor time."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))


@contextlib.contextmanager
def limited_step(seconds: float = LONGEST_STEP) -> Iterator[None]:
    """Let the operating system end this process if the block takes longer, compiled code included."""
    if not HAS_TIMERS:  # not on Windows
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
