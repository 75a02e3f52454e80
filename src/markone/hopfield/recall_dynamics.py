"""The dynamics run to a fixed point, a cycle of two, or `max_iter`, and their steps   (1.7, 1.9)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from markone.base._recording import EVENTS, STRIDE
from markone.base.history import RECORD, History, new_log, steps_without_examples
from markone.hopfield import _dynamics
from markone.hopfield.network import Network
from markone.numerics.arrays import Array
from markone.perceptron.base.recorder import read_snapshots, read_step_table

ORDERS = {"shuffled": _dynamics.SHUFFLED, "random": _dynamics.RANDOM, "cyclic": _dynamics.CYCLIC}
RULES = {"glauber": _dynamics.GLAUBER, "metropolis": _dynamics.METROPOLIS}
STATUS = {_dynamics.FIXED: "fixed point", _dynamics.CYCLE: "cycle of two", _dynamics.OPEN: "max_iter"}


@dataclass(frozen=True)
class Dynamics:
    """Options of the dynamics: order, noise, largest number of sweeps."""

    dynamics: str
    order: str
    temperature: float
    rule: str
    max_iter: int


def settle_state(
    network: Network,
    S: Array,
    how: Dynamics,
    state: Array,
    watch: Callable[[Array], None] | None = None,
    log: Any = None,
) -> tuple[int, str]:
    """Run the dynamics on S in place; return sweeps and status.

    `watch(S)` is called after each sweep; the visits of sequential dynamics are written to the log.
    """
    advance = _make_stepper(network, S, how, state, log)
    done, status = 0, _dynamics.OPEN
    while done < how.max_iter and status == _dynamics.OPEN:
        some, status = advance(1 if watch else how.max_iter - done)
        done += some
        if watch:
            watch(S)
        if status == _dynamics.FIXED and not network.is_fixed_point(S):
            # The updated fields had accumulated rounding errors: continue with recomputed ones.
            advance, status = _make_stepper(network, S, how, state, log), _dynamics.OPEN
    return done, "thermal" if how.temperature > 0 else STATUS[status]


def _make_stepper(
    network: Network, S: Array, how: Dynamics, state: Array, log: Any
) -> Callable[[int], tuple[int, int]]:
    memory = network.initial_memory(S)
    if how.dynamics == "parallel":
        before = np.zeros_like(S)
        return lambda steps: _dynamics.run_parallel(memory, S, before, how.temperature, state, steps)
    turn = np.arange(len(S))
    rest = (how.temperature, RULES[how.rule], ORDERS[how.order], turn, state)
    return lambda sweeps: _dynamics.run_sequential(memory, S, *rest, sweeps, log)


def record_recall(
    network: Network, S: Array, how: Dynamics, state: Array, record: str
) -> tuple[History, str]:
    """Run the dynamics from S as `settle_state` does, with the same draws; return its history and status."""
    if record not in RECORD:
        raise ValueError(f"record is {record!r}: choose one of {', '.join(RECORD)}.")
    if how.dynamics == "parallel":
        return _record_parallel(network, S, how, state)
    log, start = new_log(len(S), 0, record), S.astype(np.float64)
    _, ended = settle_state(network, S, how, state, log=log)
    cells = read_snapshots(log, [start])[0].astype(np.int8)
    table = read_step_table(log, len(S))
    stride, events = int(log.clock[STRIDE]), int(log.clock[EVENTS])
    return _make_history(network, table, cells, stride, events), ended


def _record_parallel(network: Network, S: Array, how: Dynamics, state: Array) -> tuple[History, str]:
    """One row per parallel step; `change` is twice the number of neurons that changed."""
    seen = [S.copy()]
    _, ended = settle_state(network, S, how, state, lambda now: seen.append(now.copy()))
    cells = np.array(seen)
    table = steps_without_examples(len(cells))
    table["change"][1:] = np.abs(np.diff(cells.astype(int), axis=0)).sum(axis=1)
    table["updates"] = np.cumsum(table["change"] > 0)
    return _make_history(network, table, cells, 1, len(cells) - 1), ended


def _make_history(network: Any, table: Array, cells: Array, stride: int, events: int) -> History:
    states = {"cells": cells, "energy": network.energy(cells)}
    return History(table, states, np.empty((0, 2)), np.empty(0), "Hopfield", stride, events)
