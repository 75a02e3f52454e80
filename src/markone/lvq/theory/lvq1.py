"""LVQ1 (5.4) on a stream of examples from two Gaussian clusters, N -> infinity (Biehl, Ghosh, Hammer 2007).

The winner S moves by (eta/N) S sigma (xi - w_S): towards examples of its class, away from others. The flow is
that of `flow.py`; stationary states are roots of the rates.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import root

from markone.lvq.theory import flow
from markone.lvq.theory.clusters import Clusters
from markone.lvq.theory.flow import MANY, ONE, TABULA_RASA, Functions, Prototypes, Rule
from markone.numerics.arrays import Floats, check_at_least

# f_S = S sigma where S wins.
LVQ1: Rule = (((1, 0), (0, -1)), ((-1, 0), (0, 1)))
# Tolerance of the integration that finds the start of Newton's method.
ROUGH = 1e-6


def rates(state: Any, eta: Any, clusters: Clusters, functions: Functions = ONE) -> list[Any]:
    """d state/d(eta alpha); eta = 0 leaves out the fluctuations. With `MANY`: states (7, n) and eta (n,)."""
    return flow.rates(LVQ1, state, eta, clusters, functions)


def trajectory(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Prototypes:
    """Order parameters at each alpha. eta = 0: the limit of small rates, with alpha meaning eta alpha.

    NaN for alpha beyond 1e12; the limit of many examples is `stationary_state`.
    """
    return flow.trajectory(LVQ1, alpha, eta, clusters, start)


def generalization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Any:
    """Generalization error epsilon_g(alpha)."""
    return trajectory(alpha, eta, clusters, start).epsilon_g


def stationary_state(eta: ArrayLike = 0.0, clusters: Clusters | None = None) -> Prototypes:
    """Order parameters for alpha -> infinity at each rate eta (0: the limit of small rates).

    By the flow, then Newton's method on the rates. NaN where there is none: the prototype of a rare class can
    diverge, ever more slowly. With many rates Newton's method starts from the state at the next smaller one,
    as long as that is near: 1 ms each. A state can end in a fold; beyond it the flows of all larger rates are
    integrated at once. NaN for rates beyond 1e6.
    """
    clusters = clusters or Clusters()
    every, where = np.unique(check_at_least(0, "eta", eta), return_inverse=True)
    wanted = every[every <= LARGEST_RATE]
    states: list[Floats] = []
    ends: Floats | None = None
    for k, rate in enumerate(wanted):
        lost = bool(states) and bool(np.isnan(states[-1][0]))
        if lost and ends is None:
            ends = np.full((len(wanted), 7), np.nan)
            ends[k:] = _flow_ends(np.maximum(wanted[k:], SMALL_RATE), clusters)
        near = _nearby_fixed_point(rate, clusters, states[-1]) if states and not lost else None
        if near is None:
            near = (
                _continue_to_rate(rate, clusters, ends[k])
                if lost and ends is not None
                else _fixed_point_of_flow(rate, clusters)
            )
        states.append(np.full(7, np.nan) if near is None else near)
    states += [np.full(7, np.nan)] * (len(every) - len(wanted))
    return Prototypes(np.array(states)[where.reshape(np.shape(eta))], clusters)


# Small rates are reached from this one: the flow without fluctuations may not converge if it starts near
# the origin, unlike a simulation at a positive rate.
SMALL_RATE = 0.1
# Largest rate: flows of larger rates take too long.
LARGEST_RATE = 1e6
RELAXATION_TIMES = 60
FAST = 5e-3


def _flow_ends(eta: Floats, clusters: Clusters) -> Floats:
    """States of the flows from the origin after some relaxation times, one row per rate.

    NaN for a flow that is still fast: too far from a fixed point for Newton's method.
    """
    n, slowest = len(eta), min(clusters.p_plus, 1 - clusters.p_plus)

    def together(_: float, states: Floats) -> Floats:
        return np.concatenate(rates(states.reshape(7, n), eta, clusters, MANY))

    begin = np.repeat(TABULA_RASA, n)
    control = {"rtol": ROUGH, "atol": ROUGH * 1e-3}
    solution = solve_ivp(together, (0.0, RELAXATION_TIMES / slowest), begin, "RK45", **control)
    ends = solution.y[:, -1].reshape(7, n)
    speed = np.abs(rates(ends, eta, clusters, MANY)).max(axis=0)
    return np.where(speed < FAST, ends, np.nan).T


def _fixed_point_of_flow(eta: float, clusters: Clusters) -> Floats | None:
    """Fixed point at the end of the flow, after some or (close to an instability) many relaxation times."""
    slowest = min(clusters.p_plus, 1 - clusters.p_plus)
    for gentle, times in ((SMALL_RATE, 1), (0.2 * SMALL_RATE, 1), (SMALL_RATE, 10)):
        rate = max(eta, gentle)
        end = trajectory(times * RELAXATION_TIMES / slowest / rate, rate, clusters).state
        near = _continue_to_rate(eta, clusters, end, rate)
        if near is not None:
            return near
    return None


def _continue_to_rate(eta: float, clusters: Clusters, end: Floats, rate: float = SMALL_RATE) -> Floats | None:
    """Fixed point at eta, continued from the end of the flow at max(eta, rate)."""
    rate = max(eta, rate)
    near = None if np.isnan(end[0]) else _nearby_fixed_point(rate, clusters, end)
    while near is not None and rate > eta:
        rate = max(eta, 0.7 * rate) if rate > 1e-3 else eta
        near = _nearby_fixed_point(rate, clusters, near)
    return near


def _nearby_fixed_point(eta: float, clusters: Clusters, start: Floats) -> Floats | None:
    """Fixed point near `start`, or None."""
    found = root(lambda state: rates(state, eta, clusters), start, tol=1e-14).x
    near = np.max(np.abs(found - start)) < 0.2 * (1 + np.max(np.abs(start)))
    return found if near and np.max(np.abs(rates(found, eta, clusters))) < 1e-10 else None


def stationary_error(eta: ArrayLike = 0.0, clusters: Clusters | None = None) -> Any:
    """epsilon_g for alpha -> infinity: optimal for eta -> 0, equal variances and equal priors only.

    NaN where there is no stationary state. The error then tends to the prior of the rarer class, whose
    prototype diverges. Strongly overlapping clusters can have several states: this is the one that
    the flow from the origin finds.
    """
    return stationary_state(eta, clusters).epsilon_g
