"""Distribution of stabilities at the optimum for N -> infinity: inputs N(0, 1), no threshold.

Examples whose field t is below kappa have stability kappa and are the support vectors; all others keep t.
Random labels: t is standard normal (Gardner 1988). Labels of a rule: t has the density
2 phi(t) Phi(t R/sqrt(1 - R^2)), R the overlap with the teacher.
"""

from typing import NamedTuple

import numpy as np
from scipy.integrate import quad

from markone.numerics.arrays import Array
from markone.numerics.gaussian import Phi, phi
from markone.perceptron.theory import capacity, max_stability

KINDS = ("labels", "rule")
REACH = 5.0


class Distribution(NamedTuple):
    """Values t above kappa, the density there, kappa, and the fraction of examples at kappa."""

    t: Array
    density: Array
    kappa: float
    mass: float


def stability_distribution(kind: str, alpha: float) -> Distribution:
    """Distribution for P = alpha N examples with random "labels", or with those of a "rule"."""
    if kind not in KINDS:
        raise ValueError(
            f"theory is {kind!r}: choose {' or '.join(map(repr, KINDS))}, or give (kappa, density)."
        )
    if kind == "labels":
        kappa = float(np.asarray(capacity.stability(alpha)))
        if not np.isfinite(kappa):
            raise ValueError(f"alpha = P/N is {alpha:g}: beyond 2 random labels are not separable.")
        t = np.linspace(kappa, max(kappa, 0.0) + REACH, 400)
        return Distribution(t, phi(t), kappa, float(Phi(kappa)))
    kappa = float(np.asarray(max_stability.stability(alpha)))
    theta = np.pi * float(np.asarray(max_stability.generalization_error(alpha)))
    slope = 1 / np.tan(theta)
    t = np.linspace(kappa, kappa + REACH, 400)
    mass = quad(lambda u: 2 * phi(u) * Phi(u * slope), -10.0, kappa)[0]
    return Distribution(t, 2 * phi(t) * Phi(t * slope), kappa, float(mass))
