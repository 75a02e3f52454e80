"""Monitor of the workers: the size of the task window, and an error when all workers are lost."""

import time
from typing import Any

from markone.errors import WorkersLost
from markone.lab.runner.executors import count_cores

# Submitted tasks per worker: enough to hide the latency of a cluster, few enough to lose.
AHEAD = 4
# Seconds between two checks.
CHECK_SECONDS = 5.0


class WorkerMonitor:
    """Counts workers by `make.workers()`, or by the executor's own number, if there is one."""

    def __init__(self, make: Any, stall: float) -> None:
        self.make, self.stall = make, stall
        self.alive: int | None = None
        self.looked = self.moved = time.monotonic()

    @property
    def window_size(self) -> int:
        """Largest number of submitted futures."""
        return max(1, AHEAD * (count_cores() if self.alive is None else self.alive))

    def start(self, executor: Any) -> None:
        self.alive = self.count(executor)
        self.moved = time.monotonic()

    def count(self, executor: Any) -> int | None:
        known = getattr(self.make, "workers", None)
        count = known() if known else getattr(executor, "_max_workers", None)
        return count if isinstance(count, int) else None

    def look(self, executor: Any, moved: bool) -> None:
        """Raise WorkersLost if no worker is left and nothing was returned for `stall` seconds."""
        now = time.monotonic()
        self.moved = now if moved else self.moved
        if now - self.looked < CHECK_SECONDS:
            return
        self.looked, self.alive = now, self.count(executor)
        if now - self.moved >= self.stall and self.alive == 0:
            raise WorkersLost(
                f"All workers have died, and no result arrived for {now - self.moved:.0f} s. Earlier results "
                "are saved: start workers and run the same command to continue."
            )
