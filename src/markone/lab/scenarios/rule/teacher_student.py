"""Learning a rule: students of a teacher perceptron, with label noise (the stability report; section 3.3)."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, model_validator

from markone.lab.scenario import Mark, Scenario, Theory, TheoryKind, Values, number_of_examples
from markone.lab.scenarios.rule import _students
from markone.lab.scenarios.rule._examples import TEACHER
from markone.lab.scenarios.rule.limits import limit
from markone.lab.scenarios.separable import separable
from markone.perceptron.theory import adaline, bayes, gibbs, hebb, max_stability, soft_margin

STUDENTS = {
    "hebb": _students.hebb,
    "rosenblatt": _students.rosenblatt,
    "minover": _students.minover_report,
    "minover_optimal": _students.minover_optimal,
    "adaline": _students.adaline,
    "ridge": _students.adaline,
    "adatron": _students.adatron,
    "soft_margin": _students.adatron,
}
# "minover": |dw|/|w| of the report's appendix; the others: relative gap between student and optimum.
TOL = {"minover": 1e-3, "minover_optimal": 1e-2, "adatron": 1e-6, "soft_margin": 1e-6}
OPTIMAL = ("minover", "minover_optimal", "adatron")
# MinOver keeps the correlations of all pairs of examples.
LARGEST_P = 20_000


class Parameters(BaseModel):
    """One point: P = round(alpha N) Gaussian examples, labels of w* = (1, .., 1), flipped with `noise`.

    student: "minover" stops as the stability report does, when |dw|/|w| < tol, and keeps the last student;
    "minover_optimal" when the stability is within tol of its upper bound, and keeps the most stable;
    "adatron" and "soft_margin" are certified to the relative gap tol. tol: None for each one's own.
    max_sweeps: presentations of all examples at the most; for MinOver, max_sweeps P updates.
    gamma: the soft margin's largest strength. ridge: None for the best one, 1/c^2 - 1.
    exact: decide for each data set, with a proof, whether it is separable.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    N: int = Field(ge=2)
    alpha: float = Field(gt=0)
    noise: float = Field(0.0, ge=0, le=0.5)
    student: Literal[
        "hebb", "rosenblatt", "minover", "minover_optimal", "adaline", "ridge", "adatron", "soft_margin"
    ]
    max_sweeps: int = Field(250, ge=1)
    tol: float | None = Field(None, gt=0, lt=1)
    gamma: float = Field(1.0, gt=0)
    ridge: float | None = Field(None, ge=0)
    exact: bool = False

    @property
    def P(self) -> int:
        return number_of_examples(self.alpha, self.N)

    @model_validator(mode="after")
    def _possible(self) -> "Parameters":
        if self.student.startswith("minover") and self.P > LARGEST_P:
            raise ValueError(
                f"MinOver keeps the correlations of all pairs of its P = alpha N = {self.P} examples, which "
                f"is too much beyond P = {LARGEST_P}: choose a smaller alpha or N, or the student 'adatron'."
            )
        if self.student == "ridge" and self.ridge is None and self.noise == 0.5:
            raise ValueError("At noise = 0.5 there is nothing to learn and no best ridge: give one.")
        return self


def _how(p: Parameters) -> tuple[int, float, float, float]:
    """(max_sweeps, tol, gamma, ridge) as the compiled students take them."""
    tol = TOL.get(p.student, 0.0) if p.tol is None else p.tol
    gamma = p.gamma if p.student == "soft_margin" else math.inf
    return p.max_sweeps, tol, gamma, _ridge(p) if p.student == "ridge" else 0.0


def _ridge(p: Parameters) -> float:
    return float(adaline.optimal_ridge(p.noise)) if p.ridge is None else p.ridge


def run(parameters: Any, seed: int, start: int, stop: int) -> Values:
    """The repeats start .. stop-1, each with the data named by (seed, N, P, repeat)."""
    p = Parameters.model_validate(parameters)
    table = STUDENTS[p.student](seed, start, stop, p.P, p.N, p.noise, _how(p))
    names = ["epsilon_g", "R", "kappa", "epsilon_t", "updates", "stopped"]
    values = {name: np.ascontiguousarray(column) for name, column in zip(names, table.T, strict=True)}
    nothing = np.full(stop - start, np.nan)
    values["separable"] = separable(seed, start, stop, p.P, p.N, TEACHER, p.noise) if p.exact else nothing
    return values


