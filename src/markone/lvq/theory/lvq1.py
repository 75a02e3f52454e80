"""LVQ1 (5.4) on a stream of examples from two Gaussian clusters, N -> infinity (Biehl, Ghosh, Hammer 2007).

xi ~ N(l B_sigma, v_sigma 1) with probability p_sigma, sigma = +-1, two orthogonal unit vectors B. One
prototype per class; the winner S moves by (eta/N) S sigma (xi - w_S). Seven order parameters
R_{S tau} = w_S.B_tau, Q_{ST} = w_S.w_T obey

    dR_{S tau}/dalpha = eta (<b_tau f_S> - R_{S tau} <f_S>)
    dQ_{ST}/dalpha    = eta (<h_S f_T> + <h_T f_S> - Q_{ST} (<f_S> + <f_T>)) + eta^2 sum_k p_k v_k <f_S f_T>_k

with f_S = S sigma [S wins], h_S = w_S.xi, b_tau = B_tau.xi. In class k the difference
X = h_S - h_{-S} - (Q_SS - Q_{-S-S})/2 that decides the winner is Gaussian, hence all averages are Phi and
phi of its mean over its width. alpha = examples/N; the step eta_w of the notes is eta/N.
Integrated with rtol 1e-11 (2e-11 off a tighter integrator); stationary states are roots of the rates.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.special import erfc, ndtr

from markone.lvq.theory.clusters import Clusters
from markone.numerics.arguments import FLOW_END, at_least, examples_per_weight, plain
from markone.numerics.arrays import Floats

# R_++, R_+-, R_-+, R_--, Q_++, Q_+-, Q_-- of two small random vectors: prototypes with no knowledge.
TABULA_RASA = (0.0, 0.0, 0.0, 0.0, 1e-4, 0.0, 1e-4)
RTOL = 1e-11
# Enough to say where a flow ends: Newton does the rest.
ROUGH = 1e-6


class Functions(NamedTuple):
    """What the rates are made of: for one state in plain numbers, or for many at once."""

    erfc: Callable[[Any], Any]
    exp: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    max: Callable[[Any, Any], Any]


ONE = Functions(math.erfc, math.exp, math.sqrt, max)
MANY = Functions(erfc, np.exp, np.sqrt, np.maximum)


@dataclass(frozen=True)
class Prototypes:
    """The seven order parameters (last axis: R_++, R_+-, R_-+, R_--, Q_++, Q_+-, Q_--)."""

    state: Floats
    clusters: Clusters

    @property
    def epsilon_g(self) -> Any:
        """sum_k p_k Phi([Q_kk - Q_{-k-k} - 2 l (R_kk - R_{-kk})]/(2 sqrt(v_k D))), D = |w_+ - w_-|^2."""
        rpp, rpm, rmp, rmm, qpp, qpm, qmm = np.moveaxis(self.state, -1, 0)
        c, D = self.clusters, qpp - 2 * qpm + qmm
        plus = ndtr((qpp - qmm - 2 * c.l * (rpp - rmp)) / (2 * np.sqrt(c.v_plus * D)))
        minus = ndtr((qmm - qpp - 2 * c.l * (rmm - rpm)) / (2 * np.sqrt(c.v_minus * D)))
        return plain(c.p_plus * plus + (1 - c.p_plus) * minus)


def rates(state: Any, eta: Any, clusters: Clusters, functions: Functions = ONE) -> list[Any]:
    """d state/d(eta alpha); eta = 0 leaves out the fluctuations. With `MANY`: states (7, n) and eta (n,)."""
    erfc, exp, sqrt, largest = functions
    l, variances = clusters.l, (clusters.v_plus, clusters.v_minus)
    R, Q = (state[0:2], state[2:4]), ((state[4], state[5]), (state[5], state[6]))
    D = largest(state[4] - 2 * state[5] + state[6], 1e-300)  # Newton may try less than nothing
    f, wins = [0.0, 0.0], [0.0, 0.0]
    bf, hf = [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]  # <b_tau f_S>, <h_T f_S>, first index S
    for k, prior in ((0, clusters.p_plus), (1, 1 - clusters.p_plus)):
        width = sqrt(variances[k] * D)
        for S in (0, 1):
            other = 1 - S
            z = (l * (R[S][k] - R[other][k]) - (Q[S][S] - Q[other][other]) / 2) / width
            win = 0.5 * erfc(-z / math.sqrt(2))
            edge = exp(-0.5 * z * z) / math.sqrt(2 * math.pi) * variances[k] / width
            sign = prior if k == S else -prior
            f[S] += sign * win
            wins[S] += prior * variances[k] * win
            for i in (0, 1):
                bf[S][i] += sign * ((l if i == k else 0.0) * win + edge * (R[S][i] - R[other][i]))
                hf[S][i] += sign * (l * R[i][k] * win + edge * (Q[i][S] - Q[i][other]))
    dR = [bf[S][t] - R[S][t] * f[S] for S in (0, 1) for t in (0, 1)]
    dQ = [hf[T][S] + hf[S][T] - Q[S][T] * (f[S] + f[T]) for S, T in ((0, 0), (0, 1), (1, 1))]
    return [*dR, dQ[0] + eta * wins[0], dQ[1], dQ[2] + eta * wins[1]]


def trajectory(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Prototypes:
    """The order parameters at each alpha. eta = 0: the limit of small rates, with alpha meaning eta alpha.

    NaN for alpha beyond 1e12; the limit of many examples is `stationary_state`.
    """
    clusters = clusters or Clusters()
    a, eta = examples_per_weight(alpha, FLOW_END), float(at_least(0, "eta", eta))
    times, where = np.unique(a * (eta if eta > 0 else 1.0), return_inverse=True)
    begin = np.asarray(start, dtype=np.float64)
    if begin.shape != (7,) or begin[4] - 2 * begin[5] + begin[6] <= 0:
        raise ValueError(
            "start must be seven order parameters of two different prototypes (see TABULA_RASA)."
        )

    def flow(_: float, state: Any) -> Any:
        return rates(state, eta, clusters)

    known = times[np.isfinite(times)]
    span, control = (0.0, known.max(initial=1e-12)), {"rtol": RTOL, "atol": RTOL * 1e-3}
    states = np.full((times.size, 7), np.nan)
    if known.size:
        solution = solve_ivp(flow, span, begin, "LSODA", t_eval=known, **control)
        if not solution.success:
            raise ArithmeticError(f"The flow stopped before alpha = {np.nanmax(a):g}: {solution.message}")
        states[: known.size] = solution.y.T
    return Prototypes(states[where.reshape(a.shape)], clusters)


def generalization_error(
    alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Any:
    """epsilon_g(alpha)."""
    return trajectory(alpha, eta, clusters, start).epsilon_g


def stationary_state(eta: ArrayLike = 0.0, clusters: Clusters | None = None) -> Prototypes:
    """alpha -> infinity at each rate eta (0: the limit of small rates): the flow, then Newton on the rates.

    NaN where there is none: the prototype of a rare class can be driven away for ever, ever more slowly.
    With many rates Newton starts from the state at the next smaller one, as long as that is near: 1 ms
    each. A state can end in a fold; beyond it the flows of all larger rates are integrated at once.
    NaN for rates beyond 1e6, too.
    """
    clusters = clusters or Clusters()
    every, where = np.unique(at_least(0, "eta", eta), return_inverse=True)
    wanted = every[every <= WILD]
    states: list[Floats] = []
    ends: Floats | None = None
    for k, rate in enumerate(wanted):
        lost = bool(states) and bool(np.isnan(states[-1][0]))
        if lost and ends is None:
            ends = np.full((len(wanted), 7), np.nan)
            ends[k:] = _ends(np.maximum(wanted[k:], GENTLE), clusters)
        near = _settled(rate, clusters, states[-1]) if states and not lost else None
        if near is None:
            near = _down_to(rate, clusters, ends[k]) if lost and ends is not None else _flowed(rate, clusters)
        states.append(np.full(7, np.nan) if near is None else near)
    states += [np.full(7, np.nan)] * (len(every) - len(wanted))
    return Prototypes(np.array(states)[where.reshape(np.shape(eta))], clusters)


# Small rates are reached from this one: the flow without fluctuations can wander for ever if it starts near
# the origin, which no simulation at a positive rate does.
GENTLE = 0.1
# No rate above this is asked for in earnest, and its flow takes for ever.
WILD = 1e6
RELAXATION_TIMES = 60
FAST = 5e-3


def _ends(eta: Floats, clusters: Clusters) -> Floats:
    """Where the flows from the origin are after some relaxation times, one row for each rate.

    NaN for a flow that is still fast then: no state is so near that Newton would be believed.
    """
    n, slowest = len(eta), min(clusters.p_plus, 1 - clusters.p_plus)

    def flow(_: float, states: Floats) -> Floats:
        return np.concatenate(rates(states.reshape(7, n), eta, clusters, MANY))

    begin = np.repeat(TABULA_RASA, n)
    control = {"rtol": ROUGH, "atol": ROUGH * 1e-3}
    solution = solve_ivp(flow, (0.0, RELAXATION_TIMES / slowest), begin, "RK45", **control)
    ends = solution.y[:, -1].reshape(7, n)
    speed = np.abs(rates(ends, eta, clusters, MANY)).max(axis=0)
    return np.where(speed < FAST, ends, np.nan).T


def _flowed(eta: float, clusters: Clusters) -> Floats | None:
    """The fixed point where the flow ends, after some or (close to an instability) many relaxation times."""
    slowest = min(clusters.p_plus, 1 - clusters.p_plus)
    for gentle, times in ((GENTLE, 1), (0.2 * GENTLE, 1), (GENTLE, 10)):
        rate = max(eta, gentle)
        end = trajectory(times * RELAXATION_TIMES / slowest / rate, rate, clusters).state
        near = _down_to(eta, clusters, end, rate)
        if near is not None:
            return near
    return None


def _down_to(eta: float, clusters: Clusters, end: Floats, rate: float = GENTLE) -> Floats | None:
    """The fixed point at eta, from where the flow ended at that or (eta smaller than it) at `rate`."""
    rate = max(eta, rate)
    near = None if np.isnan(end[0]) else _settled(rate, clusters, end)
    while near is not None and rate > eta:
        rate = max(eta, 0.7 * rate) if rate > 1e-3 else eta
        near = _settled(rate, clusters, near)
    return near


def _settled(eta: float, clusters: Clusters, start: Floats) -> Floats | None:
    """The fixed point near `start`, if there is one."""
    found = root(lambda state: rates(state, eta, clusters), start, tol=1e-14).x
    near = np.max(np.abs(found - start)) < 0.2 * (1 + np.max(np.abs(start)))
    return found if near and np.max(np.abs(rates(found, eta, clusters))) < 1e-10 else None


def stationary_error(eta: ArrayLike = 0.0, clusters: Clusters | None = None) -> Any:
    """epsilon_g for alpha -> infinity: optimal for eta -> 0, equal variances and equal priors only.

    NaN where there is no stationary state. The error then creeps towards the prior of the rarer class,
    whose prototype is lost. Strongly overlapping clusters can have several states: this is the one that
    the flow from the origin finds.
    """
    return stationary_state(eta, clusters).epsilon_g
