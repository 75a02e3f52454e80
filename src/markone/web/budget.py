"""Limits of one request on processor time and memory, and the time of a frame, set where it is computed."""

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# Seconds of processor time of one request; bytes of one process.
CPU_BUDGET = 120.0
MEMORY_BUDGET = 3 * 2**30
# Seconds of processor time of one step, which takes a fraction of one, unless code has to be compiled first.
# Processor time, not wall-clock time: a busy machine does not end a step.
LONGEST_STEP = 90.0
# Added to the niceness of a step that takes long.
NICER = 5
HAS_TIMERS = hasattr(signal, "setitimer")
# Seconds of one frame, and of one round of all jobs: twelve rounds a second, of which sending and drawing
# leave eight.
LONGEST, SHORTEST, ROUND = 0.06, 0.004, 0.08


@dataclass
class FramePace:
    """The time of a frame: the more jobs share a worker, the shorter, so that all pages keep updating."""

    jobs: int = 1

    @property
    def seconds(self) -> float:
        return min(LONGEST, max(SHORTEST, ROUND / max(1, self.jobs)))


PACE = FramePace()


def limit_memory() -> None:
    """Limit the memory of this process: beyond it a MemoryError is raised."""
    _set_limit("RLIMIT_DATA", MEMORY_BUDGET, MEMORY_BUDGET)


def limit_time(seconds: float) -> None:
    """Let the operating system end this process after `seconds` of processor time."""
    _set_limit("RLIMIT_CPU", int(seconds), int(seconds) + 1)


def _set_limit(name: str, soft: int, hard: int) -> None:
    if sys.platform != "win32":
        import resource

        resource.setrlimit(getattr(resource, name), (soft, hard))


def limit_step(seconds: float) -> None:
    """Let the operating system end this process after `seconds` of processor time from now, compiled code
    included; 0 removes the limit."""
    if HAS_TIMERS:
        signal.setitimer(signal.ITIMER_PROF, seconds)


class Step(threading.Thread):
    """A frame of a job, or a step of the warm-up (without key and job), computed in a thread of its own."""

    def __init__(self, key: tuple[int, int] | None, job: Any, work: Callable[[], Any]) -> None:
        super().__init__(daemon=True)
        self.key, self.job, self.work, self.result = key, job, work, None
        self.clock: int | None = None
        # The time, the processor time of the process when it began, and its own when it ended.
        self.began, self.began_cpu, self.used = time.monotonic(), time.process_time(), 0.0

    def run(self) -> None:
        if sys.platform == "linux":
            self.clock = time.pthread_getcpuclockid(threading.get_ident())
        self.result = self.work()
        self.used = time.thread_time()

    def cpu_seconds(self) -> float:
        """Processor time until now; where threads have no clock of their own, that of the process."""
        with contextlib.suppress(OSError):  # it has just ended
            if sys.platform == "linux":
                return 0.0 if self.clock is None else time.clock_gettime(self.clock)
        return time.process_time() - self.began_cpu

    def lower_priority(self) -> None:
        if sys.platform == "linux":  # elsewhere threads have no priority of their own
            with contextlib.suppress(OSError):
                os.setpriority(os.PRIO_PROCESS, self.native_id or 0, os.nice(0) + NICER)
