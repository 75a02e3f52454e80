"""Separation against linear programs at 10 000 x 50: complete, quasi-complete (one rare factor) and overlap.

The peer solves one linear program per coefficient, max s w_j under S (xi, 1) . w >= 0, |w_j| <= 1: it decides
whether w_j is infinite with the sign s. The time of three of them, drawn at random, is multiplied by 51 / 3.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import linprog

from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.perceptron import separation

P, N = 10_000, 50
ROUNDS = 3
TIMED = 3


def make_set(kind: str, seed: int, P: int = P, N: int = N) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X, w = rng.standard_normal((P, N)), rng.standard_normal(N)
    y = (X @ w + (0.0 if kind == "complete" else 3.0) * rng.standard_normal(P) > 0).astype(int)
    if kind == "quasi-complete":
        X[:, 0] = 0.0
        X[rng.choice(np.flatnonzero(y), 13, replace=False), 0] = 1.0
    return X, y


def solve_program(Z: np.ndarray, j: int, sign: float) -> float:
    c = np.zeros(Z.shape[1])
    c[j] = -sign
    found = linprog(c, A_ub=-Z, b_ub=np.zeros(len(Z)), bounds=[(-1.0, 1.0)] * Z.shape[1], method="highs")
    return float(-found.fun)


def time_one_set(kind: str, seed: int, P: int = P, N: int = N) -> tuple[float, float]:
    """Return seconds of `separation` and of one linear program per coefficient on one set."""
    X, y = make_set(kind, seed, P, N)
    Z = np.c_[X, np.ones(P)] * np.where(y > 0, 1.0, -1.0)[:, None]
    answers = []
    ours = measure_seconds(lambda: answers.append(separation(X, y)))
    states = answers[0].states
    assert answers[0].kind == kind, f"{answers[0].kind} where {kind} was made, seed {seed}"
    chosen = np.random.default_rng(seed).choice(N + 1, TIMED, replace=False)
    signs = (1.0, -1.0, 1.0)
    values: list[float] = []
    theirs = measure_seconds(
        lambda: values.extend(solve_program(Z, j, s) for j, s in zip(chosen, signs, strict=True))
    )
    for j, sign, value in zip(chosen, signs, values, strict=True):
        allowed = {"inf", "+inf" if sign > 0 else "-inf"}
        assert (value > 1e-9) == (states[j] in allowed), f"they differ at coefficient {j}, seed {seed}"
    return ours, theirs * (N + 1) / TIMED


def compare() -> Iterator[Row]:
    for kind in ("complete", "quasi-complete", "overlap"):
        time_one_set(kind, 0, 200, 5)  # compiles
        ours, theirs = np.array([time_one_set(kind, seed) for seed in range(ROUNDS)]).T
        yield row_of_pairs(f"separation {P} x {N}, {kind}", ours, "linprog (HiGHS)", theirs, target=20)
