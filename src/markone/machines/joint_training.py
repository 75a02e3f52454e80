"""Joint training of all units: one start and its history, restarts, pocket, trace; loops are compiled."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.base._recording import EVENTS, STRIDE
from markone.base.history import History, new_log
from markone.machines._least_action import least_action
from markone.machines._minover import weakest_first
from markone.machines._units import COMMITTEE, count_machine_errors
from markone.machines.units import Layer, Wiring
from markone.numerics._random import ORDERS
from markone.numerics.arrays import Array
from markone.perceptron.base.epochs import BLOCK_FLOPS
from markone.perceptron.base.recorder import read_snapshots, read_step_table

# "minover" stops when this many updates per example have not increased the stability.
WINDOW = 10


@dataclass
class Search:
    """One start: the current weights W and the best weights `kept`, with their `errors` and `strength`.

    `how` is the machine, for its parameters; `kind` its output, COMMITTEE or PARITY.
    """

    xi: Array
    S: Array
    wiring: Wiring
    how: Any
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
        self.kind: int = self.how._kind
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
        used, updates, self.errors, self.converged = least_action(
            *wires, self.kind, how.c, epochs, *turn, *pocket, self.log
        )
        self.epochs += used
        self.updates += updates
        if not how.pocket and not self.converged:
            self.kept[:] = self.W
            self.errors = int(count_machine_errors(*wires, self.kind))

    def _run_minover(self, epochs: int) -> None:
        how, P = self.how, len(self.S)
        wires = (self.xi, self.S, self.wiring.begin, self.wiring.end)
        stop = (how.tol, WINDOW * P, self.since, epochs * P)
        updates, self.strength, self.since, settled = weakest_first(
            *wires, self.W, self.kind, *stop, self.kept, self.strength
        )
        self.epochs += max(1, -(-updates // P))
        self.updates += updates
        self.errors = int(count_machine_errors(*wires, self.kept, self.kind))
        self.converged = settled

    def is_solved(self) -> bool:
        """Whether all examples are classified correctly, with the margin c if it is positive."""
        return self.errors == 0 and (self.converged or self.how.rule == "minover")

    @property
    def rank_key(self) -> tuple[int, float]:
        """Fewer errors first, then the strength."""
        return -self.errors, self.strength


def _history_of_search(search: Search, X: Array) -> History:
    """States: "weights" (rows, K, N) and "thresholds" (rows, K) of the units, "errors" of each row."""
    (flat,) = read_snapshots(search.log, [search.first.ravel()])
    path = flat.reshape(-1, *search.W.shape)
    units = [search.wiring.split_weights(W) for W in path]
    wires = (search.xi, search.S, search.wiring.begin, search.wiring.end)
    states = {
        "weights": np.array([weights for weights, _ in units]),
        "thresholds": np.array([thresholds for _, thresholds in units]),
        "errors": np.array([int(count_machine_errors(*wires, W, search.kind)) for W in path]),
    }
    clock, how = search.log.clock, search.how
    machine = "committee" if search.kind == COMMITTEE else "parity"
    settings: dict[str, Any] = {"machine": machine, "c": how.c, "order": how.order, "rule": how.rule}
    table = read_step_table(search.log, len(search.S))
    return History(table, states, X, search.S, "", int(clock[STRIDE]), int(clock[EVENTS]), settings)


@dataclass
class TrainedMachine:
    """A trained machine and how its training ended."""

    layer: Layer
    n_epochs: int = 0
    n_updates: int = 0
    converged: bool = False
    message: str = ""
    trace: list[tuple[Any, ...]] = field(default_factory=list)
    growth: list[tuple[Any, ...]] = field(default_factory=list)
    history: History | None = None


def train_jointly(X: Array, S: Array, wiring: Wiring, how: Any, seed: int) -> TrainedMachine:
    """Restart until a machine makes no error; keep the best. `how`: the machine, for its parameters."""
    xi, rng = wiring.arrange_inputs(X), np.random.RandomState(seed)
    # Gaussian weights whose fields have the size of one step, |xi|^2/n, in any units of X.
    size, widths = np.sqrt((xi**2).mean()) or 1.0, (wiring.end - wiring.begin)[:, None]
    best, result = None, TrainedMachine(Layer.without_units(wiring.N, 1.0))
    for restart in range(how.n_restarts):
        state = np.array([rng.randint(2**31 - 1)], dtype=np.uint64)
        W = rng.standard_normal((wiring.K, widths.max())) * size / np.sqrt(widths)
        search = Search(xi, S, wiring, how, W, state)
        result.trace += [(restart, *row) for row in _run_search(search, X)]
        result.n_epochs += search.epochs
        result.n_updates += search.updates
        best = search if best is None or search.rank_key > best.rank_key else best
        if search.is_solved():
            break
    assert best is not None
    result.layer = _layer_from_search(best)
    result.converged = best.is_solved()
    result.history = _history_of_search(best, X) if how.record else None
    result.message = "" if result.converged else _failure_message(best, how)
    return result


def _run_search(search: Search, X: Array) -> list[tuple[Any, ...]]:
    """Run all sweeps of one start; return the trace. In blocks, since compiled code cannot be interrupted."""
    how, work = search.how, search.xi.size * (1 if search.how.rule == "least_action" else len(search.S))
    block, trace = 1 if how.trace else max(1, int(BLOCK_FLOPS / max(work, 1))), []
    while search.epochs < how.max_iter and not search.converged:
        search.run_epochs(min(block, how.max_iter - search.epochs))
        if how.trace:
            E = _layer_from_search(search).example_strengths(X, search.S, search.kind)
            trace.append((search.epochs, search.updates, search.errors, float(E.min())))
    return trace


def _layer_from_search(search: Search) -> Layer:
    wiring = search.wiring
    return Layer.of_perceptrons(*wiring.split_weights(search.kept), wiring.scale or 1.0)


def _failure_message(best: Search, how: Any) -> str:
    tried = f"after {how.max_iter} sweeps"
    tried += f" from each of {how.n_restarts} starts" if how.n_restarts > 1 else ""
    if best.errors == 0:
        return (
            f"has learned all examples, but not with the margin c = {how.c} {tried}. Set a larger max_iter."
        )
    return (
        f"stopped {tried} with {best.errors} of {len(best.S)} examples wrong. Set more n_units, max_iter or "
        "n_restarts, or accept the errors."
    )
