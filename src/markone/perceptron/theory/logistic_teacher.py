"""Separability threshold of a logistic teacher.

Inputs xi_j ~ N(0, 1), labels with P(S = +1) = 1/(1 + exp(-strength B.xi)), |B| = 1. The field u = S B.xi of
an example has the density 2 phi(u)/(1 + exp(-strength u)). P = alpha N examples are separable for
N -> infinity if alpha < alpha_c = 1/min_t E[(z - t u)_+^2] with z standard normal (Candes and Sur 2020); the
maximum likelihood estimate of logistic regression exists beyond alpha_c only.
"""

import numpy as np

from markone.numerics.arrays import apply_elementwise
from markone.perceptron.theory.engine.channels import Logistic
from markone.perceptron.theory.engine.worlds.separability import find_separable_alpha
from markone.perceptron.theory.engine.worlds.world import TeacherWorld

MOST = 1e8
# Below it the threshold is 2 to 1e-10, and the widths of the teacher squared leave the range of floats.
WEAKEST = 1e-12


@apply_elementwise
def alpha_c(strength: float) -> float:
    """Separability threshold: Cover's 2 at strength 0, growing with it without bound; 1e-10 relative.

    NaN beyond a strength of 1e8; infinite where it is infinite, the teacher without noise.
    """
    if strength < 0:
        raise ValueError(f"strength must be at least 0, not {strength:g}.")
    if strength == np.inf:
        return np.inf
    if strength < WEAKEST:
        return 2.0
    if not strength <= MOST:
        return float("nan")
    world = TeacherWorld(Logistic(strength), ((1.0, 2.0),))
    return float(find_separable_alpha(world, np.zeros(1), intercept=False, rho=1.0)[0])
