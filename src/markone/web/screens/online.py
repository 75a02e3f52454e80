"""On-line learning: R, Q and the error against the flow of the order parameters."""

from typing import Any, Literal

import numpy as np

from markone.web import sweeps
from markone.web.screens.base import Frames, Screen, ScreenText, State, make_control, seed_control
from markone.web.sweeps import SweepLine

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


def _find_online_scenario(state: Online) -> Any:
    return sweeps.find_scenario("drift" if state.drift > 0 else "online")


def online_lines(state: Online) -> list[SweepLine]:
    common: dict[str, Any] = {"N": state.N, "noise": state.noise, "eta": state.eta, "c": state.c}
    if state.drift > 0:
        common["drift"] = state.drift
    return [SweepLine(rule, RULES[rule], common | {"rule": rule}) for rule in state.rules]


def _online_alphas(state: Online) -> list[float]:
    return [round(float(a), 6) for a in np.geomspace(max(EARLIEST, 2 / state.N), state.alpha, 14)]


def frames(state: Online) -> Frames:
    scenario, chosen = _find_online_scenario(state), online_lines(state)
    fine = np.geomspace(_online_alphas(state)[0], state.alpha, 60)
    yield {"titles": [line.title for line in chosen], "curves": [{} for _ in chosen]}
    curves: list[dict[str, Any]] = []
    for line in chosen:
        curves.append({name: sweeps.theory_points(scenario, name, line, "alpha", fine) for name in MEASURES})
        yield {"curves": curves + [{}] * (len(chosen) - len(curves))}
    yield from sweeps.yield_sweep_frames(
        scenario, chosen, "alpha", _online_alphas(state), MEASURES, state.seed, state.repeats
    )


def _estimate_online_seconds(state: Online) -> float:
    return sweeps.estimate_sweep_seconds(
        _find_online_scenario(state), online_lines(state), "alpha", _online_alphas(state), state.repeats
    )


def _suggest_online(state: Online) -> str:
    return sweeps.suggest_smaller_state(state, _estimate_online_seconds, {"repeats": "{} repeats"})


def python(state: Online) -> str:
    return sweeps.experiment_script(
        "On-line learning", _write_online_toml(state), ["rule", "alpha"], MEASURES
    )


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


SCREEN = Screen(
    name="online",
    title="On-line learning",
    state=Online,
    frames=frames,
    python=python,
    toml=_write_online_toml,
    seconds=_estimate_online_seconds,
    fits=_suggest_online,
    words=ScreenText(
        (
            "Each example is presented once; the [modulation] f(E) is the strength with which it is learned.",
            (
                "Dots are students of finite N, lines the [flow]: for N → ∞ the [overlap] R and the "
                "length Q no longer fluctuate."
            ),
            (
                "Rosenblatt's constant step keeps the error high; AdaTron's shrinks with the mistake; "
                "the optimal rule adapts its step to its uncertainty."
            ),
            "With noise a constant rate does not converge; with [drift] only rules that forget can follow.",
        ),
        "\\frac{d R}{d α} = F(R,Q) ; \\frac{d Q}{d α} = G(R,Q)",
        "Section 3.2 of the notes; Kinzel and Rujan 1990; Biehl and Riegler 1994",
        (
            "The flow is exact for N → ∞ and isotropic inputs. The length of the best rules has a free "
            "factor: no line for their Q."
        ),
    ),
    warm=(
        *({"rules": [rule], "N": 10, "alpha": 1.0, "repeats": 4} for rule in RULES),
        {"drift": 0.1, "N": 10, "alpha": 1.0, "repeats": 4},
    ),
)
