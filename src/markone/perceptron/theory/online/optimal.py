"""The best on-line rule (Kinouchi and Caticha 1992), with known noise level and angle theta.

    f = |w| (1 - 2 lambda) tan(theta) phi(z)/H_lambda(-z),   z = t cot(theta),   t = E/|w|
    d(g^2)/dalpha = (1 + g^2) 2 (1 - 2 lambda)^2 I(g),   g = cot(theta)
    I(g) = int Dt phi(g t)^2/H_lambda(-g t),   H_lambda(x) = lambda + (1 - 2 lambda) H(x)

and |w| grows in proportion to R: with the factor set to 1, w is the mean of the posterior. No rule that
uses each example once has a smaller error. Exact for N -> infinity, alpha >= 0, 0 <= noise < 1/2.
Relative accuracy 1e-9 up to alpha = 1e6.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erfcx, ndtr

from markone.numerics.arrays import FLOW_END, Floats, check_noise_rate, examples_per_weight, scalar_or_array
from markone.perceptron.theory.online.flow import START, Trajectory, define_flow_curves, integrate_flow

# The trapezoidal rule on integrands analytic in a strip and decaying like a Gaussian: the zeros of
# H_lambda stay further than 0.4 from the real line wherever the integrand is not negligible.
STEP = 0.08
GRID = np.arange(-125, 126) * STEP
GAUSS = STEP * np.exp(-0.5 * GRID**2) / np.sqrt(2 * np.pi)


def information_per_example(g: float, noise: float = 0.0) -> float:
    """I(g), 13 digits: the substitution t = tau/sqrt(1 + g^2) leaves one width for all g."""
    u = GRID * (g / np.sqrt(1 + g * g))
    # phi(t) phi(u) is the Gaussian of tau; the other phi(u) remains.
    smooth = np.exp(-0.5 * u * u) / (2 * np.pi * (noise + (1 - 2 * noise) * ndtr(u)))
    return float(GAUSS @ smooth / np.sqrt(1 + g * g))


def trajectory(alpha: ArrayLike, noise: float = 0.0) -> Trajectory:
    """theta(alpha), and |w| in the scale in which it is the length of the posterior mean."""
    a = examples_per_weight(alpha, FLOW_END)
    lam = check_noise_rate(noise)
    L = 1 - 2 * lam

    def rates(x: float, state: Sequence[float]) -> tuple[float, ...]:
        g = np.exp(state[0])
        return (np.exp(x) * (1 + g * g) / (g * g) * L * L * information_per_example(g, lam),)

    slope = np.sqrt(2 / np.pi) * L
    g: Floats = np.exp(integrate_flow(rates, (np.log(slope * np.sqrt(START)),), a)[0])
    g = np.where(a <= START, slope * np.sqrt(a), g)
    return Trajectory(a, g, g / np.sqrt(1 + g * g))


overlap, norm, generalization_error = define_flow_curves(trajectory)


def modulation(t: ArrayLike, theta: ArrayLike, noise: float = 0.0) -> Any:
    """f/|w| for an example with potential t = E/|w|, at angle theta < pi/2."""
    lam = check_noise_rate(noise)
    z = np.asarray(t, dtype=np.float64) / np.tan(theta)
    if lam == 0:
        # phi/Phi also where both underflow.
        ratio = np.sqrt(2 / np.pi) / erfcx(-z / np.sqrt(2))
    else:
        ratio = np.exp(-0.5 * z * z) / (np.sqrt(2 * np.pi) * (lam + (1 - 2 * lam) * ndtr(z)))
    return scalar_or_array((1 - 2 * lam) * np.tan(theta) * ratio)


def asymptotic_constant(noise: float = 0.0) -> float:
    """C in epsilon_g ~ C/alpha: 2/(sqrt(2 pi) (1-2 lambda)^2 int phi(u)^2/H_lambda(-u) du) = 0.883400.

    Twice the constant of the Bayes classifier on the same examples, with noise as without.
    """
    lam = check_noise_rate(noise)
    smooth = np.exp(-0.5 * GRID**2) / (np.sqrt(2 * np.pi) * (lam + (1 - 2 * lam) * ndtr(GRID)))
    return float(2 / (np.sqrt(2 * np.pi) * (1 - 2 * lam) ** 2 * (GAUSS @ smooth)))
