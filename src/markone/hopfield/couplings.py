"""Coupling matrices: learned from patterns, and two magnets.

Patterns are rows of +-1, shape (P, N); all functions return (N, N) with w_ii = 0.

Optimal couplings are a perceptron of optimal stability per neuron: neuron i has the labels S = xi_i and all
others as inputs. With its own state among the inputs, too, every E^mu = S^mu w . xi^mu grows by the same
(1/N) sum x, so that the best strengths have the same proportions: all neurons share the correlations
G = xi xi^T, and where P < N their factor L in place of the N inputs.
"""

from typing import Annotated, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cholesky, solve_triangular
from sklearn.utils import check_random_state

from markone.base.convergence_warning import warn_not_converged
from markone.base.parameters import documented
from markone.numerics.arrays import Array, check_whole_number
from markone.perceptron.margin import Optimum, solve_margin_problem


def _check_patterns(xi: ArrayLike) -> Array:
    values = np.asarray(xi, dtype=np.float64)
    if values.ndim != 2 or not values.size:
        raise ValueError(f"Patterns must be rows of a matrix (P, N), not an array of shape {values.shape}.")
    wrong = values[np.abs(values) != 1]
    if wrong.size:
        raise ValueError(
            f"Patterns must hold -1 and +1 only, but {wrong[0]:g} was found. Convert them first."
        )
    return values


def _zero_diagonal(w: Array) -> Array:
    np.fill_diagonal(w, 0.0)
    return w


PatternRows = Annotated[ArrayLike, "array (P, N): The patterns, +-1."]


@documented
def hebb(xi: PatternRows) -> Array:
    """w_ij = (1/N) sum_mu xi_i^mu xi_j^mu (1.11); the notes' 1/P drops out of sign(h).

    Returns
    -------
    array (N, N)
        The couplings.

    Examples
    --------
    >>> from markone.hopfield import hebb
    >>> hebb([[1, -1]]).tolist()
    [[0.0, -0.5], [-0.5, 0.0]]
    """
    xi = _check_patterns(xi)
    return _zero_diagonal(xi.T @ xi / xi.shape[1])


def projection_matrix(xi: Array) -> Array:
    """The orthogonal projection on the span of the patterns, also where these are linearly dependent."""
    _, s, V = np.linalg.svd(xi, full_matrices=False)
    V = V[s > s[0] * max(xi.shape) * np.finfo(np.float64).eps]
    return np.asarray(V.T @ V)


def pseudo_inverse(xi: ArrayLike) -> Array:
    """w = (1/N) sum xi^mu (C^-1)^mu,nu xi^nu, C = xi xi^T/N: all patterns are stored, correlated or not.

    The projection rule, with its diagonal set to zero; all stabilities of a random set are about
    sqrt((1 - alpha)/alpha). N linearly independent patterns would leave only the diagonal: ValueError.

    Parameters
    ----------
    xi : array (P, N)
        The patterns, +-1, linearly independent.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.hopfield import pseudo_inverse
    >>> xi = np.sign(np.random.default_rng(0).standard_normal((10, 20)))
    >>> w = pseudo_inverse(xi)
    >>> bool((xi * (xi @ w.T) > 0).all())
    True
    """
    return remove_diagonal(projection_matrix(_check_patterns(xi)))


def remove_diagonal(Q: Array) -> Array:
    """A projection without its diagonal."""
    if np.trace(Q) > len(Q) - 0.5:
        raise ValueError(
            f"The patterns span all {len(Q)} dimensions, so that their projection is the identity and "
            "the couplings between neurons vanish: store fewer patterns."
        )
    return _zero_diagonal(Q.copy())


@documented
def optimal_stability(xi: PatternRows) -> Array:
    """Couplings of optimal stability, one perceptron (AdaTron) per neuron, |w_i| = 1: not symmetric.

    Possible up to about 2 N random patterns, and for more correlated ones. A ConvergenceWarning is issued
    if some neuron cannot store all patterns; it then has the best couplings found.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> import numpy as np
    >>> from markone.hopfield import optimal_stability
    >>> xi = np.sign(np.random.default_rng(0).standard_normal((20, 20)))
    >>> w = optimal_stability(xi)
    >>> bool((xi * (xi @ w.T) > 0).all())
    True
    """
    return normalised_couplings(optimal_neurons(_check_patterns(xi)))


def ferromagnet(N: int, J: float = 1.0) -> Array:
    """The Ising ferromagnet with all pairs coupled: w_ij = J/N. The notes' w_ij = 1 is J = N.

    With J = 1 it orders below T = 1, with the magnetisation m = tanh(m/T).

    Parameters
    ----------
    N : int
        Number of neurons.
    J : float, default=1.0
        Strength of the coupling.

    Returns
    -------
    array (N, N)
        The couplings, zero on the diagonal.

    Examples
    --------
    >>> from markone.hopfield import ferromagnet
    >>> ferromagnet(2).tolist()
    [[0.0, 0.5], [0.5, 0.0]]
    """
    return _zero_diagonal(np.full((check_whole_number("N", N, 1),) * 2, J / N))


def spin_glass(N: int, J: float = 1.0, random_state: Any = None) -> Array:
    """Symmetric couplings drawn at random, w_ij ~ N(0, J^2/N): the model of Sherrington and Kirkpatrick.

    Parameters
    ----------
    N : int
        Number of neurons.
    J : float, default=1.0
        Width of the distribution.
    random_state : int, RandomState or None, default=None
        Seed of the random numbers; an int gives reproducible results.

    Returns
    -------
    array (N, N)
        The couplings, symmetric, zero on the diagonal.

    Examples
    --------
    >>> from markone.hopfield import spin_glass
    >>> w = spin_glass(5, random_state=0)
    >>> bool((w == w.T).all())
    True
    """
    size = (check_whole_number("N", N, 1),) * 2
    w = np.triu(check_random_state(random_state).normal(0.0, J / np.sqrt(N), size), 1)
    return np.asarray(w + w.T)


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
