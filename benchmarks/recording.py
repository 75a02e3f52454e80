"""Cost of recording a history: none when off, counted in instructions, and the cost when on."""

import shutil
import subprocess
import sys
from collections.abc import Iterator

import numpy as np

from benchmarks.timing import Row, compare_in_turn, row_of_pairs
from markone.data import teacher_examples
from markone.perceptron import MinOver, Rosenblatt
from markone.perceptron.base._loops import ExampleOrder, LoopSettings
from markone.perceptron.base.problem import Problem
from markone.perceptron.students._rosenblatt import rosenblatt_w

P, N, TIMES, ROUNDS = 2000, 500, 120, 5


def problem_and_epochs() -> tuple[Problem, int]:
    xi, S, _ = teacher_examples(P, N, seed=0)
    return Problem(xi, S), Rosenblatt(fit_intercept=False).fit(xi, S).n_iter_


def bare(problem: Problem, epochs: int) -> None:
    """The compiled loop that the student uses for a table of this size, and nothing else."""
    w, x, turn = np.zeros(problem.N), np.zeros(problem.P), ExampleOrder.start("cyclic", problem)
    settings = LoopSettings(1.0, 0.0, np.full(problem.P, np.inf), 0.0)
    rosenblatt_w(problem.xi, problem.S, problem.C_diagonal, w, x, settings, epochs, turn)


def off(problem: Problem, epochs: int) -> None:
    """The student with record=None."""
    Rosenblatt(fit_intercept=False)._run_on_either(
        problem, np.zeros(problem.N), np.zeros(problem.P), epochs, False
    )


def cpu_seconds(way: str, times: int) -> float:
    """Return CPU seconds in a new process, with caches not used by the other variant."""
    code = (
        "import time; from benchmarks import recording as r; p, e = r.problem_and_epochs(); "
        f"r.{way}(p, e); t = time.process_time(); [r.{way}(p, e) for _ in range({times})]; "
        "print(time.process_time() - t)"
    )
    return float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def instructions(way: str, times: int) -> float:
    """Return user-space instructions of `times` runs, by the hardware counter."""
    code = (
        "from benchmarks import recording as r; p, e = r.problem_and_epochs(); "
        f"[r.{way}(p, e) for _ in range({times})]"
    )
    return count_instructions([sys.executable, "-c", code])


def count_instructions(command: list[str]) -> float:
    """Return the instructions of a command; NaN if they cannot be counted, as on many virtual machines."""
    if not shutil.which("perf"):
        return float("nan")
    output = subprocess.run(
        ["perf", "stat", "-x,", "-e", "instructions:u", *command], capture_output=True, text=True
    ).stderr
    number = next((line for line in output.splitlines() if "instructions" in line), "none").split(",")[0]
    return float(number) if number.replace(".", "").isdigit() else float("nan")


def compare_recording_off() -> Row:
    """Compare instructions if `perf` can count them, else processor time of interleaved processes."""
    if np.isfinite(count_instructions(["true"])):
        # Start, imports and the first fit cancel in the difference.
        ours, theirs = (
            np.array([instructions(way, 2 * TIMES) - instructions(way, TIMES)]) for way in ("off", "bare")
        )
        note = "instructions, by perf"
    else:
        pairs = [(cpu_seconds("off", TIMES), cpu_seconds("bare", TIMES)) for _ in range(ROUNDS)]
        ours, theirs = np.array(pairs).T / TIMES
        note = f"processor time, {ROUNDS} processes each in turn"
    case = f"record=None P={P} N={N}"
    return row_of_pairs(case, ours, "the compiled loop alone", theirs, 0.99, note)


def compare() -> Iterator[Row]:
    yield compare_recording_off()
    xi, S, _ = teacher_examples(P, N, seed=0)
    for name, plain, recorded in (
        ("Rosenblatt", Rosenblatt(), Rosenblatt(record="updates")),
        ("MinOver", MinOver(max_iter=20, stop="never"), MinOver(max_iter=20, stop="never", record="updates")),
    ):
        yield compare_in_turn(
            f"{name} record='updates' P={P} N={N}",
            lambda recorded=recorded: recorded.fit(xi, S),
            "the same without record",
            lambda plain=plain: plain.fit(xi, S),
            target=0.02,
            note="a ratio below 1 is the price of recording",
        )
