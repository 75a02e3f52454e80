"""AdaTron against liblinear, libsvm and quadratic-programming solvers.

The note gives the accuracy of the peer: for the hard margin the part of the optimal stability missed, for the
soft margin the relative excess of the primal cost over the certified optimum. Ours are exact except for the
large sparse set, where both reach the same cost.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from benchmarks.quadratic_programs import cvxopt, daqp, piqp, quadprog
from benchmarks.timing import Row, compare_in_turn, row_of_pairs, warm_seconds
from markone.data import teacher_examples
from markone.perceptron import AdaTron

Solver = Callable[[], np.ndarray]
# Examples up to which liblinear takes milliseconds for the hard margin.
QUICK = 200


def liblinear(xi: Any, S: np.ndarray, C: float, tol: float) -> Solver:
    """LinearSVC, dual, hinge loss, no threshold: the same problem."""
    model = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=tol, max_iter=10**6, random_state=0)
    return lambda: model.fit(xi, S).coef_[0]


def libsvm(xi: np.ndarray, S: np.ndarray, C: float, tol: float) -> Solver:
    """SVC with a linear kernel. It always has a threshold, so its cost is not comparable."""
    model = SVC(kernel="linear", C=C, tol=tol, cache_size=1000)
    return lambda: model.fit(xi, S).coef_[0]


def primal_cost(xi: Any, S: np.ndarray, C: float, w: np.ndarray) -> float:
    return float(w @ w / 2 + C * np.maximum(1 - S * (xi @ w), 0).sum())


def compare_hard_margin(P: int, N: int, sets: int, goal: float = 2) -> Iterator[Row]:
    """Over several sets, since the number of Newton steps varies from set to set."""
    data = [teacher_examples(P, N, seed=seed)[:2] for seed in range(sets)]
    peers = {"LinearSVC C=1e6 tol=1e-6": 30, "piqp": goal, "daqp": goal, "quadprog": 2, "cvxopt": 2}
    makers = {f.__name__: f for f in (piqp, daqp, quadprog, cvxopt)}
    ours = AdaTron(fit_intercept=False, random_state=0)
    for name, target in peers.items():
        make = makers.get(name, lambda xi, S: liblinear(xi, S, 1e6, 1e-6))
        times, missed = [], []
        # One set where the peer takes seconds for it.
        for xi, S in data if name in makers or P <= QUICK else data[:1]:
            solve = make(xi, S)
            ours.fit(xi, S)
            w = solve()
            times.append((warm_seconds(lambda xi=xi, S=S: ours.fit(xi, S)), warm_seconds(solve)))
            missed.append(1 - (S * (xi @ w)).min() / np.linalg.norm(w) / ours.stability_)
        note = f"{ours.status_}; peer misses {np.median(missed):.0e} of kappa"
        mine, theirs = np.array(times).T
        yield row_of_pairs(f"AdaTron hard P={P} N={N}", mine, name, theirs, target, note)


def compare_soft_margin(
    P: int, N: int, C: float, peers: dict[str, Callable[..., Solver]], target: float
) -> Iterator[Row]:
    xi, S, _ = teacher_examples(P, N, noise=0.1, seed=0)
    ours = AdaTron(C=C, fit_intercept=False, random_state=0).fit(xi, S)
    least = primal_cost(xi, S, C, ours.coef_[0])
    for name, make in peers.items():
        library, tol = name.split(" tol=")
        solve = make(xi, S, C, float(tol))
        excess = (
            "other cost" if library == "SVC" else f"{primal_cost(xi, S, C, solve()) / least - 1:.0e} too dear"
        )
        case, note = f"AdaTron soft P={P} N={N} C={C:g}", f"{ours.status_}; peer {excess}"
        yield compare_in_turn(case, lambda: ours.fit(xi, S), name, solve, target, 2, note, warm=False)


def compare_sparse(peer_tol: float) -> Row:
    """Both to the same excess of the cost: liblinear's at the given tol."""
    P = N = 50_000
    rng = np.random.default_rng(0)
    xi = sp.random(P, N, 0.001, format="csr", random_state=rng, data_rvs=rng.standard_normal)
    S = np.where(xi @ rng.standard_normal(N) > 0, 1.0, -1.0)
    S[rng.random(P) < 0.1] *= -1
    least = primal_cost(xi, S, 1.0, AdaTron(C=1.0, tol=1e-7, fit_intercept=False).fit(xi, S).coef_[0])
    peer = liblinear(xi, S, 1.0, peer_tol)
    tol = reached = primal_cost(xi, S, 1.0, peer()) / least - 1
    ours = AdaTron(C=1.0, tol=tol, exact=False, fit_intercept=False, random_state=0)
    while primal_cost(xi, S, 1.0, ours.set_params(tol=tol).fit(xi, S).coef_[0]) / least - 1 > reached:
        tol /= 1.5
    name, note = f"LinearSVC tol={peer_tol:g}", f"both {reached:.0e} too dear"
    return compare_in_turn(
        "AdaTron soft 50000 x 50000, 0.1 %", lambda: ours.fit(xi, S), name, peer, 1.5, 3, note
    )


def compare_on_table(load: Callable[..., Any], name: str, target: float) -> Row:
    """A z-scored table with the public `fit`: validation, threshold and certificate included."""
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    ours = AdaTron(C=1.0, random_state=0).fit(X, y)
    peer = LinearSVC(loss="hinge", C=1.0, max_iter=100_000, random_state=0)
    note = f"{np.unique(ours.status_)}; peer at its default tol"
    return compare_in_turn(
        f"AdaTron C=1 {name}",
        lambda: ours.fit(X, y),
        "LinearSVC hinge",
        lambda: peer.fit(X, y),
        target,
        note=note,
    )


def compare() -> Iterator[Row]:
    yield compare_on_table(load_breast_cancer, "breast cancer", 1.5)
    yield compare_on_table(load_iris, "iris", 1.5)
    yield from compare_hard_margin(200, 40, 21, 1.5)
    yield from compare_hard_margin(1000, 200, 11, 2.5)
    yield from compare_hard_margin(3000, 1000, 3)
    yield from compare_soft_margin(
        1000, 200, 0.1, {"LinearSVC tol=1e-4": liblinear, "SVC tol=1e-4": libsvm}, 5
    )
    yield from compare_soft_margin(
        1000, 200, 1.0, {"LinearSVC tol=1e-3": liblinear, "SVC tol=1e-4": libsvm}, 5
    )
    yield from compare_soft_margin(3000, 1000, 0.1, {"LinearSVC tol=1e-3": liblinear}, 5)
    yield from compare_soft_margin(100_000, 100, 1.0, {"LinearSVC tol=0.1": liblinear}, 1.5)
    for tol in (1e-2, 1e-3):
        yield compare_sparse(tol)
