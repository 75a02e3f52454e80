"""Two prototypes on a stream of examples from two Gaussian clusters, N -> infinity: the flow of any rule.

xi ~ N(l B_sigma, v_sigma 1) with probability p_sigma, sigma = +-1, two orthogonal unit vectors B. One
prototype per class moves by (eta/N) f_S (xi - w_S). Seven order parameters R_{S tau} = w_S.B_tau,
Q_{ST} = w_S.w_T obey (Biehl, Ghosh, Hammer 2007)

    dR_{S tau}/dalpha = eta (<b_tau f_S> - R_{S tau} <f_S>)
    dQ_{ST}/dalpha    = eta (<h_S f_T> + <h_T f_S> - Q_{ST} (<f_S> + <f_T>)) + eta^2 sum_k p_k v_k <f_S f_T>_k

with h_S = w_S.xi, b_tau = B_tau.xi. A rule is the table of f_S over the class and the winner. In class k the
difference X = h_S - h_{-S} - (Q_SS - Q_{-S-S})/2 that decides the winner is Gaussian, hence all averages are
Phi and phi of its mean over its width. alpha = examples/N; the step eta_w of the notes is eta/N.
Integrated with rtol 1e-11 (2e-11 off a tighter integrator).
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.special import erfc, ndtr

from markone.lvq.theory.clusters import Clusters
from markone.numerics.arrays import FLOW_END, Floats, check_at_least, examples_per_weight, scalar_or_array

# R_++, R_+-, R_-+, R_--, Q_++, Q_+-, Q_-- of two small random vectors.
TABULA_RASA = (0.0, 0.0, 0.0, 0.0, 1e-4, 0.0, 1e-4)
RTOL = 1e-11

# f_S of a rule: rule[class][winner][S], with 0 for + and 1 for -.
Rule = tuple[tuple[tuple[int, int], tuple[int, int]], tuple[tuple[int, int], tuple[int, int]]]


class Functions(NamedTuple):
    """Elementary functions of the rates: for one state in plain numbers, or for arrays of states."""

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
        return scalar_or_array(c.p_plus * plus + (1 - c.p_plus) * minus)


def rates(rule: Rule, state: Any, eta: Any, clusters: Clusters, functions: Functions = ONE) -> list[Any]:
    """d state/d(eta alpha); eta = 0 leaves out the fluctuations. With `MANY`: states (7, n) and eta (n,)."""
    erfc, exp, sqrt, largest = functions
    l, variances = clusters.l, (clusters.v_plus, clusters.v_minus)
    R, Q = (state[0:2], state[2:4]), ((state[4], state[5]), (state[5], state[6]))
    D = largest(state[4] - 2 * state[5] + state[6], 1e-300)  # Newton's method may try negative values
    f, ff = [0.0, 0.0], [0.0, 0.0, 0.0]
    bf, hf = [[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]  # <b_tau f_S>, <h_T f_S>, first index S
    for k, prior in ((0, clusters.p_plus), (1, 1 - clusters.p_plus)):
        width = sqrt(variances[k] * D)
        for winner in (0, 1):
            strength, other = rule[k][winner], 1 - winner
            if strength == (0, 0):
                continue
            z = (l * (R[winner][k] - R[other][k]) - (Q[winner][winner] - Q[other][other]) / 2) / width
            win = 0.5 * erfc(-z / math.sqrt(2))
            edge = exp(-0.5 * z * z) / math.sqrt(2 * math.pi) * variances[k] / width
            for n, (S, T) in enumerate(PAIRS):
                ff[n] += prior * variances[k] * win * (strength[S] * strength[T])
            for S in (0, 1):
                sign = prior * strength[S]
                if sign == 0:
                    continue
                f[S] += sign * win
                for i in (0, 1):
                    bf[S][i] += sign * ((l if i == k else 0.0) * win + edge * (R[winner][i] - R[other][i]))
                    hf[S][i] += sign * (l * R[i][k] * win + edge * (Q[i][winner] - Q[i][other]))
    dR = [bf[S][t] - R[S][t] * f[S] for S in (0, 1) for t in (0, 1)]
    dQ = [hf[T][S] + hf[S][T] - Q[S][T] * (f[S] + f[T]) for S, T in PAIRS]
    return [*dR, dQ[0] + eta * ff[0], dQ[1] + eta * ff[1], dQ[2] + eta * ff[2]]


PAIRS = ((0, 0), (0, 1), (1, 1))


def checked_start(start: ArrayLike) -> Floats:
    """Validated seven order parameters to start from."""
    state = np.asarray(start, dtype=np.float64)
    if state.shape != (7,) or not state[4] - 2 * state[5] + state[6] > 0:
        raise ValueError(
            "start must be seven order parameters of two different prototypes (see TABULA_RASA)."
        )
    return state


def scaled_times(alpha: ArrayLike, eta: float) -> tuple[Floats, float]:
    """eta alpha at each alpha (NaN beyond 1e12), and eta; eta = 0: alpha itself."""
    a, eta = examples_per_weight(alpha, FLOW_END), float(check_at_least(0, "eta", eta))
    return a * (eta if eta > 0 else 1.0), eta


def trajectory(
    rule: Rule, alpha: ArrayLike, eta: float, clusters: Clusters | None = None, start: ArrayLike = TABULA_RASA
) -> Prototypes:
    """Order parameters at each alpha. eta = 0: the limit of small rates, with alpha meaning eta alpha."""
    clusters = clusters or Clusters()
    t, eta = scaled_times(alpha, eta)
    wanted, where = np.unique(t, return_inverse=True)
    known = wanted[np.isfinite(wanted)]
    states = np.full((wanted.size, 7), np.nan)
    if known.size:
        states[: known.size] = _states_at(rule, checked_start(start), known, eta, clusters)
    return Prototypes(states[where.reshape(t.shape)], clusters)


# Times at which a long flow is checked: at a fixed point the integration ends.
STAGES = (1e4, 1e6)
# Evaluations of the rates in one integration; ordinary flows need some thousand.
MAX_CALLS = 200_000


def _states_at(rule: Rule, begin: Floats, until: Floats, eta: float, clusters: Clusters) -> Floats:
    """States at the increasing times `until` of the flow that starts at `begin`."""
    for stage in STAGES:
        soon = until[until <= stage]
        if len(soon) == len(until):
            break
        states = _integrate_flow(rule, begin, np.append(soon, stage), eta, clusters)
        fixed = _stable_fixed_point(rule, states[-1], eta, clusters)
        if fixed is not None:
            return np.concatenate([states[:-1], np.tile(fixed, (len(until) - len(soon), 1))])
    return _integrate_flow(rule, begin, until, eta, clusters)


def _integrate_flow(rule: Rule, begin: Floats, until: Floats, eta: float, clusters: Clusters) -> Floats:
    calls = count()

    def flow(t: float, state: Any) -> Any:
        if next(calls) == MAX_CALLS:
            raise ArithmeticError(
                f"The flow with eta = {eta:g} was stopped at eta alpha = {t:g} after {MAX_CALLS} steps: the "
                "prototypes nearly coincide, and their distance changes too fast. Choose a larger eta or "
                "fewer examples."
            )
        return rates(rule, state, eta, clusters)

    span = (0.0, max(until[-1], 1e-12))
    solution = solve_ivp(flow, span, begin, "LSODA", t_eval=until, rtol=RTOL, atol=RTOL * 1e-3)
    if not solution.success:
        raise ArithmeticError(f"The flow stopped before eta alpha = {until[-1]:g}: {solution.message}")
    found: Floats = solution.y.T
    return found


def _stable_fixed_point(rule: Rule, state: Floats, eta: float, clusters: Clusters) -> Floats | None:
    """Stable fixed point that the flow has reached, to the accuracy of its integration, or None."""
    scale = np.abs(state).max()
    fixed = root(lambda x: rates(rule, x, eta, clusters), state, tol=1e-14).x
    if not np.abs(fixed - state).max() < NEAR * scale:
        return None
    steps = 1e-6 * scale * np.eye(7)
    columns = [
        np.subtract(rates(rule, fixed + d, eta, clusters), rates(rule, fixed - d, eta, clusters))
        for d in steps
    ]
    slowest = np.linalg.eigvals(np.array(columns).T / (2e-6 * scale)).real.max()
    return fixed if slowest < STEADY else None


# A flow this near (relative) is at a fixed point. Eigenvalues below STEADY count as stable, as along the line
# of fixed points of learning from mistakes; flows leave an unstable one faster.
NEAR, STEADY = 1e-8, 1e-5
