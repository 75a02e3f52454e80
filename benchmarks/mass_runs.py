"""Mass runs of random labels on one core, data generation included: Rosenblatt stopped after 100 sweeps.

The peer is the code that the storage report describes: data by numpy, one set at a time from Python, the
training compiled by numba sample by sample, a new weight vector for each update, a check of all E after each
sweep (which here stops at the first E <= 0). The exact separable fraction is compared with the same run.
"""

from collections.abc import Iterator
from dataclasses import replace

import numba
import numpy as np

from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.separable import decide_storage_sets

SWEEPS, ALPHA, ROUNDS = 100, 2.0, 5
OTHER_ALPHAS = (1.5, 1.8, 2.2, 2.5)
# N, our sets in a round (the peer gets an eighth), the goal.
SIZES = [(5, 8000, 40), (20, 1600, 18), (40, 640, 11), (100, 160, 7), (1000, 2, 4)]


def generate_artificial_data(P, N):
    return np.random.normal(0, 1, (P, N)), np.random.choice(np.array([-1.0, 1.0]), P)  # noqa: NPY002


@numba.njit
def update_weights(w, xi, S, E):
    return w + 1 / w.shape[0] * xi * S if E <= 0 else w


@numba.njit
def train_perceptron(w, xi, S, n_max):
    for _ in range(n_max):
        for mu in range(xi.shape[0]):
            w = update_weights(w, xi[mu], S[mu], np.dot(w, xi[mu]) * S[mu])
        learned = True
        for mu in range(xi.shape[0]):
            if np.dot(w, xi[mu]) * S[mu] <= 0:
                learned = False
                break
        if learned:
            return True
    return False


def learned_fraction(P, N, n_sets, n_max):
    successes = 0
    for _ in range(n_sets):
        xi, S = generate_artificial_data(P, N)
        successes += train_perceptron(np.zeros(N), xi, S, n_max)
    return successes / n_sets


def measure_rounds(N: int, sets: int, alpha: float, peer: bool) -> np.ndarray:
    """Return seconds per set and round: ours, the exact decision of sets not learned, the peer."""
    storage, P, peer_sets = find_scenario("storage"), round(alpha * N), max(1, sets // 8)
    stopped = storage.parameters(N=N, alpha=alpha, sweeps=SWEEPS, exact=False)
    learned, answers = storage.run(stopped, 1, 0, sets)["converged"], np.empty(sets)
    ways = [
        (lambda: storage.run(stopped, 1, 0, sets), sets),
        (lambda: decide_storage_sets(1, 0, P, N, learned, answers), sets),
    ]
    if peer:
        ways.append((lambda: learned_fraction(P, N, peer_sets, SWEEPS), peer_sets))
    for way, _ in ways:
        way()
    return np.array([[measure_seconds(way) / n for way, n in ways] for _ in range(ROUNDS)]).T


def compare_other_alphas(N: int, sets: int) -> Row:
    """The exact decision at the other alphas: the row with the smallest ratio."""
    case, peer = f"  the same, other alphas, N={N}, a set", "our own 100 sweeps"
    found = {alpha: measure_rounds(N, sets, alpha, False) for alpha in OTHER_ALPHAS}
    rows = {alpha: row_of_pairs(case, exact, peer, ours, 1) for alpha, (ours, exact) in found.items()}
    worst = min(rows.values(), key=lambda row: row.ratio)
    return replace(worst, note="; ".join(f"{alpha}: {row.ratio:.2g} x" for alpha, row in rows.items()))


def compare() -> Iterator[Row]:
    for N, sets, target in SIZES:
        ours, exact, peer = measure_rounds(N, sets, ALPHA, True)
        yield row_of_pairs(f"Rosenblatt N={N} P={2 * N}, a set", ours, "one set at a time", peer, target)
        if N <= 100:
            note = f"{np.median(peer / exact):.0f} x the peer, which does not decide it"
            yield row_of_pairs(
                f"  separable or not, N={N}, a set", exact, "our own 100 sweeps", ours, 1, note
            )
            yield compare_other_alphas(N, sets)
