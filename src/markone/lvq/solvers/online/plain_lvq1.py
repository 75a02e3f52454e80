"""One epoch of LVQ1 with any distance (5.9) in plain Python, with the presentations of the compiled one."""

from collections.abc import Iterator

import numpy as np

from markone.lvq.distances import Distance, Rows
from markone.lvq.solvers.online._schedules import CONSTANT, INVERSE
from markone.lvq.solvers.online.online_training import OnlineTraining
from markone.numerics._random import GOLDEN, MIX_1, MIX_2, RANDOM, SHUFFLED
from markone.numerics.arrays import Array


def _next_random_bits(state: Array) -> int:
    """The next 64 random bits, equal to those of `numerics._random.draw`."""
    word = 2**64
    state[0] = np.uint64((int(state[0]) + int(GOLDEN)) % word)
    z = int(state[0])
    z = (z ^ (z >> 30)) * int(MIX_1) % word
    z = (z ^ (z >> 27)) * int(MIX_2) % word
    return z ^ (z >> 31)


def _random_below(state: Array, n: int) -> int:
    return ((_next_random_bits(state) >> 32) * n) >> 32


def presentation_order(order: int, turn: Array, state: Array) -> Iterator[int]:
    """Examples of one epoch, in the order of the compiled loops."""
    P = len(turn)
    if order == SHUFFLED:
        for i in range(P - 1, 0, -1):
            j = _random_below(state, i + 1)
            turn[i], turn[j] = turn[j], turn[i]
    for i in range(P):
        yield _random_below(state, P) if order == RANDOM else int(turn[i])


def _plain_scheduled_rate(schedule: int, eta: float, tau: float, t: float) -> float:
    """Learning rate at time t: eta, eta / (1 + t/tau), or eta exp(-t/tau)."""
    if schedule == CONSTANT:
        return eta
    return eta / (1 + t / tau) if schedule == INVERSE else eta * float(np.exp(-t / tau))


def plain_lvq1_epoch(
    training: OnlineTraining, distance: Distance, eta: float, schedule: int, tau: float, order: int
) -> tuple[float, int]:
    """One epoch of w* -= eta Psi (1/2) dd(w*, xi)/dw*, on the free parameters of the prototypes."""
    rows, P = Rows.of(training.xi), len(training.y)
    V, cost, wrong = distance.encode(training.w), 0.0, 0
    for i, mu in enumerate(presentation_order(order, training.turn, training.state)):
        W = distance.decode(V)
        D, pull = distance.evaluate(rows.take(slice(mu, mu + 1)), W)
        winner = int(D[0].argmin())
        psi = 1.0 if training.c[winner] == training.y[mu] else -1.0
        cost, wrong = cost + psi * float(D[0, winner]), wrong + int(psi < 0)
        chosen = np.zeros_like(D)
        chosen[0, winner] = 0.5
        step = psi * min(
            _plain_scheduled_rate(schedule, eta, tau, training.t + i / P) * training.weight[mu], 1.0
        )
        V = V - step * distance.pull_back(W, pull(chosen)[0])
    training.w = np.ascontiguousarray(distance.decode(V))
    return cost / P, wrong
