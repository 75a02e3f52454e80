"""On-line perceptron with the best rate: f = eta |w| where E < 0, with known noise and angle theta.

The rate that maximises dR/dalpha is eta = (1-2 lambda) (1-R^2)/(sqrt(2 pi) R e) with the probability
e = lambda + (1-2 lambda) theta/pi of a disagreement. Then, with g = cot(theta), in closed form

    alpha(theta) = 2 pi lambda g^2/(1-2 lambda)^2 + [2 theta/sin^2(theta) + 2 g - pi]/(1-2 lambda)
    |w|          = R (1-R)^(u-1) (1+R)^(-u-1),   u = 1/(1-2 lambda)

where the free factor of |w| makes |w| ~ R at the start. epsilon_g = 1/4 at alpha = 2 exactly, without
noise. Exact for N -> infinity, alpha >= 0, 0 <= noise < 1/2; inverted to 1e-14.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import ENDLESS, Floats, check_at_least, check_noise_rate, scalar_or_array
from markone.perceptron.theory.online.flow import Trajectory, define_flow_curves


def _alpha_of_cot(g: Floats, lam: float) -> Floats:
    """alpha as a function of g = cot(theta)."""
    theta = np.arctan2(1.0, g)
    z = np.minimum(g, 0.1) ** 2
    # 2 g - 2 (1+g^2) arctan g, of order g^3, by its series where the terms would cancel.
    series = -g * z * (4 / 3 - z * (4 / 15 - z * (4 / 35 - z * (4 / 63 - z * (4 / 99 - z * 4 / 143)))))
    bracket = np.where(g < 0.1, np.pi * g * g + series, 2 * theta * (1 + g * g) + 2 * g - np.pi)
    return 2 * np.pi * lam * (g / (1 - 2 * lam)) ** 2 + bracket / (1 - 2 * lam)


def examples_needed(epsilon_g: ArrayLike, noise: float = 0.0) -> Any:
    """alpha at which the error is epsilon_g in (0, 1/2]."""
    theta = np.pi * np.asarray(epsilon_g, dtype=np.float64)
    if np.any((theta <= 0) | (theta > np.pi / 2)):
        raise ValueError("epsilon_g must be in (0, 1/2]: the rule starts at 1/2 and never reaches 0.")
    return scalar_or_array(_alpha_of_cot(1 / np.tan(theta), check_noise_rate(noise)))


def trajectory(alpha: ArrayLike, noise: float = 0.0) -> Trajectory:
    """theta(alpha), and |w| in the scale in which it starts as R."""
    a = check_at_least(0, "alpha", alpha)
    a = np.where((a > ENDLESS) & np.isfinite(a), np.nan, a)
    lam = check_noise_rate(noise)
    L = 1 - 2 * lam
    inside = (a > 0) & np.isfinite(a)
    target = np.where(inside, a, 1.0)
    log_g = 0.5 * np.log(L * target / np.pi)
    # ln alpha is a nearly straight function of ln g (slope 1 to 2), so Newton's method converges.
    for _ in range(60):
        g = np.exp(log_g)
        value = _alpha_of_cot(g, lam)
        slope = 4 * np.pi * g * g * (lam + L * np.arctan2(1.0, g) / np.pi) / (L * L * value)
        change = np.log(value / target) / slope
        log_g = log_g - change
        if np.all(np.abs(change) < 1e-9):  # the next one would be 1e-18
            break
    g = np.where(inside, np.exp(log_g), a)  # g = alpha for 0, infinity and NaN
    R, theta = np.sin(np.arctan(g)), np.arctan2(1.0, g)
    less = 2 * np.sin(0.5 * theta) ** 2  # 1 - R
    return Trajectory(a, g, R * less ** (1 / L - 1) * (1 + R) ** (-1 / L - 1))


overlap, norm, generalization_error = define_flow_curves(trajectory)


def best_rate_at(theta: ArrayLike, noise: float = 0.0) -> Any:
    """eta at angle theta < pi/2."""
    th, L = np.asarray(theta, dtype=np.float64), 1 - 2 * check_noise_rate(noise)
    wrong = 0.5 * (1 - L) + L * th / np.pi
    return scalar_or_array(L * np.sin(th) ** 2 / (np.sqrt(2 * np.pi) * np.cos(th) * wrong))


def asymptotic_constant(noise: float = 0.0) -> float:
    """C in epsilon_g ~ C/alpha: 4/pi without noise; with noise C in epsilon_g ~ C alpha^(-1/2)."""
    lam = check_noise_rate(noise)
    return float(4 / np.pi if lam == 0 else np.sqrt(2 * lam / np.pi) / (1 - 2 * lam))
