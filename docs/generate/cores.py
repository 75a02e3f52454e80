"""Make slow pictures on all cores, in new processes."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Made = TypeVar("Made")


def count_cores() -> int:
    """Return the number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_on_cores(make: Callable[[str], Made], names: Iterable[str]) -> dict[str, Made]:
    """Return {name: make(name)}. Processes are spawned, not forked: the parent may have BLAS threads."""
    keys = list(names)
    with ProcessPoolExecutor(count_cores(), mp_context=get_context("spawn")) as pool:
        return dict(zip(keys, pool.map(make, keys), strict=True))
