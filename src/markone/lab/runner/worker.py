"""Run tasks in a worker, on one thread, without files; exceptions become outcomes."""

import os
import platform
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from markone.lab import foreign_code, scenarios
from markone.lab.scenario import Scenario, Values, point_version
from markone.lab.schedule.tasks import Task, TaskGroup
from markone.numerics import cpu
from markone.numerics.threads import limit_to_one_core
from markone.run import worker_process
from markone.run.outcomes import TaskOutcome, Terms, exception_message

ANY_TERMS = Terms()
# Seconds after which a task of foreign code, whose declared cost is a guess, returns the repeats it has: the
# others become another task, so that a kill loses little. A group returns the tasks it has.
PART_SECONDS = 5.0


def run_task(task: Task, terms: Terms = ANY_TERMS) -> TaskOutcome:
    return run_group(TaskGroup((task,)), terms)


def run_group(group: TaskGroup, terms: Terms = ANY_TERMS) -> TaskOutcome:
    """Run the tasks of a group and return the values of the first ones, those of a task after those of the
    one before; or the error of the first task with its message."""
    start = time.perf_counter()
    worker, kind, code = f"{platform.node()}:{os.getpid()}", "", worker_process.code_identity()
    first = group.tasks[0]
    try:
        # First: it also loads every BLAS, whose threads can be limited only when it is loaded.
        kind = cpu.cpu_kind()
        if cpu.portable_requested():
            cpu.require_portable()
        if terms.code not in ("", code):
            # The pool compares the code of the outcome and stops the run.
            raise RuntimeError(f"The worker is markone {code}, but {terms.code} is required.")
        foreign_code.require_code_states(first.code)
        scenario = scenarios.find_scenario(first.scenario)
        worker_process.limit_blas_threads()
        with limit_to_one_core(), worker_process.limit_task_time(group.id, terms.seconds, terms.own_process):
            if len(group.tasks) == 1:
                values = compute_task_values(scenario, first)
            else:
                values = _compute_group_values(scenario, group)
    except BaseException as error:
        # Any exception of a scenario, also sys.exit(), becomes a row in the store and does not end the run.
        if isinstance(error, KeyboardInterrupt) and worker_process.receives_keyboard_interrupt():
            raise
        return TaskOutcome({}, time.perf_counter() - start, worker, exception_message(error), kind, code)
    return TaskOutcome(values, time.perf_counter() - start, worker, cpu=kind, code=code)


def compute_task_values(scenario: Scenario, task: Task) -> Values:
    """The values of a task; of foreign code those of its first repeats."""
    parameters = _task_parameters(scenario, task)
    compute = partial(_compute_repeats, scenario, parameters, task.seed)
    if not task.code:
        return compute(task.start, task.stop)
    return _compute_first_parts(scenario, compute, task.start, task.stop)


def _compute_group_values(scenario: Scenario, group: TaskGroup) -> Values:
    """The values of the first tasks of a group."""

    def compute(first: int, last: int) -> Values:
        parts = [
            _compute_repeats(scenario, _task_parameters(scenario, task), task.seed, task.start, task.stop)
            for task in group.tasks[first:last]
        ]
        return _join_values(scenario, parts)

    return _compute_first_parts(scenario, compute, 0, len(group.tasks))


def _task_parameters(scenario: Scenario, task: Task) -> Any:
    version = point_version(scenario, task.parameters)
    if version != task.version:
        raise RuntimeError(
            f"The worker has version {version} of the scenario {scenario.name}, but the task needs "
            f"{task.version}: install the same markone everywhere."
        )
    return scenario.parameters.model_validate(dict(task.parameters))


def _compute_first_parts(
    scenario: Scenario, compute: Callable[[int, int], Values], start: int, most: int
) -> Values:
    """What `compute` returns from `start` on: as much as takes about PART_SECONDS, and at least one unit.
    After an error what was before it; the rest then begins with the error."""
    parts: list[Values] = []
    began, first, size = time.perf_counter(), start, 1
    while first < most:
        stop = min(first + size, most)
        try:
            parts.append(compute(first, stop))
        except BaseException as error:
            if not parts or isinstance(error, KeyboardInterrupt):
                raise
            break
        # By the mean so far: the first may have imported or compiled something.
        spent = time.perf_counter() - began
        affordable = int((PART_SECONDS - spent) * (stop - start) / max(spent, 1e-9))
        if affordable < 1:
            break
        first, size = stop, min(2 * size, affordable)
    return _join_values(scenario, parts)


def _join_values(scenario: Scenario, parts: list[Values]) -> Values:
    return {name: np.concatenate([part[name] for part in parts]) for name in scenario.measures}


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
