"""From the local potential to the activity of a neuron (Fig. 1.3), and networks of such neurons (1.7)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import erf

from markone.base.parameters import documented
from markone.numerics.arrays import Array, check_whole_number, scalar_or_array

Field = Annotated[ArrayLike, "float or array: The field."]
Gain = Annotated[float, "gamma, the steepness."]


@documented
def sigmoid(x: Field, gain: Gain = 1.0, threshold: float = 0.0) -> Any:
    """h(x) = (1 + tanh(gamma (x - theta)))/2 between rest 0 and the largest rate 1 (1.2).

    Parameters
    ----------
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


@documented
def symmetric(x: Field, gain: Gain = 1.0, threshold: float = 0.0) -> Any:
    """g(x) = tanh(gamma (x - theta)) between -1 and 1 (1.3); an infinite gain makes it `mcculloch_pitts`.

    Parameters
    ----------
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


@documented
def mcculloch_pitts(x: Field, threshold: float = 0.0) -> Any:
    """sign(x - theta), +1 at x = theta (1.5): the limit gamma -> infinity (the notes print theta).

    Parameters
    ----------
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


@documented
@dataclass(frozen=True)
class Response:
    """The states of a network after a stimulus.

    Returned by `respond`.
    """

    states: Annotated[Array, "array (t + 1, N): The states, the stimulus first."]
    settled: Annotated[bool, "Whether no state changed by more than tol in the last step."]

    @property
    def steps(self) -> int:
        return len(self.states) - 1


def respond(
    w: ArrayLike,
    stimulus: ArrayLike,
    *,
    gain: float = 1.0,
    threshold: float = 0.0,
    dynamics: str = "parallel",
    max_iter: int = 100,
    tol: float = 1e-9,
    seed: Any = None,
) -> Response:
    """S_i(t+1) = g(sum_j w_ij S_j(t)) from the stimulus S(0), until it is constant or for max_iter steps.

    Parameters
    ----------
    w : array (N, N)
        w_ij is the synapse from neuron j to neuron i; 0 is none, and it need not be symmetric.
    stimulus : array (N,)
        S(0).
    gain : float, default=1.0
        gamma of g = tanh(gamma (x - theta)) (1.3); an infinite gain gives McCulloch-Pitts neurons.
    threshold : float, default=0.0
        theta of g.
    dynamics : {"parallel", "cyclic", "random"}, default="parallel"
        All neurons at once; one after the other; one after the other in a new permutation each step.
    max_iter : int, default=100
        Largest number of steps.
    tol : float, default=1e-09
        Smaller changes count as none.
    seed : int, Generator or None, default=None
        Seed of the random order.

    Returns
    -------
    Response
        All `states`, and whether they `settled`.

    Examples
    --------
    >>> from markone.networks import respond
    >>> respond([[0.0, 1.0], [1.0, 0.0]], [1.0, -1.0], gain=float("inf")).states[-1].tolist()
    [1.0, -1.0]
    """
    couplings, state = np.asarray(w, dtype=float), np.array(stimulus, dtype=float)
    if couplings.ndim != 2 or couplings.shape != (len(state), len(state)):
        raise ValueError(
            f"w has shape {couplings.shape}: {len(state)} neurons need ({len(state)}, {len(state)})."
        )
    if not (np.isfinite(couplings).all() and np.isfinite(state).all()):
        raise ValueError("w and the stimulus must be finite numbers.")
    if dynamics not in ("parallel", "cyclic", "random"):
        raise ValueError(f"dynamics is {dynamics!r}: choose 'parallel', 'cyclic' or 'random'.")
    rng, states, settled = np.random.default_rng(seed), [state.copy()], False
    for _ in range(check_whole_number("max_iter", max_iter, 1)):
        before = state.copy()
        if dynamics == "parallel":
            state = np.asarray(symmetric(couplings @ state, gain, threshold))
        else:
            order = rng.permutation(len(state)) if dynamics == "random" else range(len(state))
            for i in order:
                state[i] = symmetric(couplings[i] @ state, gain, threshold)
        states.append(state.copy())
        settled = bool(np.abs(state - before).max(initial=0.0) <= tol)
        if settled:
            break
    return Response(np.array(states), settled)
