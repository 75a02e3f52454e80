"""Version space: random students, centre of mass and volume, compared with training algorithms   (3.4)."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
from pydantic import Field, model_validator

from markone.lab.scenario import OVERLAP, SHARE, ExampleSettings, Picture, Scenario, Values
from markone.lab.scenarios.rule import _students, _version_space
from markone.lab.scenarios.rule.compiled_students import limit_theory
from markone.perceptron.theory import bayes, gibbs, hebb, max_stability, volume
from markone.perceptron.version_space.space import noise_levels

SINGLE_STUDENTS = {
    "adatron": _students.train_adatron_block,
    "rosenblatt": _students.train_rosenblatt_block,
    "hebb": _students.train_hebb_block,
}
LARGEST_P = 8000


class Parameters(ExampleSettings):
    """P = round(alpha N) Gaussian examples of a teacher, labels flipped with the known probability `noise`.

    student: "gibbs", the mean over `students` samples of version space; "bayes", its centre of mass,
    corrected for the bias of a finite sample; "adatron", optimal stability; "rosenblatt" and "hebb".
    levels: noise levels at which the volume is measured, with `turns` students each ("gibbs" only; 0: none).
    max_sweeps: limit of sweeps of rosenblatt and adatron.
    """

    noise: float = Field(0.0, ge=0, lt=0.5)
    student: Literal["gibbs", "bayes", "adatron", "rosenblatt", "hebb"]
    students: int = Field(200, ge=4)
    levels: int = Field(0, ge=0)
    turns: int = Field(50, ge=2)
    max_sweeps: int = Field(1000, ge=1)

    @property
    def wall(self) -> float:
        return math.log((1 - self.noise) / self.noise) if self.noise > 0 else math.inf

    @model_validator(mode="after")
    def _check_consistency(self) -> "Parameters":
        if self.student in ("gibbs", "bayes") and self.P > LARGEST_P:
            raise ValueError(
                f"Sampling stores the products of all pairs of its P = alpha N = {self.P} examples, which is "
                f"too much beyond P = {LARGEST_P}: choose a smaller alpha or N."
            )
        return self


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    """Run the repeats start .. stop-1, on the same data sets as `teacher_student`."""
    block = (seed, start, stop, p.P, p.N, p.noise)
    nothing = np.full(stop - start, np.nan)
    values = {"q": nothing, "log_volume": nothing}
    if p.student in SINGLE_STUDENTS:
        table = SINGLE_STUDENTS[p.student](*block, 0.0, (p.max_sweeps, 1e-6, math.inf, 0.0))
        columns = {"R": table[:, 1], "epsilon_g": table[:, 0]}
    else:
        table = _version_space.sample_students_block(*block, p.wall, p.students)
        first = 0 if p.student == "gibbs" else 3
        columns = {"R": table[:, first], "epsilon_g": table[:, first + 1], "q": table[:, 2]}
        if p.student == "gibbs" and p.levels > 0:
            logs = _version_space.log_volumes_block(*block, *noise_levels(p.noise, p.levels), p.turns)
            columns["log_volume"] = (logs + p.P * math.log1p(-p.noise)) / p.N
    return values | {name: np.ascontiguousarray(column) for name, column in columns.items()}


def cost(p: Parameters) -> float:
    """Approximate multiplications of one repeat, one per nanosecond."""
    P, N = p.P, p.N
    # Half of the walls are hit in a quarter turn, at two operations per number.
    turn = 2.0 * P * N + 0.5 * P * (50 + 1.5 * P + N)
    data = 6.0 * P * N + 0.1 * P * P * N
    if p.student in SINGLE_STUDENTS:
        return data + (0.0 if p.student == "hebb" else (10 + 30 * p.alpha) * 0.1 * P * N)
    return data + (p.students + 20 + p.levels * (p.turns + 5)) * turn


def _student_theories(quantity: str) -> dict[str, Callable[[Parameters], Any]]:
    """`quantity` (overlap or generalization_error) of every student with a theory."""
    laws = {"gibbs": gibbs, "bayes": bayes, "adatron": max_stability, "hebb": hebb}
    return {name: partial(_theory_value, getattr(law, quantity)) for name, law in laws.items()}


def _theory_value(law: Callable[[float, float], Any], p: Parameters) -> Any:
    return law(p.alpha, p.noise)


def _draw_geometry(figure: Any, points: Any, seed: int) -> None:
    # Imports the estimators, which no other part of the scenario needs.
    from markone.perceptron.version_space.sphere import draw_geometry

    draw_geometry(figure, seed)


SCENARIO = Scenario(
    name="version_space",
    version=1,
    parameters=Parameters,
    measures={
        "epsilon_g": "generalization error: disagreement with the noise-free teacher",
        "R": "overlap with the teacher",
        "q": "overlap of two students drawn from version space, equal to that of one with the teacher",
        "log_volume": "ln(fraction of the sphere left)/N; with noise ln(evidence)/N",
    },
    cost=cost,
    run=run,
    ranges={"epsilon_g": SHARE} | dict.fromkeys(("R", "q"), OVERLAP),
    theories={
        "epsilon_g": limit_theory(Parameters, "epsilon_g", _student_theories("generalization_error")),
        "R": limit_theory(Parameters, "R", _student_theories("overlap")),
        "q": limit_theory(
            Parameters, "q", dict.fromkeys(("gibbs", "bayes"), partial(_theory_value, gibbs.overlap))
        ),
        "log_volume": limit_theory(
            Parameters, "log_volume", {"gibbs": lambda p: volume.log_volume(p.alpha, p.noise)}
        ),
    },
    pictures={"geometry": Picture("Version space in two and three dimensions", _draw_geometry, (9.0, 6.0))},
    miniature={"students": 10, "levels": 2, "turns": 4},
)
