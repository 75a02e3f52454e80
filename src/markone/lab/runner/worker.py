"""What a worker does: one task, on one thread; no files, no exceptions that leave it."""

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
from markone.lab.store.rows import clean
from markone.lab.tasks import Task, TaskOutcome
from markone.numerics import cpu
from markone.numerics.threads import one_core


@dataclass(frozen=True)
class Terms:
    """On which a task is handed out: to the same code alone, and for so many seconds.

    `own_process`: the worker is a process that may end itself when the time is over.
    """

    code: str = ""
    seconds: float = inf
    own_process: bool = False


ANY_TERMS = Terms()


def work(task: Task, terms: Terms = ANY_TERMS) -> TaskOutcome:
    """An error of the scenario is an outcome like any other: its sentence is stored."""
    start = time.perf_counter()
    worker, kind, code = f"{platform.node()}:{os.getpid()}", "", provenance.identity()
    try:
        # First: it also loads every BLAS, and one that is not loaded cannot be given one thread.
        kind = cpu.kind()
        if cpu.asked():
            cpu.require_pinned()
        if terms.code not in ("", code):
            # Said by the code of the outcome; whoever handed the task out stops there.
            raise RuntimeError(f"The worker is markone {code}, but {terms.code} is asked for.")
        own_code.require(task.code)
        scenario = scenarios.find(task.scenario)
        one_blas_thread()
        with one_core(), limits.limited(task.id, terms.seconds, terms.own_process):
            values = compute(scenario, task)
    except BaseException as error:
        # Whatever a scenario raises, sys.exit() included, is a row in the store, not the end of the run.
        if isinstance(error, KeyboardInterrupt) and at_the_keyboard():
            raise
        return TaskOutcome({}, time.perf_counter() - start, worker, sentence(error), kind, code)
    return TaskOutcome(values, time.perf_counter() - start, worker, cpu=kind, code=code)


def at_the_keyboard() -> bool:
    """Ctrl-C reaches the main thread of the first process only."""
    return parent_process() is None and current_thread() is main_thread()


def compute(scenario: Scenario, task: Task) -> Values:
    if scenario.version != task.version:
        raise RuntimeError(
            f"The worker has version {scenario.version} of the scenario {scenario.name}, but the task asks "
            f"for {task.version}: install the same markone everywhere."
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
def one_blas_thread() -> None:
    """For the rest of this process: several workers with several BLAS threads each slow each other down."""
    threadpool_limits(1)


def in_own_process() -> None:
    """First thing in a worker process: Ctrl-C is the parent's business, and nobody outlives a killed one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Before anybody edits a file: what was loaded is what is hashed.
    provenance.identity()
    parent = parent_process()
    if parent is not None:
        Thread(target=end_with, args=(parent,), daemon=True).start()


def end_with(parent: Any) -> None:
    try:
        parent.join()
    except ValueError:
        # loky knows its parent by number only, and a process without one gets another.
        while os.getppid() == parent.pid:
            time.sleep(1.0)
    os._exit(1)


def sentence(error: BaseException) -> str:
    """Kind, message and the innermost place."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return clean(f"{type(error).__name__}: {error}{where}")
