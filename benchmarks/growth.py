"""Scaling of a fit: CPU time and peak memory over a factor 16 in P (at N = 50) and in N (at P = 1000).

Every estimator of the registry with its defaults, on examples of a teacher, in its own process. The exponent
is the slope of log time over log size: 1 is linear, 2 is quadratic. A fit that would take longer than
`PATIENCE` is skipped; the table shows the largest factor reached. Memory is the peak above that before the
fit, from /proc, if above a tenth of a megabyte; times below some milliseconds are mostly Python overhead.
"""

import ctypes
import multiprocessing
import os
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks.timing import Row
from markone.base.registry import public_estimators

FACTORS = (1, 2, 4, 8, 16)
AXES = {"P": (1000, 50), "N": (1000, 50)}
# CPU seconds that the next fit may take, estimated from the last two.
PATIENCE = 1.0
# Bytes below which the number of memory pages is too coarse.
SEEN = 1e5
found: list[dict[str, Any]] = []


def draw_growth_examples(P: int, N: int, cls: type) -> tuple[np.ndarray, ...]:
    """Return labels of a teacher for classifiers, its field for regressors, +-1 patterns for memories."""
    from sklearn.base import is_classifier, is_regressor

    rng = np.random.default_rng(0)
    X = rng.standard_normal((P, N))
    field = X @ rng.standard_normal(N) / np.sqrt(N)
    if is_classifier(cls()):
        return X, np.where(field > 0, 1, -1)
    return (X, field) if is_regressor(cls()) else (np.where(X > 0, 1.0, -1.0),)


def peak_bytes(reset: bool = False) -> float:
    """Return the peak memory of this process in bytes since the last reset; NaN if not available."""
    try:
        if reset:
            # Return freed memory to the system: else the next fit would reuse it.
            getattr(ctypes.CDLL(None), "malloc_trim", int)(0)
            Path("/proc/self/clear_refs").write_text("5")
        found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    except OSError:
        found = None
    return 1024.0 * int(found[1]) if found else float("nan")


def measure_one_fit(cls: type, data: tuple[np.ndarray, ...]) -> tuple[float, float]:
    """Return (CPU seconds, bytes) of the second fit: the first may compile."""
    cls().fit(*data)
    before = peak_bytes(reset=True)
    began = process_time()
    cls().fit(*data)
    return process_time() - began, peak_bytes() - before


def measure_growing_fits(name: str, axis: str, answer: Any) -> None:
    """Run the fits from the smallest on, in a separate process."""
    warnings.simplefilter("ignore")
    cls, (P, N) = public_estimators()[name], AXES[axis]
    try:
        seconds: list[float] = []
        for factor in FACTORS:
            if (
                seconds
                and seconds[-1] * max(2.0, seconds[-1] / max(seconds[:-1] or [seconds[-1]])) > PATIENCE
            ):
                break
            data = (
                draw_growth_examples(P * factor, N, cls)
                if axis == "P"
                else draw_growth_examples(P, N * factor, cls)
            )
            taken, grown = measure_one_fit(cls, data)
            seconds.append(taken)
            answer.send((factor, taken, grown))
    except Exception as error:
        answer.send(str(error))
    answer.send(None)


def fit_exponent(sizes: list[float], values: list[float]) -> float:
    """Return the slope in logarithms; NaN for fewer than three values or values of 0."""
    if len(values) < 3 or not all(value > 0 for value in values):
        return float("nan")
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


def measure_growth(name: str, axis: str) -> dict[str, Any]:
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(
        target=measure_growing_fits, args=(name, axis, theirs)
    )
    process.start()
    theirs.close()
    steps, trouble = [], ""
    while True:
        try:
            message = ours.recv()
        except EOFError:
            trouble = trouble or "the process ended"
            break
        if message is None:
            break
        if isinstance(message, str):
            trouble = message
        else:
            steps.append(message)
    process.join()
    factors, seconds, memory = map(list, zip(*steps, strict=True)) if steps else ([], [], [])
    row = {"name": name, "axis": axis, "factor": factors[-1] if factors else 0, "trouble": trouble[:120]}
    row |= {"seconds": [float(f"{s:.3g}") for s in seconds], "memory": [round(m) for m in memory]}
    slopes = fit_exponent(factors, seconds), fit_exponent(factors, [m if m > SEEN else 0.0 for m in memory])
    return row | {
        f"{key}_exponent": None if np.isnan(slope) else round(slope, 2)
        for key, slope in zip(("time", "memory"), slopes, strict=True)
    }


def format_growth(row: dict[str, Any]) -> str:
    if not row["seconds"]:
        return f"     {row['name']:24} over {row['axis']}: {row['trouble']}"
    time, memory = (row[f"{key}_exponent"] for key in ("time", "memory"))
    return (
        f"     {row['name']:24} over {row['axis']} x {row['factor']:2}: "
        f"{row['seconds'][0] * 1e3:9.2f} to {row['seconds'][-1] * 1e3:9.2f} ms, exponent {time}; "
        f"{row['memory'][-1] / 2**20:8.1f} MiB at the end, exponent {memory}"
    )


def compare() -> Iterator[Row]:
    """No peers, so no rows: one line for each estimator and axis."""
    found.clear()
    for name in public_estimators():
        for axis in AXES:
            found.append(measure_growth(name, axis))
            print(format_growth(found[-1]), f" load {os.getloadavg()[0]:.1f}", flush=True)
    yield from ()


def more() -> dict[str, Any]:
    """Return what is stored in addition to the rows."""
    return {"growth": list(found)}