def cost(parameters: Any) -> float:
    """Multiplications of one repeat, about: one a nanosecond."""
    p = Parameters.model_validate(parameters)
    P, N, n = p.P, p.N, min(p.P, p.N)
    sweeps = p.max_sweeps if p.noise > 0 else min(p.max_sweeps, 5 + 5 * p.alpha)
    # sqrt(N)/(tol kappa) updates make |w| large enough; 1/kappa is about 0.85 sqrt(alpha + alpha^2).
    updates = math.sqrt(N) / (p.tol or 1e-3) * 0.85 * math.sqrt(p.alpha + p.alpha**2)
    steps = p.max_sweeps * P if p.noise > 0 or p.student == "minover_optimal" else updates
    climb = min(p.max_sweeps, 10 + 30 * p.alpha) * (0.1 * P * N + 0.02 * n * n * N)
    training = {
        "hebb": 0.0,
        "rosenblatt": 0.25 * sweeps * P * N,
        "adaline": 0.1 * P * n * N,
        "ridge": 0.1 * P * n * N,
        "adatron": climb,
        "soft_margin": 0.3 * climb,
    }.get(p.student, 0.05 * P * P * N + min(steps, p.max_sweeps * P) * (50 + 0.3 * P))
    return 6.0 * P * N + training + (0.1 * P * N * N if p.exact else 0.0)


def _everywhere(title: str, error: Callable[[Any], Any], kind: TheoryKind) -> Theory:
    """A line of reference without noise, whatever the student."""

    def function(parameters: Mapping[str, Any]) -> float:
        p = Parameters.model_construct(**parameters)
        return float(error(p.alpha)) if p.noise == 0 else math.nan

    return Theory(title, "epsilon_g", function, kind)


def _of(quantity: str) -> dict[str, Callable[[Parameters], Any]]:
    """`quantity` (overlap or generalization_error) of every student that has a theory."""
    students: dict[str, Callable[[Parameters], Any]] = {
        "hebb": lambda p: getattr(hebb, quantity)(p.alpha, p.noise),
        "adaline": lambda p: getattr(adaline, quantity)(p.alpha, p.noise),
        "ridge": lambda p: getattr(adaline, quantity)(p.alpha, p.noise, ridge=_ridge(p)),
        "soft_margin": lambda p: getattr(soft_margin, quantity)(p.alpha, p.noise, gamma=p.gamma),
    }
    return students | {s: lambda p: getattr(max_stability, quantity)(p.alpha, p.noise) for s in OPTIMAL}


def _training_error(p: Parameters) -> Any:
    return soft_margin.training_error(p.alpha, p.noise, gamma=p.gamma)


def _threshold(parameters: Mapping[str, Any]) -> float:
    """alpha_c(noise); NaN for noise = 1/2, where there is no rule."""
    p = Parameters.model_construct(**parameters)
    return float(max_stability.alpha_c(p.noise)) if 0 <= p.noise < 0.5 else math.nan


SCENARIO = Scenario(
    name="teacher_student",
    version=2,
    parameters=Parameters,
    measures={
        "epsilon_g": "generalization error: disagreement with the noise-free teacher",
        "R": "overlap with the teacher",
        "kappa": "stability of the student, min E/|w|",
        "epsilon_t": "fraction of the training examples with E <= 0",
        "updates": "updates made (AdaTron: visits)",
        "stopped": "1 if the stop rule was met, 0 if max_sweeps ran out",
        "separable": "1 if some student has all E > 0, proven; NaN if not asked for",
    },
    cost=cost,
    run=run,
    theories={
        "epsilon_g": limit(Parameters, "epsilon_g", _of("generalization_error")),
        "R": limit(Parameters, "R", _of("overlap")),
        "kappa": limit(
            Parameters, "kappa", {s: lambda p: max_stability.stability(p.alpha, p.noise) for s in OPTIMAL}
        ),
        "epsilon_t": limit(Parameters, "epsilon_t", {"soft_margin": _training_error}),
        "gibbs": _everywhere("Gibbs student, no noise", gibbs.generalization_error, "guide"),
        "bayes": _everywhere(
            "Bayes: no student does better, no noise", bayes.generalization_error, "lower bound"
        ),
    },
    marks={"separability": Mark("separable below alpha_c", _threshold)},
    miniature={"N": 20},
)
