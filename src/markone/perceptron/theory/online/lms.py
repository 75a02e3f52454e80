"""On-line Adaline (LMS): f = eta (1 - E), w(0) = 0. Linear, hence in closed form.

With c = sqrt(2/pi) (1 - 2 lambda) and b = eta (2 - eta)

    w.B        = c (1 - exp(-eta alpha))
    |w_perp|^2 = eta^2 (1 - c^2) (1 - exp(-b alpha))/b + c^2 exp(-b alpha) (1 - exp(-eta^2 alpha)).

Exact for N -> infinity, alpha >= 0, 0 <= noise < 1/2, eta > 0. |w| stays finite for eta < 2 only.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import check_at_least, check_noise_rate, check_positive
from markone.perceptron.theory.online.flow import Trajectory, define_flow_curves


def trajectory(alpha: ArrayLike, noise: float = 0.0, eta: float = 1.0) -> Trajectory:
    """theta(alpha), |w|(alpha)."""
    a = check_at_least(0, "alpha", alpha)
    c, eta = _signal_strength(noise), check_positive("eta", eta)
    b = eta * (2 - eta)
    with np.errstate(over="ignore", invalid="ignore"):
        rho = -c * np.expm1(-eta * a)
        relaxed = -np.expm1(-b * a) / b if b != 0 else a
        transient = -np.exp(-b * a) * np.expm1(-eta * eta * a)
        across = eta * eta * (1 - c * c) * relaxed + c * c * transient
        g = np.where(a > 0, rho / np.sqrt(across), a)
    return Trajectory(a, g, np.hypot(rho, np.sqrt(across)))


overlap, norm, generalization_error = define_flow_curves(trajectory)


def stationary_norm(noise: float = 0.0, eta: float = 1.0) -> float:
    """|w| for alpha -> infinity: Q = (2 c^2 + eta (1 - 2 c^2))/(2 - eta). NaN for eta >= 2: no limit."""
    c, eta = _signal_strength(noise), check_positive("eta", eta)
    return float(np.sqrt((2 * c * c + eta * (1 - 2 * c * c)) / (2 - eta))) if eta < 2 else float("nan")


def stationary_error(noise: float = 0.0, eta: float = 1.0) -> float:
    """epsilon_g for alpha -> infinity: tan^2 theta = eta (1/c^2 - 1)/(2 - eta); NaN for eta >= 2."""
    c, eta = _signal_strength(noise), check_positive("eta", eta)
    return float(np.arctan(np.sqrt(eta * (1 / c**2 - 1) / (2 - eta))) / np.pi) if eta < 2 else float("nan")


def _signal_strength(noise: float) -> float:
    return float(np.sqrt(2 / np.pi) * (1 - 2 * check_noise_rate(noise)))
