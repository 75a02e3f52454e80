"""Hebb's law (1.6): neurons that fire together, wire together."""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from markone.base.parameters import documented
from markone.networks.activations import mcculloch_pitts
from markone.numerics.arrays import Array


def grow(w: ArrayLike, post: ArrayLike, pre: ArrayLike, eta: float = 1.0) -> Array:
    """w_AB + eta S_A S_B (1.6): a synapse from B (`pre`) to A (`post`) depends only on these two.

    Parameters
    ----------
    w : float or array
        The synapse, or a matrix of them.
    post : float or array
        S_A, the postsynaptic activity.
    pre : float or array
        S_B, the presynaptic activity.
    eta : float, default=1.0
        Learning rate.

    Returns
    -------
    array
        The updated synapses.

    Examples
    --------
    >>> from markone.networks import grow
    >>> grow([[0.0, 0.0], [0.0, 0.0]], post=[1, -1], pre=[1, 1], eta=0.5).tolist()
    [[0.5, 0.5], [-0.5, -0.5]]
    """
    strengths, after, before = (np.asarray(a, dtype=np.float64) for a in (w, post, pre))
    if strengths.shape != (*after.shape, *before.shape):
        raise ValueError(
            f"w has shape {strengths.shape}, but synapses from {before.size} to {after.size} neurons need "
            f"{(*after.shape, *before.shape)}."
        )
    return strengths + eta * np.multiply.outer(after, before)


@documented
@dataclass(frozen=True)
class Conditioning:
    """The synapse after 0, 1, 2, ... pairings, and whether the bell alone then makes the neuron fire.

    Returned by `conditioning`.
    """

    w: Annotated[Array, "array: Strength of the synapse of the bell."]
    answers: Annotated[Array, "array of bool: Whether the neuron responds to the bell alone."]


def conditioning(pairings: int, eta: float = 0.15, threshold: float = 0.5) -> Conditioning:
    """Classical conditioning (Pavlov's dog) with three neurons: food, bell and response.

    Activities are 0 and 1, so that only common activity changes the synapse of the bell, as in Hebb's law.
    The response fires when the sum of its inputs reaches the threshold; food has a synapse of strength one.

    Parameters
    ----------
    pairings : int
        Number of presentations of food and bell together.
    eta : float, default=0.15
        Learning rate.
    threshold : float, default=0.5
        Threshold of the response neuron.

    Returns
    -------
    Conditioning
        The synapse `w` and the responses `answers` to the bell alone.

    Examples
    --------
    >>> from markone.networks import conditioning
    >>> conditioning(4).w.round(2).tolist()
    [0.0, 0.15, 0.3, 0.45, 0.6]
    """
    w, answers = [0.0], []
    for _ in range(pairings + 1):
        # A test with the bell alone, without learning, then bell and food together.
        answers.append(bool(mcculloch_pitts(w[-1], threshold) > 0))
        answer = float(mcculloch_pitts(w[-1] + 1.0, threshold) > 0)
        w.append(float(grow(w[-1], answer, 1.0, eta)))
    return Conditioning(np.array(w[: pairings + 1]), np.array(answers))
