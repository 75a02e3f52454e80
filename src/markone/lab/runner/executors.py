"""Executors of `concurrent.futures`: threads, processes, loky, Dask or MPI."""

import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from ipaddress import ip_address
from multiprocessing import get_context
from typing import Any

from markone.lab.runner.threads import DaemonThreads
from markone.lab.runner.worker import in_own_process
from markone.numerics.lazily import needed
from markone.numerics.text import no_such


@dataclass
class Maker:
    """Factory of an executor, called again when the executor breaks.

    `workers()` counts those alive, None if unknown; `close` closes what `make` has opened. `own_process`:
    each worker is a process whose end does not affect this process or other workers.
    """

    name: str
    make: Callable[[], Executor]
    workers: Callable[[], int | None]
    close: Callable[[], None] = field(default=lambda: None)
    own_process: bool = False

    def __call__(self) -> Executor:
        return self.make()


def named(
    backend: str, workers: int | None = None, scheduler: str | None = None, trusted: bool = False
) -> Maker:
    """Factory by the name of a backend; `scheduler` and `trusted` are for Dask only."""
    kinds = {"threads": threads, "processes": processes, "loky": loky, "mpi": mpi}
    if backend == "dask":
        return dask(scheduler, workers, trusted)
    if backend not in kinds:
        raise ValueError(no_such("backend", backend, [*kinds, "dask"]))
    if scheduler:
        raise ValueError(f"--scheduler {scheduler} needs --backend dask, not {backend}.")
    return kinds[backend](workers)


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads(n: int | None = None) -> Maker:
    """Threads: the cheapest workers on one machine, since the compiled loops release the GIL."""
    count = whole(n)
    return Maker("threads", lambda: DaemonThreads(count), lambda: count)


def processes(n: int | None = None) -> Maker:
    """Processes with new interpreters: a task that crashes does not affect the others."""
    count = whole(n)

    def make() -> Executor:
        return ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=in_own_process)

    return Maker("processes", make, lambda: count, own_process=True)


def loky(n: int | None = None) -> Maker:
    """joblib's process pool."""
    count = whole(n)
    module = needed("loky", "loky")

    def make() -> Executor:
        executor: Executor = module.ProcessPoolExecutor(count, initializer=in_own_process)
        return executor

    return Maker("loky", make, lambda: count, own_process=True)


def mpi(n: int | None = None) -> Maker:
    """MPI workers; `mpiexec -n 65 python -m mpi4py.futures -m markone run ...` has 64."""
    futures = needed("mpi4py.futures", "mpi")
    try:
        others = import_module("mpi4py.MPI").COMM_WORLD.Get_size() - 1
    except (ImportError, RuntimeError) as error:
        raise ImportError(
            f"mpi4py finds no MPI ({error}): load your cluster's, or pip install impi-rt."
        ) from error
    if others < 1:
        raise ValueError(
            "MPI has no workers: start with `mpiexec -n 3 python -m mpi4py.futures -m markone run ... "
            "--backend mpi`, where 3 is one more than the workers."
        )

    def make() -> Executor:
        executor: Executor = futures.MPIPoolExecutor(max_workers=n)
        return executor

    return Maker("mpi", make, lambda: others if n is None else min(n, others))


def dask(where: Any = None, n: int | None = None, trusted: bool = False) -> Maker:
    """Dask workers. `where` is the address of a scheduler, a Client that stays open, or None: a cluster of n
    processes on this machine, closed at the end. A scheduler on a network must use TLS (tls://...), unless
    the network is `trusted`: without TLS anyone with access to it can run any code on all workers and here.
    """
    distributed = needed("distributed", "dask")
    if isinstance(where, str) and not trusted and not private(where):
        raise ValueError(
            f"The scheduler {where} is on a network, without TLS: anyone with access to it can run any code, "
            "here too. Use tls://..., or --trust-network if the network is private."
        )
    count = whole(n)
    opened: list[Any] = [] if where is None or isinstance(where, str) else [where]
    owned = not opened

    def make() -> Executor:
        if owned and opened and opened[0].status != "running":
            close()
        if not opened:
            opened.append(connect(distributed, where, count))
        executor: Executor = opened[0].get_executor(pure=False)
        return executor

    def close() -> None:
        while owned and opened:
            with suppress(Exception):
                opened.pop().close()

    return Maker("dask", make, lambda: alive(opened[0]) if opened else count, close, own_process=True)


def private(address: str) -> bool:
    """True if the address is encrypted or on this machine."""
    protocol, _, host = address.rpartition("://")
    name = host.rpartition(":")[0].strip("[]") or host
    if protocol in ("tls", "inproc") or name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def connect(distributed: Any, where: str | None, count: int) -> Any:
    if where is not None:
        return distributed.Client(where, set_as_default=False)
    return distributed.Client(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        set_as_default=False,
    )


def alive(client: Any) -> int:
    """Number of threads of all connected workers; 0 if the scheduler does not answer."""
    try:
        return int(sum(client.nthreads().values())) if client.status == "running" else 0
    except (OSError, TimeoutError, RuntimeError):
        return 0


def whole(n: int | None) -> int:
    if n is None:
        return cores()
    if int(n) != n or n < 1:
        raise ValueError(f"The number of workers must be a whole number, at least 1, not {n}.")
    return int(n)
