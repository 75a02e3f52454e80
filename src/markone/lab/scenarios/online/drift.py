"""On-line learning of a drifting rule: the teacher performs a random walk on the sphere.

Runs of the exact Markov chain in (w.B, |w|), as in `online`, with a teacher that turns after each example
and optional weight decay of the student. Measures refer to the teacher after its last turn.
"""

import math
from functools import lru_cache
from typing import Any, Literal

from pydantic import Field, model_validator

from markone.lab.scenario import OVERLAP, SHARE, ExampleSettings, Scenario, Theory
from markone.lab.scenarios.online import _chains
from markone.lab.scenarios.online.online import rule_parameter
from markone.perceptron.theory.online import drift as flow

CHAINS = {
    "hebb": _chains.run_drifting_rosenblatt,
    "rosenblatt": _chains.run_drifting_rosenblatt,
    "adatron": _chains.run_drifting_adatron,
    "lms": _chains.run_drifting_lms,
    "optimal": _chains.run_drifting_optimal,
    "optimal_rate": _chains.run_drifting_optimal_rate,
}


class Parameters(ExampleSettings):
    """alpha N examples; after each one the teacher's overlap with itself falls to 1 - drift/N.

    decay: the fraction decay/N of w is removed with each example; "none" is 0; "best" is the optimal decay
    for Hebb and 0 for the other rules, which need none.
    eta: rate of "adatron" and "lms"; c: margin of "rosenblatt". The optimal rules are given noise and drift.
    """

    drift: float = Field(ge=0)
    rule: Literal["hebb", "rosenblatt", "adatron", "lms", "optimal", "optimal_rate"]
    noise: float = Field(0.0, ge=0, lt=0.5)
    decay: float | Literal["none", "best"] = "none"
    eta: float = Field(1.0, gt=0)
    c: float = Field(0.0, ge=0)

    @property
    def forgetting(self) -> float:
        if self.decay == "best":
            return float(flow.best_hebb_decay(self.drift, self.noise)) if self.rule == "hebb" else 0.0
        return 0.0 if self.decay == "none" else float(self.decay)

    @model_validator(mode="after")
    def _check_consistency(self) -> "Parameters":
        for name, value in (("drift", self.drift), ("decay", self.forgetting)):
            if not 0 <= value < self.N:
                raise ValueError(f"{name} is {value:g}: it must be at least 0 and below N = {self.N}.")
        return self


def run(p: Parameters, seed: int, start: int, stop: int) -> Any:
    across = 1.0 if p.rule == "adatron" else 0.0
    options = (p.noise, p.drift, p.forgetting / p.N, rule_parameter(p, p.drift), across)
    return CHAINS[p.rule](seed, start, stop, p.P, p.N, *options)


def cost(p: Parameters) -> float:
    """100 multiplications per example, independent of N."""
    return 100.0 * p.P


@lru_cache(maxsize=10_000)
def _cached_trajectory(
    rule: str, alpha: float, drift: float, noise: float, eta: float, c: float, decay: float
) -> Any:
    return flow.trajectory(alpha, rule, drift, noise, eta, c, decay)


def _flow_theory(name: str) -> Theory:
    def flow_value(p: Parameters) -> Any:
        # The length of the optimal students is arbitrary.
        if not 0 <= p.noise < 0.5 or (name == "Q" and p.rule.startswith("optimal")):
            return math.nan
        at = (p.rule, p.alpha, p.drift, p.noise, p.eta, p.c, p.forgetting)
        return getattr(_cached_trajectory(*at), name)

    return Parameters.theory_of(f"{name} for N to infinity", name, flow_value)


@lru_cache(maxsize=10_000)
def _stationary_error(rule: str, drift: float, noise: float, eta: float, c: float, decay: float) -> float:
    return float(flow.stationary_error(drift, rule, noise, eta, c, decay))


def _stationary_theory(p: Parameters) -> float:
    if p.drift <= 0 or not 0 <= p.noise < 0.5:
        return math.nan
    return _stationary_error(p.rule, p.drift, p.noise, p.eta, p.c, p.forgetting)


SCENARIO = Scenario(
    name="drift",
    version=1,
    parameters=Parameters,
    measures={
        "R": "overlap with the present teacher",
        "Q": "|w|^2",
        "epsilon_g": "generalization error: disagreement with the present noise-free teacher",
    },
    cost=cost,
    run=run,
    ranges={"epsilon_g": SHARE} | {"R": OVERLAP},
    theories={name: _flow_theory(name) for name in ("R", "Q", "epsilon_g")}
    | {
        "stationary": Parameters.theory_of(
            "epsilon_g for alpha to infinity", "epsilon_g", _stationary_theory, "asymptote"
        )
    },
)
