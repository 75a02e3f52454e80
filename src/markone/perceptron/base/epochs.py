"""Run a compiled loop in blocks of epochs, with trace, stop rule and interruption by Ctrl-C."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from markone.numerics.arrays import Array
from markone.perceptron.base.problem import Problem

# Compiled code cannot be interrupted: return to Python after about this many multiplications.
BLOCK_FLOPS = 5e8

Step = Callable[[int], tuple[int, int, bool]]


@dataclass
class Run:
    n_epochs: int = 0
    n_updates: int = 0
    converged: bool = False
    trace: list[tuple[Any, ...]] = field(default_factory=list)


def epochs_per_call(problem: Problem, per_epoch: int = 0) -> int:
    """Number of epochs per call, given the multiplications of one (default: one pass over the examples)."""
    stored = problem.X.nnz if hasattr(problem.X, "nnz") else problem.P * problem.N
    return max(1, int(BLOCK_FLOPS / max(per_epoch, stored + problem.P)))


def run_epochs(
    step: Step,
    problem: Problem,
    weights: Callable[[], Array],
    done: Callable[[], bool],
    max_epochs: int,
    block: int,
    trace: bool,
) -> Run:
    """Call `step(epochs)` until it is quiet and `done()` confirms it, or for max_epochs epochs.

    Each call runs at most `block` epochs, one if a trace is kept.
    """
    result = Run()
    block = 1 if trace else block
    while result.n_epochs < max_epochs and not result.converged:
        epochs, updates, quiet = step(min(block, max_epochs - result.n_epochs))
        result.n_epochs += epochs
        result.n_updates += updates
        result.converged = bool(quiet and done())
        if trace:
            result.trace.append(problem.trace_row(result.n_epochs, weights()))
    return result
