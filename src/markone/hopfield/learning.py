"""Learning of couplings from patterns, and the addition of patterns to those stored (1.12)."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from markone.hopfield.couplings import projection_matrix, remove_diagonal
from markone.hopfield.network import FullMatrix, Network, StoredPatterns
from markone.hopfield.optimal_couplings import normalised_couplings, optimal_neurons
from markone.numerics.arrays import Array


@dataclass(frozen=True)
class LearnedCouplings:
    """The patterns, the couplings, and what the rule needs to add patterns."""

    xi: Array
    network: Network
    more: Any = field(default=None, repr=False)


def _all_patterns(xi: Array, before: LearnedCouplings | None) -> Array:
    return xi if before is None else np.concatenate([before.xi, xi])


def _store_hebb(xi: Array, self_coupling: bool, before: LearnedCouplings | None) -> LearnedCouplings:
    everything = _all_patterns(xi, before)
    return LearnedCouplings(everything, StoredPatterns(everything, self_coupling))


def _store_pseudo_inverse(
    xi: Array, self_coupling: bool, before: LearnedCouplings | None
) -> LearnedCouplings:
    """Projection rule; a new pattern adds Q += u u^T/|u|^2, u = xi - Q xi (Diederich and Opper 1987)."""
    if before is None:
        Q = projection_matrix(xi.astype(np.float64))
    else:
        Q = before.more.copy()
        for row in xi.astype(np.float64):
            u = row - Q @ row
            # Project once more: the first difference has lost digits if u is small.
            u -= Q @ u
            if u @ u > 1e-18 * (row @ row):
                Q += np.outer(u, u) / (u @ u)
    network = FullMatrix(Q if self_coupling else remove_diagonal(Q))
    return LearnedCouplings(_all_patterns(xi, before), network, Q)


def _store_optimal(xi: Array, self_coupling: bool, before: LearnedCouplings | None) -> LearnedCouplings:
    """AdaTron per neuron; starts from the strengths of the patterns stored before."""
    if self_coupling:
        raise ValueError(
            "couplings='optimal' with self_coupling=True would store everything in w_ii and recall nothing: "
            "set self_coupling=False."
        )
    everything = _all_patterns(xi, before)
    starts = None if before is None else [np.append(x, np.zeros(len(xi))) for x in before.more]
    found = optimal_neurons(everything.astype(np.float64), starts)
    return LearnedCouplings(everything, FullMatrix(normalised_couplings(found)), [one.x for one in found])


def use_given_couplings(couplings: Any, xi: Array, self_coupling: bool) -> LearnedCouplings:
    """Check the user's matrix; its diagonal is set to zero unless `self_coupling`."""
    w = np.array(couplings)
    w = w if w.dtype == np.float32 else w.astype(np.float64)
    N = xi.shape[1]
    if w.shape != (N, N):
        raise ValueError(f"couplings has shape {w.shape}, but states of {N} neurons need ({N}, {N}).")
    if not np.isfinite(w).all():
        raise ValueError("couplings holds NaN or infinite values: give finite numbers.")
    if not self_coupling:
        np.fill_diagonal(w, 0.0)
    return LearnedCouplings(xi, FullMatrix(w))


LEARNING_RULES: dict[str, Callable[[Array, bool, LearnedCouplings | None], LearnedCouplings]] = {
    "hebb": _store_hebb,
    "pseudo_inverse": _store_pseudo_inverse,
    "optimal": _store_optimal,
}
