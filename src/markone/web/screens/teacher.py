"""Student and teacher: the generalization error, point by point, with its theory."""

from typing import Any, Literal

import numpy as np

from markone.lab.scenarios import find_scenario
from markone.web.screens.base import Frames, State, make_control, read_choices, seed_control
from markone.web.screens.own_curves import solve_own_loss
from markone.web.sweeps import (
    Sweep,
    SweepLine,
    make_sweep_screen,
    theory_points,
    yield_sweep_frames,
    yield_theory_frames,
)

STUDENTS = read_choices("teacher", "students")
MEASURES = read_choices("teacher", "measure")
Measure: Any = Literal[tuple(MEASURES)]
Student: Any = Literal[tuple(STUDENTS)]
SHORT = ["minover_optimal", "rosenblatt"]


class Teacher(State):
    students: list[Student] = make_control(["hebb", "adatron"], choices=STUDENTS, min_length=1, max_length=5)
    measure: Measure = make_control("epsilon_g", choices=MEASURES)
    N: int = make_control(50, ge=10, le=500, step=10)
    alpha: float = make_control(5.0, ge=1, le=10, step=0.5)
    points: int = make_control(10, ge=4, le=20, step=1)
    noise: float = make_control(0.0, ge=0, le=0.4, step=0.01)
    repeats: int = make_control(40, ge=4, le=400, step=4)
    seed: int = seed_control()
    gamma: float = make_control(1.0, ge=0.05, le=20, log=True, when={"students": ["soft_margin"]})
    sweeps: int = make_control(100, ge=5, le=250, step=5, when={"students": SHORT})
    loss: str = make_control("", max_length=200)
    l2: float = make_control(0.5, ge=1e-4, le=100, log=True)


def teacher_lines(state: Teacher) -> list[SweepLine]:
    common = {"N": state.N, "noise": state.noise, "max_sweeps": state.sweeps, "gamma": state.gamma}
    return [SweepLine(name, STUDENTS[name], common | {"student": name}) for name in state.students]


def _teacher_alphas(state: Teacher) -> list[float]:
    return [round(float(a), 6) for a in np.linspace(state.alpha / state.points, state.alpha, state.points)]


def _make_teacher_sweep(state: Teacher) -> Sweep:
    scenario, lines, alphas = find_scenario("teacher_student"), teacher_lines(state), _teacher_alphas(state)
    return Sweep(scenario, lines, alphas, [state.measure], state.seed, state.repeats)


def frames(state: Teacher) -> Frames:
    sweep = _make_teacher_sweep(state)
    fine = np.linspace(state.alpha / 100, state.alpha, 100)
    yield {"alpha_c": _separability_limit(state)}
    yield from yield_theory_frames(sweep, fine)
    if state.measure == "epsilon_g" and state.noise == 0:
        yield {name: theory_points(sweep, name, sweep.lines[0], fine) for name in ("gibbs", "bayes")}
    if state.loss.strip():
        yield {"own": solve_own_loss(state.loss, state.l2, state.noise, fine, state.measure)}
    yield from yield_sweep_frames(sweep)


def _separability_limit(state: Teacher) -> float | None:
    """Return alpha_c if it lies inside the picture, else None."""
    limit = find_scenario("teacher_student").marks["separability"].function
    value = limit({"noise": state.noise, "N": state.N, "alpha": 1.0, "student": "hebb"})
    return float(value) if np.isfinite(value) and value <= state.alpha else None


def _declare_teacher(state: Teacher) -> dict[str, Any]:
    own = bool(state.loss.strip()) and state.measure != "kappa"
    line = {"title": "own loss", "measure": state.measure, "loss": state.loss, "penalty": state.l2}
    figure = {
        "name": "learning",
        "x": "alpha",
        "lines": ["student"],
        "measures": [state.measure],
        "theory": [state.measure, *["own"] * own],
        "xlabel": "alpha = P/N",
        "ylabel": MEASURES[state.measure],
    }
    return {
        "name": "my_rule",
        "title": "Students of a teacher",
        "grid": {"student": state.students, "alpha": _teacher_alphas(state)},
        "fixed": {"N": state.N, "noise": state.noise, "max_sweeps": state.sweeps, "gamma": state.gamma},
        "theory": {"own": line} if own else {},
        "figure": [figure],
    }


SCREEN = make_sweep_screen(
    name="teacher",
    title="Student and teacher",
    state=Teacher,
    frames=frames,
    sweep=_make_teacher_sweep,
    declare=_declare_teacher,
    reduce={"repeats": "{} repeats", "N": "N = {}", "points": "{} points"},
    warm=tuple({"students": [name], "N": 10, "points": 4, "repeats": 4, "alpha": 1.0} for name in STUDENTS),
)
