"""One start of a joint training: the compiled loops and their state."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from markone.base.history import new_log
from markone.machines._least_action import least_action, least_action_recorded
from markone.machines._minover import weakest_first
from markone.machines._units import count_machine_errors
from markone.machines.wiring import Wiring
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array

# "minover" stops when this many updates per example have not increased the stability.
WINDOW = 10


@dataclass(frozen=True)
class SearchOptions:
    """Options of a joint training; `kind` is the output, COMMITTEE or PARITY."""

    kind: int
    rule: str
    c: float
    order: str
    max_iter: int
    tol: float
    n_restarts: int
    pocket: bool
    trace: bool
    record: str | None = None


@dataclass
class Search:
    """One start: the current weights W and the best weights `kept`, with their `errors` and `strength`."""

    xi: Array
    S: Array
    wiring: Wiring
    how: SearchOptions
    W: Array
    state: Array
    epochs: int = 0
    updates: int = 0
    converged: bool = False
    errors: int = 0
    strength: float = -np.inf
    since: int = 0
    log: Any = None

    def __post_init__(self) -> None:
        self.kept, self.turn, self.errors = self.W.copy(), np.arange(len(self.S)), len(self.S)
        self.first = self.W.copy()
        if self.how.record:
            self.log = new_log(self.W.size, 0, self.how.record)

    def run_epochs(self, epochs: int) -> None:
        (self._run_least_action if self.how.rule == "least_action" else self._run_minover)(epochs)

    def _run_least_action(self, epochs: int) -> None:
        how, order = self.how, ORDERS[self.how.order]
        wires = (self.xi, self.S, self.wiring.begin, self.wiring.end, self.W)
        turn, pocket = (order, self.turn, self.state), (how.pocket, self.kept, self.errors)
        learn = least_action if self.log is None else partial(least_action_recorded, self.log)
        used, updates, self.errors, self.converged = learn(*wires, how.kind, how.c, epochs, *turn, *pocket)
        self.epochs += used
        self.updates += updates
        if not how.pocket and not self.converged:
            self.kept[:] = self.W
            self.errors = int(count_machine_errors(*wires, how.kind))

    def _run_minover(self, epochs: int) -> None:
        how, P = self.how, len(self.S)
        wires = (self.xi, self.S, self.wiring.begin, self.wiring.end)
        stop = (how.tol, WINDOW * P, self.since, epochs * P)
        updates, self.strength, self.since, settled = weakest_first(
            *wires, self.W, how.kind, *stop, self.kept, self.strength
        )
        self.epochs += max(1, -(-updates // P))
        self.updates += updates
        self.errors = int(count_machine_errors(*wires, self.kept, how.kind))
        self.converged = settled

    def is_solved(self) -> bool:
        """Whether all examples are classified correctly, with the margin c if it is positive."""
        return self.errors == 0 and (self.converged or self.how.rule == "minover")

    def better_than(self, other: "Search | None") -> bool:
        mine = (-self.errors, self.strength)
        return other is None or mine > (-other.errors, other.strength)
