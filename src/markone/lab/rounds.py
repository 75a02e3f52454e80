"""Progress of a point: rounds of repeats, each cut into blocks; the precision may require further rounds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from markone.lab.schema import Declaration
from markone.numerics.arrays import Floats
from markone.numerics.statistics import agresti_coull_error, are_zero_or_one, standard_error

# Repeats start .. stop-1 of a point.
Block = tuple[int, int]


@dataclass(frozen=True)
class PointState:
    """Finished blocks of a point, and its first unfinished round start .. stop in blocks of `size`."""

    behind: Sequence[Block]
    start: int = 0
    stop: int = 0
    size: int = 1
    known: Mapping[Block, Any] = field(default_factory=dict)

    @property
    def n_finished(self) -> int:
        return len(self.behind)

    @property
    def left(self) -> int:
        return len(range(self.start, self.stop, self.size)) - self._done_in_round[0]

    @property
    def repeats(self) -> int:
        return self.stop - self.start - self._done_in_round[1]

    @cached_property
    def _done_in_round(self) -> tuple[int, int]:
        """Number of blocks and of repeats of the unfinished round that are done."""
        blocks = [block for block in self.behind if self.start <= block[0] < self.stop]
        return len(blocks), sum(stop - start for start, stop in blocks)

    def missing(self) -> Iterator[Block]:
        for start in range(self.start, self.stop, self.size):
            block = start, min(start + self.size, self.stop)
            if block not in self.known:
                yield block


def point_state(declaration: Declaration, size: int, known: Mapping[Block, Floats | None]) -> PointState:
    """Progress of a point. A further round depends on all values of the rounds before, in no order."""
    behind: list[Block] = []
    values: list[Floats] = []
    for start, stop in _iterate_rounds(declaration):
        found = sorted(block for block in known if _is_block_of_round(block, start, stop, size))
        behind += found
        if len(found) < len(range(start, stop, size)):
            return PointState(behind, start, stop, size, known)
        if declaration.precision:
            values += [v for v in (known[block] for block in found) if v is not None]
            if values and stopping_error(np.concatenate(values)) <= declaration.precision:
                break
    return PointState(behind)


def _is_block_of_round(block: Block, start: int, stop: int, size: int) -> bool:
    """True if the block is one of this round; blocks cut for another number of repeats are not."""
    first, last = block
    return start <= first < stop and (first - start) % size == 0 and last == min(first + size, stop)


def _iterate_rounds(declaration: Declaration) -> Iterator[tuple[int, int]]:
    """Rounds of `repeats` repeats each, up to max_repeats."""
    for start in range(0, declaration.most_repeats, declaration.repeats):
        yield start, min(start + declaration.repeats, declaration.most_repeats)


def stopping_error(values: Floats) -> float:
    """Standard error used for the stopping rule; NaN values are left out."""
    values = values[~np.isnan(values)]
    if len(values) > 1 and are_zero_or_one(values):
        return agresti_coull_error(values)
    return standard_error(values)
