"""On-line learning of a drifting rule: the teacher performs a random walk on the sphere.

With each example the teacher moves, B(t+1).B(t) = 1 - delta/N, in a random direction, and the student may
forget: w <- (1 - gamma/N) w + (1/N) f xi S. To the flow of each rule this adds

    dR/dalpha   = ... - delta R
    d|w|/dalpha = ... - gamma |w|

(Biehl and Schwarze 1992). No student reaches error 0; if the error without drift is C/alpha, about
(C delta/pi^2)^(1/3) remains. The rules "hebb" and "lms" have a scale; without decay |w| of Hebb's student
grows without limit and its error approaches 1/2. Decay has no effect on the scale-free rules "adatron",
"optimal" and "optimal_rate"; the last two use the angle of this flow. Exact for
N -> infinity, alpha >= 0, 0 <= noise < 1/2, drift >= 0, decay >= 0.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, root

from markone.numerics.arrays import (
    FLOW_END,
    apply_elementwise,
    check_at_least,
    check_noise_rate,
    check_positive,
    examples_per_weight,
    scalar_or_array,
)
from markone.perceptron.theory.online import adatron, optimal, rosenblatt
from markone.perceptron.theory.online.flow import (
    RuleRates,
    Trajectory,
    define_flow_curves,
    follow_rule,
    rates_from_averages,
)

A = float(np.sqrt(2 / np.pi))
SLOWEST = 1e-60
SCALE_FREE = ("adatron", "optimal", "optimal_rate")
RULES = ("hebb", "rosenblatt", "lms", *SCALE_FREE)


def _rule_rates(rule: str, lam: float, eta: float, c: float) -> RuleRates:
    """Rates of a rule without drift and decay."""
    L = 1 - 2 * lam
    a = A * L

    def hebb_rates(g: float, l: float) -> tuple[float, float]:
        return rates_from_averages(g, l, a, a * g / np.sqrt(1 + g * g), 1.0)

    def lms_rates(g: float, l: float) -> tuple[float, float]:
        aR = a * g / np.sqrt(1 + g * g)
        return rates_from_averages(g, l, eta * a, eta * (aR - l), eta * eta * (1 - 2 * l * aR + l * l))

    def perceptron_rates(g: float, l: float) -> tuple[float, float]:
        return rates_from_averages(g, l, *rosenblatt.rosenblatt_averages(g, l, L, c))

    def correcting_rates(g: float, l: float) -> tuple[float, float]:
        return adatron.rule_rates(g, lam, eta)

    def best_rates(g: float, l: float) -> tuple[float, float]:
        growth = L * L * optimal.information_per_example(g, lam) / (g * g)
        return (1 + g * g) * growth, growth

    def best_rate(g: float, l: float) -> tuple[float, float]:
        # At the best rate the gain is twice the loss: the net rate is L^2/(4 pi g^2 <f^2>).
        _, ft, ff = rosenblatt.rosenblatt_averages(g, 1.0, L, 0.0)
        rate = L / (np.sqrt(2 * np.pi) * g * np.sqrt(1 + g * g) * ff)
        return L * L / (4 * np.pi * g * g * ff), rate * ft + 0.5 * rate * rate * ff

    names = (hebb_rates, perceptron_rates, lms_rates, correcting_rates, best_rates, best_rate)
    return dict(zip(RULES, names, strict=True))[rule]


def _first_powers(rule: str, lam: float, eta: float, c: float) -> tuple[float, float, float, float]:
    """The start for `follow_rule`."""
    a, slow = A * (1 - 2 * lam), np.sqrt((1 - 2 * lam) / np.pi)
    return {
        "hebb": (a, 0.5, 1.0, 0.5),
        "rosenblatt": rosenblatt.first_powers(1 - 2 * lam, c),
        "lms": (a, 0.5, eta, 0.5),
        "adatron": adatron.first_powers(lam, eta),
        "optimal": (a, 0.5, a, 0.5),
        "optimal_rate": (slow, 0.5, slow, 0.5),
    }[rule]


def _check_rule(rule: str) -> str:
    if rule not in RULES:
        raise ValueError(f"There is no on-line rule {rule!r}: the rules are {', '.join(RULES)}.")
    return rule


def trajectory(
    alpha: ArrayLike,
    rule: str = "optimal",
    drift: float = 0.0,
    noise: float = 0.0,
    eta: float = 1.0,
    c: float = 0.0,
    decay: float = 0.0,
) -> Trajectory:
    """theta(alpha), |w|(alpha). eta: rate of "adatron" and "lms"; c: margin of "rosenblatt"."""
    a, lam = examples_per_weight(alpha, FLOW_END), check_noise_rate(noise)
    eta, c = check_positive("eta", eta), float(check_at_least(0, "c", c))
    delta, gamma = float(check_at_least(0, "drift", drift)), float(check_at_least(0, "decay", decay))
    flow = _rule_rates(_check_rule(rule), lam, eta, c)

    def rates(g: float, l: float) -> tuple[float, float]:
        turn, growth = flow(g, l)
        return turn - delta * (1 + g * g), growth - gamma

    return follow_rule(rates, _first_powers(rule, lam, eta, c), a)


overlap, norm, generalization_error = define_flow_curves(trajectory)


@apply_elementwise
def stationary_error(
    drift: float,
    rule: str = "optimal",
    noise: float = 0.0,
    eta: float = 1.0,
    c: float = 0.0,
    decay: float = 0.0,
) -> float:
    """epsilon_g for alpha -> infinity at a drift > 0. NaN for "lms" beyond eta = 2.

    NaN for a drift outside 1e-60 ... 1e60.
    """
    if not SLOWEST <= drift <= 1 / SLOWEST and not drift <= 0:
        return float("nan")
    delta, lam, eta = check_positive("drift", drift), check_noise_rate(noise), check_positive("eta", eta)
    gamma, c = float(check_at_least(0, "decay", decay)), float(check_at_least(0, "c", c))
    if _check_rule(rule) in SCALE_FREE:
        flow = _rule_rates(rule, lam, eta, c)
        # cot(theta) grows like drift^(-1/3) and falls like 1/drift.
        low, high = min(-35.0, -5.0 - np.log(delta)), max(25.0, 5.0 - np.log(delta) / 2)
        log_g = brentq(lambda y: flow(np.exp(y), 1.0)[0] - delta * (1 + np.exp(2 * y)), low, high, xtol=1e-14)
        return float(np.arctan2(1.0, np.exp(log_g)) / np.pi)
    if rule == "rosenblatt":
        return _stationary_rosenblatt(delta, lam, c, gamma)
    a, rate = A * (1 - 2 * lam), 0.0 if rule == "hebb" else eta
    # rho and Q of a linear flow; Hebb's is the one without the pull -rate w.
    strength, pull = (1.0, 0.0) if rule == "hebb" else (eta, 2 * rate - rate * rate)
    rho = strength * a / (rate + delta + gamma)
    loss = pull + 2 * gamma
    if loss <= 0:
        return 0.5 if rule == "hebb" else float("nan")
    Q = (2 * strength * a * rho + strength**2 - 2 * rate * rate * a * rho) / loss
    return float(np.arccos(rho / np.sqrt(Q)) / np.pi)


def _stationary_rosenblatt(delta: float, lam: float, c: float, gamma: float) -> float:
    """Stationary error of Rosenblatt's rule, with stationary |w|: Newton's method from a late state."""
    flow = _rule_rates("rosenblatt", lam, 1.0, c)

    def residual(state: Any) -> tuple[float, float]:
        g, l = np.exp(state)
        turn, growth = flow(g, l)
        return turn - delta * (1 + g * g), growth - gamma

    far = trajectory(100 / delta, "rosenblatt", delta, lam, 1.0, c, gamma)
    found = root(residual, np.log([float(far.g), float(far.norm)]), tol=1e-13)
    if np.max(np.abs(residual(found.x))) > 1e-9 * max(delta, gamma):
        raise ArithmeticError(f"No stationary state was found at drift = {delta}, noise = {lam}, c = {c}.")
    return float(np.arctan2(1.0, np.exp(found.x[0])) / np.pi)


def best_hebb_decay(drift: ArrayLike, noise: float = 0.0) -> Any:
    """gamma = sqrt(delta (delta + 2 c^2)), c^2 = (2/pi)(1-2 lambda)^2: the smallest stationary error."""
    delta = check_at_least(0, "drift", drift)
    return scalar_or_array(np.sqrt(delta * (delta + 2 * (A * (1 - 2 * check_noise_rate(noise))) ** 2)))
