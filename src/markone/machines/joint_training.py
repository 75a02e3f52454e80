"""Joint training of all units: restarts, pocket and trace around the compiled loops."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.base.history import History
from markone.machines.history import history_of_search
from markone.machines.search import Search, SearchOptions
from markone.machines.units import Layer
from markone.machines.wiring import Wiring
from markone.numerics.arrays import Array
from markone.perceptron.base.epochs import BLOCK_FLOPS


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


def _random_weights(wiring: Wiring, xi: Array, rng: np.random.RandomState) -> Array:
    """Gaussian weights whose fields have the size of one step, |xi|^2/n, in any units of X."""
    size = np.sqrt((xi**2).mean()) or 1.0
    widths = (wiring.end - wiring.begin)[:, None]
    return np.asarray(rng.standard_normal((wiring.K, wiring.max_width)) * size / np.sqrt(widths))


def train_jointly(X: Array, S: Array, wiring: Wiring, how: SearchOptions, seed: int) -> TrainedMachine:
    """Restart until a machine makes no error; keep the best."""
    xi, rng = wiring.arrange_inputs(X), np.random.RandomState(seed)
    best, result = None, TrainedMachine(Layer.without_units(wiring.N, 1.0))
    for restart in range(how.n_restarts):
        state = np.array([rng.randint(2**31 - 1)], dtype=np.uint64)
        search = Search(xi, S, wiring, how, _random_weights(wiring, xi, rng), state)
        result.trace += [(restart, *row) for row in _run_search(search, X)]
        result.n_epochs += search.epochs
        result.n_updates += search.updates
        best = search if search.better_than(best) else best
        if search.is_solved():
            break
    assert best is not None
    result.layer = _layer_from_search(best)
    result.converged = best.is_solved()
    result.history = history_of_search(best, X) if how.record else None
    result.message = "" if result.converged else _failure_message(best, how)
    return result


def _run_search(search: Search, X: Array) -> list[tuple[Any, ...]]:
    """Run all sweeps of one start; return the trace. In blocks, since compiled code cannot be interrupted."""
    how, work = search.how, search.xi.size * (1 if search.how.rule == "least_action" else len(search.S))
    block, trace = 1 if how.trace else max(1, int(BLOCK_FLOPS / max(work, 1))), []
    while search.epochs < how.max_iter and not search.converged:
        search.run_epochs(min(block, how.max_iter - search.epochs))
        if how.trace:
            E = _layer_from_search(search).example_strengths(X, search.S, how.kind)
            trace.append((search.epochs, search.updates, search.errors, float(E.min())))
    return trace


def _layer_from_search(search: Search) -> Layer:
    wiring = search.wiring
    return Layer.of_perceptrons(*wiring.split_weights(search.kept), wiring.scale or 1.0)


def _failure_message(best: Search, how: SearchOptions) -> str:
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
