"""Run one task in a worker, on one thread, without files; exceptions become outcomes."""

import os
import platform
import time
from typing import Any

import numpy as np

from markone.lab import foreign_code, scenarios
from markone.lab.scenario import Scenario, Values, point_version
from markone.lab.schedule.tasks import Task
from markone.numerics import cpu
from markone.numerics.threads import limit_to_one_core
from markone.run import worker_process
from markone.run.outcomes import TaskOutcome, Terms, exception_message

ANY_TERMS = Terms()
# Seconds after which a task of foreign code, whose declared cost is a guess, returns the repeats it has: the
# others become another task, so that a kill loses little.
PART_SECONDS = 5.0


def run_task(task: Task, terms: Terms = ANY_TERMS) -> TaskOutcome:
    """Run a task and return its outcome; an error of the scenario is stored with its message."""
    start = time.perf_counter()
    worker, kind, code = f"{platform.node()}:{os.getpid()}", "", worker_process.code_identity()
    try:
        # First: it also loads every BLAS, whose threads can be limited only when it is loaded.
        kind = cpu.cpu_kind()
        if cpu.portable_requested():
            cpu.require_portable()
        if terms.code not in ("", code):
            # The pool compares the code of the outcome and stops the run.
            raise RuntimeError(f"The worker is markone {code}, but {terms.code} is required.")
        foreign_code.require_code_states(task.code)
        scenario = scenarios.find_scenario(task.scenario)
        worker_process.limit_blas_threads()
        with limit_to_one_core(), worker_process.limit_task_time(task.id, terms.seconds, terms.own_process):
            values = compute_task_values(scenario, task)
    except BaseException as error:
        # Any exception of a scenario, also sys.exit(), becomes a row in the store and does not end the run.
        if isinstance(error, KeyboardInterrupt) and worker_process.receives_keyboard_interrupt():
            raise
        return TaskOutcome({}, time.perf_counter() - start, worker, exception_message(error), kind, code)
    return TaskOutcome(values, time.perf_counter() - start, worker, cpu=kind, code=code)


def compute_task_values(scenario: Scenario, task: Task) -> Values:
    version = point_version(scenario, task.parameters)
    if version != task.version:
        raise RuntimeError(
            f"The worker has version {version} of the scenario {scenario.name}, but the task needs "
            f"{task.version}: install the same markone everywhere."
        )
    parameters = scenario.parameters.model_validate(dict(task.parameters))
    if not task.code:
        return _compute_repeats(scenario, parameters, task.seed, task.start, task.stop)
    parts = _compute_parts(scenario, parameters, task)
    return {name: np.concatenate([part[name] for part in parts]) for name in scenario.measures}


def _compute_parts(scenario: Scenario, parameters: Any, task: Task) -> list[Values]:
    """The values of the first repeats of a task, as many as take about PART_SECONDS and at least one. After
    an error those before it; the rest of the task then begins with the error."""
    parts: list[Values] = []
    began, start, size = time.perf_counter(), task.start, 1
    while start < task.stop:
        stop = min(start + size, task.stop)
        try:
            parts.append(_compute_repeats(scenario, parameters, task.seed, start, stop))
        except BaseException as error:
            if not parts or isinstance(error, KeyboardInterrupt):
                raise
            break
        # By the mean of all repeats so far: the first may have imported or compiled something.
        spent = time.perf_counter() - began
        affordable = int((PART_SECONDS - spent) * (stop - task.start) / max(spent, 1e-9))
        if affordable < 1:
            break
        start, size = stop, min(2 * size, affordable)
    return parts


def _compute_repeats(scenario: Scenario, parameters: Any, seed: int, start: int, stop: int) -> Values:
    found = scenario.run(parameters, seed, start, stop)
    if set(found) != set(scenario.measures):
        raise RuntimeError(f"The scenario returned {sorted(found)} instead of {sorted(scenario.measures)}.")
    for name in scenario.measures:
        if np.iscomplexobj(found[name]):
            raise RuntimeError(f"{name} is complex: return its real part, or real and imaginary part as two.")
    values = {name: np.asarray(found[name], dtype=np.float64) for name in scenario.measures}
    for name, array in values.items():
        if array.shape != (stop - start,):
            raise RuntimeError(f"{name} has the shape {array.shape} instead of ({stop - start},).")
    return values
