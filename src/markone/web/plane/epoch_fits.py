"""Students with curved or piecewise boundaries: the estimator fitted with 1, 2, 3 ... steps.

Each row is a separate fit from the same start: a picture always shows the result of `fit`.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from markone.lvq import GLVQ, GMLVQ, LVQ1
from markone.machines import CommitteeMachine, ParityMachine
from markone.numerics.arrays import Array
from markone.perceptron import KernelAdaTron
from markone.web.plane.examples import Examples

# Columns and rows of the grid on which a boundary is traced.
GRID = (73, 55)
# Full scale of the integers sent: the page needs the zeros of f and its slope there.
FULL = 1000


# From this value of C on the margin is hard.
HARD = 1000.0


def _make_kernel_adatron(state: Any, k: int) -> Any:
    machine = {"kernel": state.kernel, "gamma": state.gamma, "degree": state.degree}
    C = np.inf if state.C >= HARD else state.C
    return KernelAdaTron(**machine, C=C, solver="sequential", order="cyclic", max_iter=k)


def _make_lvq(make: Any, **options: Any) -> Callable[[Any, int], Any]:
    def make_model(state: Any, k: int) -> Any:
        seed = state.seed
        return make(prototypes_per_class=state.prototypes, max_iter=k, random_state=seed, **options)

    return make_model


def _make_committee(state: Any, k: int) -> Any:
    return CommitteeMachine(state.units, max_iter=k, n_restarts=1, pocket=False, random_state=state.seed)


# Each student with so many epochs, and the most that are shown.
FITS: dict[str, tuple[Callable[[Any, int], Any], int]] = {
    "kernel_adatron": (_make_kernel_adatron, 60),
    "committee": (_make_committee, 60),
    "parity": (lambda state, k: ParityMachine(k, random_state=state.seed), 12),
    "neighbours": (lambda state, k: KNeighborsClassifier(state.neighbours), 1),
    "lvq1": (_make_lvq(LVQ1, keep="last", tol=0.0), 30),
    "glvq": (_make_lvq(GLVQ), 40),
    "gmlvq": (_make_lvq(GMLVQ), 40),
}


def yield_epoch_rows(name: str, examples: Examples, state: Any, most: int) -> Iterator[dict[str, Any]]:
    make, limit = FITS[name]
    grid = _grid_points(examples)
    before: Any = None
    for k in range(1, min(limit, most) + 1):
        student = make(state, k).fit(examples.X, examples.S)
        found = _describe_student(student, examples, state)
        done = (
            k == limit or _is_done(student, name, k) or (before is not None and _is_unchanged(before, found))
        )
        before = found
        yield found | {
            "surface": _quantise_values(_decision_values(student, grid)),
            "grid": GRID,
            "done": done,
        }
        if done:
            return


def _grid_points(examples: Examples) -> Array:
    (left, right), (low, high) = examples.domain
    x, y = np.meshgrid(np.linspace(left, right, GRID[0]), np.linspace(low, high, GRID[1]))
    return np.column_stack([x.ravel(), y.ravel()])


def _decision_values(student: Any, X: Array) -> Array:
    if hasattr(student, "decision_function"):
        return np.asarray(student.decision_function(X))
    return np.asarray(student.predict_proba(X)[:, 1] - 0.5)


def _quantise_values(f: Array) -> list[int]:
    scale = float(np.median(np.abs(f))) or 1.0
    values = np.rint(FULL * np.tanh(f / (2 * scale))).astype(int)
    # sign(0) = +1 (1.5); a value rounded to zero keeps its sign.
    sides: list[int] = np.where(values == 0, np.where(f < 0, -1, 1), values).tolist()
    return sides


def _describe_student(student: Any, examples: Examples, state: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"errors": int(np.sum(student.predict(examples.X) != examples.S))}
    if hasattr(student, "embedding_"):
        gamma = np.inf if state.C >= HARD else state.C
        row["strengths"] = student.embedding_.tolist()
        row["gamma"] = gamma
        row["kappa"], row["upper"] = student.stability_bounds_
    if hasattr(student, "prototypes_"):
        row["prototypes"] = student.prototypes_.tolist()
        row["labels"] = student.prototype_labels_.tolist()
        row["cost"] = float(student.trace_[-1]["cost"]) if len(student.trace_) else np.nan
    if hasattr(student, "lambda_"):
        row["metric"] = student.lambda_.tolist()
    if hasattr(student, "weights_"):
        row["units"] = np.column_stack([student.weights_, -student.thresholds_]).tolist()
        row["radii"] = np.asarray(getattr(student, "radii_", np.full(len(student.weights_), np.nan))).tolist()
    return row


def _is_done(student: Any, name: str, k: int) -> bool:
    # Gradient solvers report convergence also when their steps are used up.
    if name in ("lvq1", "glvq", "gmlvq"):
        return False
    return bool(getattr(student, "converged_", False)) or (name == "parity" and student.n_units_ < k)


def _is_unchanged(before: dict[str, Any], now: dict[str, Any]) -> bool:
    keys = [key for key in ("strengths", "prototypes", "units") if key in now]
    return bool(keys) and all(
        np.shape(before[k]) == np.shape(now[k]) and np.allclose(before[k], now[k], rtol=1e-9, atol=0)
        for k in keys
    )
