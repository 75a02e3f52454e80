"""Independent tasks on several cores, in threads: compiled code releases the GIL.

`n_jobs` is as in scikit-learn: None is one core, -1 all of them. Inside such a thread, and inside a worker of
the lab, nested calls run sequentially.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache, cached_property
from threading import local
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

_thread_state = local()


@cache
def threadpool_controller() -> ThreadpoolController:
    # Searching for the libraries takes longer than some fits: once per process.
    return ThreadpoolController()


@contextmanager
def limit_to_one_core() -> Iterator[None]:
    """Limit this thread to one core, whatever `n_jobs` is."""
    before = getattr(_thread_state, "alone", False)
    _thread_state.alone = True
    try:
        yield
    finally:
        _thread_state.alone = before


def map_in_threads(
    function: Callable[[Item], Result], items: Iterable[Item], n_jobs: int | None
) -> list[Result]:
    """Return [function(item) for item in items], computed on `n_jobs` cores, in the order of the items."""
    if not n_jobs and n_jobs is not None:
        raise ValueError(f"n_jobs = {n_jobs!r} is no number of cores: give 1 or more, -1 for all, or None.")
    queue = list(items)
    if n_jobs in (None, 1) or len(queue) < 2 or getattr(_thread_state, "alone", False):
        return [function(item) for item in queue]

    def run_item(item: Item) -> Result:
        with limit_to_one_core():
            return function(item)

    # Imported here: scikit-learn takes a second and 100 MB, and workers of the lab do not need it.
    from sklearn.utils.parallel import Parallel, delayed

    # One BLAS thread each: more would compete for the same cores.
    with threadpool_controller().limit(limits=1):
        found: Any = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run_item)(item) for item in queue)
    return list(found)


class ThreadTeam:
    """A persistent pool of threads for many short calls, each shorter than starting threads.

    The calling thread takes a share of the work. The threads end with the object.
    """

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = n_jobs

    @cached_property
    def n_cores(self) -> int:
        from joblib import effective_n_jobs

        return 1 if self.n_jobs in (None, 1) else int(effective_n_jobs(self.n_jobs))

    @cached_property
    def _executor(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.n_cores - 1)

    def map_items(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """Return [function(item) for item in items]; the items are dealt out to the threads in turn."""
        shares = 1 if getattr(_thread_state, "alone", False) else min(self.n_cores, len(items))
        if shares < 2:
            return [function(item) for item in items]
        found: list[Any] = [None] * len(items)

        def run_share(first: int) -> None:
            with limit_to_one_core():
                for k in range(first, len(items), shares):
                    found[k] = function(items[k])

        with threadpool_controller().limit(limits=1):
            # In the caller's context, which includes numpy's error state.
            others = [self._executor.submit(copy_context().run, run_share, k) for k in range(1, shares)]
            run_share(0)
            for other in others:
                other.result()
        return found
