"""What a memory hands back."""

from dataclasses import dataclass

from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Recall:
    """What became of each start: its final state, the nearest stored pattern and the overlap with it.

    `status`: "fixed point", "cycle of two" (parallel dynamics), "max_iter" or "thermal" (T > 0, no end).
    `index` is -1 and `overlap` NaN where nothing is stored (given couplings, fit() without X).
    """

    states: Array
    index: Array
    overlap: Array
    status: Array
    n_iter: Array


@dataclass(frozen=True)
class Trajectory:
    """One run, the start included: states (t + 1, N), energy H (1.10) and overlaps (t + 1, P)."""

    states: Array
    energy: Array
    overlaps: Array
    status: str
