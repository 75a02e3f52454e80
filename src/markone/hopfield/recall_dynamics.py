"""Run the dynamics to a fixed point, a cycle of two, or `max_iter`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
    run_parallel,
    run_sequential,
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
    def is_thermal(self) -> bool:
        return self.temperature > 0


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
    done, status = 0, OPEN
    while done < how.max_iter and status == OPEN:
        some, status = advance(1 if watch else how.max_iter - done)
        done += some
        if watch:
            watch(S)
        if status == FIXED and not network.is_fixed_point(S):
            # The updated fields had accumulated rounding errors: continue with recomputed ones.
            advance, status = _make_stepper(network, S, how, state, log), OPEN
    return done, "thermal" if how.is_thermal else STATUS[status]


def _make_stepper(
    network: Network, S: Array, how: Dynamics, state: Array, log: Any
) -> Callable[[int], tuple[int, int]]:
    memory = network.initial_memory(S)
    if how.dynamics == "parallel":
        before = np.zeros_like(S)
        return lambda steps: run_parallel(memory, S, before, how.temperature, state, steps)
    turn = np.arange(len(S))
    rest = (how.temperature, RULES[how.rule], ORDERS[how.order], turn, state)
    return lambda sweeps: run_sequential(memory, S, *rest, sweeps, log)
