"""What one request may use: processor time and memory, held by the process that computes it."""

import contextlib
import signal
from collections.abc import Iterator

# Seconds of processor time of one request; bytes of one process.
CPU_BUDGET = 120.0
MEMORY_BUDGET = 3 * 2**30
# Seconds of processor time of one step, which takes a fraction of one, unless code has to be compiled first.
# By the processor's clock: a busy machine is no reason to give up.
LONGEST_STEP = 90.0
HAS_TIMERS = hasattr(signal, "setitimer")


def limit_memory() -> None:
    """From here on this process gets a MemoryError rather than the whole machine."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BUDGET, MEMORY_BUDGET))


def limit_time(seconds: float) -> None:
    """The kernel ends this process after so many seconds of its own processor time."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 1))


@contextlib.contextmanager
def limited_step(seconds: float = LONGEST_STEP) -> Iterator[None]:
    """The kernel ends this process if what is inside takes longer, compiled code included."""
    if not HAS_TIMERS:  # not on Windows
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
