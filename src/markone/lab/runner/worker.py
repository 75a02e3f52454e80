"""Run one task in a worker, on one thread, without files; exceptions become outcomes."""

import os
import platform
import signal
import time
import traceback
from dataclasses import dataclass
from functools import cache
from math import inf
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from markone.lab import own_code, scenarios
from markone.lab.runner import limits
from markone.lab.scenario import Scenario, Values
from markone.lab.store import provenance
from markone.lab.store.rows import clean_text
from markone.lab.tasks import Task, TaskOutcome
from markone.numerics import cpu
from markone.numerics.threads import limit_to_one_core


@dataclass(frozen=True)
class Terms:
    """Conditions of a task: the required code and the time limit.

    `own_process`: the worker is a process that ends itself when the time is over.
    """

    code: str = ""
    seconds: float = inf
    own_process: bool = False


ANY_TERMS = Terms()


def run_task(task: Task, terms: Terms = ANY_TERMS) -> TaskOutcome:
    """Run a task and return its outcome; an error of the scenario is stored with its message."""
    start = time.perf_counter()
    worker, kind, code = f"{platform.node()}:{os.getpid()}", "", provenance.code_identity()
    try:
        # First: it also loads every BLAS, whose threads can be limited only when it is loaded.
        kind = cpu.cpu_kind()
        if cpu.portable_requested():
            cpu.require_portable()
        if terms.code not in ("", code):
            # The pool compares the code of the outcome and stops the run.
            raise RuntimeError(f"The worker is markone {code}, but {terms.code} is required.")
        own_code.require_code_states(task.code)
        scenario = scenarios.find_scenario(task.scenario)
        limit_blas_threads()
        with limit_to_one_core(), limits.limit_task_time(task.id, terms.seconds, terms.own_process):
            values = compute_task_values(scenario, task)
    except BaseException as error:
        # Any exception of a scenario, also sys.exit(), becomes a row in the store and does not end the run.
        if isinstance(error, KeyboardInterrupt) and _receives_keyboard_interrupt():
            raise
        return TaskOutcome({}, time.perf_counter() - start, worker, exception_message(error), kind, code)
    return TaskOutcome(values, time.perf_counter() - start, worker, cpu=kind, code=code)


def _receives_keyboard_interrupt() -> bool:
    """True in the main thread of the first process, the only one that receives Ctrl-C."""
    return parent_process() is None and current_thread() is main_thread()


def compute_task_values(scenario: Scenario, task: Task) -> Values:
    if scenario.version != task.version:
        raise RuntimeError(
            f"The worker has version {scenario.version} of the scenario {scenario.name}, but the task needs "
            f"{task.version}: install the same markone everywhere."
        )
    parameters = scenario.parameters.model_validate(dict(task.parameters))
    found = scenario.run(parameters, task.seed, task.start, task.stop)
    if set(found) != set(scenario.measures):
        raise RuntimeError(f"The scenario returned {sorted(found)} instead of {sorted(scenario.measures)}.")
    for name in scenario.measures:
        if np.iscomplexobj(found[name]):
            raise RuntimeError(f"{name} is complex: return its real part, or real and imaginary part as two.")
    values = {name: np.asarray(found[name], dtype=np.float64) for name in scenario.measures}
    for name, array in values.items():
        if array.shape != (task.stop - task.start,):
            raise RuntimeError(f"{name} has the shape {array.shape} instead of ({task.stop - task.start},).")
    return values


@cache
def limit_blas_threads() -> None:
    """Limit BLAS to one thread for the rest of this process: more would oversubscribe the cores."""
    threadpool_limits(1)


def initialize_worker() -> None:
    """Initialize a worker process: it ignores Ctrl-C, which the parent handles, and ends with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Now, before a file can be edited: the hash is that of the loaded code.
    provenance.code_identity()
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


def exception_message(error: BaseException) -> str:
    """Type and message of an exception, and the innermost line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return clean_text(f"{type(error).__name__}: {error}{where}")
