"""Who is alive: how much work to hand out, and when waiting has become pointless."""

import time
from typing import Any

from markone.errors import WorkersLost
from markone.lab.runner.executors import cores

# Tasks under way for each worker: enough to hide the way to a cluster and back, few enough to lose.
AHEAD = 4
# Seconds between two looks.
LOOK = 5.0


class Liveness:
    """`make.workers()` counts the living; an executor without it has its own number, or is believed."""

    def __init__(self, make: Any, stall: float) -> None:
        self.make, self.stall = make, stall
        self.alive: int | None = None
        self.looked = self.moved = time.monotonic()

    @property
    def window(self) -> int:
        """Futures at a time."""
        return max(1, AHEAD * (cores() if self.alive is None else self.alive))

    def start(self, executor: Any) -> None:
        self.alive = self.count(executor)
        self.moved = time.monotonic()

    def count(self, executor: Any) -> int | None:
        known = getattr(self.make, "workers", None)
        count = known() if known else getattr(executor, "_max_workers", None)
        return count if isinstance(count, int) else None

    def look(self, executor: Any, moved: bool) -> None:
        """A cluster without workers never answers: say so instead of waiting for ever."""
        now = time.monotonic()
        self.moved = now if moved else self.moved
        if now - self.looked < LOOK:
            return
        self.looked, self.alive = now, self.count(executor)
        if now - self.moved >= self.stall and self.alive == 0:
            raise WorkersLost(
                f"No worker is left, and nothing came back for {now - self.moved:.0f} s. What came back "
                "is saved: start workers and run the same command to continue."
            )
