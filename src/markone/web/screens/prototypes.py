"""Prototypes: nearest prototypes and their metric, trained step by step on real tables."""

from typing import Any, Literal

import numpy as np
from sklearn.preprocessing import StandardScaler

from markone.data import load
from markone.data.table import Table
from markone.lvq import GLVQ, GMLVQ, GRLVQ, LGMLVQ, LVQ1, accuracy_reject_curve, certainty
from markone.numerics.arrays import Array
from markone.web.screens.base import Frames, Screen, State, make_control, read_choices, seed_control
from markone.web.table.counterfactuals import counterfactuals_for_page
from markone.web.table.preview import name_upload, preview_table, read_checked_table
from markone.web.table.uploads import current_uploads

SETS = read_choices("prototypes", "data")
MODELS = read_choices("prototypes", "model")
CLASSES: dict[str, Any] = {"lvq1": LVQ1, "glvq": GLVQ, "grlvq": GRLVQ, "gmlvq": GMLVQ, "lgmlvq": LGMLVQ}
# Largest number of rows used; a larger table is sampled.
MOST_ROWS = 600
STEPS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 26, 30)


class Prototypes(State):
    data: Literal["iris", "wine", "breast_cancer", "digits", "own"] = make_control("iris", choices=SETS)
    table: str | None = make_control(None, hidden=True, pattern="^[0-9a-f]{64}$")
    name: str = make_control("", hidden=True, max_length=80)
    target: str | None = make_control(None, hidden=True, max_length=200)
    model: Literal["lvq1", "glvq", "grlvq", "gmlvq", "lgmlvq"] = make_control("gmlvq", choices=MODELS)
    prototypes: int = make_control(1, ge=1, le=5, step=1)
    seed: int = seed_control()
    reject: float = make_control(0.0, ge=0, le=0.9, step=0.01)
    row: int | None = make_control(None, hidden=True, ge=0, le=MOST_ROWS - 1)
    t: int = make_control(len(STEPS), hidden=True, ge=0, le=len(STEPS))


def load_prototype_rows(state: Prototypes) -> tuple[Array, Array, Any, Array]:
    """Return the scaled rows, labels, the table with its names, and the unscaled rows."""
    found = load(state.data) if state.data != "own" else _load_own_table(state)
    X, y = np.asarray(found.X, dtype=float), np.asarray(found.y)
    if len(X) > MOST_ROWS:
        chosen = np.sort(np.random.default_rng(state.seed).permutation(len(X))[:MOST_ROWS])
        X, y = X[chosen], y[chosen]
    return StandardScaler().fit_transform(X), y, found, X


def _load_own_table(state: Prototypes) -> Table:
    """Return the uploaded table; ValueError if it has text or missing values."""
    path = str(current_uploads().table(state.table or ""))
    try:
        found = load(path, target=state.target)
    except ValueError as error:
        raise ValueError(name_upload(str(error), path, state.name or "Your table")) from None
    if found.text_columns:
        raise ValueError(
            f"Prototypes need numbers, but {found.text_columns[0]!r} holds text. The screen Your table "
            "encodes such columns."
        )
    absent = np.isnan(found.X).any(axis=1)
    if absent.any():
        raise ValueError(
            f"Row {absent.argmax() + 1} has a missing value. Leave such rows out, or use the screen Your "
            "table."
        )
    return found


def _column_names(state: Prototypes) -> list[str]:
    """Return the names of the columns, from which the target is chosen."""
    if state.table is None:
        raise ValueError("Drop a file here, or choose one: columns of numbers and a label.")
    path = current_uploads().table(state.table)
    return [
        about["name"]
        for about in preview_table(read_checked_table(str(path), state.name or "Your table"))["columns"]
    ]


def make_lvq_model(state: Prototypes, k: int) -> Any:
    common: dict[str, Any] = {
        "prototypes_per_class": state.prototypes,
        "max_iter": k,
        "random_state": state.seed,
    }
    if state.model == "lvq1":
        common |= {"keep": "last", "tol": 0.0}
    if state.model == "lgmlvq":
        common |= {"solver": "lbfgs"}
    return CLASSES[state.model](**common)


def projection_directions(model: Any, X: Array) -> Array:
    """Return two directions of projection: leading eigenvectors of Lambda, or of the covariance."""
    Lambda = getattr(model, "lambda_", None)
    if Lambda is None:
        Lambda = np.cov(X.T)
    elif Lambda.ndim == 3:
        Lambda = Lambda.mean(axis=0)
    _, vectors = np.linalg.eigh(Lambda)
    leading = vectors[:, ::-1][:, :2]
    signs = np.sign(leading[np.abs(leading).argmax(axis=0), [0, 1]])
    return np.asarray(leading * signs)


