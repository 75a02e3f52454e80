"""Fair timing on a shared machine: processor time, interleaved, warm, medians of ratios."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

# Processor seconds after which a comparison has been made often enough.
PATIENCE = 4.0


@dataclass(frozen=True)
class Row:
    """One comparison: `ratio` is the median of peer time / our time, taken round by round."""

    case: str
    peer: str
    ours: float
    theirs: float
    ratio: float
    target: float
    note: str = ""


def used() -> float:
    """Processor seconds of this process and its ended children: what others do does not count."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def seconds(function: Callable[[], object]) -> float:
    start = used()
    function()
    return used() - start


def warm_seconds(function: Callable[[], object]) -> float:
    """Short calls three times more, and the median: the first finds the caches full of the other's data."""
    once = seconds(function)
    return float(np.median([seconds(function) for _ in range(3)])) if once < 0.05 else once


def side_by_side(
    case: str,
    ours: Callable[[], object],
    peer: str,
    theirs: Callable[[], object],
    target: float,
    rounds: int = 7,
    note: str = "",
    warm: bool = True,
) -> Row:
    """Run both in turn, `rounds` times; the first, warming call of each is not counted.

    Fewer rounds where they take long, which scatter less: all benchmarks are to take a quarter of an hour.
    """
    began = used()
    if warm:
        ours(), theirs()
    pairs = [(warm_seconds(ours), warm_seconds(theirs))]
    while len(pairs) < rounds and used() - began < (PATIENCE if len(pairs) >= 3 else 2 * PATIENCE):
        pairs.append((warm_seconds(ours), warm_seconds(theirs)))
    taken = np.array(pairs)
    return of_pairs(case, taken[:, 0], peer, taken[:, 1], target, note)


def of_pairs(
    case: str, ours: np.ndarray, peer: str, theirs: np.ndarray, target: float, note: str = ""
) -> Row:
    """The row of times taken in turn: round k of ours belongs to round k of theirs."""
    ratio = float(np.median(theirs / ours))
    return Row(case, peer, float(np.median(ours)), float(np.median(theirs)), ratio, target, note)


def load() -> float:
    """How busy the machine is with all its users; NaN where nobody counts it."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def missed(row: Row) -> str:
    """By how much the goal is missed; nothing where it is met."""
    return "" if row.ratio >= row.target else f"missed by {1 - row.ratio / row.target:.0%}"


def show(rows: Iterable[Row]) -> list[Row]:
    """One line a comparison, as it is measured, with its goal and the load of the machine at its end."""
    shown = []
    for row in rows:
        verdict = "MISS" if missed(row) else "ok  "
        asked = ", ".join(filter(None, [f"asked {row.target:g} x", missed(row)]))
        print(
            f"{verdict} {row.case:44} {row.ours * 1e3:10.3f} ms  {row.peer:22} {row.theirs * 1e3:10.2f} ms"
            f"  {row.ratio:8.2f} x ({asked})  {row.note}  load {load():.1f}",
            flush=True,
        )
        shown.append(row)
    return shown
