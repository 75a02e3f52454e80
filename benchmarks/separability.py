"""Separability against a linear program: random labels at alpha = P/N = 2, where half are separable.

The peers solve: maximise m under S xi . w >= m, |w_j| <= 1, m <= 1. HiGHS is called directly, if highspy is
installed, and through `scipy.optimize.linprog`, whose input checks take as long as HiGHS.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.data import random_dichotomy
from markone.perceptron import separability
from markone.perceptron.separable._decide import decide_separable

# N and number of sets.
SIZES = [(20, 40), (100, 11)]
# One linear program of this size takes most of a minute: of one peer, on one set.
LARGEST = 1000


def solve_by_highspy(Z: np.ndarray) -> bool:
    """Call HiGHS directly: columns w and m, rows Z w - m >= 0, matrix by rows."""
    import highspy

    P, N = Z.shape
    program = highspy.HighsLp()
    program.num_col_, program.num_row_, program.sense_ = N + 1, P, highspy.ObjSense.kMaximize
    program.col_cost_ = np.append(np.zeros(N), 1.0)
    program.col_lower_ = np.append(np.full(N, -1.0), -np.inf)
    program.col_upper_ = np.ones(N + 1)
    program.row_lower_, program.row_upper_ = np.zeros(P), np.full(P, np.inf)
    program.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    program.a_matrix_.start_ = np.arange(0, P * (N + 1) + 1, N + 1)
    program.a_matrix_.index_ = np.tile(np.arange(N + 1), P)
    program.a_matrix_.value_ = np.hstack([Z, np.full((P, 1), -1.0)]).ravel()
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.passModel(program)
    solver.run()
    return bool(solver.getInfo().objective_function_value > 1e-9)


def solve_by_linprog(Z: np.ndarray) -> bool:
    P, N = Z.shape
    rows = np.hstack([-Z, np.ones((P, 1))])
    bounds = [(-1, 1)] * N + [(None, 1)]
    result = linprog(np.append(np.zeros(N), -1.0), A_ub=rows, b_ub=np.zeros(P), bounds=bounds)
    return bool(-result.fun > 1e-9)


def time_one_set(N: int, seed: int, peer: Callable[[np.ndarray], bool]) -> tuple[float, float, float]:
    """Return seconds of the compiled call, the public one and the linear program on one random set."""
    xi, S, _ = random_dichotomy(2 * N, N, seed)
    Z, w, x, y, answers = xi * S[:, None], np.empty(N), np.empty(2 * N), S.astype(int), []
    # The median: at the first call the caches hold the peer's data.
    core = [measure_seconds(lambda: decide_separable(Z, w, x, 1e-9, 500)) for _ in range(3)]
    public = [measure_seconds(lambda: answers.append(separability(xi, y))) for _ in range(3)]
    theirs = measure_seconds(lambda: answers.append(peer(Z)))
    assert len({bool(answer) for answer in answers}) == 1, f"they differ at N = {N}, seed {seed}"
    return float(np.median(core)), float(np.median(public)), theirs


def compare() -> Iterator[Row]:
    peers = {"linprog (HiGHS)": solve_by_linprog}
    if find_spec("highspy"):
        peers = {"highspy": solve_by_highspy} | peers
    for k, (name, peer) in enumerate(peers.items()):
        time_one_set(5, 0, peer)  # compiles
        for N, sets in [*SIZES, (LARGEST, 1)] if k == 0 else SIZES:
            core, public, theirs = np.array([time_one_set(N, seed, peer) for seed in range(sets)]).T
            yield row_of_pairs(f"separability N={N} P={2 * N}", public, name, theirs, target=50)
            yield row_of_pairs(f"  the same inside compiled code, N={N}", core, name, theirs, target=50)
