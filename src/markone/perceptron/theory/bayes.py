"""The Bayes-optimal student of a rule: the majority of version space, realised by its centre of mass.

The centre of mass w_cm of the version space (3.37) is, for N -> infinity, the Bayes-optimal classifier.
With label noise the posterior is weighted with the true flip rate. R_Bayes^2 = R_Gibbs.
"""

import numpy as np
from numpy.typing import ArrayLike

from markone.perceptron.theory import gibbs
from markone.perceptron.theory.rule import Value, check_arguments, restore_shape


def overlap(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """R = sqrt(q), q the overlap of two Gibbs students (see gibbs.overlap)."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    g = gibbs.overlap_ratio(alpha, noise)
    return restore_shape(g / np.hypot(1, g), shape)


def generalization_error(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """eps = arccos(sqrt(q))/pi for 0 <= alpha <= 1e8: no student does better on average."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    return restore_shape(np.arctan2(1, gibbs.overlap_ratio(alpha, noise)) / np.pi, shape)


def asymptotic_constant(noise: ArrayLike = 0.0) -> Value:
    """A in eps ~ A/alpha: 1/(sqrt(2 pi)(1-2 noise)^2 int du phi(u)^2/H_noise(-u)), 0.44170004."""
    return gibbs.bayes_constant(noise)
