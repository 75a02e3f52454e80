"""The history of a machine trained by least action, in the format of all students."""

from dataclasses import replace
from typing import Any

import numpy as np

from markone.base.history import History
from markone.machines._units import COMMITTEE, count_machine_errors
from markone.machines.search import Search
from markone.numerics._recording import EVENTS, STRIDE
from markone.numerics.arrays import Array
from markone.perceptron.base.recorder import read_snapshots, read_step_table


def history_of_search(search: Search, X: Array) -> History:
    """States: "weights" (rows, K, N) and "thresholds" (rows, K) of the units, "errors" of each row."""
    (flat,) = read_snapshots(search.log, [search.first.ravel()])
    path = flat.reshape(-1, *search.W.shape)
    units = [search.wiring.split_weights(W) for W in path]
    wires = (search.xi, search.S, search.wiring.begin, search.wiring.end)
    states = {
        "weights": np.array([weights for weights, _ in units]),
        "thresholds": np.array([thresholds for _, thresholds in units]),
        "errors": np.array([int(count_machine_errors(*wires, W, search.how.kind)) for W in path]),
    }
    clock, how = search.log.clock, search.how
    machine = "committee" if how.kind == COMMITTEE else "parity"
    settings: dict[str, Any] = {"machine": machine, "c": how.c, "order": how.order, "rule": how.rule}
    table = read_step_table(search.log, len(search.S))
    return History(table, states, X, search.S, "", int(clock[STRIDE]), int(clock[EVENTS]), settings)


def with_student_name(history: History, student: str) -> History:
    return replace(history, student=student)
