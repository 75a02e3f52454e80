"""AdaTron with a free threshold against AdaTron with the clamped input, on the rows of `adatron`.

The free one may take 1.3 times as long: both students are certified, of different problems.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import StandardScaler

from benchmarks.timing import Row, row_of_pairs, warm_seconds
from markone import AdaTron
from markone.data import teacher_examples

GOAL = 1 / 1.3
Sets = list[tuple[np.ndarray, np.ndarray]]


def compare_thresholds(name: str, sets: Sets, C: float, rounds: int) -> Row:
    """Time both on each set, in turn."""
    free, clamped = (AdaTron(C=C, fit_intercept=kind, random_state=0) for kind in ("free", True))
    pairs = []
    for X, y in sets:
        free.fit(X, y), clamped.fit(X, y)
        for _ in range(rounds):
            pairs.append([warm_seconds(partial(student.fit, X, y)) for student in (free, clamped)])
    ours, theirs = np.array(pairs).T
    note = f"{np.unique(free.status_)} and {np.unique(clamped.status_)}"
    return row_of_pairs(f"free threshold {name}", ours, "clamped input", theirs, GOAL, note)


def draw_sets(P: int, N: int, count: int, noise: float = 0.0) -> Sets:
    return [teacher_examples(P, N, noise=noise, seed=seed)[:2] for seed in range(count)]


def compare() -> Iterator[Row]:
    for load, name in ((load_breast_cancer, "breast cancer"), (load_iris, "iris")):
        X, y = load(return_X_y=True)
        yield compare_thresholds(f"C=1 {name}", [(StandardScaler().fit_transform(X), y)], 1.0, 15)
    for P, N, count in ((200, 40, 21), (1000, 200, 11), (3000, 1000, 3)):
        yield compare_thresholds(f"hard P={P} N={N}", draw_sets(P, N, count), np.inf, 1)
    for P, N, C in ((1000, 200, 0.1), (1000, 200, 1.0), (3000, 1000, 0.1), (100_000, 100, 1.0)):
        yield compare_thresholds(f"soft P={P} N={N} C={C:g}", draw_sets(P, N, 1, 0.1), C, 3)
