"""A recall step by step: which neuron was visited, its field, whether it changed   (1.7, 1.9)."""

from typing import Any

import numpy as np

from markone.base._recording import EVENTS, STRIDE
from markone.base.history import RECORD, STEPS, History, new_log
from markone.hopfield.network import Network
from markone.hopfield.recall_dynamics import Dynamics, settle_state
from markone.numerics.arrays import Array
from markone.perceptron.base.recorder import read_snapshots, read_step_table


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
    table = np.zeros(len(cells), dtype=STEPS)
    table["step"] = table["epoch"] = np.arange(len(cells))
    table["example"], table["E"], table["E_after"] = -1, np.nan, np.nan
    table["change"][1:] = np.abs(np.diff(cells.astype(int), axis=0)).sum(axis=1)
    table["updates"] = np.cumsum(table["change"] > 0)
    return _make_history(network, table, cells, 1, len(cells) - 1), ended


def _make_history(network: Any, table: Array, cells: Array, stride: int, events: int) -> History:
    states = {"cells": cells, "energy": network.energy(cells)}
    return History(table, states, np.empty((0, 2)), np.empty(0), "Hopfield", stride, events)
