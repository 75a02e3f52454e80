"""Pictures that take their time are made on all cores, in fresh processes."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TypeVar

Made = TypeVar("Made")


def count() -> int:
    """Those this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def shared(make: Callable[[str], Made], names: Iterable[str]) -> dict[str, Made]:
    """name -> what was made of it. Spawned, not forked: the parent may have threads of BLAS."""
    asked = list(names)
    with ProcessPoolExecutor(count(), mp_context=get_context("spawn")) as pool:
        return dict(zip(asked, pool.map(make, asked), strict=True))
