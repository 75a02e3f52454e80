"""How long one frame may take: the more jobs share a worker, the less, so that all stay lively."""

from dataclasses import dataclass

# Seconds of one frame, and of one round of all jobs: twelve rounds a second, of which sending and drawing
# leave eight.
LONGEST, SHORTEST, ROUND = 0.06, 0.004, 0.08


@dataclass
class FramePace:
    """Of this process; the worker says how many jobs take turns."""

    jobs: int = 1

    @property
    def seconds(self) -> float:
        return min(LONGEST, max(SHORTEST, ROUND / max(1, self.jobs)))


PACE = FramePace()
