"""Number of updates M of Rosenblatt's perceptron against the bound M* (3.29) of its convergence proof."""

import math

import numpy as np
from pydantic import Field

from markone.lab.scenario import Scenario, Values
from markone.lab.scenarios.rule import _stability
from markone.lab.scenarios.rule.stability import (
    LABELS,
    ExampleSet,
    measure_optimal_stability,
    optimum_cost,
    stability_limit,
)
from markone.perceptron.theory.convergence import updates_bound

# kappa to 6 digits; if the ascent stops earlier, M* is larger and still a bound.
TOL, CLIMB_SWEEPS = 1e-6, 2000


class Parameters(ExampleSet):
    """Cyclic presentation from w = 0; updates where E <= c, until all E > c or for max_sweeps sweeps."""

    c: float = Field(0.0, ge=0)
    max_sweeps: int = Field(10_000, ge=1)


def run(p: Parameters, seed: int, start: int, stop: int) -> Values:
    best = measure_optimal_stability(p, seed, start, stop, TOL, CLIMB_SWEEPS)
    table = _stability.rosenblatt_updates_block(
        seed, start, stop, p.P, p.N, LABELS[p.labels], p.noise, p.c, p.max_sweeps
    )
    updates, sweeps, converged, Gamma = (np.ascontiguousarray(column) for column in table.T)
    bound = np.asarray(updates_bound(best["kappa"], p.N, p.c, Gamma))
    values = {"updates": updates, "bound": bound, "ratio": updates / bound}
    return values | {"sweeps": sweeps, "converged": converged, "separable": best["separable"]}


def cost(p: Parameters) -> float:
    return optimum_cost(p) + 0.25 * min(p.max_sweeps, 100 * (1 + p.alpha)) * p.P * p.N


def _bound_theory(p: Parameters) -> float:
    kappa = stability_limit(p)
    return math.nan if math.isnan(kappa) else float(updates_bound(kappa, p.N, p.c))


SCENARIO = Scenario(
    name="convergence",
    version=2,
    parameters=Parameters,
    measures={
        "updates": "updates M made",
        "bound": "M* = N (2c + Gamma)/kappa^2 with the largest kappa; infinite if not separable",
        "ratio": "M/M*",
        "sweeps": "presentations of the whole set",
        "converged": "1 if the last sweep changed nothing",
        "separable": "1 if some student has all E > 0, 0 if not, proven",
    },
    cost=cost,
    run=run,
    theories={"bound": Parameters.theory_of("M* for N to infinity (Gamma = 1)", "bound", _bound_theory)},
)
