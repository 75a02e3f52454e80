"""Independent pieces of work on several cores, in threads: compiled code releases the interpreter.

`n_jobs` is scikit-learn's: None is one core, -1 all of them. Whoever computes in such a thread, or as a
worker of the lab, has one core already: what is asked for inside is done in turn.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache, cached_property
from numbers import Integral
from threading import local
from typing import Any, TypeVar

from threadpoolctl import ThreadpoolController

Item = TypeVar("Item")
Result = TypeVar("Result")

# A parameter as scikit-learn validates it.
N_JOBS = [Integral, None]

_here = local()


@cache
def controller() -> ThreadpoolController:
    # Looking for the libraries takes longer than some fits: once a process.
    return ThreadpoolController()


@contextmanager
def one_core() -> Iterator[None]:
    """What is computed here, in this thread, has one core, whatever `n_jobs` says."""
    before = getattr(_here, "alone", False)
    _here.alone = True
    try:
        yield
    finally:
        _here.alone = before


def in_threads(function: Callable[[Item], Result], items: Iterable[Item], n_jobs: int | None) -> list[Result]:
    """[function(item) for item in items], on `n_jobs` cores; in the order of the items."""
    todo = list(items)
    if n_jobs in (None, 1) or len(todo) < 2 or getattr(_here, "alone", False):
        return [function(item) for item in todo]

    def alone(item: Item) -> Result:
        with one_core():
            return function(item)

    # Here, since scikit-learn takes a second and 100 MB, and a worker of the lab never comes here.
    from sklearn.utils.parallel import Parallel, delayed

    # Threads of BLAS beside these would wait for each other.
    with controller().limit(limits=1):
        found: Any = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(alone)(item) for item in todo)
    return list(found)


class Crew:
    """Threads that stay, for many short rounds: to make new ones takes longer than such a round.

    They end with the crew. Who asks does a share of the work, too.
    """

    def __init__(self, n_jobs: int | None) -> None:
        self.n_jobs = n_jobs

    @cached_property
    def cores(self) -> int:
        from joblib import effective_n_jobs

        return 1 if self.n_jobs in (None, 1) else int(effective_n_jobs(self.n_jobs))

    @cached_property
    def _others(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(self.cores - 1)

    def each(self, function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """[function(item) for item in items]: every so many-th item is one thread's."""
        shares = 1 if getattr(_here, "alone", False) else min(self.cores, len(items))
        if shares < 2:
            return [function(item) for item in items]
        found: list[Any] = [None] * len(items)

        def share(first: int) -> None:
            with one_core():
                for k in range(first, len(items), shares):
                    found[k] = function(items[k])

        with controller().limit(limits=1):
            # In the caller's context: what numpy is to say of an overflow is part of it.
            others = [self._others.submit(copy_context().run, share, k) for k in range(1, shares)]
            share(0)
            for other in others:
                other.result()
        return found
