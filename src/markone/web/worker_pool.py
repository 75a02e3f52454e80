"""The pool of worker processes: assigns sessions to workers and replaces workers that have died.

The event loop never blocks on a pipe: each worker has a reading and a writing thread.
"""

import asyncio
import contextlib
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from markone.web.budget import HAS_TIMERS, LONGEST_STEP
from markone.web.protocol import Refused
from markone.web.worker import serve_connection

Key = tuple[int, int]
Deliver = Callable[[Key, str, bool], None]

# Wall-clock seconds of one step, for steps that hang without computing. Steps that compute are limited by
# processor time (budget.py), except on systems without timers.
LONGEST_WAIT = 900.0 if HAS_TIMERS else LONGEST_STEP
# Bytes of a worker. One that compiled or grew beyond is replaced by one that loads its code, but not in
# the first seconds after its start, in case each new one needs as much.
LARGEST_WORKER, YOUNGEST = 500e6, 30.0
LOST = "The process that computed this ended unexpectedly. It has been replaced: start again."


def _count_default_workers() -> int:
    return max(1, min(4, os.cpu_count() or 1))


@dataclass
class WorkerProcess:
    """One worker process with its pipe and threads."""

    process: Any
    connection: Any
    step_began: Any
    orders: "queue.SimpleQueue[Any]" = field(default_factory=queue.SimpleQueue)
    jobs: set[Key] = field(default_factory=set)
    sessions: set[int] = field(default_factory=set)
    warm: tuple[int, int] = (0, 1)
    started: float = field(default_factory=time.monotonic)

    def read_memory(self) -> float:
        """Resident memory in bytes; 0 where the system does not say."""
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{self.process.pid}/statm") as file:
            return int(file.read().split()[1]) * float(os.sysconf("SC_PAGE_SIZE"))
        return 0.0


