"""Time allowed for one frame: the more jobs share a worker, the shorter, so that all pages keep updating."""

from dataclasses import dataclass

# Seconds of one frame, and of one round of all jobs: twelve rounds a second, of which sending and drawing
# leave eight.
LONGEST, SHORTEST, ROUND = 0.06, 0.004, 0.08


@dataclass
class FramePace:
    """The frame time of this process; the worker sets the number of its jobs."""

    jobs: int = 1

    @property
    def seconds(self) -> float:
        return min(LONGEST, max(SHORTEST, ROUND / max(1, self.jobs)))


PACE = FramePace()
