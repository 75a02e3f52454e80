"""On-line AdaTron: f = -eta E where E < 0, else 0, from any w(0) != 0 at a right angle to the teacher.

Free of scale: theta does not depend on |w|. With M(theta) = (theta - sin theta cos theta)/pi and
B = (1-lambda) M(theta) + lambda M(pi-theta)

    dR/dalpha      = eta (1-2 lambda) sin^3(theta)/pi - (eta^2/2) R B
    d ln|w|/dalpha = (1/2) (eta^2 - 2 eta) B.

Exact for N -> infinity, alpha >= 0, 0 <= noise < 1/2, eta > 0. Relative accuracy 1e-9 up to alpha = 1e6
for theta and for ln |w|: with noise |w| itself falls (eta < 2) or grows (eta > 2) exponentially.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from markone.numerics.arrays import (
    FLOW_END,
    apply_elementwise,
    check_noise_rate,
    check_positive,
    examples_per_weight,
)
from markone.perceptron.theory.online.flow import Trajectory, define_flow_curves, follow_rule

# Below this noise times rate, theta^3 = (pi/2) noise eta/(1 - eta/3) has no correction in double precision.
TINY = 1e-30


def _mean_square_wrong(theta: float) -> float:
    """M = <t^2> over the wrong half; below 0.1 by its series, where the difference would cancel."""
    if theta > 0.1:
        return (theta - np.sin(theta) * np.cos(theta)) / np.pi
    z = theta * theta
    return theta * z * (2 / 3 - z * (2 / 15 - z * (4 / 315 - z * (2 / 2835 - z * 4 / 155925)))) / np.pi


def _flow_rates(theta: float, noise: float, eta: float) -> tuple[float, float]:
    """dR/dalpha divided by sin^3(theta), which would underflow, and d ln|w|/dalpha."""
    square = (1 - noise) * _mean_square_wrong(theta) + noise * _mean_square_wrong(np.pi - theta)
    R = np.sin(0.5 * np.pi - theta)
    turn = eta * (1 - 2 * noise) / np.pi - 0.5 * eta * eta * R * square / np.sin(theta) ** 3
    return turn, 0.5 * (eta * eta - 2 * eta) * square


def trajectory(alpha: ArrayLike, noise: float = 0.0, eta: float = 1.0) -> Trajectory:
    """theta(alpha) and |w|(alpha)/|w|(0)."""
    a = examples_per_weight(alpha, FLOW_END)
    lam, eta = check_noise_rate(noise), check_positive("eta", eta)
    return follow_rule(lambda g, l: rule_rates(g, lam, eta), first_powers(lam, eta), a)


def rule_rates(g: float, noise: float, eta: float) -> tuple[float, float]:
    """d ln cot(theta)/dalpha and d ln|w|/dalpha at cot(theta) = g."""
    turn, growth = _flow_rates(np.arctan2(1.0, g), noise, eta)
    return turn / g, growth  # dg = dR/sin^3(theta)


def first_powers(noise: float, eta: float) -> tuple[float, float, float, float]:
    """The start for `follow_rule`."""
    return eta * (1 - 2 * noise) / np.pi, 1.0, 1.0, 0.0


overlap, norm, generalization_error = define_flow_curves(trajectory)


@apply_elementwise
def stationary_error(noise: float, eta: float = 1.0) -> float:
    """epsilon_g for alpha -> infinity: the zero of dR/dalpha in (0, pi/2).

    Zero without noise for eta <= 3; beyond that the rule overshoots and an error remains. NaN for eta
    beyond 1e12.
    """
    if np.isnan(noise):
        return float("nan")
    lam, eta = check_noise_rate(noise), check_positive("eta", eta)
    if lam == 0 and eta <= 3:
        return 0.0
    if lam > 0 and eta < 3 and lam * eta < TINY:
        return float(np.cbrt(0.5 * np.pi * lam * eta / (1 - eta / 3)) / np.pi)
    theta = brentq(lambda th: _flow_rates(th, lam, eta)[0], 1e-12, np.pi / 2, xtol=1e-15, rtol=1e-14)
    return float(theta / np.pi)


def asymptotic_constant(eta: float = 1.0) -> float:
    """C in epsilon_g ~ C/alpha without noise: 3/(3 eta - eta^2); NaN for eta >= 3, where an error remains."""
    eta = check_positive("eta", eta)
    return 3 / (3 * eta - eta * eta) if eta < 3 else float("nan")


def best_rate() -> float:
    """The constant eta of the smallest asymptotic error without noise: 3/2, with epsilon_g ~ 4/(3 alpha)."""
    return 1.5
