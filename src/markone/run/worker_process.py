"""State of a worker process: its code, BLAS threads, time limits, and its end with the parent process."""

import faulthandler
import hashlib
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from io import TextIOWrapper
from math import isfinite
from multiprocessing import parent_process
from pathlib import Path
from threading import Lock, Thread, current_thread, main_thread
from typing import Any

from threadpoolctl import threadpool_limits

import markone
from markone.base.registry import LAYERS
from markone.run.progress import format_duration

# The packages that compute: all up to `evaluation`.
COMPUTING = [package for floor in LAYERS[1:7] for package in floor]
# Deadlines of the tasks in this process.
_deadlines: dict[str, float] = {}
_lock = Lock()


@cache
def code_identity() -> str:
    """Identity of the computing code, stored with each row: "0.2.0 3f9a01c2b17e"."""
    return f"{markone.__version__} {source_hash()}"


@cache
def source_hash() -> str:
    """Hash (12 hex digits) of all files that a result can depend on."""
    home = Path(markone.__file__).parent
    computing = (
        home / "lab" / "scenarios",
        home / "lab" / "scenario.py",
        home / "lab" / "runner" / "worker.py",
    )
    paths = [home / package for package in COMPUTING] + list(computing)
    files = [file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])]
    digest = hashlib.sha256()
    for file in sorted(files):
        digest.update(
            f"{file.relative_to(home).as_posix()} {file.stat().st_size} ".encode() + file.read_bytes()
        )
    return digest.hexdigest()[:12]


@cache
def limit_blas_threads() -> None:
    """Limit BLAS to one thread for the rest of this process: more would oversubscribe the cores."""
    threadpool_limits(1)


def initialize_worker() -> None:
    """Initialize a worker process: it ignores Ctrl-C, which the parent handles, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Now, before a file can be edited: the hash is that of the loaded code.
    code_identity()
    parent = parent_process()
    if parent is not None:
        Thread(target=exit_with_parent, args=(parent,), daemon=True).start()


def exit_with_parent(parent: Any) -> None:
    try:
        parent.join()
    except ValueError:
        # loky has only the parent's id; an orphaned process gets another parent.
        while os.getppid() == parent.pid:
            time.sleep(1.0)
    os._exit(1)


def receives_keyboard_interrupt() -> bool:
    """True in the main thread of the first process, the only one that receives Ctrl-C."""
    return parent_process() is None and current_thread() is main_thread()


@contextmanager
def limit_task_time(task: str, seconds: float, own_process: bool) -> Iterator[None]:
    """Register the deadline of a task; `own_process` ends the process then, also inside compiled code."""
    with _lock:
        _deadlines[task] = time.monotonic() + seconds
        _arm_timer(own_process)
    try:
        yield
    finally:
        with _lock:
            _deadlines.pop(task, None)
            _arm_timer(own_process)


def overdue_tasks() -> list[str]:
    """Tasks of this process past their deadline."""
    now = time.monotonic()
    with _lock:
        return [task for task, end in _deadlines.items() if end < now]


def _arm_timer(own_process: bool) -> None:
    """Set the timer to the earliest deadline: a C thread, which needs no GIL to end the process."""
    if not own_process:
        return
    first = min(_deadlines.values(), default=float("inf"))
    if isfinite(first):
        wait = max(first - time.monotonic(), 1e-3)
        faulthandler.dump_traceback_later(wait, exit=True, file=_null_device())
    else:
        faulthandler.cancel_dump_traceback_later()


@cache
def _null_device() -> TextIOWrapper:
    """Null device, open as long as the process runs."""
    return open(os.devnull, "w", encoding="utf-8")


def time_limit_message(seconds: float) -> str:
    """Error message of a task that exceeded its limit."""
    return (
        f"The task ran longer than its limit of {format_duration(seconds)}: it may never end. If it is only "
        f"slow, give it more with --set task_limit={4 * seconds:g} (seconds) and run the same command again."
    )
