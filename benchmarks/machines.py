"""Least action against a plain numpy loop; the grown parity machine against scikit-learn's MLP."""

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_breast_cancer, make_moons
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.timing import Row, compare_in_turn
from markone.machines import ParityMachine
from markone.machines._least_action import least_action
from markone.machines._units import COMMITTEE, PARITY
from markone.numerics._random import CYCLIC


def numpy_least_action(xi, S, W, kind, sweeps):
    """A plain numpy loop: xi (P, K, n), one einsum per presentation."""
    K, n = W.shape
    for sweep in range(sweeps):
        mistakes = 0
        for x, s in zip(xi, S, strict=True):
            h = np.einsum("kn,kn->k", W, x)
            sigma = np.where(h >= 0, 1, -1)
            if kind == COMMITTEE and s * sigma.sum() < 0:
                wrong = np.flatnonzero(s * h <= 0)
                chosen = wrong[np.argsort(np.abs(h[wrong]))][: len(wrong) - K // 2]
                W[chosen] += s * x[chosen] / n
                mistakes += 1
            elif kind == PARITY and sigma.prod() != s:
                k = np.argmin(np.abs(h))
                W[k] -= sigma[k] * x[k] / n
                mistakes += 1
        if mistakes == 0:
            return sweep + 1
    return sweeps


def compare_least_action(name: str, kind: int, K: int, n: int, alpha: float, sweeps: int) -> Row:
    rng = np.random.default_rng(0)
    P = round(alpha * K * n)
    xi, S = rng.standard_normal((P, K * n)), rng.choice([-1.0, 1.0], P)
    start, begin = rng.standard_normal((K, n)) / np.sqrt(n), n * np.arange(K)
    turn, state = np.arange(P), np.array([0], dtype=np.uint64)

    def ours():
        W = start.copy()
        least_action(xi, S, begin, begin + n, W, kind, 0.0, sweeps, CYCLIC, turn, state, False, W.copy(), P)
        return W

    def theirs():
        W = start.copy()
        numpy_least_action(xi.reshape(P, K, n), S, W, kind, sweeps)
        return W

    np.testing.assert_allclose(ours(), theirs(), rtol=1e-6, atol=1e-9)
    case = f"least action, tree {name} K={K} N={K * n} P={P}"
    return compare_in_turn(case, ours, "plain numpy loop", theirs, target=20, rounds=5, note="same weights")


def compare_grown(name: str, X, y) -> Row:
    """Time and test accuracy; the parity machine stops early by validation, the MLP has its defaults."""
    learn, test, y_learn, y_test = train_test_split(X, y, test_size=0.4, stratify=y, random_state=0)
    ours = make_pipeline(StandardScaler(), ParityMachine(validation_fraction=0.25, random_state=0))
    full = make_pipeline(StandardScaler(), ParityMachine(random_state=0)).fit(learn, y_learn)
    theirs = make_pipeline(StandardScaler(), MLPClassifier(max_iter=1000, random_state=0))
    ours.fit(learn, y_learn), theirs.fit(learn, y_learn)
    scores = [f"{model.score(test, y_test):.3f}" for model in (ours, full, theirs)]
    return compare_in_turn(
        f"grown parity machine, {name}, {len(y_learn)} examples",
        lambda: ours.fit(learn, y_learn),
        "sklearn MLP",
        lambda: theirs.fit(learn, y_learn),
        target=1,
        rounds=3,
        note=f"test accuracy {scores[0]} ({ours[-1].n_units_} units), grown to the end {scores[1]} "
        f"({full[-1].n_units_} units), MLP {scores[2]}",
    )


def compare() -> Iterator[Row]:
    yield compare_least_action("committee", COMMITTEE, 3, 20, 3.0, 30)
    yield compare_least_action("parity", PARITY, 3, 20, 3.0, 30)
    yield compare_least_action("committee", COMMITTEE, 3, 100, 3.0, 10)
    yield compare_grown("two moons", *make_moons(300, noise=0.25, random_state=0))
    yield compare_grown("breast cancer", *load_breast_cancer(return_X_y=True))
