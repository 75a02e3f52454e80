"""A perceptron of optimal stability per neuron, all on the same patterns: what they share is done once.

Neuron i has the labels S = xi_i and all others as inputs. With its own state among the inputs, too, every
E^mu = S^mu w . xi^mu grows by the same (1/N) sum x, so that the best strengths have the same proportions:
all neurons share the correlations G = xi xi^T, and where P < N their factor L in place of the N inputs.
"""

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from markone.base.warn import not_converged
from markone.numerics.arrays import Array
from markone.perceptron.quadratic import Optimum, Quadratic, State, judge, maximise, report

# Where the patterns are nearly dependent the shared factor would lose what the neurons' own inputs keep.
CONDITION = 1e-6


def neurons(xi: Array, starts: list[Array] | None = None) -> list[Optimum]:
    """AdaTron per neuron: its inputs are the others, its labels its own states."""
    shared = shared_strengths(xi)
    first = starts if shared is None else list(shared.T)
    found, others = [], xi.copy(order="C")
    for i in range(xi.shape[1]):
        others[:, i] = 0.0
        x0 = None if first is None else first[i]
        found.append(_checked(others, xi[:, i].copy(), x0, shared is not None))
        others[:, i] = xi[:, i]
    failed = sum(one.lower <= 0 for one in found)
    if failed:
        not_converged(
            f"{failed} of {len(found)} neurons cannot store all {len(xi)} patterns (no positive stability): "
            "store fewer, or accept errors in these neurons."
        )
    return found


def _checked(inputs: Array, S: Array, x0: Array | None, solved: bool) -> Optimum:
    """The solution from x0; where x0 is it already, one look at all examples says so."""
    if solved and x0 is not None and np.isfinite(x0).all():
        problem = Quadratic(inputs, S, np.full(len(S), np.inf))
        state = State(x0, np.zeros(problem.N), np.zeros(len(S)))
        judge(problem, state)
        found = report(problem, state, False)
        if found.status == "exact":
            return found
    return maximise(inputs, S, x0=x0 if x0 is not None and np.isfinite(x0).all() else None)


def shared_strengths(xi: Array) -> Array | None:
    """Embedding strengths (P, N) of all neurons by way of G; None where that is no good way."""
    P, N = xi.shape
    if P >= N:
        return None
    try:
        L = np.ascontiguousarray(cholesky(xi @ xi.T, lower=True))
    except LinAlgError:
        return None
    if L.diagonal().min() < CONDITION * L.diagonal().max():
        return None
    # Where E = 1 for all patterns has a solution x >= 0, it is the best there is: the pseudo-inverse.
    x = xi * solve_triangular(L, solve_triangular(L, xi, lower=True), lower=True, trans=1) * P
    for i in np.flatnonzero(x.min(axis=0) < 0.0):
        x[:, i] = maximise(L, xi[:, i].copy(), x0=np.maximum(x[:, i], 0.0)).x
    # In the P inputs of L, E = 1 means (1/P) G; without the own state 1/P sum x of it is missing.
    own = x.sum(axis=0) / P
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(own < 1.0, x / (1.0 - own) * N / P, np.nan))


def rows(found: list[Optimum]) -> Array:
    """The couplings of all neurons, each of length one; zero where nothing was learned."""
    w = np.array([one.w for one in found])
    lengths = np.linalg.norm(w, axis=1, keepdims=True)
    np.divide(w, lengths, out=w, where=lengths > 0)
    np.fill_diagonal(w, 0.0)
    return w
