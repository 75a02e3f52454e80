"""The worker processes, from the server's side: who computes for whom, and what if one dies.

The event loop never waits for a pipe: each worker has a thread that reads and one that writes.
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

from markone.web.protocol import Refused
from markone.web.worker import serve

Key = tuple[int, int]
Deliver = Callable[[Key, str, bool], None]

# A step is a fraction of a second; the first one after an installation may have to compile.
LONGEST_STEP = 90.0
LOST = "The process that computed this ended unexpectedly. A new one has taken its place: start again."


def default_workers() -> int:
    return max(1, min(4, os.cpu_count() or 1))


@dataclass
class Process:
    """One worker process with its pipe and threads."""

    process: Any
    connection: Any
    step_began: Any
    orders: "queue.SimpleQueue[Any]" = field(default_factory=queue.SimpleQueue)
    jobs: set[Key] = field(default_factory=set)
    sessions: set[int] = field(default_factory=set)
    warm: tuple[int, int] = (0, 1)


class WorkerPool:
    """Sessions keep their worker, so that what it has in memory serves them again."""

    def __init__(
        self, deliver: Deliver, warmed: Callable[[], None], folder: str, n: int | None = None
    ) -> None:
        self.deliver, self.warmed, self.folder = deliver, warmed, folder
        self.n = n or default_workers()
        self.processes: list[Process] = []
        self.context = multiprocessing.get_context("spawn")
        self.closing = False

    async def start(self) -> None:
        self.loop = asyncio.get_running_loop()
        # One warms up and leaves compiled code on disk; the others are free meanwhile, and quick after it.
        self.processes = [self._spawn(warm=k == 0) for k in range(self.n)]
        self.watch = asyncio.create_task(self._watch())

    async def close(self) -> None:
        self.closing = True
        self.watch.cancel()
        for worker in self.processes:
            worker.orders.put(None)
            worker.process.terminate()
        await asyncio.to_thread(lambda: [w.process.join(5) for w in self.processes])

    def _spawn(self, warm: bool) -> Process:
        ours, theirs = self.context.Pipe()
        step_began = self.context.Value("d", 0.0, lock=False)
        process = self.context.Process(
            target=serve, args=(theirs, step_began, warm, self.folder), daemon=True
        )
        with _deaf_to_interrupts():
            process.start()
        theirs.close()
        worker = Process(process, ours, step_began, warm=(0, 1) if warm else (0, 0))
        threading.Thread(target=self._read, args=(worker,), daemon=True).start()
        threading.Thread(target=_write, args=(worker,), daemon=True).start()
        return worker

    def _read(self, worker: Process) -> None:
        while True:
            try:
                item = worker.connection.recv()
            except (EOFError, OSError):
                item = None
            try:
                self.loop.call_soon_threadsafe(self._heard, worker, item)
            except RuntimeError:  # the loop is closed: so is everything
                return
            if item is None:
                return

    def _heard(self, worker: Process, item: Any) -> None:
        if item is None:
            self._died(worker)
        elif item[0] == "warm":
            worker.warm = (item[1], item[2])
            if worker is self.processes[0] and item[1] == item[2]:
                for other in self.processes[1:]:
                    other.orders.put(("warm", None))
            self.warmed()
        else:
            _, key, text, last = item
            if last:
                worker.jobs.discard(key)
            self.deliver(key, text, last)

    def _died(self, worker: Process) -> None:
        """Replace it, and tell the sessions whose work is lost."""
        if self.closing or worker not in self.processes:
            return
        fresh = self._spawn(warm=True)
        fresh.sessions = worker.sessions
        self.processes[self.processes.index(worker)] = fresh
        worker.orders.put(None)
        for key in worker.jobs:
            self.deliver(key, Refused(ticket=key[1], sentence=LOST).model_dump_json(), True)

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            for worker in self.processes:
                began = worker.step_began.value
                if began and time.monotonic() - began > LONGEST_STEP:
                    worker.process.kill()

    def ready(self) -> tuple[int, int]:
        """Of the worker that is furthest: one is enough to start."""
        return max((worker.warm for worker in self.processes), key=lambda warm: (warm[1] > 0, warm[0]))

    def of(self, session: int) -> Process:
        for worker in self.processes:
            if session in worker.sessions:
                return worker
        # Rather one that does not warm up just now.
        chosen = min(
            self.processes, key=lambda worker: (worker.warm[0] < worker.warm[1], len(worker.sessions))
        )
        chosen.sessions.add(session)
        return chosen

    def start_job(self, key: Key, screen: str, want: str, state: str) -> None:
        worker = self.of(key[0])
        worker.jobs.add(key)
        worker.orders.put(("start", key, screen, want, state))

    def more(self, key: Key) -> None:
        self.of(key[0]).orders.put(("more", key))

    def stop(self, key: Key) -> None:
        worker = self.of(key[0])
        worker.jobs.discard(key)
        worker.orders.put(("stop", key))

    def leave(self, session: int) -> None:
        """A session has gone: its jobs end, its place is free."""
        worker = self.of(session)
        for key in [key for key in worker.jobs if key[0] == session]:
            self.stop(key)
        worker.sessions.discard(session)


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Ctrl-C in a terminal reaches every process: what is started here leaves it to the server."""
    if not hasattr(signal, "pthread_sigmask"):  # not on Windows
        yield
        return
    from multiprocessing import resource_tracker

    # Python's own helper process would lift the block when it is started on the way.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _write(worker: Process) -> None:
    while True:
        order = worker.orders.get()
        try:
            worker.connection.send(order)
        except (OSError, ValueError):  # the process has gone: the reader tells
            return
        if order is None:
            return
