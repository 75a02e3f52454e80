"""AdaTron's solver against liblinear, libsvm and quadratic-programming solvers, interleaved and warm.

Accuracy: hard margin, the part of the optimal stability missed; soft margin, the relative excess of the
primal cost over the certified optimum. Run with one BLAS thread; `--all` adds the slow peers.
"""

import sys
import time
import warnings
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import SVC, LinearSVC

from markone.numerics._rows import Sparse
from markone.perceptron.quadratic.solve import maximise

Row = tuple[str, float, str, float, float]
Solver = Callable[[], np.ndarray]


def teacher(P: int, N: int, flipped: float = 0.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian inputs, labels of a random teacher, some of them flipped."""
    rng = np.random.default_rng(seed)
    xi = rng.standard_normal((P, N))
    S = np.sign(xi @ rng.standard_normal(N))
    S[rng.random(P) < flipped] *= -1
    return xi, S


def liblinear(xi: Any, S: np.ndarray, C: float, tol: float) -> Solver:
    """LinearSVC, dual, hinge loss, no threshold: the same problem."""
    model = LinearSVC(loss="hinge", C=C, fit_intercept=False, tol=tol, max_iter=10**6, random_state=0)
    return lambda: model.fit(xi, S).coef_[0]


def libsvm(xi: np.ndarray, S: np.ndarray, C: float, tol: float) -> Solver:
    """SVC with a linear kernel. It cannot do without a threshold, so its cost is not comparable."""
    model = SVC(kernel="linear", C=C, tol=tol, cache_size=1000)
    return lambda: model.fit(xi, S).coef_[0]


def piqp(xi: np.ndarray, S: np.ndarray) -> Solver:
    import piqp

    P, N = xi.shape
    G, eye, zero, one = (
        np.asfortranarray(S[:, None] * xi),
        np.asfortranarray(np.eye(N)),
        np.zeros(N),
        np.ones(P),
    )

    def solve() -> np.ndarray:
        solver = piqp.DenseSolver()
        solver.settings.eps_abs = solver.settings.eps_rel = 1e-10
        solver.setup(eye, zero, None, None, G, one, np.full(P, np.inf))
        solver.solve()
        return solver.result.x

    return solve


def daqp(xi: np.ndarray, S: np.ndarray) -> Solver:
    import daqp

    P, N = xi.shape
    Z, eye, zero, one = S[:, None] * xi, np.eye(N), np.zeros(N), np.ones(P)
    settings = {"primal_tol": 1e-10, "dual_tol": 1e-12, "iter_limit": 100_000}
    return lambda: daqp.solve(eye, zero, Z, np.full(P, 1e30), one, np.zeros(P, dtype=np.int32), **settings)[0]


def quadprog(xi: np.ndarray, S: np.ndarray) -> Solver:
    import quadprog

    P, N = xi.shape
    Z, eye, zero, one = (S[:, None] * xi).T.copy(), np.eye(N), np.zeros(N), np.ones(P)
    return lambda: quadprog.solve_qp(eye, zero, Z, one)[0]


def cvxopt(xi: np.ndarray, S: np.ndarray) -> Solver:
    import cvxopt

    P, N = xi.shape
    G, eye = cvxopt.matrix(-S[:, None] * xi), cvxopt.matrix(np.eye(N))
    zero, one = cvxopt.matrix(np.zeros(N)), cvxopt.matrix(-np.ones(P))
    options = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10, "feastol": 1e-10}
    return lambda: np.array(cvxopt.solvers.qp(eye, zero, G, one, options=options)["x"])[:, 0]


def race(
    ours: Solver, peers: dict[str, Solver], repeats: int
) -> Iterator[tuple[str, float, float, np.ndarray]]:
    """Ours and the peers in turn; the two times whose ratio is the median."""
    ours()
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in peers}
    weights = {}
    for _ in range(repeats):
        for name, peer in peers.items():
            start = time.perf_counter()
            ours()
            between = time.perf_counter()
            weights[name] = peer()
            times[name].append((between - start, time.perf_counter() - between))
    for name, pairs in times.items():
        middle = median(peer / mine for mine, peer in pairs)
        mine = min(mine for mine, _ in pairs)
        yield name, mine, mine * middle, weights[name]


def hard(P: int, N: int, peers: dict[str, Solver], repeats: int, data: Any) -> Iterator[Row]:
    xi, S = data
    found = maximise(xi, S)
    for name, mine, theirs, w in race(lambda: maximise(xi, S).w, peers, repeats):
        kappa = (S * (xi @ w)).min() / np.linalg.norm(w)
        yield (
            f"hard margin P={P} N={N}, exact to {found.gap:.0e}",
            mine,
            name,
            theirs,
            1 - kappa / found.lower,
        )


def cost(xi: Any, S: np.ndarray, C: float, w: np.ndarray) -> float:
    return float(w @ w / 2 + C * np.maximum(1 - S * (xi @ w), 0).sum())


def soft(P: int, N: int, C: float, peers: dict[str, Solver], repeats: int, data: Any) -> Iterator[Row]:
    xi, S = data
    best = maximise(xi, S, C * N)
    least = cost(xi, S, C, best.w)
    for name, mine, theirs, w in race(lambda: maximise(xi, S, C * N).w, peers, repeats):
        excess = np.nan if name.startswith("libsvm") else cost(xi, S, C, w) / least - 1
        yield f"soft margin P={P} N={N} C={C:g}, exact to {best.gap:.0e}", mine, name, theirs, excess


def sparse(peer_tol: float, repeats: int) -> Iterator[Row]:
    """Both to the same excess of the cost: liblinear's at the given tol."""
    P = N = 50_000
    rng = np.random.default_rng(0)
    xi = sp.random(P, N, 0.001, format="csr", random_state=rng, data_rvs=rng.standard_normal)
    S = np.where(xi @ rng.standard_normal(N) > 0, 1.0, -1.0)
    S[rng.random(P) < 0.1] *= -1
    rows, peer = Sparse(xi.data, xi.indices, xi.indptr, N), liblinear(xi, S, 1.0, peer_tol)
    least = cost(xi, S, 1.0, maximise(rows, S, 1.0 * N, tol=1e-7).w)
    reached = cost(xi, S, 1.0, peer()) / least - 1
    tol = reached
    while cost(xi, S, 1.0, maximise(rows, S, 1.0 * N, tol=tol, exact=False).w) / least - 1 > reached:
        tol /= 1.5
    ours = lambda: maximise(rows, S, 1.0 * N, tol=tol, exact=False).w  # noqa: E731
    for name, mine, theirs, _ in race(ours, {f"liblinear tol={peer_tol:g}": peer}, repeats):
        yield f"soft margin P={P} N={N} sparse 0.1 % C=1, equal cost", mine, name, theirs, reached


def compare(everything: bool = False) -> Iterator[Row]:
    """Rows: case, our seconds, peer, its seconds, the accuracy the peer reached."""
    data = teacher(1000, 200)
    peers = {"liblinear C=1e6 tol=1e-6": liblinear(*data, 1e6, 1e-6)}
    peers |= {"piqp": piqp(*data), "daqp": daqp(*data), "quadprog": quadprog(*data), "cvxopt": cvxopt(*data)}
    yield from hard(1000, 200, peers, 3, data)
    data = teacher(3000, 1000)
    peers = {"piqp": piqp(*data), "cvxopt": cvxopt(*data)}
    if everything:
        peers |= {"liblinear C=1e6 tol=1e-6": liblinear(*data, 1e6, 1e-6)}
        peers |= {"daqp": daqp(*data), "quadprog": quadprog(*data)}
    yield from hard(3000, 1000, peers, 1 if everything else 2, data)
    for C, tol in ((0.1, 1e-4), (1.0, 1e-3)):
        data = teacher(1000, 200, 0.1)
        peers = {
            f"liblinear tol={tol:g}": liblinear(*data, C, tol),
            "libsvm tol=1e-4": libsvm(*data, C, 1e-4),
        }
        yield from soft(1000, 200, C, peers, 1, data)
    data = teacher(3000, 1000, 0.1)
    yield from soft(3000, 1000, 0.1, {"liblinear tol=1e-3": liblinear(*data, 0.1, 1e-3)}, 1, data)
    if everything:
        yield from soft(3000, 1000, 1.0, {"liblinear tol=1e-1": liblinear(*data, 1.0, 1e-1)}, 1, data)
        data = teacher(100_000, 100, 0.1)
        yield from soft(100_000, 100, 1.0, {"liblinear tol=1e-2": liblinear(*data, 1.0, 1e-2)}, 1, data)
    for tol in (1e-2, 1e-3):
        yield from sparse(tol, 2)


if __name__ == "__main__":
    warnings.simplefilter("ignore", ConvergenceWarning)
    for case, mine, name, theirs, accuracy in compare("--all" in sys.argv):
        line = f"{case:58s} {mine * 1e3:9.1f} ms   {name:26s} {theirs * 1e3:9.1f} ms"
        print(f"{line}  {theirs / mine:7.1f} x   peer's error {accuracy:.1e}", flush=True)
