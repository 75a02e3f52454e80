"""`markone fit` on wide, long and 0/1 tables: five times ten folds of GMLVQ, the soft margin of 200 000 rows.

The peers of the long table are in the same pipeline, after the same z-scores, on the same folds. By default
`LinearSVC` solves another problem (squared hinge, primal) to 1e-4; with the hinge it does not converge in ten
thousand steps. Ours ends at a relative duality gap of 1e-6, as in `markone fit`.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.svm import LinearSVC

from benchmarks.timing import Row, cpu_seconds_used, row_of_pairs
from markone.perceptron import AdaTron
from markone.tables import ColumnOptions, FitRequest, fit, models
from markone.tables.models import relax_tolerance
from markone.tables.scaling import Scaling

ASKED = 180.0  # seconds on two cores


def measure_wide_table(P: int = 50, N: int = 2000) -> Row:
    """All of `markone fit` with two workers, the reading of the file included."""
    rng = np.random.default_rng(0)
    y = np.repeat(["a", "b"], P // 2)
    X = rng.normal(size=(P, N))
    X[P // 2 :, :5] += 1
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "wide.csv")
        names = ",".join([*(f"g{k}" for k in range(N)), "y"])
        lines = [",".join([*(f"{v:.6f}" for v in row), label]) for row, label in zip(X, y, strict=True)]
        path.write_text("\n".join([names, *lines]))
        request = FitRequest(str(path), "gmlvq", ColumnOptions("y"), cv="5x10", workers=2)
        began = cpu_seconds_used()
        found = fit(request)
        took = (cpu_seconds_used() - began) / 2
    score = found.validation.estimates["accuracy"].mean
    case = f"fit gmlvq {P} x {N}, 5 x 10 folds, two cores"
    return Row(
        case,
        "the three minutes asked for",
        took,
        ASKED,
        ASKED / took,
        1,
        f"half of its CPU; accuracy {score:.2f}",
    )


def compare_long_table(P: int = 200_000, N: int = 100, rounds: int = 1) -> Iterator[Row]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(P, N))
    y = np.where(X[:, :10].sum(axis=1) + 2 * rng.normal(size=P) > 0, "u", "v")
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    soft = models.create_model("soft-margin", {}, 0)
    relax_tolerance(soft, {}, P)  # as `markone fit` does
    # The hinge takes half a minute a fold for its 1000 passes, and has not converged then: one fold.
    peers = [("LinearSVC()", LinearSVC(), folds)]
    peers += [("LinearSVC(hinge), one fold", LinearSVC(loss="hinge", random_state=0), folds[:1])]
    for name, peer, some in peers:
        ours = [time_folds(soft, X, y, some) for _ in range(rounds)]
        theirs = [time_folds(peer, X, y, some) for _ in range(rounds)]
        note = f"accuracy {ours[0][1]:.4f}, peer {theirs[0][1]:.4f}"
        mine, other = np.array([t for t, _ in ours]), np.array([t for t, _ in theirs])
        yield row_of_pairs(f"soft margin {P} x {N}, 1 x 5 folds", mine, name, other, 1, note)


def compare_binary_table(P: int = 5000, N: int = 24, rounds: int = 3) -> Iterator[Row]:
    """0/1 inputs, which are not scaled, and 10 % in one class: many equal rows lie on the margin."""
    rng = np.random.default_rng(0)
    X = (rng.random((P, N)) < rng.uniform(0.02, 0.5, N)).astype(float)
    g = X @ rng.normal(size=N) + rng.normal(size=P)
    y = np.where(g > np.quantile(g, 0.9), "u", "v")
    folds = list(StratifiedKFold(5, shuffle=True, random_state=0).split(X, y))
    for weight in (None, "balanced"):
        soft = models.create_model("soft-margin", {"class_weight": weight}, 0)
        relax_tolerance(soft, {}, P)
        for peer in (LinearSVC(class_weight=weight), LogisticRegression(class_weight=weight, max_iter=1000)):
            ours = [time_folds(soft, X, y, folds, scaled=0) for _ in range(rounds)]
            theirs = [time_folds(peer, X, y, folds, scaled=0) for _ in range(rounds)]
            note = f"accuracy {ours[0][1]:.4f}, peer {theirs[0][1]:.4f}"
            mine, other = np.array([s for s, _ in ours]), np.array([s for s, _ in theirs])
            case = f"soft margin of 0/1 inputs, weights {weight}, {P} x {N}, 1 x 5 folds"
            yield row_of_pairs(case, mine, type(peer).__name__, other, 0.2, note)


def time_folds(
    model: object, X: np.ndarray, y: np.ndarray, folds: list, scaled: int | None = None
) -> tuple[float, float]:
    """Return processor seconds of all folds, and the accuracy on left-out rows."""
    scaling = Scaling(X.shape[1] if scaled is None else scaled)
    pipeline, began, right = Pipeline([("scaling", scaling), ("model", model)]), cpu_seconds_used(), []
    for train, test in folds:
        fitted = clone(pipeline).fit(X[train], y[train])
        right.append(np.mean(fitted.predict(X[test]) == y[test]))
    return cpu_seconds_used() - began, float(np.mean(right))


def compare() -> Iterator[Row]:
    # Compiled before the clock starts, as everywhere.
    AdaTron(C=1.0).fit(np.array([[0.0], [1.0], [2.0], [3.0]]), [0, 1, 0, 1])
    yield measure_wide_table()
    yield from compare_binary_table()
    yield from compare_long_table()
