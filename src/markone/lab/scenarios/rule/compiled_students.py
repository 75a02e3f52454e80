"""Table of the compiled students of a teacher: training, cost and theory of each; theory by student."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markone.lab.scenario import Settings, Theory
from markone.lab.scenarios.rule import _students
from markone.perceptron.theory import adaline, adaline_at_n, hebb, max_stability, soft_margin

# quantity (overlap, generalization_error, ..) -> its value at the parameters
Laws = Mapping[str, Callable[[Any], Any]]


@dataclass(frozen=True)
class CompiledStudent:
    """run: one block of repeats (_students.py). cost: approximate multiplications of one training. tol:
    default of the stop rule. gamma, ridge: values passed to the compiled student."""

    run: Callable[..., Any]
    cost: Callable[[Any], float]
    tol: float = 0.0
    gamma: Callable[[Any], float] = field(default=lambda p: math.inf)
    ridge: Callable[[Any], float] = field(default=lambda p: 0.0)
    laws: Laws = field(default_factory=dict)
    all_pairs: bool = False  # stores the correlations of all pairs of examples

    def how(self, p: Any) -> tuple[int, float, float, float]:
        """(max_sweeps, tol, gamma, ridge)"""
        return p.max_sweeps, self.tol if p.tol is None else p.tol, self.gamma(p), self.ridge(p)


def _theory_functions(theory: Any, *quantities: str, **more: Callable[[Any], Any]) -> Laws:
    """Theory functions of (alpha, noise) and of further parameters of the student."""

    def theory_of_measure(quantity: str) -> Callable[[Any], Any]:
        def theory_value(p: Any) -> Any:
            return getattr(theory, quantity)(p.alpha, p.noise, **{key: get(p) for key, get in more.items()})

        return theory_value

    return {
        quantity: theory_of_measure(quantity) for quantity in ("overlap", "generalization_error", *quantities)
    }


OPTIMUM_THEORY = _theory_functions(max_stability, "stability")


def _best_ridge(p: Any) -> float:
    """The given ridge or the optimal one; noise on the inputs has the effect of a label sign(t + s normal) of
    inputs of variance v = 1 + s^2, t their field."""
    v = 1 + p.input_noise**2
    return v * (v * float(adaline.optimal_ridge(p.noise)) + (v - 1)) if p.ridge is None else p.ridge


def _rosenblatt_cost(p: Any) -> float:
    sweeps = p.max_sweeps if p.noise > 0 else min(p.max_sweeps, 5 + 5 * p.alpha)
    return float(0.25 * sweeps * p.P * p.N)


def _regression_cost(p: Any) -> float:
    return float(0.1 * p.P * min(p.P, p.N) * p.N)


def _ascent_cost(p: Any) -> float:
    n = min(p.P, p.N)
    return float(min(p.max_sweeps, 10 + 30 * p.alpha) * (0.1 * p.P * p.N + 0.02 * n * n * p.N))


def _minover_cost(p: Any, steps: float) -> float:
    return float(0.05 * p.P * p.P * p.N + min(steps, p.max_sweeps * p.P) * (50 + 0.3 * p.P))


def _minover_report_cost(p: Any) -> float:
    """Cost of sqrt(N)/(tol kappa) updates, which meet the stop rule; 1/kappa ~ 0.85 sqrt(alpha + alpha^2)."""
    updates = math.sqrt(p.N) / (p.tol or 1e-3) * 0.85 * math.sqrt(p.alpha + p.alpha**2)
    return _minover_cost(p, p.max_sweeps * p.P if p.noise > 0 else updates)


STUDENTS: dict[str, CompiledStudent] = {
    "hebb": CompiledStudent(_students.train_hebb_block, lambda p: 0.0, laws=_theory_functions(hebb)),
    "rosenblatt": CompiledStudent(_students.train_rosenblatt_block, _rosenblatt_cost),
    # tol: |dw|/|w| of the stability report's appendix, which stops before the stability is the largest
    "minover": CompiledStudent(
        _students.train_minover_report_block,
        _minover_report_cost,
        tol=1e-3,
        laws=_theory_functions(max_stability),
        all_pairs=True,
    ),
    # tol, here and below: the relative gap between student and optimum
    "minover_optimal": CompiledStudent(
        _students.train_minover_optimal_block,
        lambda p: _minover_cost(p, p.max_sweeps * p.P),
        tol=1e-2,
        laws=OPTIMUM_THEORY,
        all_pairs=True,
    ),
    # At finite N: its peak at alpha = 1 is 0.476 at N = 200 and 1/2 in the limit.
    "adaline": CompiledStudent(
        _students.train_adaline_block, _regression_cost, laws=_theory_functions(adaline_at_n, N=lambda p: p.N)
    ),
    "ridge": CompiledStudent(
        _students.train_adaline_block,
        _regression_cost,
        ridge=_best_ridge,
        laws=_theory_functions(adaline, ridge=_best_ridge),
    ),
    "adatron": CompiledStudent(_students.train_adatron_block, _ascent_cost, tol=1e-6, laws=OPTIMUM_THEORY),
    "soft_margin": CompiledStudent(
        _students.train_adatron_block,
        lambda p: 0.3 * _ascent_cost(p),
        tol=1e-6,
        gamma=lambda p: float(p.gamma),
        laws=_theory_functions(soft_margin, "training_error", gamma=lambda p: p.gamma),
    ),
}


def limit_theory(parameters: type[Settings], name: str, students: Laws, title: str = "") -> Theory:
    """The value for N -> infinity, or as the title says; NaN for a student without theory, noise 1/2 or noise
    on the inputs."""

    def theory_value(p: Any) -> Any:
        known = p.student in students and 0 <= p.noise < 0.5 and not getattr(p, "input_noise", 0.0)
        return students[p.student](p) if known else math.nan

    return parameters.theory_of(title or f"{name} for N to infinity", name, theory_value)
