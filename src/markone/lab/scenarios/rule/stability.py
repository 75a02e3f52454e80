"""The optimal stability kappa(alpha), for random labels or those of a teacher."""

import math
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field, model_validator

from markone.lab.scenario import ExampleSettings, Mark, Scenario, Values, named_columns, number_of_examples
from markone.lab.scenarios.rule import _stability
from markone.lab.scenarios.rule._examples import RANDOM, TEACHER
from markone.lab.scenarios.separable import separable_sets
from markone.perceptron.theory import capacity, max_stability

LABELS = {"random": RANDOM, "teacher": TEACHER}


class ExampleSet(ExampleSettings):
    """P = round(alpha N) Gaussian inputs with random labels, or those of a teacher with label noise."""

    labels: Literal["random", "teacher"] = "random"
    noise: float = Field(0.0, ge=0, le=0.5)

    @model_validator(mode="after")
    def _check_noise(self) -> "ExampleSet":
        if self.labels == "random" and self.noise > 0:
            raise ValueError(
                f"noise = {self.noise} flips labels that are random anyway: leave it out or choose "
                "labels = 'teacher'."
            )
        return self


class Parameters(ExampleSet):
    """kappa is certified to the relative gap tol, or `certified` is 0 after max_sweeps."""

    tol: float = Field(1e-6, gt=0, lt=1)
    max_sweeps: int = Field(2000, ge=1)


def measure_optimal_stability(
    p: ExampleSet, seed: int, start: int, stop: int, tol: float, max_sweeps: int
) -> Values:
    """Separability, then optimal stability of each set: two compiled calls that draw the same data."""
    point = (seed, start, stop, p.P, p.N, LABELS[p.labels], p.noise)
    proven = separable_sets(*point)
    table = _stability.optimal_stability_block(*point, proven, tol, max_sweeps)
    return named_columns(["kappa", "support_vectors", "certified"], table) | {"separable": proven}


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    return measure_optimal_stability(p, seed, start, stop, p.tol, p.max_sweeps)


def optimum_cost(p: ExampleSet) -> float:
    """Approximate cost of data, decision and ascent for one set."""
    n = min(p.P, p.N)
    return 6.0 * p.P * p.N + 0.1 * p.P * p.N * p.N + (10 + 30 * p.alpha) * (0.1 * p.P * p.N + 0.02 * n**3)


def stability_limit(p: ExampleSet) -> float:
    """kappa for N -> infinity; 0 beyond the threshold, where w = 0 is optimal; NaN for noise = 1/2."""
    if p.labels == "random":
        kappa = float(capacity.stability(p.alpha))
    else:
        kappa = float(max_stability.stability(p.alpha, p.noise)) if p.noise < 0.5 else math.nan
    return 0.0 if math.isnan(kappa) and p.noise < 0.5 else kappa


def _support_vectors_theory(p: Parameters) -> float:
    if p.labels == "random":
        return float(capacity.support_vectors(p.alpha))
    return float(max_stability.support_vectors(p.alpha, p.noise)) if p.noise < 0.5 else math.nan


def _separable_theory(p: Parameters) -> float:
    """Cover's fraction for random labels at this N; 1 for a teacher without noise."""
    if p.labels == "random":
        return float(capacity.separable_fraction(number_of_examples(p.alpha, p.N), p.N))
    return 1.0 if p.noise == 0 else math.nan


def _separability_threshold(parameters: Mapping[str, Any]) -> float:
    """2 for random labels and for noise -> 1/2; alpha_c(noise) for labels of a teacher."""
    p = ExampleSet.model_construct(
        **{key: parameters[key] for key in ("labels", "noise") if key in parameters}
    )
    if p.labels == "random" or p.noise == 0.5:
        return 2.0
    return float(max_stability.alpha_c(p.noise))


SCENARIO = Scenario(
    name="stability",
    version=2,
    parameters=Parameters,
    measures={
        "kappa": "max over |w| <= 1 of min E: 0 where the set is not separable",
        "support_vectors": "examples with x > 0, per N; NaN where the set is not separable",
        "separable": "1 if some student has all E > 0, 0 if not, proven",
        "certified": "1 if kappa is known to the relative gap tol",
    },
    cost=optimum_cost,
    run=run,
    theories={
        "kappa": Parameters.theory_of("largest stability for N to infinity", "kappa", stability_limit),
        "support_vectors": Parameters.theory_of(
            "support vectors for N to infinity", "support_vectors", _support_vectors_theory
        ),
        "cover": Parameters.theory_of("Cover's count", "separable", _separable_theory),
    },
    marks={"separability": Mark("separable below alpha_c", _separability_threshold)},
)
