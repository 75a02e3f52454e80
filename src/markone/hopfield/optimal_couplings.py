"""A perceptron of optimal stability per neuron; what all neurons share is computed once.

Neuron i has the labels S = xi_i and all others as inputs. With its own state among the inputs, too, every
E^mu = S^mu w . xi^mu grows by the same (1/N) sum x, so that the best strengths have the same proportions:
all neurons share the correlations G = xi xi^T, and where P < N their factor L in place of the N inputs.
"""

import numpy as np
from scipy.linalg import LinAlgError, cholesky, solve_triangular

from markone.base.convergence_warning import warn_not_converged
from markone.numerics.arrays import Array
from markone.perceptron.margin import Optimum, solve_margin_problem

# For nearly dependent patterns the shared factor would lose too many digits.
CONDITION = 1e-6
# Neurons checked in one product of matrices.
TOGETHER = 128


def optimal_neurons(xi: Array, starts: list[Array] | None = None) -> list[Optimum]:
    """AdaTron per neuron: its inputs are the others, its labels its own states."""
    shared = shared_strengths(xi)
    found: list[Optimum | None] = [None] * xi.shape[1]
    first = starts
    if shared is not None:
        first = list(shared.T)
        for k in range(0, xi.shape[1], TOGETHER):
            found[k : k + TOGETHER] = _already_optimal(xi, shared, k, min(k + TOGETHER, xi.shape[1]))
    others = xi.copy(order="C")
    for i, one in enumerate(found):
        if one is None:
            x0 = None if first is None or not np.isfinite(first[i]).all() else first[i]
            others[:, i] = 0.0
            found[i] = solve_margin_problem(others, xi[:, i].copy(), x0=x0)
            others[:, i] = xi[:, i]
    solved = [one for one in found if one is not None]
    failed = sum(one.lower <= 0 for one in solved)
    if failed:
        warn_not_converged(
            f"{failed} of {len(solved)} neurons cannot store all {len(xi)} patterns (no positive stability): "
            "store fewer, or accept errors in these neurons."
        )
    return solved


def _already_optimal(xi: Array, x: Array, start: int, stop: int) -> list[Optimum | None]:
    """For neurons start .. stop - 1: the Optimum if the strengths x (P, N) are optimal already, else None.

    The tests of `solve_margin_problem` for one problem, for all neurons by two matrix products.
    """
    N = xi.shape[1]
    mine, own = np.arange(stop - start), slice(start, stop)
    S, strengths = xi[:, own], np.ascontiguousarray(x[:, own])
    with np.errstate(invalid="ignore"):
        w = (strengths * S).T @ xi / N
        w[mine, start + mine] = 0.0
        E = S * (xi @ w.T)
        slope = np.where((strengths == 0) & (E > 1.0), 0.0, 1.0 - E)
    residual, totals = np.abs(slope).max(axis=0), strengths.sum(axis=0)
    lengths, weakest = np.linalg.norm(w, axis=1), E.min(axis=0)
    # Each pattern without one of its N states has the length sqrt(N - 1).
    allowed = np.minimum(1e-13 + 1e-16 * (N - 1) * totals / N, 1e-7)
    found: list[Optimum | None] = []
    for i in mine:
        if not (residual[i] <= allowed[i] and lengths[i] > 0.0):
            found.append(None)
            continue
        lower, upper = float(weakest[i] / lengths[i]), float(N * lengths[i] / totals[i])
        message = f"met Kuhn-Tucker to {residual[i]:.1e} after 0 epochs and 0 Newton steps."
        gap = (upper - lower) / upper
        one = Optimum(strengths[:, i].copy(), w[i], E[:, i].copy(), lower, upper, gap, 0, 0, "exact", message)
        found.append(one)
    return found


def shared_strengths(xi: Array) -> Array | None:
    """Embedding strengths (P, N) of all neurons from G; None if P >= N or G is ill-conditioned."""
    P, N = xi.shape
    if P >= N:
        return None
    try:
        L = np.ascontiguousarray(cholesky(xi @ xi.T, lower=True))
    except LinAlgError:
        return None
    if L.diagonal().min() < CONDITION * L.diagonal().max():
        return None
    # If E = 1 for all patterns has a solution x >= 0, it is optimal: the pseudo-inverse.
    x = xi * solve_triangular(L, solve_triangular(L, xi, lower=True), lower=True, trans=1) * P
    for i in np.flatnonzero(x.min(axis=0) < 0.0):
        x[:, i] = solve_margin_problem(L, xi[:, i].copy(), x0=np.maximum(x[:, i], 0.0)).x
    # In the P inputs of L, E = 1 means (1/P) G; without the own state, 1/P sum x is missing.
    own = x.sum(axis=0) / P
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(own < 1.0, x / (1.0 - own) * N / P, np.nan))


def normalised_couplings(found: list[Optimum]) -> Array:
    """The couplings of all neurons, normalised to length one; zero if nothing was learned."""
    w = np.array([one.w for one in found])
    lengths = np.linalg.norm(w, axis=1, keepdims=True)
    np.divide(w, lengths, out=w, where=lengths > 0)
    np.fill_diagonal(w, 0.0)
    return w
