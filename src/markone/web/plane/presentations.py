"""Perceptrons one presentation at a time, from the history recorded by the estimator."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from markone.base.history import History
from markone.numerics.arrays import Array
from markone.perceptron import LMS, Adaline, AdaTron, MinOver, OnlineStudent, Pocket, Rosenblatt
from markone.perceptron.measures import stability_bound
from markone.web.plane.examples import Examples

# Presentations recorded one by one (`markone.base.history.ROWS` is the limit), and those of a fit to the end.
MOST, LONGEST = 4000, 1_000_000
# Adaline and AdaTron converge for rates below 2.
SAFE = 1.9
NAMES = ("hebb", "rosenblatt", "pocket", "minover", "adaline", "lms", "adatron", "soft_adatron", "own")
# Students that see each example once; more passes present the same data again.
ONLINE = ("hebb", "own")
PASSES = 10


def make_plane_student(name: str, state: Any, epochs: int, record: str | None = "presentations") -> Any:
    """Return the estimator of a name with the settings of the page."""
    common: dict[str, Any] = {"fit_intercept": state.threshold, "record": record}
    book = {"solver": "sequential", "eta": min(state.eta, SAFE), "max_iter": epochs, **common}
    if name == "hebb":
        return OnlineStudent(rule="hebb", **common)
    if name == "own":
        return OnlineStudent(rule=state.rule, eta=state.eta, c=state.c, **common)
    if name == "rosenblatt":
        return Rosenblatt(c=state.c, eta=state.eta, max_iter=epochs, **common)
    if name == "pocket":
        return Pocket(max_iter=epochs, random_state=state.seed, **common)
    if name == "minover":
        return MinOver(tol=1e-3, max_iter=epochs, **common)
    if name == "adaline":
        return Adaline(tol=1e-9, **book)
    if name == "lms":
        return LMS(max_iter=epochs, **common)
    C = state.C if name == "soft_adatron" else np.inf
    return AdaTron(C=C, order="cyclic", **book)


def count_passes(name: str) -> int:
    """Return how often the examples are presented to a student that learns on-line."""
    return {"hebb": 1, "own": PASSES}.get(name, 1)


def _fit_plane_student(name: str, data: Examples, state: Any) -> Any:
    epochs = max(1, MOST // data.P)
    repeats = min(count_passes(name), epochs)
    return make_plane_student(name, state, epochs).fit(
        np.tile(data.X, (repeats, 1)), np.tile(data.S, repeats)
    )


def _prediction_weights(history: History) -> Array:
    """Return the weights used for predictions: for Pocket the best so far."""
    return np.asarray(history.states.get("pocket_w", history.w))


def yield_presentation_rows(name: str, data: Examples, state: Any) -> Iterator[dict[str, Any]]:
    """Yield what the page draws of each step, beginning with the initial state."""
    fitted = _fit_plane_student(name, data, state)
    history: History = fitted.history_
    w, x = _prediction_weights(history), history.states.get("x")
    strengths = history.states.get("pocket_x", x)
    # A stream repeats the examples: errors are counted once for each.
    shown = History(history.table, {"w": w}, history.xi[: data.P], history.S[: data.P])
    kappa, errors, size = shown.kappa, shown.errors, np.sqrt(shown.Q)
    plane_norm = np.linalg.norm(w[:, :2], axis=1)
    for t, step in enumerate(history.table[: MOST + 1]):
        mu = int(step["example"])
        yield {
            "mu": mu % data.P if mu >= 0 else -1,
            "E": float(step["E"]),
            "w": w[t].tolist(),
            "x": float(x[t, mu]) if x is not None and mu >= 0 else np.nan,
            "kappa": float(kappa[t]),
            # Distance of the nearest example from the line: |w| without the threshold.
            "gap": float(kappa[t] * size[t] / plane_norm[t]) if plane_norm[t] > 0 else np.nan,
            "upper": _finite_bound(strengths[t], history) if strengths is not None else np.nan,
            "errors": int(errors[t]),
            "norm": float(size[t]),
            "updates": int(step["updates"]),
            "done": t == len(history) - 1 and (name in ONLINE or bool(fitted.converged_)),
        }
    if state.whole and name not in ONLINE and not fitted.converged_:
        yield _end_row(name, data, state)


def _end_row(name: str, data: Examples, state: Any) -> dict[str, Any]:
    """The student that was not stopped after MOST presentations; `at`: how many it needed."""
    fitted = make_plane_student(name, state, LONGEST // data.P, None).fit(data.X, data.S)
    w = np.r_[fitted.coef_[0], fitted.intercept_][: 2 + state.threshold]
    lowest = np.min(data.S * (np.column_stack([data.X, np.ones(data.P)])[:, : len(w)] @ w))
    size, upper = np.linalg.norm(w), fitted.stability_bounds_[1]
    return {
        "mu": -1,
        "E": np.nan,
        "w": w.tolist(),
        "x": np.nan,
        "kappa": float(lowest / size),
        "gap": float(lowest / np.linalg.norm(w[:2])),
        "upper": float(upper) if np.isfinite(upper) else np.nan,
        "errors": int(np.sum(fitted.predict(data.X) != data.S)),
        "norm": float(size),
        "updates": int(getattr(fitted, "n_updates_", 0)),
        "done": bool(fitted.converged_),
        "at": int(fitted.n_iter_) * data.P,
    }


def _finite_bound(strengths: Array, history: History) -> float:
    bound = stability_bound(strengths, history.xi, history.S)
    return bound if np.isfinite(bound) else np.nan
