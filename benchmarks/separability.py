"""Separability against a linear program: random labels at alpha = P/N = 2, where the answer is open.

The peer is `scipy.optimize.linprog` (HiGHS): maximise m under S xi . w >= m, |w_j| <= 1, m <= 1.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import Row, of_pairs, seconds
from markone.data import random_dichotomy
from markone.perceptron import separability
from markone.perceptron.separation._decide import decide

# N and number of sets: one linear program at N = 1000 takes a minute.
SIZES = [(20, 40), (100, 11), (1000, 2)]


def linear_program(Z: np.ndarray) -> bool:
    P, N = Z.shape
    rows = np.hstack([-Z, np.ones((P, 1))])
    bounds = [(-1, 1)] * N + [(None, 1)]
    result = linprog(np.append(np.zeros(N), -1.0), A_ub=rows, b_ub=np.zeros(P), bounds=bounds)
    return bool(-result.fun > 1e-9)


def one_set(N: int, seed: int) -> tuple[float, float, float]:
    """Seconds of the compiled call, of the public one and of the linear program, on one random set."""
    xi, S, _ = random_dichotomy(2 * N, N, seed)
    Z, w, x, y, answers = xi * S[:, None], np.empty(N), np.empty(2 * N), S.astype(int), []
    # The first of several calls finds the caches full of the peer's data.
    core = [seconds(lambda: decide(Z, w, x, 1e-9, 500)) for _ in range(3)]
    public = [seconds(lambda: answers.append(separability(xi, y))) for _ in range(3)]
    peer = seconds(lambda: answers.append(linear_program(Z)))
    assert len({bool(answer) for answer in answers}) == 1, f"they differ at N = {N}, seed {seed}"
    return float(np.median(core)), float(np.median(public)), peer


def compare() -> Iterator[Row]:
    one_set(5, 0)  # compiles
    for N, sets in SIZES:
        core, public, peer = np.array([one_set(N, seed) for seed in range(sets)]).T
        yield of_pairs(f"separability N={N} P={2 * N}", public, "linprog (HiGHS)", peer, target=50)
        yield of_pairs(f"  the same inside compiled code, N={N}", core, "linprog (HiGHS)", peer, target=50)
