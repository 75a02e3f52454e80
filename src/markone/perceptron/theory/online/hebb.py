"""On-line Hebb, f = 1: one pass over the data is the batch Hebb rule.

rho = w.B = c alpha, Q = |w|^2 = alpha + c^2 alpha^2, c = sqrt(2/pi) (1 - 2 lambda), so that
cot(theta) = c sqrt(alpha). Exact for N -> infinity, all alpha >= 0, flips with probability noise < 1/2.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.numerics.arrays import check_at_least, check_noise_rate
from markone.perceptron.theory.online.flow import Trajectory, define_flow_curves


def trajectory(alpha: ArrayLike, noise: float = 0.0) -> Trajectory:
    """theta(alpha), |w|(alpha) from w(0) = 0."""
    a = check_at_least(0, "alpha", alpha)
    c = np.sqrt(2 / np.pi) * (1 - 2 * check_noise_rate(noise))
    return Trajectory(a, c * np.sqrt(a), np.hypot(np.sqrt(a), c * a))


overlap, norm, generalization_error = define_flow_curves(trajectory)


def asymptotic_constant(noise: float = 0.0) -> float:
    """C in epsilon_g ~ C alpha^(-1/2): 1/(sqrt(2 pi) (1 - 2 lambda))."""
    return float(1 / (np.sqrt(2 * np.pi) * (1 - 2 * check_noise_rate(noise))))
