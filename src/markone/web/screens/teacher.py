"""Student and teacher: the generalization error, point by point, with its theory."""

from typing import Any, Literal

import numpy as np

from markone.web.screens.base import Frames, State, make_control, seed_control
from markone.web.sweeps import (
    Sweep,
    SweepLine,
    find_scenario,
    make_sweep_screen,
    theory_points,
    yield_sweep_frames,
)

STUDENTS = {
    "hebb": "Hebb",
    "rosenblatt": "Rosenblatt",
    "minover_optimal": "MinOver",
    "adaline": "Adaline",
    "ridge": "Adaline, best ridge",
    "adatron": "AdaTron",
    "soft_margin": "Soft margin",
}
MEASURES = {
    "epsilon_g": "generalization error ε_g",
    "R": "overlap R",
    "kappa": "stability κ",
    "epsilon_t": "training error",
}
Student = Literal["hebb", "rosenblatt", "minover_optimal", "adaline", "ridge", "adatron", "soft_margin"]
SHORT = ["minover_optimal", "rosenblatt"]


class Teacher(State):
    students: list[Student] = make_control(
        ["hebb", "adatron"],
        "Students",
        "All learn the same data sets.",
        choices=STUDENTS,
        min_length=1,
        max_length=5,
    )
    measure: Literal["epsilon_g", "R", "kappa", "epsilon_t"] = make_control(
        "epsilon_g", "Shown", "What is measured on each student.", choices=MEASURES
    )
    N: int = make_control(
        50,
        "Inputs N",
        "The theory is for N → ∞: vary N to see corrections of order 1/N.",
        group="Examples",
        ge=10,
        le=500,
        step=10,
    )
    alpha: float = make_control(
        5.0, "Up to α = P/N", "Examples per input.", group="Examples", ge=1, le=10, step=0.5
    )
    points: int = make_control(10, "Points", "Along the axis.", group="Examples", ge=4, le=20, step=1)
    noise: float = make_control(
        0.0, "Noise λ", "Probability of a wrong label.", group="Examples", ge=0, le=0.4, step=0.01
    )
    repeats: int = make_control(
        40, "Repeats", "Data sets for each point.", group="Examples", ge=4, le=400, step=4
    )
    seed: int = seed_control()
    gamma: float = make_control(
        1.0,
        "Soft margin γ",
        "Largest strength of an example.",
        ge=0.05,
        le=20,
        log=True,
        when={"students": ["soft_margin"]},
    )
    sweeps: int = make_control(
        100,
        "Sweeps at most",
        "For students that stop when all examples are learned.",
        ge=5,
        le=250,
        step=5,
        when={"students": SHORT},
    )


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
    yield {
        "titles": [line.title for line in sweep.lines],
        "curves": [[] for _ in sweep.lines],
        "alpha_c": _separability_limit(state),
    }
    curves = []
    for line in sweep.lines:
        curves.append(theory_points(sweep, state.measure, line, fine))
        yield {"curves": curves + [[]] * (len(sweep.lines) - len(curves))}
    if state.measure == "epsilon_g" and state.noise == 0:
        yield {name: theory_points(sweep, name, sweep.lines[0], fine) for name in ("gibbs", "bayes")}
    yield from yield_sweep_frames(sweep)


def _separability_limit(state: Teacher) -> float | None:
    """Return alpha_c if it lies inside the picture, else None."""
    limit = find_scenario("teacher_student").marks["separability"].function
    value = limit({"noise": state.noise, "N": state.N, "alpha": 1.0, "student": "hebb"})
    return float(value) if np.isfinite(value) and value <= state.alpha else None


def _write_teacher_toml(state: Teacher) -> str:
    return f'''name = "my_rule"
title = "Students of a teacher"
scenario = "teacher_student"
seed = {state.seed}
repeats = {state.repeats}

[grid]
student = {_format_list(state.students)}
alpha = {_teacher_alphas(state)!r}

[fixed]
N = {state.N}
noise = {state.noise!r}
max_sweeps = {state.sweeps}
gamma = {state.gamma!r}

[[figure]]
name = "learning"
x = "alpha"
lines = ["student"]
measures = ["{state.measure}"]
theory = ["{state.measure}"]
xlabel = "alpha = P/N"
ylabel = "{MEASURES[state.measure]}"
'''


def _format_list(values: Any) -> str:
    return "[" + ", ".join(f'"{value}"' for value in values) + "]"


SCREEN = make_sweep_screen(
    name="teacher",
    title="Student and teacher",
    state=Teacher,
    frames=frames,
    sweep=_make_teacher_sweep,
    toml=_write_teacher_toml,
    axes=["student", "alpha"],
    reduce={"repeats": "{} repeats", "N": "N = {}", "points": "{} points"},
    warm=tuple({"students": [name], "N": 10, "points": 4, "repeats": 4, "alpha": 1.0} for name in STUDENTS),
)
