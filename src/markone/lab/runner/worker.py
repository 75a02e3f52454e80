"""What a worker does: one task, on one thread; no files, no exceptions that leave it."""

import os
import platform
import signal
import time
import traceback
from functools import cache
from multiprocessing import parent_process
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from markone.lab import own_code, scenarios
from markone.lab.scenario import Scenario, Values
from markone.lab.tasks import Task, TaskOutcome
from markone.numerics import cpu


def work(task: Task) -> TaskOutcome:
    """An error of the scenario is an outcome like any other: its sentence is stored."""
    start = time.perf_counter()
    worker, kind = f"{platform.node()}:{os.getpid()}", ""
    try:
        # First: it also loads every BLAS, and one that is not loaded cannot be given one thread.
        kind = cpu.kind()
        if cpu.asked():
            cpu.require_pinned()
        own_code.require(task.code)
        scenario = scenarios.find(task.scenario)
        one_blas_thread()
        values = compute(scenario, task)
    except Exception as error:
        # Whatever a scenario raises is a row in the store, not the end of the run.
        return TaskOutcome({}, time.perf_counter() - start, worker, sentence(error), kind)
    return TaskOutcome(values, time.perf_counter() - start, worker, cpu=kind)


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
    return f"{type(error).__name__}: {error}{where}"
