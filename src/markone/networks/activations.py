"""From the local potential to the activity of a neuron: sigmoids, and the all-or-nothing limit (Fig. 1.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from markone.numerics.arrays import Array, scalar_or_array


def sigmoid(x: ArrayLike, gain: float = 1.0, threshold: float = 0.0) -> Any:
    """h(x) = (1 + tanh(gamma (x - theta)))/2 between rest 0 and the largest rate 1 (1.2).

    Parameters
    ----------
    x : float or array
        The field.
    gain : float, default=1.0
        gamma, the steepness.
    threshold : float, default=0.0
        theta, where it is one half.

    Returns
    -------
    float or array
        Between 0 and 1.

    Examples
    --------
    >>> from markone.networks import sigmoid
    >>> float(sigmoid(0.0))
    0.5
    """
    return scalar_or_array(0.5 * (1.0 + np.asarray(symmetric(x, gain, threshold))))


def symmetric(x: ArrayLike, gain: float = 1.0, threshold: float = 0.0) -> Any:
    """g(x) = tanh(gamma (x - theta)) between -1 and 1 (1.3); an infinite gain makes it `mcculloch_pitts`.

    Parameters
    ----------
    x : float or array
        The field.
    gain : float, default=1.0
        gamma, the steepness.
    threshold : float, default=0.0
        theta, where it is zero.

    Returns
    -------
    float or array
        Between -1 and 1.

    Examples
    --------
    >>> from markone.networks import symmetric
    >>> float(symmetric(1.0, gain=100.0))
    1.0
    """
    if not gain > 0:
        raise ValueError(f"gain = {gain} must be positive (or infinite).")
    if np.isinf(gain):
        return mcculloch_pitts(x, threshold)
    return scalar_or_array(np.tanh(gain * (np.asarray(x, dtype=np.float64) - threshold)))


def mcculloch_pitts(x: ArrayLike, threshold: float = 0.0) -> Any:
    """sign(x - theta), +1 at x = theta (1.5): the limit gamma -> infinity (the notes print theta).

    Parameters
    ----------
    x : float or array
        The field.
    threshold : float, default=0.0
        theta.

    Returns
    -------
    float or array
        +1 or -1.

    Examples
    --------
    >>> from markone.networks import mcculloch_pitts
    >>> mcculloch_pitts([-0.5, 0.0, 0.5]).tolist()
    [-1.0, 1.0, 1.0]
    """
    return scalar_or_array(np.where(np.asarray(x, dtype=np.float64) >= threshold, 1.0, -1.0))


@dataclass(frozen=True)
class Activation:
    """g(x) and its slope, the slope as a function of x and s = g(x)."""

    code: int
    g: Callable[[Array], Array]
    slope: Callable[[Array, Array], Array]


ROOT2 = np.sqrt(2.0)
BELL = np.sqrt(2.0 / np.pi)

# The codes are those of `_online`.
ACTIVATIONS = {
    "linear": Activation(0, lambda x: x, lambda x, s: np.ones_like(x)),
    "tanh": Activation(1, np.tanh, lambda x, s: 1.0 - s * s),
    # erf(x/sqrt 2): its averages over Gaussian inputs are known in closed form (Saad, Solla 1995).
    "erf": Activation(2, lambda x: erf(x / ROOT2), lambda x, s: BELL * np.exp(-0.5 * x * x)),
    "relu": Activation(3, lambda x: np.maximum(x, 0.0), lambda x, s: (x > 0).astype(np.float64)),
}