class WorkerPool:
    """A fixed number of workers. A session keeps its worker, whose caches it reuses."""

    def __init__(
        self, deliver: Deliver, warmed: Callable[[], None], folder: str, n: int | None = None
    ) -> None:
        self.deliver, self.warmed, self.folder = deliver, warmed, folder
        self.n = n or _count_default_workers()
        self.processes: list[WorkerProcess] = []
        # Replaced ones, which finish their jobs.
        self.retiring: list[WorkerProcess] = []
        self.context = multiprocessing.get_context("spawn")
        self.closing = False

    async def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        # One worker warms up and writes compiled code to disk; the others stay free and warm up from there.
        self.processes = [self._spawn_worker(warm=k == 0) for k in range(self.n)]
        self.watch = asyncio.create_task(self._watch_workers())

    async def close(self) -> None:
        self.closing = True
        self.watch.cancel()
        every = [*self.processes, *self.retiring]
        for worker in every:
            worker.orders.put(None)
            worker.process.terminate()
        await asyncio.to_thread(lambda: [w.process.join(5) for w in every])

    def _spawn_worker(self, warm: bool) -> WorkerProcess:
        ours, theirs = self.context.Pipe()
        step_began = self.context.Value("d", 0.0, lock=False)
        process = self.context.Process(
            target=serve_connection, args=(theirs, step_began, warm, self.folder), daemon=True
        )
        with _blocked_interrupts():
            process.start()
        theirs.close()
        worker = WorkerProcess(process, ours, step_began, warm=(0, 1) if warm else (0, 0))
        threading.Thread(target=self._read_pipe, args=(worker,), daemon=True).start()
        threading.Thread(target=_write_pipe, args=(worker,), daemon=True).start()
        return worker

    def _read_pipe(self, worker: WorkerProcess) -> None:
        while True:
            try:
                item = worker.connection.recv()
            except (EOFError, OSError):
                item = None
            try:
                self.loop.call_soon_threadsafe(self._handle_item, worker, item)
            except RuntimeError:  # the loop is closed
                return
            if item is None:
                return

    def _handle_item(self, worker: WorkerProcess, item: Any) -> None:
        if item is None:
            self._replace_worker(worker)
        elif item[0] == "warm":
            worker.warm = (item[1], item[2])
            if worker is self.processes[0] and item[1] == item[2]:
                for other in self.processes[1:]:
                    other.orders.put(("warm", None))
            self.warmed()
        else:
            _, key, text, last = item
            if last:
                self._end_job(worker, key)
            self.deliver(key, text, last)

    def _replace_worker(self, worker: WorkerProcess) -> None:
        """Replace a dead worker and notify the sessions whose jobs are lost."""
        if self.closing:
            return
        if worker in self.processes:
            self._put_new_worker(worker)
            worker.orders.put(None)
        if worker in self.retiring:
            self.retiring.remove(worker)
        for key in worker.jobs:
            self.deliver(key, Refused(ticket=key[1], sentence=LOST).model_dump_json(), True)

    def _put_new_worker(self, worker: WorkerProcess) -> None:
        """Start a worker in the place of another, with its sessions."""
        fresh = self._spawn_worker(warm=True)
        fresh.sessions = worker.sessions
        self.processes[self.processes.index(worker)] = fresh

    def _retire_large_worker(self, worker: WorkerProcess) -> None:
        """Replace a worker that uses much memory, also one that is not warm; it ends with its last job."""
        young, many = time.monotonic() - worker.started < YOUNGEST, len(self.retiring) >= self.n
        if self.closing or young or many or worker.read_memory() < LARGEST_WORKER:
            return
        self._put_new_worker(worker)
        self.retiring.append(worker)
        worker.orders.put(("retire", None))
        self._end_job(worker, None)

    def _end_job(self, worker: WorkerProcess, key: Key | None) -> None:
        worker.jobs -= {key}
        if worker in self.retiring and not worker.jobs:
            worker.orders.put(None)

    async def _watch_workers(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            for worker in [*self.processes, *self.retiring]:
                began = worker.step_began.value
                if began and time.monotonic() - began > LONGEST_WAIT:
                    worker.process.kill()
            for worker in list(self.processes):
                self._retire_large_worker(worker)

    def warm_up_progress(self) -> tuple[int, int]:
        """Return the progress of the worker that is furthest: one warm worker is enough."""
        return max((worker.warm for worker in self.processes), key=lambda warm: (warm[1] > 0, warm[0]))

    def of(self, session: int) -> WorkerProcess:
        for worker in self.processes:
            if session in worker.sessions:
                return worker
        # Prefer workers that are not warming up, then those with few sessions.
        chosen = min(
            self.processes, key=lambda worker: (worker.warm[0] < worker.warm[1], len(worker.sessions))
        )
        chosen.sessions.add(session)
        return chosen

    def start_job(self, key: Key, screen: str, want: str, state: str) -> None:
        worker = self.of(key[0])
        worker.jobs.add(key)
        worker.orders.put(("start", key, screen, want, state))

    def _of_job(self, key: Key) -> WorkerProcess:
        """The worker that has the job: maybe one that was replaced since."""
        return next((worker for worker in self.retiring if key in worker.jobs), None) or self.of(key[0])

    def request_frame(self, key: Key) -> None:
        self._of_job(key).orders.put(("more", key))

    def stop(self, key: Key) -> None:
        worker = self._of_job(key)
        worker.orders.put(("stop", key))
        self._end_job(worker, key)

    def remove_session(self, session: int) -> None:
        """Stop the jobs of a closed session and unassign it from its worker."""
        worker = self.of(session)
        for one in [worker, *self.retiring]:
            for key in [key for key in one.jobs if key[0] == session]:
                self.stop(key)
        worker.sessions.discard(session)


@contextlib.contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Block SIGINT in processes started in the block: Ctrl-C is handled by the server only."""
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    from multiprocessing import resource_tracker

    # The resource tracker would unblock the signal if it were started inside the block.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write_pipe(worker: WorkerProcess) -> None:
    while True:
        order = worker.orders.get()
        try:
            worker.connection.send(order)
        except (OSError, ValueError):  # the process has ended: the reading thread reports it
            return
        if order is None:
            return
