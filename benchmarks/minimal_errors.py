"""MinimalErrors against an integer program with big-M constraints, solved by HiGHS (scipy's milp).

Gaussian inputs, the labels of a teacher, some flipped. At 500 x 10 nothing is compared: the
proven bounds after a minute are printed.
"""

from collections.abc import Iterator

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone import MinimalErrors
from markone.data import teacher_examples

SIZES = ((100, 5), (150, 4))
ROUNDS = 5


def solve_program(Z: np.ndarray) -> int:
    """min sum e with z . w + M e >= 1e-4, |w_j| <= 1, e of 0 and 1."""
    P, N = Z.shape
    wide = np.abs(Z).sum(axis=1) + 1e-4
    found = milp(
        np.r_[np.zeros(N), np.ones(P)],
        constraints=LinearConstraint(np.c_[Z, np.diag(wide)], 1e-4, np.inf),
        integrality=np.r_[np.zeros(N), np.ones(P)],
        bounds=Bounds(np.r_[-np.ones(N), np.zeros(P)], 1.0),
    )
    return round(found.fun)


def time_one_set(P: int, N: int, seed: int) -> tuple[float, float]:
    """Return seconds of `MinimalErrors` and of the integer program on one set."""
    X, S, _ = teacher_examples(P, N, noise=0.12, seed=seed)
    Z = np.c_[X, np.ones(P)] * S[:, None]
    student, errors = MinimalErrors(random_state=0), []
    ours = measure_seconds(lambda: student.fit(X, S))
    theirs = measure_seconds(lambda: errors.append(solve_program(Z)))
    assert student.proved_, f"not proved, seed {seed}"
    assert student.n_errors_ == errors[0], f"{student.n_errors_} and {errors[0]} errors, seed {seed}"
    return ours, theirs


def compare() -> Iterator[Row]:
    time_one_set(20, 2, 0)  # compiles
    for P, N in SIZES:
        ours, theirs = np.array([time_one_set(P, N, seed) for seed in range(ROUNDS)]).T
        yield row_of_pairs(f"fewest errors {P} x {N}, noise 12 %", ours, "milp (HiGHS)", theirs, target=5)
    for seed in range(2):
        X, S, _ = teacher_examples(500, 10, noise=0.1, seed=seed)
        student = MinimalErrors(random_state=0, time_limit=60.0)
        seconds = measure_seconds(lambda student=student, X=X, S=S: student.fit(X, S))
        lower, upper = student.errors_bounds_
        print(f"fewest errors 500 x 10, noise 10 %: {lower} to {upper} after {seconds:.0f} s")
