"""Typical volume of version space after alpha N examples of a rule.

The next label is that of the teacher, which is itself a student drawn from version space. Hence its
probability is H_noise(g t), t normal, g^2 = q/(1-q), and -ln(volume) grows by the entropy of the label:

    d ln V/dP = 2 int Dt H_noise(g t) ln H_noise(g t).

Integrated over alpha it is the replica result, which is stationary in q. Replica symmetry is exact on this
(Nishimori) line; N -> infinity. With noise it is ln of the evidence of the labels, not of a volume.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtr, xlogy

from markone.numerics.arrays import Array
from markone.numerics.gaussian import trapezoid_rule
from markone.perceptron.theory import gibbs
from markone.perceptron.theory.rule import Value, check_arguments, restore_shape

NODES = 401


def label_entropy(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """-d ln V/dP: the information (in nats) of one more label; ln 2 at alpha = 0."""
    shape, (alpha, noise) = check_arguments(alpha, noise)
    return restore_shape(_label_entropy(gibbs.overlap_ratio(alpha, noise), noise), shape)


def log_volume(alpha: ArrayLike, noise: ArrayLike = 0.0) -> Value:
    """ln(V)/N = [ln(1-q) + q]/2 - alpha label_entropy, V the fraction of the sphere, 0 <= alpha <= 1e8.

    About -ln(alpha) for large alpha: each factor of two in alpha halves every direction.
    """
    shape, (alpha, noise) = check_arguments(alpha, noise)
    g = gibbs.overlap_ratio(alpha, noise)
    q = g * g / (1 + g * g)
    return restore_shape(0.5 * (q - np.log1p(g * g)) - alpha * _label_entropy(g, noise), shape)


def _label_entropy(g: Array, noise: Array) -> Array:
    """-2 int Dt H ln H with t = v/sqrt(1+g^2), a substitution with one width for small and large g."""
    v, weight = trapezoid_rule(NODES)
    scale = np.sqrt(1 + g * g)
    # Where g is large only |t| < 1/g matters: there phi(t) is nearly flat.
    u = (g / scale)[:, None] * v
    t = v / scale[:, None]
    flat = np.exp(0.5 * (v * v - t * t))
    clean = noise[:, None] == 0
    p = noise[:, None] + (1 - 2 * noise[:, None]) * ndtr(u)
    terms = np.where(clean, ndtr(u) * log_ndtr(u), xlogy(p, p))
    # The limit at large |t| is the entropy of the noise: it is subtracted and added again.
    rest = xlogy(noise, noise) + xlogy(1 - noise, 1 - noise)
    both = terms + terms[:, ::-1] - rest[:, None]
    return -rest - (both * flat) @ weight / scale
