"""On-line learning: R, Q and the error against the flow of the order parameters."""

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

RULES = {
    "hebb": "Hebb",
    "rosenblatt": "Rosenblatt",
    "adatron": "AdaTron",
    "lms": "Adaline (LMS)",
    "optimal": "Optimal rule",
    "optimal_rate": "Rosenblatt, best rate",
}
Rule = Literal["hebb", "rosenblatt", "adatron", "lms", "optimal", "optimal_rate"]
MEASURES = ("epsilon_g", "R", "Q")
EARLIEST = 0.1


class Online(State):
    rules: list[Rule] = make_control(
        ["hebb", "rosenblatt", "optimal"],
        "Rules",
        "How strongly an example is learned. Each is presented once.",
        choices=RULES,
        min_length=1,
        max_length=6,
    )
    N: int = make_control(100, "Inputs N", "Lines are for N → ∞.", group="Examples", ge=10, le=1000, step=10)
    alpha: float = make_control(
        20.0, "Up to α", "Examples seen, divided by N.", group="Examples", ge=1, le=100, log=True
    )
    noise: float = make_control(
        0.0, "Noise λ", "Probability of a wrong label.", group="Examples", ge=0, le=0.4, step=0.01
    )
    drift: float = make_control(
        0.0,
        "Drift δ",
        "The teacher turns: its overlap with itself falls by δ/N with each example.",
        group="Examples",
        ge=0,
        le=1,
        step=0.01,
    )
    repeats: int = make_control(
        50, "Repeats", "Students for each point.", group="Examples", ge=4, le=400, step=2
    )
    seed: int = seed_control()
    eta: float = make_control(
        1.0,
        "Learning rate η",
        "Of AdaTron and Adaline.",
        ge=0.05,
        le=3,
        step=0.05,
        when={"rules": ["adatron", "lms"]},
    )
    c: float = make_control(
        0.0,
        "Margin c",
        "Rosenblatt learns while E ≤ c.",
        ge=0,
        le=5,
        step=0.1,
        when={"rules": ["rosenblatt"]},
    )
    log: bool = make_control(True, "Logarithmic axes", "Power laws become straight lines.")


def online_lines(state: Online) -> list[SweepLine]:
    common: dict[str, Any] = {"N": state.N, "noise": state.noise, "eta": state.eta, "c": state.c}
    if state.drift > 0:
        common["drift"] = state.drift
    return [SweepLine(rule, RULES[rule], common | {"rule": rule}) for rule in state.rules]


def _online_alphas(state: Online) -> list[float]:
    return [round(float(a), 6) for a in np.geomspace(max(EARLIEST, 2 / state.N), state.alpha, 14)]


def _make_online_sweep(state: Online) -> Sweep:
    scenario = find_scenario("drift" if state.drift > 0 else "online")
    return Sweep(scenario, online_lines(state), _online_alphas(state), MEASURES, state.seed, state.repeats)


def frames(state: Online) -> Frames:
    sweep = _make_online_sweep(state)
    fine = np.geomspace(sweep.alphas[0], state.alpha, 60)
    yield {"titles": [line.title for line in sweep.lines], "curves": [{} for _ in sweep.lines]}
    curves: list[dict[str, Any]] = []
    for line in sweep.lines:
        curves.append({name: theory_points(sweep, name, line, fine) for name in MEASURES})
        yield {"curves": curves + [{}] * (len(sweep.lines) - len(curves))}
    yield from yield_sweep_frames(sweep)


def _write_online_toml(state: Online) -> str:
    drift = f"drift = {state.drift!r}\n" if state.drift > 0 else ""
    rules = ", ".join(f'"{rule}"' for rule in state.rules)
    return f'''name = "my_online"
title = "On-line learning"
scenario = "{"drift" if state.drift > 0 else "online"}"
seed = {state.seed}
repeats = {state.repeats}

[grid]
rule = [{rules}]
alpha = {_online_alphas(state)!r}

[fixed]
N = {state.N}
noise = {state.noise!r}
eta = {state.eta!r}
c = {state.c!r}
{drift}
[[figure]]
name = "rules"
x = "alpha"
lines = ["rule"]
measures = ["epsilon_g"]
theory = ["epsilon_g"]
xlabel = "alpha = examples/N"
ylabel = "generalization error"
logx = true
logy = true
'''


SCREEN = make_sweep_screen(
    name="online",
    title="On-line learning",
    state=Online,
    frames=frames,
    sweep=_make_online_sweep,
    toml=_write_online_toml,
    axes=["rule", "alpha"],
    reduce={"repeats": "{} repeats"},
    warm=(
        *({"rules": [rule], "N": 10, "alpha": 1.0, "repeats": 4} for rule in RULES),
        {"drift": 0.1, "N": 10, "alpha": 1.0, "repeats": 4},
    ),
)
