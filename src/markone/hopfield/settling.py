"""Run the dynamics to a fixed point, a cycle of two, or `max_iter`."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from markone.hopfield._dynamics import (
    CYCLE,
    CYCLIC,
    FIXED,
    GLAUBER,
    METROPOLIS,
    OPEN,
    RANDOM,
    SHUFFLED,
    parallel,
    sequential,
)
from markone.hopfield.network import Network
from markone.numerics.arrays import Array

ORDERS = {"shuffled": SHUFFLED, "random": RANDOM, "cyclic": CYCLIC}
RULES = {"glauber": GLAUBER, "metropolis": METROPOLIS}
STATUS = {FIXED: "fixed point", CYCLE: "cycle of two", OPEN: "max_iter"}


@dataclass(frozen=True)
class Dynamics:
    """Options of the dynamics: order, noise, largest number of sweeps."""

    dynamics: str
    order: str
    temperature: float
    rule: str
    max_iter: int

    @property
    def thermal(self) -> bool:
        return self.temperature > 0


def settle(
    network: Network,
    S: Array,
    how: Dynamics,
    state: Array,
    watch: Callable[[Array], None] | None = None,
) -> tuple[int, str]:
    """Run the dynamics on S in place; return sweeps and status. `watch(S)` is called after each sweep."""
    advance = _mover(network, S, how, state)
    done, status = 0, OPEN
    while done < how.max_iter and status == OPEN:
        some, status = advance(1 if watch else how.max_iter - done)
        done += some
        if watch:
            watch(S)
        if status == FIXED and not network.at_rest(S):
            # The updated fields had accumulated rounding errors: continue with recomputed ones.
            advance, status = _mover(network, S, how, state), OPEN
    return done, "thermal" if how.thermal else STATUS[status]


def _mover(network: Network, S: Array, how: Dynamics, state: Array) -> Callable[[int], tuple[int, int]]:
    memory = network.memory(S)
    if how.dynamics == "parallel":
        before = np.zeros_like(S)
        return lambda steps: parallel(memory, S, before, how.temperature, state, steps)
    turn = np.arange(len(S))
    rest = (how.temperature, RULES[how.rule], ORDERS[how.order], turn, state)
    return lambda sweeps: sequential(memory, S, *rest, sweeps)
