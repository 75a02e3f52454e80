"""Prototypes against sklearn-lvq (in an environment with old versions), at equal training cost.

If that environment cannot be built, a plain numpy + scipy transcription of the same cost is the peer.
Times of the peers measured separately on an idle machine: GMLVQ on digits 11 - 14 s, GLVQ 0.29 - 0.66 s,
RSLVQ 82 s (sklvq, sklearn-lvq).
"""

import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

from benchmarks.peers import sklearn_lvq_python
from benchmarks.timing import Row, measure_seconds, row_of_pairs
from markone.lvq import GLVQ, GMLVQ, LGMLVQ, RSLVQ, costs, distances
from markone.lvq.solvers import LBFGS, Stochastic

FIT = Path(__file__).parent / "peers" / "sklearn_lvq_fit.py"
Fitted = tuple[float, np.ndarray, np.ndarray, np.ndarray]


def load_scaled_digits() -> tuple[np.ndarray, np.ndarray]:
    X, y = load_digits(return_X_y=True)
    return StandardScaler().fit_transform(X), y


def draw_clusters(P: int, N: int = 50, C: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = rng.integers(C, size=P)
    return rng.standard_normal((C, N))[y] + 1.5 * rng.standard_normal((P, N)), y


def fit_sklearn_lvq(python: Path, name: str, max_iter: int, X: np.ndarray, y: np.ndarray) -> Fitted:
    """Seconds, prototypes, labels and Omega of sklearn-lvq."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "data.npz", Path(folder) / "result.npz"
        np.savez(source, X=X, y=y)
        subprocess.run([python, FIT, name, str(max_iter), source, target], check=True, capture_output=True)
        found = np.load(target)
        return float(found["seconds"]), found["W"], found["c"], found["Omega"]


def fit_plain_glvq(matrix: bool, X: np.ndarray, y: np.ndarray, gamma: float = 2.0) -> Fitted:
    """GLVQ or GMLVQ in plain numpy: differences to every prototype, scipy's L-BFGS."""
    classes, N = np.unique(y), X.shape[1]
    W0 = np.array([X[y == k].mean(axis=0) for k in classes])
    rows, M = np.arange(len(X)), len(classes)

    def cost(flat: np.ndarray) -> tuple[float, np.ndarray]:
        W, Omega = flat[: M * N].reshape(M, N), flat[M * N :].reshape(-1, N) if matrix else np.eye(N)
        D = np.stack([(((X - w) @ Omega.T) ** 2).sum(axis=1) for w in W], axis=1)
        right = D[rows, y]
        D[rows, y] = np.inf
        K = D.argmin(axis=1)
        wrong = D[rows, K]
        phi = 1 / (1 + np.exp(-gamma * (right - wrong) / (right + wrong)))
        slope = gamma * phi * (1 - phi) * 2 / (right + wrong) ** 2 / len(X)
        dW, dOmega = np.zeros_like(W), np.zeros_like(Omega)
        for j in range(M):
            a = slope * (wrong * (y == j) - right * (j == K))
            Z = W[j] - X
            G = 2 * a[:, None] * (Z @ Omega.T)
            dW[j] = (G @ Omega).sum(axis=0)
            dOmega += G.T @ Z
        return phi.mean(), np.concatenate([dW.ravel(), dOmega.ravel()]) if matrix else dW.ravel()

    start = np.concatenate([W0.ravel(), np.eye(N).ravel() / np.sqrt(N)]) if matrix else W0.ravel()
    found: list[Any] = []
    options = {"maxiter": 2500, "gtol": 1e-5}
    taken = measure_seconds(
        lambda: found.append(minimize(cost, start, jac=True, method="L-BFGS-B", options=options))
    )
    flat = found[0].x
    return taken, flat[: M * N].reshape(M, N), classes, flat[M * N :].reshape(-1, N)


def training_cost(cost: costs.Cost, X: np.ndarray, y: np.ndarray, fitted: Fitted) -> float:
    """Return the training cost of the peer's parameters, computed by markone."""
    _, W, c, Omega = fitted
    distance = distances.find_distance("quadratic" if Omega.size else "euclidean")
    D, _ = distance.evaluate(distances.Rows(X), W, Omega if Omega.size else None)
    return cost.value(D, costs.Targets(y, np.asarray(c, dtype=int)), 1.0)


def at_equal_cost(model: Any, X: np.ndarray, y: np.ndarray, cost: float) -> tuple[Any, float]:
    """Return the model stopped at the first step that reaches the peer's cost, and its cost there."""
    model = clone(model)
    trace = model.fit(X, y).trace_
    reached = np.flatnonzero(trace["cost"] <= cost + 1e-9)
    last = int(reached[0]) if len(reached) else len(trace) - 1
    return model.set_params(max_iter=int(trace["step"][last])), float(trace["cost"][last])


def compare_at_equal_cost(
    case: str,
    model: Any,
    cost: costs.Cost,
    peer: str,
    fit: Callable[[], Fitted],
    data: Any,
    target: float,
    rounds: int = 1,
) -> Row:
    X, y = data
    first = fit()
    bound = training_cost(cost, X, y, first)
    ours, reached = at_equal_cost(model, X, y, bound)
    peers = [first[0], *(fit()[0] for _ in range(rounds - 1))]
    pairs = np.array(
        [(np.median([measure_seconds(lambda: ours.fit(X, y)) for _ in range(5)]), s) for s in peers]
    )
    note = f"cost {reached:.6f} against {bound:.6f}"
    return row_of_pairs(case, pairs[:, 0], peer, pairs[:, 1], target, note)


def compare_with_limit(case: str, limit: float, fit: Callable[[], object], note: str) -> Row:
    """Compare our CPU time with a limit."""
    start = time.process_time()
    fit()
    taken = time.process_time() - start
    return Row(case, "limit (CPU)", taken, limit, limit / taken, 1.0, note)


def compare_two_cores(model: Any, X: Any, y: Any, target: float) -> Row:
    """Compare wall-clock times of one and two cores."""

    def clock(n_jobs: int) -> float:
        began = time.perf_counter()
        model.set_params(n_jobs=n_jobs).fit(X, y)
        return time.perf_counter() - began

    pairs = np.array([(clock(2), clock(1)) for _ in range(3)])
    case = f"{type(model).__name__}, {len(X):,} x {X.shape[1]}, two cores".replace(",0", " 0")
    return row_of_pairs(case, pairs[:, 0], "one core", pairs[:, 1], target, "by the clock; same prototypes")


def find_lvq_peer(python: Path | None, name: str, data: Any) -> tuple[str, Callable[[], Fitted]]:
    """Return sklearn-lvq's model, or the transcription if its environment cannot be built."""
    if python is None:
        return "plain numpy + scipy", lambda: fit_plain_glvq(name == "GMLVQ", *data)
    return "sklearn-lvq", lambda: fit_sklearn_lvq(python, f"{name.capitalize()}Model", 2500, *data)


def compare() -> Iterator[Row]:
    python = sklearn_lvq_python()
    sigmoid, soft = costs.cost_class("glvq")(phi="sigmoid", gamma=2.0), costs.cost_class("rslvq")()
    small, large = load_scaled_digits(), draw_clusters(20_000)
    # Tight tolerances, so that the cost of the peer is reached.
    lbfgs = LBFGS(ftol=1e-13, gtol=1e-7)
    models = {"GLVQ": GLVQ(gamma=2.0, solver=lbfgs), "GMLVQ": GMLVQ(phi="sigmoid", gamma=2.0, solver=lbfgs)}
    for case, data, targets in (("digits", small, (5, 10)), ("20 000 x 50", large, (5, 20))):
        for (name, model), target in zip(models.items(), targets, strict=True):
            peer, fit = find_lvq_peer(python, name, data)
            yield compare_at_equal_cost(f"{name}, {case}, L-BFGS", model, sigmoid, peer, fit, data, target)
    if python is not None:
        # To convergence it takes minutes: both stop at its cost after 15 steps.
        fit = partial(fit_sklearn_lvq, python, "RslvqModel", 15, *small)
        model = RSLVQ(sigma2=1.0)
        yield compare_at_equal_cost("RSLVQ, digits, 15 steps", model, soft, "sklearn-lvq", fit, small, 100)
    yield compare_with_limit(
        "LGMLVQ, digits, 50 waypoints", 5.0, lambda: LGMLVQ().fit(*small), "sklvq's took 5.0 s"
    )
    X, y = draw_clusters(100_000)
    yield compare_with_limit(
        "GMLVQ rank 10, 100 000 x 50, L-BFGS", 5.0, lambda: GMLVQ(rank=10, solver="lbfgs").fit(X, y), ""
    )
    yield compare_two_cores(GMLVQ(solver="lbfgs", max_iter=20), X, y, 1.5)
    X, y = draw_clusters(1_000_000)
    stream = GMLVQ(rank=10, solver=Stochastic(epochs=2, batch_size=256), random_state=0)
    yield compare_with_limit(
        "GMLVQ rank 10, 1 000 000 x 50, mini-batches", 120.0, lambda: stream.fit(X, y), "two epochs"
    )


if __name__ == "__main__":
    from benchmarks.timing import print_rows

    print_rows(compare())
