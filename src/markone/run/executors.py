"""Executors of `concurrent.futures`: threads, processes, loky, Dask or MPI."""

import os
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from ipaddress import ip_address
from multiprocessing import get_context
from multiprocessing.context import SpawnContext, SpawnProcess
from queue import Empty, SimpleQueue
from threading import Thread
from types import ModuleType
from typing import Any

from markone.lazy_import import require_module
from markone.numerics.text import unknown_name_text
from markone.run.worker_process import initialize_worker

Call = tuple[Future[Any], Any, tuple[Any, ...], dict[str, Any]]


@dataclass
class ExecutorFactory:
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


def executor_factory(
    backend: str, workers: int | None = None, scheduler: str | None = None, trusted: bool = False
) -> ExecutorFactory:
    """Factory by the name of a backend; `scheduler` and `trusted` are for Dask only."""
    kinds = {
        "threads": thread_workers,
        "processes": process_workers,
        "loky": loky_workers,
        "mpi": mpi_workers,
    }
    if backend == "dask":
        return dask_workers(scheduler, workers, trusted)
    if backend not in kinds:
        raise ValueError(unknown_name_text("backend", backend, [*kinds, "dask"]))
    if scheduler:
        raise ValueError(f"--scheduler {scheduler} needs --backend dask, not {backend}.")
    return kinds[backend](workers)


def count_cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def thread_workers(n: int | None = None) -> ExecutorFactory:
    """Threads: the cheapest workers on one machine, since the compiled loops release the GIL."""
    count = _validate_worker_count(n)
    return ExecutorFactory("threads", lambda: DaemonThreads(count), lambda: count)


class _ScriptlessProcess(SpawnProcess):
    @staticmethod
    def _Popen(process_obj: Any) -> Any:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            return SpawnProcess._Popen(process_obj)
        finally:
            sys.modules["__main__"] = script


class _ScriptlessContext(SpawnContext):
    """Starts processes that do not run the user's script again: it needs no `if __name__ == "__main__"`."""

    Process = _ScriptlessProcess


def process_workers(n: int | None = None, script: bool = True) -> ExecutorFactory:
    """Processes with new interpreters: a task that crashes does not affect the others.

    Tasks that need no object of the user's `script` do not import it.
    """
    count, context = _validate_worker_count(n), get_context("spawn") if script else _ScriptlessContext()

    def start_workers() -> Executor:
        return ProcessPoolExecutor(count, mp_context=context, initializer=initialize_worker)

    return ExecutorFactory("processes", start_workers, lambda: count, own_process=True)


def loky_workers(n: int | None = None) -> ExecutorFactory:
    """joblib's process pool."""
    count = _validate_worker_count(n)
    module = require_module("loky", "loky")

    def start_workers() -> Executor:
        executor: Executor = module.ProcessPoolExecutor(count, initializer=initialize_worker)
        return executor

    return ExecutorFactory("loky", start_workers, lambda: count, own_process=True)


def mpi_workers(n: int | None = None) -> ExecutorFactory:
    """MPI workers; `mpiexec -n 65 python -m mpi4py.futures -m markone run ...` has 64."""
    futures = require_module("mpi4py.futures", "mpi")
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

    def start_workers() -> Executor:
        executor: Executor = futures.MPIPoolExecutor(max_workers=n)
        return executor

    return ExecutorFactory("mpi", start_workers, lambda: others if n is None else min(n, others))


def dask_workers(where: Any = None, n: int | None = None, trusted: bool = False) -> ExecutorFactory:
    """Dask workers. `where` is the address of a scheduler, a Client that stays open, or None: a cluster of n
    processes on this machine, closed at the end. A scheduler on a network must use TLS (tls://...), unless
    the network is `trusted`: without TLS anyone with access to it can run any code on all workers and here.
    """
    distributed = require_module("distributed", "dask")
    if isinstance(where, str) and not trusted and not _is_private_address(where):
        raise ValueError(
            f"The scheduler {where} is on a network, without TLS: anyone with access to it can run any code, "
            "here too. Use tls://..., or --trust-network if the network is private."
        )
    count = _validate_worker_count(n)
    opened: list[Any] = [] if where is None or isinstance(where, str) else [where]
    owned = not opened

    def start_workers() -> Executor:
        if owned and opened and opened[0].status != "running":
            close_cluster()
        if not opened:
            opened.append(connect_dask_client(distributed, where, count))
        executor: Executor = opened[0].get_executor(pure=False)
        return executor

    def close_cluster() -> None:
        while owned and opened:
            with suppress(Exception):
                opened.pop().close()

    return ExecutorFactory(
        "dask",
        start_workers,
        lambda: _count_dask_threads(opened[0]) if opened else count,
        close_cluster,
        own_process=True,
    )


def _is_private_address(address: str) -> bool:
    """True if the address is encrypted or on this machine."""
    protocol, _, host = address.rpartition("://")
    name = host.rpartition(":")[0].strip("[]") or host
    if protocol in ("tls", "inproc") or name == "localhost":
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False


def connect_dask_client(distributed: Any, where: str | None, count: int) -> Any:
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


def _count_dask_threads(client: Any) -> int:
    """Number of threads of all connected workers; 0 if the scheduler does not answer."""
    try:
        return int(sum(client.nthreads().values())) if client.status == "running" else 0
    except (OSError, TimeoutError, RuntimeError):
        return 0


def _validate_worker_count(n: int | None) -> int:
    if n is None:
        return count_cores()
    if int(n) != n or n < 1:
        raise ValueError(f"The number of workers must be a whole number, at least 1, not {n}.")
    return int(n)


class DaemonThreads(Executor):
    """`concurrent.futures.ThreadPoolExecutor` with threads that are not joined when the interpreter ends."""

    def __init__(self, workers: int) -> None:
        self._max_workers, self._closed = workers, False
        self._jobs: SimpleQueue[Call | None] = SimpleQueue()
        self._threads: list[Thread] = []
        for _ in range(workers):
            self.add_thread()

    def add_thread(self) -> None:
        """Start another thread, also to replace one that is stuck."""
        name = f"markone-{len(self._threads)}"
        thread = Thread(target=self._run_jobs, args=(self._jobs,), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    @staticmethod
    def _run_jobs(jobs: "SimpleQueue[Call | None]") -> None:
        while (job := jobs.get()) is not None:
            _run_job(*job)
            # Release the last result before waiting for the next task.
            del job
        jobs.put(None)

    def submit(self, function: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        if self._closed:
            raise RuntimeError("The threads were shut down: make a new executor.")
        future: Future[Any] = Future()
        self._jobs.put((future, function, arguments, options))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._closed = True
        while cancel_futures:
            with suppress(Empty):
                job = self._jobs.get_nowait()
                if job is not None:
                    job[0].cancel()
                    continue
            break
        self._jobs.put(None)
        for thread in self._threads if wait else ():
            thread.join()


def _run_job(future: Future[Any], function: Any, arguments: tuple[Any, ...], options: dict[str, Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        found = function(*arguments, **options)
    except BaseException as error:
        future.set_exception(error)
    else:
        future.set_result(found)
