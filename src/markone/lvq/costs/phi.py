"""Monotonic functions Phi(e) of (5.5) with their derivatives, and bounds of their steepness."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit, lambertw

from markone.numerics.arrays import Array


def _identity_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    return e, np.ones(e.shape, e.dtype)


def _sigmoid_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """1 / (1 + exp(-gamma e)): the number of errors for large gamma, a margin for small."""
    value = expit(gamma * e)
    return value, gamma * value * (1 - value)


def swish_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """e / (1 + exp(-gamma e)), which increases only for gamma e > -`SWISH_TURNS`."""
    value = expit(gamma * e)
    return e * value, value + gamma * e * value * (1 - value)


def _soft_plus_phi(e: Array, gamma: float) -> tuple[Array, Array]:
    """ln(1 + exp(gamma e)) / gamma"""
    return np.logaddexp(0, gamma * e) / gamma, expit(gamma * e)


PHI: dict[str, Callable[[Array, float], tuple[Array, Array]]] = {
    "identity": _identity_phi,
    "sigmoid": _sigmoid_phi,
    "swish": swish_phi,
    "soft+": _soft_plus_phi,
}

# Default steepness.
USUAL_GAMMA = {"identity": 1.0, "sigmoid": 10.0, "swish": 1.0, "soft+": 10.0}
# Swish has its minimum at gamma e = -v with v = 1 + exp(-v): v = 1 + W(1/e), Lambert's W.
SWISH_TURNS = float(1 + lambertw(np.exp(-1)).real)


def checked_steepness(phi: str, gamma: float | None, reach: float = 1.0) -> float:
    """Return gamma, or the default of this Phi; raise where Phi decreases somewhere on -reach .. reach."""
    if phi != "swish":
        return USUAL_GAMMA[phi] if gamma is None else gamma
    if gamma is None:
        return USUAL_GAMMA[phi] / reach
    if gamma * reach > SWISH_TURNS:
        raise ValueError(
            f'phi="swish" with gamma={gamma:g} decreases where it must increase, below '
            f"{-SWISH_TURNS / gamma:.3f} of {-reach:g} .. {reach:g}. Take gamma up to "
            f'{SWISH_TURNS / reach:.3f}, or phi="sigmoid".'
        )
    return gamma
