"""Executor with daemon threads: a task that never ends does not keep the program from ending."""

from concurrent.futures import Executor, Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

Job = tuple[Future[Any], Any, tuple[Any, ...], dict[str, Any]]


class DaemonThreads(Executor):
    """`concurrent.futures.ThreadPoolExecutor` with threads that are not joined when the interpreter ends."""

    def __init__(self, workers: int) -> None:
        self._max_workers, self._closed = workers, False
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
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
    def _run_jobs(jobs: "SimpleQueue[Job | None]") -> None:
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
