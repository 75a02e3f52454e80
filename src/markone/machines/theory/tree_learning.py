"""Learning curves of tree machines that learn from a teacher of their own kind, N -> infinity.

alpha = P/(number of adaptive weights); K branches of N/K inputs. Replica symmetric, exact on the Nishimori
line (student's prior = teacher's). The overlap q of a Gibbs student with the teacher in each branch solves

    q = alpha F(g),   g^2 = q/(1-q),   F = K E[(dZ/dp_1)^2 phi(g t_1)^2/(Z (1-Z))].

`committee` with K = 3, `parity` with K = 2 or 3. A parity machine learns nothing at first. K = 2: q leaves
zero continuously at alpha = pi^2/8. K = 3: a state with q > 0 exists from the spinodal 2.9066 on and takes
over at the first-order transition 3.1890; a local search will stay at q = 0 far beyond. Relative accuracy
1e-9. Fully connected machines are not covered: they specialise by a transition of their own.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import brentq, minimize_scalar

from markone.machines.theory.averages import first_power, gain_series, parity_entropy
from markone.machines.theory.bayes_committee import bayes_series
from markone.numerics.arrays import Floats, apply_elementwise, examples_per_weight, scalar_or_array

LOW, HIGH = -40.0, 40.0  # of ln g


def _alpha_of_log_g(log_g: Any, machine: str, K: int) -> Any:
    """alpha = q/F as a function of ln g."""
    g = np.exp(log_g)
    n = first_power(machine, K)
    smooth = gain_series(machine, K)(g / (1 + g))
    return g ** (2 - 2 * n) * (1 + g) ** (2 * n + 1) / ((1 + g * g) * smooth)


def _check_machine(machine: str, K: int) -> None:
    if (machine, K) not in (("committee", 3), ("parity", 2), ("parity", 3)):
        raise ValueError(
            f"No learning curve for machine {machine!r} with K = {K}: "
            "choose 'committee' with K = 3 or 'parity' with K = 2 or 3."
        )


def onset(K: int = 2) -> float:
    """alpha below which a parity machine learns nothing: pi^2/8 for K = 2, the transition for K = 3."""
    _check_machine("parity", K)
    return float(np.pi**2 / 8) if K == 2 else transition()


@cache
def _spinodal_point() -> tuple[float, float]:
    options = {"xatol": 1e-10}
    found = minimize_scalar(
        _alpha_of_log_g, args=("parity", 3), bounds=(-1, 2), method="bounded", options=options
    )
    return float(found.x), float(found.fun)


def spinodal() -> float:
    """alpha = 2.9066 from which on the parity machine with K = 3 has a metastable state with q > 0."""
    return _spinodal_point()[1]


@cache
def transition() -> float:
    """alpha = 3.1890 where that state gets the larger posterior weight.

    (1/2) [ln(1-q) + q] - alpha S(q) = -alpha ln 2, S = the entropy of the next label given the others.
    """

    def advantage(log_g: float) -> Any:
        q = 1 / (1 + np.exp(-2 * log_g))
        gained = np.log(2) - parity_entropy(np.exp(log_g), 3)
        return 0.5 * (np.log1p(-q) + q) + _alpha_of_log_g(log_g, "parity", 3) * gained

    return float(_alpha_of_log_g(brentq(advantage, _spinodal_point()[0], 4, xtol=1e-13), "parity", 3))


@apply_elementwise
def transition_curve(K: int) -> float:
    """alpha from which a parity machine learns, over K: pi^2/8 for 2, 3.1890 for 3, NaN for other K."""
    return onset(K) if K in (2, 3) else float("nan")


@apply_elementwise
def spinodal_curve(K: int) -> float:
    """alpha from which a parity machine has a state with q > 0, over K: pi^2/8 for 2, where learning begins
    continuously, 2.9066 for 3, NaN for other K."""
    return (onset(2) if K == 2 else spinodal()) if K in (2, 3) else float("nan")


def _solve_g(alpha: ArrayLike, machine: str, K: int, metastable: bool) -> Floats:
    """g, 0 where nothing is learned; bisection on the branch that ends at q = 1."""
    _check_machine(machine, K)
    a = examples_per_weight(alpha)
    low, start = LOW, 0.0
    if machine == "parity":
        start = spinodal() if metastable and K == 3 else onset(K)
        low = _spinodal_point()[0] if K == 3 else LOW
    left, right = np.full(a.shape, low), np.full(a.shape, HIGH)
    for _ in range(62):
        middle = 0.5 * (left + right)
        above = _alpha_of_log_g(middle, machine, K) > a
        left, right = np.where(above, left, middle), np.where(above, middle, right)
    return np.where(a > start, np.exp(0.5 * (left + right)), np.where(np.isnan(a), np.nan, 0.0))


def overlap(alpha: ArrayLike, machine: str = "committee", K: int = 3, metastable: bool = False) -> Any:
    """q = R of a Gibbs student in each branch; `metastable` follows parity K = 3 down to its spinodal."""
    g = _solve_g(alpha, machine, K, metastable)
    return scalar_or_array(g * g / (1 + g * g))


def gibbs_error(alpha: ArrayLike, machine: str = "committee", K: int = 3, metastable: bool = False) -> Any:
    """epsilon_g of a Gibbs student: with C = 1 - (2/pi) arccos(q) the mean product of teacher's and
    student's units, (1 - C^K)/2 for parity, (1 - (3 C + C^3)/4)/2 for the committee. ~ 0.6247/alpha."""
    g = _solve_g(alpha, machine, K, metastable)
    d = 4 / np.pi * np.arcsin(np.sqrt(0.5 / (1 + g * g)))  # 1 - C
    if machine == "parity":
        return scalar_or_array(_odd_flips(d, K))
    return scalar_or_array(d * (6 - d * (3 - d)) / 8)


def bayes_error(alpha: ArrayLike, machine: str = "committee", K: int = 3, metastable: bool = False) -> Any:
    """epsilon_g of the best prediction, E[min(Z, 1-Z)]: (1 - ((2/pi) arctan g)^K)/2 for parity.

    ~ 0.4417/alpha.
    """
    g = _solve_g(alpha, machine, K, metastable)
    if machine == "parity":
        return scalar_or_array(_odd_flips(2 / np.pi * np.arctan2(1.0, g), K))
    return scalar_or_array(bayes_series()(g / (1 + g)) / (1 + g))


def _odd_flips(d: Floats, K: int) -> Floats:
    """(1 - (1-d)^K)/2 without cancellation for small d."""
    return 0.5 * d * sum((1 - d) ** k for k in range(K))
