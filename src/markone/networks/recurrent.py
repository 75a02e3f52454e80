"""Recurrent networks of sigmoidal neurons: the sequence of states that answers a stimulus   (1.7)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from markone.networks.activations import symmetric
from markone.numerics.arguments import whole
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class Response:
    """states (t + 1, N), the stimulus first; settled: the last step moved nothing by more than tol."""

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
    """S_i(t+1) = g(sum_j w_ij S_j(t)) from the stimulus S(0), until nothing moves or for max_iter steps.

    w (N, N): w_ij is the synapse from neuron j to neuron i; 0 is none, and it need not be symmetric. gain and
    threshold of g = tanh(gamma (x - theta)) (1.3); an infinite gain gives McCulloch-Pitts neurons.
    dynamics : "parallel", all neurons at once; "cyclic", one after the other; "random", in a new order each
    step, by `seed`.
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
    for _ in range(whole("max_iter", max_iter, 1)):
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
