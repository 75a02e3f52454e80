"""Capacity: how many random labels can a perceptron store?"""

from typing import Any

import numpy as np

from markone.lab.scenarios import find_scenario
from markone.lab.scenarios.storage._inputs import UNITS, draw_set
from markone.perceptron import Rosenblatt, separability
from markone.perceptron.theory.capacity import separable_fraction
from markone.web.screens.base import Frames, State, make_control, seed_control
from markone.web.sweeps import Sweep, SweepLine, make_sweep_screen, yield_sweep_frames

# Repeats of a point that can be shown one by one.
LOOKED = 200


class Capacity(State):
    N: int = make_control(20, ge=2, le=100, step=1)
    low: float = make_control(0.5, ge=0.1, le=2, step=0.1)
    high: float = make_control(4.0, ge=2.5, le=6, step=0.1)
    points: int = make_control(15, ge=5, le=30, step=1)
    repeats: int = make_control(200, ge=10, le=2000, step=10)
    seed: int = seed_control()
    sweeps: int = make_control(50, ge=1, le=500, step=1)
    look: int | None = make_control(None, hidden=True, ge=0, le=29)
    one: int = make_control(0, hidden=True, ge=0, le=LOOKED - 1)


def _capacity_alphas(state: Capacity) -> list[float]:
    return [round(float(a), 6) for a in np.linspace(state.low, state.high, state.points)]


def _make_capacity_sweep(state: Capacity) -> Sweep:
    line = SweepLine(f"N{state.N}", f"N = {state.N}", {"N": state.N, "sweeps": state.sweeps, "exact": True})
    measures = ["converged", "separable", "sweeps_used"]
    alphas = _capacity_alphas(state)
    return Sweep(find_scenario("storage"), [line], alphas, measures, state.seed, state.repeats)


def frames(state: Capacity) -> Frames:
    N, sweep = state.N, _make_capacity_sweep(state)
    P = np.arange(1, int(np.ceil(state.high * N)) + 1)
    cover = np.asarray(separable_fraction(P, N), dtype=float)
    inside = state.low * N * 0.9 <= P
    yield {
        "titles": [line.title for line in sweep.lines],
        "cover": np.column_stack([P[inside] / N, cover[inside]]).tolist(),
        "alphas": sweep.alphas,
        "detail": _describe_set(state) if state.look is not None else None,
    }
    yield from yield_sweep_frames(sweep)


def draw_selected_set(state: Capacity) -> tuple[Any, Any, float]:
    """Return X, S and alpha of the selected set, drawn as in the experiment (Z = S xi)."""
    alpha = _capacity_alphas(state)[min(state.look or 0, state.points - 1)]
    parameters: Any = find_scenario("storage").parameters(N=state.N, alpha=alpha, sweeps=state.sweeps)
    Z = np.empty((parameters.P, state.N), np.int32)
    draw_set(state.seed, state.one, np.empty(1, np.uint64), Z)
    S = np.where(np.arange(parameters.P) % 2 == 0, 1.0, -1.0)
    # An estimator needs both labels; the result depends on Z = S xi only.
    return Z / UNITS * S[:, None], S, alpha


def _describe_set(state: Capacity) -> dict[str, Any]:
    X, S, alpha = draw_selected_set(state)
    if len(S) < 2:
        raise ValueError("This point has one example only: it is always learned.")
    student = Rosenblatt(max_iter=state.sweeps, trace=True, fit_intercept=False).fit(X, S)
    trace = student.trace_
    found = separability(X, S)
    return {
        "alpha": alpha,
        "P": len(S),
        "one": state.one,
        "errors": [[0, len(S)], *[[int(row["epoch"]), int(row["errors"])] for row in trace]],
        "kappa": [[int(row["epoch"]), float(row["stability"])] for row in trace],
        "converged": bool(student.converged_),
        "updates": int(student.n_updates_),
        "separable": found.separable,
        "proof": _proof_text(found),
    }


def _proof_text(found: Any) -> str:
    """Return the proof of the decision in words."""
    if found.separable is None:
        return "Whether it is separable was not decided."
    if found.separable:
        return "It is separable: weights with all E > 0 were found."
    count = np.count_nonzero(found.embedding)
    return f"It is not separable: {count} examples have strengths x > 0 with Σ x S ξ = 0."


def _declare_capacity(state: Capacity) -> dict[str, Any]:
    figure = {
        "name": "capacity",
        "x": "alpha",
        "lines": ["N"],
        "measures": ["separable", "converged"],
        "theory": ["cover"],
        "xlabel": "alpha = P/N",
        "ylabel": "fraction of data sets",
    }
    return {
        "name": "my_capacity",
        "title": "How many random labels can a perceptron store?",
        "grid": {"N": [state.N], "alpha": _capacity_alphas(state)},
        "fixed": {"sweeps": state.sweeps, "exact": True},
        "figure": [figure],
    }


SCREEN = make_sweep_screen(
    name="capacity",
    title="Capacity",
    state=Capacity,
    frames=frames,
    sweep=_make_capacity_sweep,
    declare=_declare_capacity,
    reduce={"repeats": "{} data sets a point", "N": "N = {}", "sweeps": "{} sweeps"},
    warm=({"N": 5, "repeats": 10, "points": 5}, {"N": 5, "repeats": 10, "points": 5, "look": 3}),
)
