"""On-line learning, each example used once: R, Q and epsilon_g against the flow of the order parameters.

The students are runs of the exact Markov chain in (w.B, |w|), which has the distribution of the N-dimensional
simulation at the cost of a few numbers per example. Its examples are not those of the other scenarios: the
chain draws only the components it needs.
"""

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from pydantic import Field

from markone.lab.scenario import OVERLAP, SHARE, ExampleSettings, Scenario, Theory
from markone.lab.scenarios.online import _chains
from markone.perceptron.theory.online import adatron, hebb, lms, optimal, optimal_rate, rosenblatt
from markone.perceptron.theory.online.flow import Trajectory
from markone.perceptron.theory.online.schedules import optimal_schedule

CHAINS = {
    "hebb": _chains.run_rosenblatt_chain,
    "rosenblatt": _chains.run_rosenblatt_chain,
    "adatron": _chains.run_adatron_chain,
    "lms": _chains.run_lms_chain,
    "optimal": _chains.run_optimal_chain,
    "optimal_rate": _chains.run_optimal_rate_chain,
}
# The others have closed forms.
INTEGRATED = ("rosenblatt", "adatron", "optimal")


class Parameters(ExampleSettings):
    """alpha N examples; eta is the rate of "adatron" and "lms", c the margin of "rosenblatt".

    All start from w = 0, except "adatron", which starts with |w| = 1 orthogonal to the teacher.
    """

    noise: float = Field(0.0, ge=0, lt=0.5)
    rule: Literal["hebb", "rosenblatt", "adatron", "lms", "optimal", "optimal_rate"]
    eta: float = Field(1.0, gt=0)
    c: float = Field(0.0, ge=0)


def rule_parameter(p: Any, drift: float = 0.0) -> Any:
    """What the modulation of a rule needs: a number, or a schedule of the optimal rules."""
    if p.rule.startswith("optimal"):
        return optimal_schedule(p.rule, 0, p.P, p.N, p.noise, drift)
    # Rosenblatt's rule with an infinite margin learns every example: Hebb.
    return {"hebb": math.inf, "rosenblatt": p.c}.get(p.rule, p.eta)


def run(p: Parameters, seed: int, start: int, stop: int) -> Any:
    across = 1.0 if p.rule == "adatron" else 0.0
    return CHAINS[p.rule](seed, start, stop, p.P, p.N, p.noise, rule_parameter(p), across)


def cost(p: Parameters) -> float:
    """60 multiplications per example, independent of N."""
    return 60.0 * p.P


def _flow_at(alpha: Any, p: Parameters) -> Trajectory:
    flows: dict[str, Callable[[], Trajectory]] = {
        "hebb": lambda: hebb.trajectory(alpha, p.noise),
        "rosenblatt": lambda: rosenblatt.trajectory(alpha, p.noise, p.c),
        "adatron": lambda: adatron.trajectory(alpha, p.noise, p.eta),
        "lms": lambda: lms.trajectory(alpha, p.noise, p.eta),
        "optimal": lambda: optimal.trajectory(alpha, p.noise),
        "optimal_rate": lambda: optimal_rate.trajectory(alpha, p.noise),
    }
    return flows[p.rule]()


@lru_cache(maxsize=1000)
def _fit_decade(rule: str, noise: float, eta: float, c: float, k: int) -> tuple[Any, Any] | None:
    """ln cot(theta) and ln |w| of an integrated flow, polynomials in ln alpha for 10^k <= alpha <= 10^(k+1).

    Both are smooth there: 40 Chebyshev points give 10 digits. None if they overflow.
    """
    p = Parameters.model_construct(rule=rule, noise=noise, eta=eta, c=c)
    low, high = k * math.log(10), (k + 1) * math.log(10)
    x = low + (high - low) * (np.polynomial.chebyshev.chebpts1(40) + 1) / 2
    flow = _flow_at(np.exp(x), p)
    with np.errstate(divide="ignore", over="ignore"):
        logarithms = np.log(flow.g), np.log(flow.norm)
    if not np.isfinite(logarithms).all():
        return None
    fits = [np.polynomial.Chebyshev.fit(x, y, 39, domain=[low, high]) for y in logarithms]
    return fits[0], fits[1]


# Figures need the same flow for each N and each measure.
@lru_cache(maxsize=10_000)
def _cached_trajectory(rule: str, alpha: float, noise: float, eta: float, c: float) -> Trajectory:
    """The flow at one alpha. Where it has to be integrated, this is done once per decade of alpha."""
    p = Parameters.model_construct(rule=rule, noise=noise, eta=eta, c=c)
    decade = _fit_decade(rule, noise, eta, c, math.floor(math.log10(alpha))) if rule in INTEGRATED else None
    if decade is None:
        return _flow_at(alpha, p)
    x = math.log(alpha)
    return Trajectory(np.asarray(alpha), np.exp(decade[0](x)), np.exp(decade[1](x)))


def _flow_theory(name: str) -> Theory:
    def flow_value(p: Parameters) -> Any:
        # The length of the optimal students is arbitrary.
        if not 0 <= p.noise < 0.5 or (name == "Q" and p.rule.startswith("optimal")):
            return math.nan
        return getattr(_cached_trajectory(p.rule, p.alpha, p.noise, p.eta, p.c), name)

    return Parameters.theory_of(f"{name} for N to infinity", name, flow_value)


SCENARIO = Scenario(
    name="online",
    version=1,
    parameters=Parameters,
    measures={
        "R": "overlap with the teacher",
        "Q": "|w|^2",
        "epsilon_g": "generalization error: disagreement with the noise-free teacher",
    },
    cost=cost,
    run=run,
    ranges={"epsilon_g": SHARE} | {"R": OVERLAP},
    theories={name: _flow_theory(name) for name in ("R", "Q", "epsilon_g")},
)