def frames(state: Prototypes) -> Frames:
    if state.data == "own":
        yield {"columns": _column_names(state), "last": state.target is None}
    if state.data == "own" and state.target is None:
        return
    X, y, found, raw = load_prototype_rows(state)
    classes, index = np.unique(y, return_inverse=True)
    yield {
        "classes": _class_names(found, classes),
        "labels": index.tolist(),
        "features": [str(n) for n in found.feature_names],
    }
    for number, k in enumerate(STEPS):
        model = make_lvq_model(state, k).fit(X, y)
        yield {"step": _step_frame(model, X, y, k), "number": number}
    yield {"end": _final_frame(model, X, y, raw, state), "last": True}


def _class_names(found: Any, labels: Array) -> list[str]:
    """Return the class names of labels."""
    known = dict(zip(np.unique(found.y).tolist(), found.class_names, strict=True))
    return [str(known[label]) for label in labels.tolist()]


def _step_frame(model: Any, X: Array, y: Array, k: int) -> dict[str, Any]:
    directions = projection_directions(model, X)
    own = np.searchsorted(model.classes_, model.prototype_labels_)
    relevance = getattr(model, "relevance_", np.full(X.shape[1], 1 / X.shape[1]))
    return {
        "k": k,
        "rows": np.round(X @ directions, 4).tolist(),
        "prototypes": np.round(model.prototypes_ @ directions, 4).tolist(),
        "own": own.tolist(),
        "errors": int(np.sum(model.predict(X) != y)),
        "cost": float(model.trace_[-1]["cost"]) if len(model.trace_) else None,
        "relevance": np.atleast_2d(relevance).mean(axis=0).tolist(),
    }


def _final_frame(model: Any, X: Array, y: Array, raw: Array, state: Prototypes) -> dict[str, Any]:
    sure, answers = certainty(model, X), model.predict(X)
    curve = accuracy_reject_curve(answers == y, sure)
    every = max(1, len(curve.answered) // 200)
    Lambda = getattr(model, "lambda_", None)
    back = raw.mean(axis=0) + model.prototypes_ * raw.std(axis=0)
    return {
        "sure": np.round(sure, 5).tolist(),
        "right": (answers == y).tolist(),
        "curve": np.column_stack([1 - curve.answered, curve.accuracy])[::every].tolist(),
        "lambda": None
        if Lambda is None or Lambda.shape[-1] > 30
        else np.atleast_3d(Lambda.T).T.mean(axis=0).tolist(),
        "images": [(row / 16).reshape(8, 8).tolist() for row in back] if state.data == "digits" else None,
        "own": np.searchsorted(model.classes_, model.prototype_labels_).tolist(),
        "counter": counterfactuals_for_page(model, X, raw, projection_directions(model, X)),
    }


def python(state: Prototypes) -> str:
    k = STEPS[max(0, min(state.t, len(STEPS)) - 1)]
    extra = {"lvq1": ', keep="last", tol=0.0', "lgmlvq": ', solver="lbfgs"'}.get(state.model, "")
    name = CLASSES[state.model].__name__
    source = repr(state.data)
    if state.data == "own":
        source = f"{state.name or 'table.csv'!r}, target={state.target!r}"
    few = f"""if len(X) > {MOST_ROWS}:
    chosen = np.sort(np.random.default_rng({state.seed}).permutation(len(X))[:{MOST_ROWS}])
    X, y = X[chosen], y[chosen]
"""
    return f"""# Prototypes, as plain Python.
import warnings

import numpy as np
from sklearn.preprocessing import StandardScaler

from markone import {name}
from markone.data import load

warnings.simplefilter("ignore")  # training is stopped early on purpose
table = load({source})
X, y = np.asarray(table.X, dtype=float), np.asarray(table.y)
{few}X = StandardScaler().fit_transform(X)
model = {name}(prototypes_per_class={state.prototypes}, max_iter={k}, random_state={state.seed}{extra})
model.fit(X, y)
print("errors:", int(np.sum(model.predict(X) != y)), "of", len(y))
print("prototypes:", model.prototypes_)
if hasattr(model, "relevance_"):
    print("relevances:", model.relevance_)
"""


SCREEN = Screen(
    name="prototypes",
    title="Prototypes",
    state=Prototypes,
    frames=frames,
    python=python,
    warm=tuple({"model": name, "data": "iris"} for name in MODELS),
)
