"""AdaTron and KernelAdaTron against solvers that come with the extra `bench` where they have wheels.

snapml and rehline solve the soft margin without threshold, clarabel the hard margin as a quadratic program,
scikit-learn-intelex replaces libsvm in SVC. The note says what the answer of the peer costs above the
certified optimum, or misses of the optimal stability. A peer that is not installed is left out.
"""

from collections.abc import Callable, Iterator
from importlib.util import find_spec

import numpy as np

from benchmarks.kernel_adatron import mixture
from benchmarks.quadratic_programs import clarabel
from benchmarks.timing import Row, side_by_side
from markone.data import teacher_examples
from markone.perceptron import AdaTron, KernelAdaTron

Solver = Callable[[], np.ndarray]


def snap(xi: np.ndarray, S: np.ndarray, C: float) -> Solver:
    """Coordinate ascent of IBM's Snap ML at its default tolerance."""
    from snapml import SupportVectorMachine

    model = SupportVectorMachine(regularizer=1.0 / C, fit_intercept=False, loss="hinge", random_state=0)
    return lambda: np.ravel(model.fit(xi, S).coef_)


def rehline(xi: np.ndarray, S: np.ndarray, C: float) -> Solver:
    """Piecewise linear losses by coordinate descent, as many rounds as it takes."""
    from rehline import plqERM_Ridge

    model = plqERM_Ridge(loss={"name": "svm"}, C=C, max_iter=100_000)
    return lambda: np.ravel(model.fit(X=xi, y=S).coef_)


def cost(xi: np.ndarray, S: np.ndarray, C: float, w: np.ndarray) -> float:
    return float(w @ w / 2 + C * np.maximum(1 - S * (xi @ w), 0).sum())


def soft(P: int, N: int, C: float, package: str, make: Callable[..., Solver], target: float) -> Row:
    xi, S, _ = teacher_examples(P, N, noise=0.1, seed=0)
    ours, solve = AdaTron(C=C, fit_intercept=False, random_state=0).fit(xi, S), make(xi, S, C)
    excess = cost(xi, S, C, solve()) / cost(xi, S, C, ours.coef_[0]) - 1
    case, note = f"AdaTron soft P={P} N={N} C={C:g}", f"{ours.status_}; peer {excess:.0e} too dear"
    return side_by_side(case, lambda: ours.fit(xi, S), package, solve, target, 3, note)


def hard(P: int, N: int, target: float) -> Row:
    xi, S, _ = teacher_examples(P, N, seed=0)
    ours, solve = AdaTron(fit_intercept=False, random_state=0).fit(xi, S), clarabel(xi, S)
    w = solve()
    missed = 1 - (S * (xi @ w)).min() / np.linalg.norm(w) / ours.stability_
    note = f"{ours.status_}; peer misses {missed:.0e} of kappa"
    return side_by_side(
        f"AdaTron hard P={P} N={N}", lambda: ours.fit(xi, S), "clarabel", solve, target, 3, note
    )


def kernel(P: int, C: float, target: float) -> Row:
    """Both at tol = 1e-3."""
    from sklearnex.svm import SVC

    X, S = mixture(P)
    ours, peer = KernelAdaTron(C=C, tol=1e-3, exact=False), SVC(C=C, gamma="scale", tol=1e-3, cache_size=200)
    case = f"KernelAdaTron rbf mixture P={P} C={C:g}"
    return side_by_side(case, lambda: ours.fit(X, S), "sklearnex SVC", lambda: peer.fit(X, S), target, 3)


def compare() -> Iterator[Row]:
    if find_spec("clarabel"):
        yield hard(200, 40, 1.5)
        yield hard(1000, 200, 2.5)
    if find_spec("rehline"):
        yield soft(1000, 50, 1.0, "rehline", rehline, 1.5)
    if find_spec("snapml"):
        yield soft(1000, 50, 1.0, "snapml", snap, 1.5)
        yield soft(100_000, 50, 1.0, "snapml", snap, 2.0)
    if find_spec("sklearnex"):
        for P, C in ((2000, 1.0), (4000, 10.0), (8000, 1.0)):
            yield kernel(P, C, 1.5)
