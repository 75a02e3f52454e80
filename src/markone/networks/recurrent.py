"""Recurrent networks of sigmoidal neurons: the sequence of states after a stimulus   (1.7)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.networks.activations import symmetric
from markone.numerics.arrays import Array, check_whole_number


@dataclass(frozen=True)
class Response:
    """The states of a network after a stimulus.

    Parameters
    ----------
    states : array (t + 1, N)
        The states, the stimulus first.
    settled : bool
        Whether no state changed by more than tol in the last step.

    Examples
    --------
    >>> from markone.networks import respond
    >>> respond([[0.0, 1.0], [1.0, 0.0]], [1.0, 1.0], gain=2.0).settled
    True
    """

    states: Array
    settled: bool

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
