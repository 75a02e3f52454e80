"""Timing on a shared machine: processor time, interleaved, warm, medians of ratios."""

import os
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

# Processor seconds after which a comparison ends.
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


def cpu_seconds_used() -> float:
    """Return processor seconds of this process and its ended children."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


def measure_seconds(function: Callable[[], object]) -> float:
    start = cpu_seconds_used()
    function()
    return cpu_seconds_used() - start


def warm_seconds(function: Callable[[], object]) -> float:
    """Time a call; of short calls return the median of three more, with warm caches."""
    once = measure_seconds(function)
    return float(np.median([measure_seconds(function) for _ in range(3)])) if once < 0.05 else once


def compare_in_turn(
    case: str,
    ours: Callable[[], object],
    peer: str,
    theirs: Callable[[], object],
    target: float,
    rounds: int = 7,
    note: str = "",
    warm: bool = True,
) -> Row:
    """Run both alternately, `rounds` times; a first, warming call of each is not counted.

    Fewer rounds if they take long: all benchmarks together should take a quarter of an hour.
    """
    began = cpu_seconds_used()
    if warm:
        ours(), theirs()
    pairs = [(warm_seconds(ours), warm_seconds(theirs))]
    while len(pairs) < rounds and cpu_seconds_used() - began < (
        PATIENCE if len(pairs) >= 3 else 2 * PATIENCE
    ):
        pairs.append((warm_seconds(ours), warm_seconds(theirs)))
    taken = np.array(pairs)
    return row_of_pairs(case, taken[:, 0], peer, taken[:, 1], target, note)


def row_of_pairs(
    case: str, ours: np.ndarray, peer: str, theirs: np.ndarray, target: float, note: str = ""
) -> Row:
    """Return the row of interleaved times: round k of ours is compared with round k of theirs."""
    ratio = float(np.median(theirs / ours))
    return Row(case, peer, float(np.median(ours)), float(np.median(theirs)), ratio, target, note)


def machine_load() -> float:
    """Return the load average of the machine; NaN if not available."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")


def describe_miss(row: Row) -> str:
    """Return by how much the goal is missed; "" if it is met."""
    return "" if row.ratio >= row.target else f"missed by {1 - row.ratio / row.target:.0%}"


def print_rows(rows: Iterable[Row]) -> list[Row]:
    """Print one line per comparison, with its goal and the load of the machine; return the rows."""
    shown = []
    for row in rows:
        verdict = "MISS" if describe_miss(row) else "ok  "
        asked = ", ".join(filter(None, [f"asked {row.target:g} x", describe_miss(row)]))
        print(
            f"{verdict} {row.case:44} {row.ours * 1e3:10.3f} ms  {row.peer:22} {row.theirs * 1e3:10.2f} ms"
            f"  {row.ratio:8.2f} x ({asked})  {row.note}  load {machine_load():.1f}",
            flush=True,
        )
        shown.append(row)
    return shown
