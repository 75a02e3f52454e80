"""LVQ1 on a stream from two Gaussian clusters: order parameters and epsilon_g against their flow.

The students are runs of the exact Markov chain of the seven order parameters, which has the distribution of
the N-dimensional simulation at the cost of a few numbers per example.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np
from pydantic import Field

from markone.lab.scenario import SHARE, ExampleSettings, Scenario, Theory
from markone.lab.scenarios.lvq import _lvq_clusters
from markone.lvq.theory import flow, lvq1
from markone.lvq.theory.clusters import Clusters, best_linear_error

ORDER_PARAMETERS = {
    "R_pp": "R_++ = w_+ . B_+",
    "R_pm": "R_+- = w_+ . B_-",
    "R_mp": "R_-+ = w_- . B_+",
    "R_mm": "R_-- = w_- . B_-",
    "Q_pp": "Q_++ = |w_+|^2",
    "Q_pm": "Q_+- = w_+ . w_-",
    "Q_mm": "Q_-- = |w_-|^2",
}


class Parameters(ExampleSettings):
    """alpha N examples of N(l B_+, v_plus) with probability p_plus, else of N(l B_-, v_minus).

    The two prototypes start as orthogonal vectors of length 0.01 orthogonal to B_+ and B_-; the winner moves
    by (eta/N) (xi - w).
    """

    N: int = Field(ge=4)
    eta: float = Field(gt=0)
    l: float = Field(1.0, gt=0)
    v_plus: float = Field(1.0, gt=0)
    v_minus: float = Field(1.0, gt=0)
    p_plus: float = Field(0.5, gt=0, lt=1)

    @property
    def clusters(self) -> Clusters:
        return Clusters(self.l, self.v_plus, self.v_minus, self.p_plus)


def run(p: Parameters, seed: int, start: int, stop: int) -> Any:
    first = np.array(flow.TABULA_RASA)
    clusters = (p.l, p.v_plus, p.v_minus, p.p_plus)
    return _lvq_clusters.run_lvq_chain(seed, start, stop, p.P, p.N, p.eta, *clusters, first)


def cost(p: Parameters) -> float:
    """120 multiplications per example, independent of N."""
    return 120.0 * p.P


# Figures need the flow at hundreds of alpha: each is integrated from the nearest smaller value of this grid.
FIRST, RATIO = 0.1, 1.3


def _grid_alpha(k: int) -> float:
    return FIRST * RATIO**k


@lru_cache(maxsize=10_000)
def _grid_state(k: int, eta: float, clusters: Clusters) -> tuple[float, ...]:
    """Order parameters at the k-th grid value, integrated from those at the previous one."""
    if k < 0:
        return flow.TABULA_RASA
    step = _grid_alpha(k) - (_grid_alpha(k - 1) if k > 0 else 0.0)
    return tuple(lvq1.trajectory(step, eta, clusters, _grid_state(k - 1, eta, clusters)).state.tolist())


# The same point is needed for each N and each measure.
@lru_cache(maxsize=10_000)
def _order_parameters(alpha: float, eta: float, clusters: Clusters) -> flow.Prototypes:
    k = math.floor(math.log(alpha / FIRST, RATIO)) if alpha > FIRST else -1
    step = alpha - (_grid_alpha(k) if k >= 0 else 0.0)
    return lvq1.trajectory(max(step, 0.0), eta, clusters, _grid_state(k, eta, clusters))


@lru_cache(maxsize=10_000)
def _stationary_error(eta: float, clusters: Clusters) -> float:
    return float(lvq1.stationary_error(eta, clusters))


def _order_parameter_theory(index: int, name: str) -> Theory:
    title = f"{ORDER_PARAMETERS[name].split(' ')[0]} for N to infinity"
    return theory_of(title, name, lambda p: _order_parameters(p.alpha, p.eta, p.clusters).state[index])


def _stationary_theory(p: Parameters) -> float:
    return _stationary_error(float(p.eta), p.clusters) if 0 <= p.eta < math.inf else math.nan


theory_of = Parameters.theory_of
SCENARIO = Scenario(
    name="lvq_clusters",
    version=1,
    parameters=Parameters,
    measures=ORDER_PARAMETERS
    | {"epsilon_g": "generalization error: a new example is nearer to the wrong prototype"},
    cost=cost,
    run=run,
    ranges={"epsilon_g": SHARE},
    theories={name: _order_parameter_theory(index, name) for index, name in enumerate(ORDER_PARAMETERS)}
    | {
        "epsilon_g": theory_of(
            "LVQ1 for N to infinity",
            "epsilon_g",
            lambda p: _order_parameters(p.alpha, p.eta, p.clusters).epsilon_g,
        ),
        "stationary": theory_of("alpha to infinity", "epsilon_g", _stationary_theory),
        "best_linear": theory_of(
            "best hyperplane", "epsilon_g", lambda p: best_linear_error(p.clusters), "lower bound"
        ),
    },
)
