"""On-line learning: R, Q and the error against the flow of the order parameters."""

from typing import Any, Literal

import numpy as np

from markone.lab.scenarios import find_scenario
from markone.web.screens.base import Frames, State, make_control, read_choices, seed_control
from markone.web.screens.own_curves import follow_own_rule
from markone.web.sweeps import (
    Sweep,
    SweepLine,
    make_sweep_screen,
    yield_sweep_frames,
    yield_theory_frames,
)

RULES = read_choices("online", "rules")
Rule: Any = Literal[tuple(RULES)]
MEASURES = ("epsilon_g", "R", "Q")
EARLIEST = 0.1


class Online(State):
    rules: list[Rule] = make_control(
        ["hebb", "rosenblatt", "optimal"], choices=RULES, min_length=1, max_length=6
    )
    N: int = make_control(100, ge=10, le=1000, step=10)
    alpha: float = make_control(20.0, ge=1, le=100, log=True)
    noise: float = make_control(0.0, ge=0, le=0.4, step=0.01)
    drift: float = make_control(0.0, ge=0, le=1, step=0.01)
    repeats: int = make_control(50, ge=4, le=400, step=2)
    seed: int = seed_control()
    eta: float = make_control(1.0, ge=0.05, le=3, step=0.05, when={"rules": ["adatron", "lms"]})
    c: float = make_control(0.0, ge=0, le=5, step=0.1, when={"rules": ["rosenblatt"]})
    rule: str = make_control("", max_length=200)
    log: bool = make_control(True)


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
    yield from yield_theory_frames(sweep, fine)
    if state.rule.strip():
        yield {"own": follow_own_rule(state.rule, state.noise, state.drift, fine)}
    yield from yield_sweep_frames(sweep)


def _declare_online(state: Online) -> dict[str, Any]:
    own = bool(state.rule.strip())
    drift = {"drift": state.drift} if state.drift > 0 else {}
    line = {"title": "own rule", "quantity": "epsilon_rule", "f": state.rule, "drift": state.drift}
    figure = {
        "name": "rules",
        "x": "alpha",
        "lines": ["rule"],
        "measures": ["epsilon_g"],
        "theory": ["epsilon_g", *["own"] * own],
        "xlabel": "alpha = examples/N",
        "ylabel": "generalization error",
        "logx": True,
        "logy": True,
    }
    return {
        "name": "my_online",
        "title": "On-line learning",
        "grid": {"rule": state.rules, "alpha": _online_alphas(state)},
        "fixed": {"N": state.N, "noise": state.noise, "eta": state.eta, "c": state.c, **drift},
        "theory": {"own": line} if own else {},
        "figure": [figure],
    }


SCREEN = make_sweep_screen(
    name="online",
    title="On-line learning",
    state=Online,
    frames=frames,
    sweep=_make_online_sweep,
    declare=_declare_online,
    reduce={"repeats": "{} repeats"},
    warm=(
        *({"rules": [rule], "N": 10, "alpha": 1.0, "repeats": 4} for rule in RULES),
        {"drift": 0.1, "N": 10, "alpha": 1.0, "repeats": 4},
    ),
)
