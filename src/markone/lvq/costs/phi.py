"""The monotonic function Phi(e) of (5.5) with its derivative."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from markone.numerics.arrays import Array


def identity(e: Array, gamma: float) -> tuple[Array, Array]:
    return e, np.ones_like(e)


def sigmoid(e: Array, gamma: float) -> tuple[Array, Array]:
    """1 / (1 + exp(-gamma e)): the number of errors for large gamma, a margin for small."""
    value = expit(gamma * e)
    return value, gamma * value * (1 - value)


def swish(e: Array, gamma: float) -> tuple[Array, Array]:
    """e / (1 + exp(-gamma e))"""
    value = expit(gamma * e)
    return e * value, value + gamma * e * value * (1 - value)


def soft_plus(e: Array, gamma: float) -> tuple[Array, Array]:
    """ln(1 + exp(gamma e)) / gamma"""
    return np.logaddexp(0, gamma * e) / gamma, expit(gamma * e)


PHI: dict[str, Callable[[Array, float], tuple[Array, Array]]] = {
    "identity": identity,
    "sigmoid": sigmoid,
    "swish": swish,
    "soft+": soft_plus,
}
