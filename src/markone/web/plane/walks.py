"""Perceptrons learning one presentation at a time, in the library's compiled loops.

A loop is called with one row of the examples at a time: views of the same arrays, so that P steps are bit for
bit one epoch of the estimator. Nothing is learned here in Python.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from markone.numerics.arrays import Array
from markone.perceptron import Hebb
from markone.perceptron._entries import adaline_w, adatron_w, rosenblatt_w
from markone.perceptron._lms import learn
from markone.perceptron._minover import NEVER, minover
from markone.perceptron._orders import CYCLIC
from markone.perceptron._pocket import pocket_exact
from markone.perceptron.delta_rule import SCHEDULES
from markone.perceptron.lms import LMS
from markone.perceptron.measures import stability, stability_bound, training_errors
from markone.perceptron.problem import Problem

# (example or -1, its E before, its strength after or NaN, w), and whether the student is done.
Step = tuple[int, float, float, Array, bool]
STILL = 1e-9
GAP = 1e-3


def problem_of(X: Array, S: Array, threshold: bool, seed: int = 0) -> Problem:
    """As the estimators make it: the clamped input is the last column (3.4)."""
    xi = np.hstack([X, np.ones((len(X), 1))]) if threshold else X
    # What an estimator with random_state=seed gives to the first of its problems.
    drawn = int(check_random_state(seed).randint(2**31 - 1))
    return Problem(np.ascontiguousarray(xi), S, seed=drawn)


def _in_turn(
    problem: Problem, x: Array, w: Array, one: Callable[[int], None], done: Callable[[int, float], bool]
) -> Iterator[Step]:
    """Examples in turn; done(updates, largest change) is asked after each epoch."""
    updates, largest = 0, 0.0
    while True:
        for mu in range(problem.P):
            E, before = float(problem.S[mu] * (problem.X[mu] @ w)), x[mu]
            old = w.copy()
            one(mu)
            change = float(np.abs(w - old).max())
            updates, largest = updates + (change > 0), max(largest, change)
            end = mu == problem.P - 1 and done(updates, largest)
            yield mu, E, float(x[mu]) if x[mu] != before or change > 0 else np.nan, w.copy(), end
            if end:
                return
        updates, largest = 0, 0.0


def _views(problem: Problem, x: Array, mu: int) -> tuple[Any, ...]:
    row = slice(mu, mu + 1)
    return problem.X[row], problem.S[row], problem.C_diagonal[row], x[row]


def _loop(entry: Any, eta: float, c: float, gamma: float, stop: str) -> Callable[[Problem], Iterator[Step]]:
    """One of the generic loops (3.12) on weights."""

    def walk(problem: Problem) -> Iterator[Step]:
        w, x = np.zeros(problem.N), np.zeros(problem.P)
        box, turn, state = np.full(1, gamma), np.arange(1), np.zeros(1, dtype=np.uint64)

        def one(mu: int) -> None:
            xi, S, h, strength = _views(problem, x, mu)
            entry(xi, S, h, w, strength, eta, c, box, -1.0, 1, CYCLIC, turn, state)

        def done(updates: int, largest: float) -> bool:
            return updates == 0 if stop == "quiet" else largest <= STILL * float(np.abs(w).max())

        yield from _in_turn(problem, x, w, one, done)

    return walk


def rosenblatt(state: Any) -> Callable[[Problem], Iterator[Step]]:
    return _loop(rosenblatt_w, state.eta, state.c, np.inf, "quiet")


def adaline(state: Any) -> Callable[[Problem], Iterator[Step]]:
    return _loop(adaline_w, min(state.eta, 1.9), 0.0, np.inf, "still")


def adatron(state: Any) -> Callable[[Problem], Iterator[Step]]:
    return _loop(adatron_w, min(state.eta, 1.9), 0.0, np.inf, "still")


def soft_adatron(state: Any) -> Callable[[Problem], Iterator[Step]]:
    N = 3 if state.threshold else 2
    return _loop(adatron_w, min(state.eta, 1.9), 0.0, state.C * N, "still")


def hebb(state: Any) -> Callable[[Problem], Iterator[Step]]:
    def walk(problem: Problem) -> Iterator[Step]:
        student, w, x = Hebb(fit_intercept=False), np.zeros(problem.N), np.zeros(problem.P)

        def one(mu: int) -> None:
            student.partial_fit(problem.X[mu : mu + 1], problem.S[mu : mu + 1], classes=[-1.0, 1.0])
            w[:], x[mu] = student.coef_[0], 1.0

        yield from _in_turn(problem, x, w, one, lambda updates, largest: True)

    return walk


def lms(state: Any) -> Callable[[Problem], Iterator[Step]]:
    def walk(problem: Problem) -> Iterator[Step]:
        w, x, n = np.zeros(problem.N), np.zeros(problem.P), 0
        rate = LMS()._first_rate(problem)
        turn, random = np.arange(1), np.zeros(1, dtype=np.uint64)
        how = (False, SCHEDULES["search_then_converge"], rate, 10.0, True)

        def one(mu: int) -> None:
            # The schedule counts epochs: the loop is told which one this is.
            learn(problem.X[mu : mu + 1], problem.S[mu : mu + 1], w, *how, n, 1, CYCLIC, turn, random)

        def done(updates: int, largest: float) -> bool:
            nonlocal n
            n += 1
            return largest <= 1e-6 * float(np.abs(w).max())

        yield from _in_turn(problem, x, w, one, done)

    return walk


def minover_(state: Any) -> Callable[[Problem], Iterator[Step]]:
    def walk(problem: Problem) -> Iterator[Step]:
        C, x, best_x = problem.correlations(), np.zeros(problem.P), np.zeros(problem.P)
        E, Q, best, t = np.zeros(problem.P), 0.0, -np.inf, 0
        while True:
            mu = int(np.argmin(E))
            before = float(E[mu])
            _, Q, best, _ = minover(C, problem.N, x, E, Q, best_x, best, np.inf, NEVER, 0.0, 1)
            w, t = problem.weights_of(x), t + 1
            upper = stability_bound(x, problem.X, problem.S)
            end = t % problem.P == 0 and upper - stability(w, problem.X, problem.S) <= GAP * upper
            yield mu, before, float(x[mu]), w, end
            if end:
                return

    return walk


def pocket(state: Any) -> Callable[[Problem], Iterator[Step]]:
    """By lot; what is shown is the pocket. Where nothing was learned, nobody knows which one was drawn."""

    def walk(problem: Problem) -> Iterator[Step]:
        C, E, x = problem.correlations(), np.zeros(problem.P), np.zeros(problem.P)
        best_x, best = np.zeros(problem.P), problem.P
        random = np.array([problem.seed], dtype=np.uint64)
        tiny = 1e-12 * float(problem.C_diagonal.max())
        while True:
            before, old = x.copy(), E.copy()
            best, updates, _ = pocket_exact(C, problem.S, x, E, tiny, best_x, best, 1, random)
            mu = int(np.argmax(x - before)) if updates else -1
            seen = float(old[mu]) if updates else np.nan
            yield mu, seen, float(x[mu]) if updates else np.nan, problem.weights_of(best_x), best == 0
            if best == 0:
                return

    return walk


WALKS: dict[str, Callable[[Any], Callable[[Problem], Iterator[Step]]]] = {
    "hebb": hebb,
    "rosenblatt": rosenblatt,
    "pocket": pocket,
    "minover": minover_,
    "adaline": adaline,
    "lms": lms,
    "adatron": adatron,
    "soft_adatron": soft_adatron,
}


def rows(name: str, problem: Problem, state: Any, most: int) -> Iterator[dict[str, Any]]:
    """What the page draws of each step, the start first."""
    w, x, updates = np.zeros(problem.N), np.zeros(problem.P), 0
    yield _row(problem, -1, np.nan, w, x, updates, False)
    for t, (mu, E, strength, w, done) in enumerate(WALKS[name](state)(problem)):
        if mu >= 0 and strength == strength:
            x[mu], updates = strength, updates + 1
        yield _row(problem, mu, E, w, x, updates, done)
        if t + 1 >= most:
            return


def _row(problem: Problem, mu: int, E: float, w: Array, x: Array, updates: int, done: bool) -> dict[str, Any]:
    some = bool(w.any())
    return {
        "mu": mu,
        "E": E,
        "w": w.tolist(),
        "x": float(x[mu]) if mu >= 0 else np.nan,
        "kappa": stability(w, problem.X, problem.S) if some else np.nan,
        "upper": stability_bound(x, problem.X, problem.S) if x.any() else np.nan,
        "errors": training_errors(w, problem.X, problem.S),
        "norm": float(np.linalg.norm(w)),
        "updates": updates,
        "done": done,
    }
