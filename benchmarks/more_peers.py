"""AdaTron and KernelAdaTron against solvers that come with the extra `bench` where they have wheels.

snapml and rehline solve the soft margin without threshold, clarabel the hard margin as a quadratic program,
scikit-learn-intelex replaces libsvm in SVC (tol = 1e-3). The note gives the excess of a peer's cost
over the certified optimum, or the part of the optimal stability it misses. Peers that are not installed are
left out.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

from benchmarks.kernel_adatron import draw_mixture
from benchmarks.quadratic_programs import clarabel
from benchmarks.timing import Row, compare_in_turn
from markone.data import teacher_examples
from markone.perceptron import AdaTron, KernelAdaTron

Solver = Callable[[], np.ndarray]


def snapml_solver(xi: np.ndarray, S: np.ndarray, C: float) -> Solver:
    """Coordinate ascent of IBM's Snap ML at its default tolerance."""
    from snapml import SupportVectorMachine

    model = SupportVectorMachine(regularizer=1.0 / C, fit_intercept=False, loss="hinge", random_state=0)
    return lambda: np.ravel(model.fit(xi, S).coef_)


def rehline_solver(xi: np.ndarray, S: np.ndarray, C: float) -> Solver:
    """Piecewise linear losses by coordinate descent, until convergence."""
    from rehline import plqERM_Ridge

    model = plqERM_Ridge(loss={"name": "svm"}, C=C, max_iter=100_000)
    return lambda: np.ravel(model.fit(X=xi, y=S).coef_)


def soft_margin_cost(xi: np.ndarray, S: np.ndarray, C: float, w: np.ndarray) -> float:
    return float(w @ w / 2 + C * np.maximum(1 - S * (xi @ w), 0).sum())


def compare_soft_peers(
    P: int, N: int, package: str, make: Callable[..., Solver], target: float
) -> Iterator[Row]:
    """Exact, and stopped at a certified gap of 1 %, closer than a peer with its default."""
    C = 1.0
    xi, S, _ = teacher_examples(P, N, noise=0.1, seed=0)
    exact, solve = AdaTron(C=C, fit_intercept=False, random_state=0).fit(xi, S), make(xi, S, C)
    least, peer = soft_margin_cost(xi, S, C, exact.coef_[0]), soft_margin_cost(xi, S, C, solve())
    loose = AdaTron(C=C, exact=False, tol=1e-2, fit_intercept=False, random_state=0).fit(xi, S)
    for ours, end in ((exact, "exact"), (loose, "gap 1 %")):
        mine = f", ours {soft_margin_cost(xi, S, C, ours.coef_[0]) / least - 1:.0e}" if ours is loose else ""
        note = f"{ours.status_}; peer {peer / least - 1:.0e} too dear{mine}"
        case = f"AdaTron soft P={P} N={N} C={C:g}, {end}"
        yield compare_in_turn(
            case, lambda ours=ours: ours.fit(xi, S), package, solve, target, 3, note, warm=False
        )


def compare_clarabel(P: int, N: int, target: float) -> Row:
    xi, S, _ = teacher_examples(P, N, seed=0)
    ours, solve = AdaTron(fit_intercept=False, random_state=0).fit(xi, S), clarabel(xi, S)
    w = solve()
    missed = 1 - (S * (xi @ w)).min() / np.linalg.norm(w) / ours.stability_
    note = f"{ours.status_}; peer misses {missed:.0e} of kappa"
    return compare_in_turn(
        f"AdaTron hard P={P} N={N}", lambda: ours.fit(xi, S), "clarabel", solve, target, 3, note
    )


def compare_sklearnex(P: int, C: float, target: float) -> Row:
    """Both at tol = 1e-3."""
    from sklearnex.svm import SVC

    X, S = draw_mixture(P)
    ours, peer = KernelAdaTron(C=C, tol=1e-3, exact=False), SVC(C=C, gamma="scale", tol=1e-3, cache_size=200)
    case = f"KernelAdaTron rbf mixture P={P} C={C:g}"
    return compare_in_turn(case, lambda: ours.fit(X, S), "sklearnex SVC", lambda: peer.fit(X, S), target, 3)


def compare() -> Iterator[Row]:
    if find_spec("clarabel"):
        yield compare_clarabel(200, 40, 1.5)
        yield compare_clarabel(1000, 200, 2.5)
    if find_spec("rehline"):
        yield from compare_soft_peers(1000, 50, "rehline", rehline_solver, 1.5)
    if find_spec("snapml"):
        for P, goal in ((1000, 1.5), (100_000, 2.0), (1_000_000, 2.0)):
            yield from compare_soft_peers(P, 50, "snapml", snapml_solver, goal)
    if find_spec("sklearnex"):
        for P, C, goal in (
            (2000, 1.0, 1.5),
            (4000, 10.0, 1.5),
            (8000, 1.0, 1.5),
            (16_000, 1.0, 1.3),
            (32_000, 1.0, 1.3),
        ):
            yield compare_sklearnex(P, C, goal)
