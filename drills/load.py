"""A million tasks: time and memory of check, status, run and report against the goals."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from markone.lab.load import load_declaration
from markone.lab.runner.run import GROUP_TASKS, RunState
from markone.lab.schedule.remaining import count_tasks, iterate_remaining_tasks
from markone.lab.schema import Declaration
from markone.lab.store.results import Store
from markone.run.outcomes import TaskOutcome
from markone.run.worker_process import code_identity

Outcomes = Iterator[bool]
HEAD = """
name = "{name}"
title = "Very many tasks"
scenario = "storage"
seed = 7
repeats = {repeats}
"""
FIGURE = """
[fixed]
exact = false
sweeps = {sweeps}
[[figure]]
name = "converged"
x = "alpha"
lines = ["N"]
measures = ["converged"]
xlabel = "alpha"
ylabel = "fraction"
"""
SHAPES = {
    "blocks": (
        HEAD.format(name="blocks", repeats=706_000),
        "[grid]\nN = [1000]\nalpha = [2.0, 2.5, 3.0, 3.5]\n",
    ),
    # Each with a different number of examples, so that no two are equal.
    "points": (
        HEAD.format(name="points", repeats=1),
        "[grid]\nN = { start = 500, stop = 1499, step = 1 }\n"
        "alpha = { start = 0.002, stop = 2.0, step = 0.002 }\n",
    ),
    # Most are equal to another point.
    "alike": (
        HEAD.format(name="alike", repeats=1),
        "[grid]\nN = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19]\n"
        "alpha = { start = 0.50001, stop = 1.5, step = 0.00001 }\n",
    ),
    "figure": (
        HEAD.format(name="figure", repeats=2),
        "[grid]\nN = { start = 5000, stop = 5009, step = 1 }\n"
        "alpha = { start = 0.0002, stop = 2.0, step = 0.0002 }\n",
    ),
}
# Command: limits in CPU seconds and megabytes.
GOALS = {"check": (5.0, 200.0), "run": (5.0, 200.0), "status": (0.5, 200.0), "report": (20.0, 300.0)}
GOALS |= {"verify": (40.0, 200.0), "export": (200.0, 200.0)}
STORE = 120.0


def write_declaration(folder: Path, shape: str) -> Declaration:
    figure = FIGURE.format(sweeps=100 if shape == "blocks" else 1)
    (folder / f"{shape}.toml").write_text("".join(SHAPES[shape]) + figure)
    return load_declaration(folder / f"{shape}.toml")


def draw_values(draws: np.random.Generator, n: int, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Draw values as the scenario returns them: after one sweep, without separability."""
    P = max(1, round(parameters["alpha"] * parameters["N"]))
    updates = draws.integers(0, P + 1, n).astype(float)
    found = {"converged": (updates == 0).astype(float), "sweeps_used": np.ones(n), "updates": updates}
    return found | {"separable": np.full(n, np.nan)}


def fill_large_store(folder: Path, declaration: Declaration, left: int) -> Path:
    """Write a store as a run leaves it, with all tasks done but the last `left`; the values are random."""
    path = folder / "runs" / declaration.name / "results.sqlite"
    path.parent.mkdir(parents=True, exist_ok=True)
    draws, total = np.random.default_rng(1), count_tasks(declaration, {}).missing
    with Store(path) as store:
        store.declare(declaration, total)
        ledger = RunState(declaration, store, together=GROUP_TASKS)
        tasks = islice(iterate_remaining_tasks(declaration, {}), total - left)
        for group in ledger.join_tasks(tasks):
            parts = [draw_values(draws, group.repeats, task.parameters) for task in group.tasks]
            values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            seconds = 0.01 * len(parts)
            store.add_group(group, TaskOutcome(values, seconds, "drill:1", code=code_identity()))
    return path


# In a small process: the peak memory of a child includes that of the process that forked it.
MEASURE = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
_, status, used = os.wait4(child.pid, 0)
child.returncode = os.waitstatus_to_exitcode(status)
print(child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
"""


def measure_command(folder: Path, *words: str) -> tuple[int, float, float]:
    """Return exit code, CPU seconds and peak megabytes of a command."""
    command = [sys.executable, "-S", "-c", MEASURE, sys.executable, "-m", "markone", *words]
    code, seconds, megabytes = subprocess.run(
        command, cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.split()
    return int(code), float(seconds), float(megabytes)


def is_within_goals(folder: Path, *words: str) -> bool:
    code, seconds, megabytes = measure_command(folder, *words)
    most, memory = GOALS[words[0]]
    print(
        f"    {' '.join(words):32} {seconds:6.2f} s of {most:g}, {megabytes:5.0f} MB of {memory:g}",
        flush=True,
    )
    return code == 0 and seconds <= most and megabytes <= memory


def run_million_tasks(folder: Path, shape: str) -> Outcomes:
    """Check, fill, show the status, continue; verify and export the largest."""
    declaration = write_declaration(folder, shape)
    measure_command(folder, "check", f"{shape}.toml")  # compiles, once per machine
    yield is_within_goals(folder, "check", f"{shape}.toml")
    path = fill_large_store(folder, declaration, left=1)
    size = path.stat().st_size / 1e6
    print(f"    {'store':32} {size:6.1f} MB of {STORE:g}", flush=True)
    yield size <= STORE
    yield is_within_goals(folder, "status", shape)
    yield is_within_goals(folder, "run", f"{shape}.toml", "--quiet")
    yield is_within_goals(folder, "status", shape)
    if shape == "points":
        yield is_within_goals(folder, "verify", shape)
        yield is_within_goals(folder, "export", f"{shape}.toml", "values.csv")


def report_many_points(folder: Path) -> Outcomes:
    fill_large_store(folder, write_declaration(folder, "figure"), left=0)
    yield is_within_goals(folder, "report", "figure.toml")


DRILLS = {
    "10^6 tasks at 4 points": lambda folder: run_million_tasks(folder, "blocks"),
    "10^6 tasks at 10^6 points": lambda folder: run_million_tasks(folder, "points"),
    "152 tasks at 10^6 points": lambda folder: run_million_tasks(folder, "alike"),
    "report of 10^5 points": report_many_points,
}
